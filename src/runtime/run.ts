/** `run` and `resume`: a reasoner, its input and the world, made into one live run. */
import type { Reasoner } from "../core/kernel/index.js";
import { journalAt } from "./journal-place.js";
import { LiveRun, type Run } from "./live-run.js";
import { memoryJournal } from "./memory-journal.js";
import { openRun } from "./open-run.js";
import type { ResumeOptions, RunOptions } from "./options.js";
import type { JournalPort } from "./ports.js";
import { begin, goOn } from "./start-run.js";

/**
 * Starts a run.
 * @throws ReckonerError (the promise rejects) `journal.exists`, `journal.locked`, `journal.write`,
 * `redaction.refused`, `json.refused` for an input that is not JSON
 */
export function run<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  options: RunOptions = {},
): Run<Output, Context> {
  const { journal } = options;
  const host = { approvals: journal === undefined ? "deny" : "wait", ...options } as const;
  return new LiveRun(reasoner, host, 0, async (live) =>
    begin(reasoner, input, await journalAt(journal ?? memoryJournal()), host, live),
  );
}

/**
 * Goes on with a run from its journal: nothing that was settled is repeated. A run that has ended
 * gives its end again.
 * @throws ReckonerError (the promise rejects) `journal.diverged`, `approval.stale` for a decision
 * that names no waiting approval, `run.ended` for a message to a run that has ended
 */
export function resume<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  options: ResumeOptions = {},
): Run<Output, Context> {
  const host = { approvals: "wait" as const, ...options };
  return new LiveRun(reasoner, host, 0, async (live) =>
    goOn(await openRun(reasoner as never, await journalAt(journal)), host, live),
  );
}
