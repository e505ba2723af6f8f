/** `replay` and `fold`: a journal through a reasoner, without the world. */
import {
  type Difference,
  type HeaderLine,
  isHeaderLine,
  Replay,
  type ReplayedStep,
  reasonerOf,
} from "../../core/journal/index.js";
import type { Reasoner, RunState } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { explainDifference } from "./difference.js";
import { readHistory } from "./history.js";
import { journalAt } from "./journal-place.js";
import { contextOfLink, forkedState, loadRun } from "./load.js";
import { emptyJournal, tornNotice } from "./read-journal.js";

/** What a replay says. */
export type ReplayReport = {
  readonly runId: string;
  /** Events compared and found identical. */
  readonly events: number;
  /** Things worth knowing that are no difference: a torn last line, another configuration. */
  readonly notices: readonly string[];
} & (
  | { readonly status: "identical" }
  | { readonly status: "diverged"; readonly difference: Difference }
);

/** What a replay may be told. */
export interface ReplayOptions<Context> {
  /** Told of each step as the reasoner takes it, in order. */
  readonly onStep?: (
    step: Pick<ReplayedStep<Context>, "before" | "event" | "step" | "same">,
  ) => void;
}

/** The replay of a run behind a cut, by the header of the fork that begins there. */
export function behindCut<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  before: Replay<Input, Output, Context>,
  { runId }: HeaderLine,
): Replay<Input, Output, Context> {
  const state = forkedState(before.state as RunState<Context>, runId);
  return new Replay(reasoner, { state, memory: before.ledger.memory });
}

/**
 * Checks that a reasoner does exactly what a journal recorded: every line is verified, every event
 * folded, every directive and the whole state compared. Nothing is run and nothing is written.
 * @returns `identical`, or `diverged` with the first difference and both its values
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function replay<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  { onStep }: ReplayOptions<Context> = {},
): Promise<ReplayReport> {
  const port = await journalAt(journal);
  const notices: string[] = [];
  let header: HeaderLine | undefined;
  let own = reasoner;
  let run: Replay<Input, Output, Context> | undefined;
  let linked: unknown;
  let events = 0;
  for await (const line of readHistory(port, (bytes) => notices.unshift(tornNotice(bytes)))) {
    if (isHeaderLine(line.line)) {
      header = line.line;
      if (run !== undefined) {
        run = behindCut(own, run, header);
        continue;
      }
      own = reasonerOf(reasoner, header);
      linked = await contextOfLink(own, line.port, header);
      run = new Replay(own, { header, from: linked });
      if (header.fingerprint !== own.fingerprint) {
        notices.push("The reasoner's configuration is not the one that was recorded.");
      }
    }
    const replayed = run?.take(line);
    if (replayed === undefined) continue;
    onStep?.(replayed);
    if (!replayed.same) {
      const difference = await explainDifference(own, port, replayed, linked);
      const { runId } = header as HeaderLine;
      return { status: "diverged", runId, events, notices, difference };
    }
    events += 1;
  }
  if (header === undefined) throw emptyJournal(port);
  return { status: "identical", runId: header.runId, events, notices };
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
 * Folds a journal to the state after its last event, or after the event `until`, whatever else the
 * reasoner at hand does than was recorded.
 * @throws ReckonerError `journal.*` where the journal cannot be read
 */
export async function fold<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: string | JournalPort,
  until?: number,
): Promise<Folded<Context>> {
  const port = await journalAt(journal);
  const options = { lenient: true, ...(until === undefined ? {} : { until }) };
  const { header, state, notices } = await loadRun(reasoner, port, options);
  return {
    header,
    state,
    events: state === undefined ? 0 : state.seq + 1,
    torn: notices.some(({ code }) => code === "journal.torn"),
  };
}
