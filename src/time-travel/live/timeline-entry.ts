/**
 * The type of a `Timeline`'s entries (an event, the state before it and after it, its directives), and
 * functions that make one from a replayed step or from a child run's line.
 */
import { isEventLine, type Line, type ReplayedStep, ROOT_RUN } from "../../core/journal/index.js";
import type { Ignored, RunState } from "../../core/kernel/machine/index.js";
import type { Directive, RunEvent } from "../../core/kernel/vocabulary/index.js";

/** One record of a run. */
export interface TimelineEntry<Context> {
  /** The place among the events of the run and its children. */
  readonly seq: number;
  /** The path of the child run that took it; absent for the run itself. */
  readonly run?: string;
  readonly event: RunEvent;
  /** The state after it. */
  readonly state: RunState<Context>;
  /** The state before it; absent at the start. */
  readonly before: RunState<Context> | undefined;
  /** The directives that it issued; of a child run none. */
  readonly directives: readonly Directive[];
  readonly ignored?: Ignored;
  /** True where the present code does what was recorded. */
  readonly same: boolean;
}

/** An event of a child run: the run itself stands where it stood. */
export function passedOf<Context>(
  line: Line,
  state: RunState<Context> | undefined,
): TimelineEntry<Context> | undefined {
  if (!isEventLine(line) || state === undefined) return undefined;
  const { seq, run = ROOT_RUN, event } = line;
  return { seq, run, event, state, before: state, directives: [], same: true };
}

/** The record of a step that was folded. */
export function momentOf<Context>(
  replayed: ReplayedStep<Context>,
  seq: number,
): TimelineEntry<Context> {
  const { event, step, before, same } = replayed;
  const { state, directives, ignored } = step;
  return {
    seq,
    event,
    state,
    before,
    directives,
    same,
    ...(ignored === undefined ? {} : { ignored }),
  };
}
