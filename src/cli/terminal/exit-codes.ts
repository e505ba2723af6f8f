/**
 * Lists the exit codes of all commands; the table in `docs/guide/command-line.md` lists what they mean for each.
 */
export const exitCodes = {
  /** The run is done; the replay is identical. */
  ok: 0,
  /** The run failed or was cancelled; the replay diverged. */
  failed: 1,
  /** The command was refused: wrong arguments, a broken config, a journal that cannot be read. */
  refused: 2,
  /** The run waits for an approval, a timer or a message. */
  waiting: 3,
} as const;
