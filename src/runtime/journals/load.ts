/**
 * Loads a run from its journal: all bytes are verified; events before the newest valid snapshot by
 * hashing alone, later ones by replay.
 */
import type { JournalPort } from "../ports/ports.js";
import { shortJournal } from "./end-note.js";
import { LinkedRuns } from "./linked-runs.js";
import type { LoadedRun, LoadOptions, Notice } from "./loaded-run.js";
import { Loading } from "./loading.js";
import { type ReasonerVersions, reasonersOf } from "./reasoners-of.js";
import { readSnapshot, snapshotsOf } from "./snapshots.js";

/** So many snapshots are tried, each with a way through the journal, before it is folded whole. */
const MAX_TRIES = 4;

/** The runs that headers link to, loaded as any other. */
export const linkedRuns: LinkedRuns = /* @__PURE__ */ new LinkedRuns(loadRun);

/**
 * Loads a run. Whatever the reasoner does otherwise than recorded is refused: going on from there
 * would make a journal that no code replays.
 * @param reasoners each segment of the journal is folded by the one whose configuration it has
 * @throws ReckonerError `journal.diverged` with both values, `journal.configuration`,
 * `upgrade.refused`, and what reading a journal throws
 */
export async function loadRun<Input, Output, Context>(
  versions: ReasonerVersions<Input, Output, Context>,
  port: JournalPort,
  options: LoadOptions = {},
): Promise<LoadedRun<Context>> {
  const reasoners = reasonersOf(versions);
  const snapshots = await snapshotsOf(port);
  const parts = { reasoners, port, options, linked: linkedRuns };
  const notices: Notice[] = [];
  const unfit: number[] = [];
  let isShort = false;
  const withNotices = (loaded: LoadedRun<Context>): LoadedRun<Context> => ({
    ...loaded,
    isShort: isShort && options.loss === "accept",
    snapshots: snapshots.filter(({ seq }) => !unfit.includes(seq)),
    unfit,
    notices: [...notices, ...loaded.notices],
  });
  const { until = Number.POSITIVE_INFINITY } = options;
  const wanted = snapshots.filter(({ seq }) => seq <= until).sort((a, b) => b.seq - a.seq);
  for (const { seq } of wanted.slice(0, MAX_TRIES)) {
    const read = await readSnapshot(port, seq);
    if (read === undefined) continue;
    const loading = new Loading(parts, typeof read === "string" ? undefined : read);
    const loaded = typeof read === "string" ? read : await loading.run();
    isShort ||= loading.isShort;
    if (typeof loaded !== "string") return withNotices(loaded);
    if (isShort && options.loss === "refuse") {
      throw shortJournal(port, `ends before event ${seq}, of which it has a snapshot`);
    }
    unfit.push(seq);
    notices.push({
      code: "snapshot.unused",
      message: `The snapshot of event ${seq} was not used: ${loaded}.`,
    });
  }
  const loading = new Loading(parts);
  const loaded = await loading.run();
  if (typeof loaded === "string") throw new Error(loaded);
  isShort ||= loading.isShort;
  return withNotices(loaded);
}
