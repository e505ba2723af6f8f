/** `replay` and `fold`: run a journal's events through a reasoner, without effects. */
import type { HeaderLine, ReplayedStep } from "../../core/journal/index.js";
import type { RunState } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { checkAllOptions, checkArgument, SET } from "../ports/check-options.js";
import type { JournalPort } from "../ports/ports.js";
import type { ReplayReport } from "./checker.js";
import { type ReasonerVersions, reasonersOf } from "./reasoners-of.js";

/** Options of a replay. */
export interface ReplayOptions<Context> {
  /**
   * Goes on after a difference, as long as the recorded answers fit what the code now asks, and
   * groups the differences by cause. Default: it stops at the first.
   */
  readonly keepGoing?: boolean | undefined;
  /** Parts of directives that may differ: `system`, `tools`; or paths: `context.deps.now`. */
  readonly ignore?: readonly string[] | undefined;
  /** Keys of the causes that were accepted. */
  readonly accepted?: ReadonlySet<string> | undefined;
  /** Told of each step as the reasoner takes it, in order. */
  readonly onStep?:
    | ((step: Pick<ReplayedStep<Context>, "before" | "event" | "step" | "same">) => void)
    | undefined;
}

const OPTIONS: shapes.Shapes<ReplayOptions<unknown>> = {
  keepGoing: shapes.FLAG,
  ignore: shapes.TEXTS,
  accepted: SET,
  onStep: shapes.FUNCTION,
};

/**
 * Checks that a reasoner does exactly what a journal recorded: every line is verified, every event
 * replayed, and every directive and state compared. Nothing is run and nothing is written. The
 * segments of an upgraded run are each compared with the reasoner of their configuration; a
 * segment without one is reported as not checked. The last (or only) segment is compared with the
 * first reasoner if none has its configuration: what would this code have done?
 * @returns `identical`, or `diverged` with the first difference that counts, both its values and its
 * cause
 * @throws ReckonerError `journal.*` where the journal cannot be read, `option.invalid`,
 * `hook.failed`
 */
export async function replay<Input, Output, Context>(
  reasoner: ReasonerVersions<Input, Output, Context>,
  journal: string | JournalPort,
  options: ReplayOptions<Context> = {},
): Promise<ReplayReport> {
  const own = checkAllOptions("replay", options, OPTIONS);
  const { keepGoing = false, ignore = [], accepted, onStep } = own;
  const { readableAt } = await import("./head.js");
  const port = await readableAt(journal);
  const reasoners = reasonersOf(reasoner);
  const { checkJournal } = await import("./check-journal.js");
  return checkJournal(reasoners, port, { keepGoing, ignore, accepted, onStep });
}

/** A folded journal. */
export interface Folded<Context> {
  readonly header: HeaderLine;
  /** The state after the last event folded; absent where the journal holds no event. */
  readonly state: RunState<Context> | undefined;
  /** How many events were folded. */
  readonly events: number;
  /** An unterminated last line was dropped. */
  readonly torn: boolean;
}

/**
 * Replays a journal to the state after its last event, or after the event `until`, whether or not
 * the reasoner does what was recorded.
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function fold<Input, Output, Context>(
  reasoner: ReasonerVersions<Input, Output, Context>,
  journal: string | JournalPort,
  until?: number,
): Promise<Folded<Context>> {
  if (until !== undefined) checkArgument("until of fold", until, shapes.count(-1));
  const { readableAt } = await import("./head.js");
  const port = await readableAt(journal);
  const options = { lenient: true, ...(until === undefined ? {} : { until }) };
  const reasoners = reasonersOf(reasoner);
  const { loadRun } = await import("./load.js");
  const { header, state, tree, notices } = await loadRun(reasoners, port, options);
  return {
    header,
    state,
    events: tree.seq,
    torn: notices.some(({ code }) => code === "journal.torn"),
  };
}
