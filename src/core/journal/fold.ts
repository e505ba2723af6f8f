/** Folding a journal: the recorded events through a reasoner, step by step. */
import {
  type Json,
  type Reasoner,
  type ReasonerRegistry,
  ReckonerError,
  type RunEvent,
  type RunState,
  type Step,
} from "../kernel/index.js";
import { compareStep, type Difference } from "./compare.js";
import type { EventLine, HeaderLine, Line } from "./line.js";
import { type JournalText, readJournal } from "./read.js";

/** One folded step: its line and what the reasoner makes of its event. */
export interface FoldedStep<Context> {
  readonly line: EventLine;
  readonly event: RunEvent;
  readonly step: Step<Context>;
}

/**
 * The steps of a journal's lines, from the start that its header describes or from a state.
 * @throws ReckonerError `journal.reasoner` where another reasoner wrote it, `journal.format` where
 * the sequence numbers have a gap
 * @param earlier the context that the header's link leads to, where it has one
 */
export function* foldSteps<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  from: HeaderLine | RunState<Context>,
  lines: Iterable<Line>,
  earlier?: unknown,
): Generator<FoldedStep<Context>> {
  let state = "type" in from ? undefined : from;
  if ("type" in from) checkReasoner(reasoner, from);
  for (const line of lines) {
    if (line.type !== "event") continue;
    const step: Step<Context> =
      state === undefined
        ? startOf(reasoner, from as HeaderLine, earlier)
        : reasoner.step(state, line.event);
    if (step.state.seq !== line.seq) {
      throw new ReckonerError(
        "journal.format",
        `The journal has event ${line.seq} where ${step.state.seq} should be.`,
        { place: `event ${line.seq}` },
      );
    }
    yield { line, event: line.event, step };
    state = step.state;
  }
}

/**
 * The reasoner that a journal is of: the one at hand, or, for a child run's journal, the one that the
 * header's path of names leads to from it.
 */
export function reasonerOf<Input, Output, Context>(
  root: Reasoner<Input, Output, Context>,
  header: HeaderLine,
): Reasoner<Input, Output, Context> {
  const path = header.parent?.path;
  if (!Array.isArray(path) || root.fingerprint === header.fingerprint) return root;
  let found: { readonly children: ReasonerRegistry } | undefined = root;
  for (const name of path) found = found?.children[String(name)];
  // A child's journal can be read with the child's own reasoner as well.
  return (found ?? root) as Reasoner<Input, Output, Context>;
}

/** The start that a header describes; `earlier` is the context that its link leads to. */
export function startOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  header: HeaderLine,
  earlier?: unknown,
): Step<Context> {
  return reasoner.start(header.input as Input, {
    at: header.at,
    runId: header.runId,
    ...(header.seed === undefined ? {} : { seed: header.seed }),
    ...(earlier === undefined ? {} : { from: earlier }),
  });
}

/** @throws ReckonerError `journal.reasoner` */
export function checkReasoner(
  reasoner: { readonly id: string; readonly version: number },
  header: HeaderLine,
): void {
  const { id, version } = header.reasoner;
  if (id === reasoner.id && version === reasoner.version) return;
  throw new ReckonerError(
    "journal.reasoner",
    `The journal is of ${id} version ${version}, the reasoner at hand is ${reasoner.id} version ${reasoner.version}; use the one that wrote it.`,
  );
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
 * Folds a journal's text to a state, whatever directives it recorded.
 * @param until sequence number of the last event to take
 * @param earlier the context of the run that this one goes on from, where its header names one
 */
export function foldJournal<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  text: JournalText,
  until: number = Number.POSITIVE_INFINITY,
  earlier?: unknown,
): Folded<Context> {
  const read = readJournal(text);
  let state: RunState<Context> | undefined;
  let events = 0;
  const lines = read.lines.map((decoded) => decoded.line);
  const own = reasonerOf(reasoner, read.header);
  for (const { step } of foldSteps(own, read.header, lines, earlier)) {
    if (step.state.seq > until) break;
    state = step.state;
    events += 1;
  }
  return { header: read.header, state, events, torn: read.torn !== "" };
}

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

/**
 * Replays a journal: every line verified, every event folded, every directive compared by its
 * hashes. Stops at the first difference.
 * @param earlier the context of the run that this one goes on from, where its header names one
 */
export function replayJournal<Input, Output, Context>(
  root: Reasoner<Input, Output, Context>,
  text: JournalText,
  earlier?: unknown,
): ReplayReport {
  const { header, lines: decoded, torn } = readJournal(text);
  const reasoner = reasonerOf(root, header);
  const lines = decoded.map((each) => each.line);
  const notices: string[] = [];
  if (torn !== "") notices.push(`The last line is torn; ${torn.length} characters are left out.`);
  if (header.fingerprint !== reasoner.fingerprint) {
    notices.push("The reasoner's configuration is not the one that was recorded.");
  }
  let events = 0;
  for (const { line, step } of foldSteps(reasoner, header, lines, earlier)) {
    const upTo = () => lines.slice(0, lines.indexOf(line) + 1);
    const difference = compareStep(reasoner, line, step, upTo);
    if (difference !== undefined) {
      return { status: "diverged", runId: header.runId, events, notices, difference };
    }
    events += 1;
  }
  return { status: "identical", runId: header.runId, events, notices };
}

/** A difference in one line, with both values. */
export function describeDifference(difference: Difference, width = 2_000): string {
  const show = (value: Json | undefined) =>
    value === undefined ? "nothing" : JSON.stringify(value).slice(0, width);
  const { seq, event, path, recorded, computed } = difference;
  return `At event ${seq} (${event}), ${path}: recorded ${show(recorded)}, computed ${show(computed)}.`;
}
