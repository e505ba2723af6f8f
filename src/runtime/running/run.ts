/** `run` and `resume`: a reasoner, its input and the world, made into one live run. */
import type { Reasoner } from "../../core/kernel/index.js";
import { openRun } from "../children/open-run.js";
import { journalAt } from "../journals/journal-place.js";
import { memoryJournal } from "../journals/memory-journal.js";
import type { JournalPort } from "../ports.js";
import { headOf } from "../travel/head.js";
import { LiveRun, type Run, type Tree } from "./live-run.js";
import {
  DEFAULT_CONCURRENCY,
  type HostOptions,
  type ResumeOptions,
  type RunOptions,
} from "./options.js";
import { Places } from "./places.js";
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
  const host = { unattended: journal === undefined ? "deny" : "wait", ...options } as const;
  return new LiveRun(reasoner, host, treeOf(host), async (live) =>
    begin(reasoner, input, await journalAt(journal ?? memoryJournal()), host, live),
  );
}

/**
 * Goes on with a run from its journal, or where its head leads to after a rewind: nothing that was
 * settled is repeated. A run that has ended gives its end again.
 * @throws ReckonerError (the promise rejects) `journal.diverged`, `approval.stale` for a decision
 * that names no waiting approval, `run.ended` for a message to a run that has ended
 */
export function resume<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  options: ResumeOptions = {},
): Run<Output, Context> {
  const host = { unattended: "wait" as const, ...options };
  return new LiveRun(reasoner, host, treeOf(host), async (live) =>
    goOn(
      await openRun(reasoner as never, await headOf(await journalAt(journal)), host),
      host,
      live,
    ),
  );
}

function treeOf({ concurrency = DEFAULT_CONCURRENCY }: HostOptions): Tree {
  return { places: new Places(concurrency), depth: 0 };
}
