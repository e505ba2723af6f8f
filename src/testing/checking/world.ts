/**
 * Simulates a run for `check`, `explore` and laws, without a driver or I/O: a `Choose` picks each event that the
 * reasoner gets, and in the end whatever is outstanding is settled until the run ends or waits. It gives the
 * history; laws judge it.
 */

import {
  owedBy,
  type Reasoner,
  type RunState,
  type Step,
} from "../../core/kernel/machine/index.js";
import { tableHas } from "../../core/kernel/values/index.js";
import type { IncomingEvent, RunEvent } from "../../core/kernel/vocabulary/index.js";
import { type Choose, plainest } from "./choose.js";
import type { Upgrading } from "./upgradable.js";
import { Happenings, type WorldOptions } from "./what-may-happen.js";

/** One event, and what it came to. */
export interface HistoryStep<Context = unknown> {
  /** Absent at the start. */
  readonly before: RunState<Context> | undefined;
  readonly event: RunEvent;
  readonly step: Step<Context>;
}

/** The start of a run, beside its input. */
export interface RunOrigin {
  readonly at: number;
  readonly runId: string;
  readonly seed: string;
}

/** Everything that happened to one run. */
export interface History<Input = unknown, Context = unknown> {
  readonly input: Input;
  readonly origin: RunOrigin;
  /** The start first. */
  readonly steps: readonly HistoryStep<Context>[];
  readonly state: RunState<Context>;
}

/** Everything that a world leaves to chance. */
export interface Chance {
  /** The number of events before the run is driven to its end. */
  readonly moves: number;
  /** The choices of what happens. */
  readonly choose: Choose;
  /** The choices of an answer, by its directive. */
  answer(id: string): Choose;
  /** Nothing happens to a run that has ended. Default false: what comes too late comes too. */
  readonly untilEnd?: boolean;
  /** The choices of what is answered when chance is over. Default: the plainest. */
  readonly end?: Choose;
}

/** The start of runs in a world; times are milliseconds since 1970. */
export const worldOrigin: RunOrigin = { at: 1_000, runId: "run", seed: "seed" };

/** Drives a run by chance to its end. */
export function driveBy<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  chance: Chance,
  options: WorldOptions<NoInfer<Context>> & Upgrading,
): History<Input, Context> {
  const { bound = 200, answersOnly = false } = options;
  const happenings = new Happenings<Context>(reasoner, options);
  const steps = [firstStep(reasoner, input)];
  let { state } = (steps[0] as HistoryStep<Context>).step;
  let { at } = worldOrigin;
  const happen = (event: IncomingEvent) => {
    at = Math.max(at, event.at);
    const taken = nextStep(reasoner, state, event);
    steps.push(taken);
    state = taken.step.state;
  };
  for (let i = 0; i < chance.moves; i++) {
    if (chance.untilEnd === true && state.status !== "active") break;
    at += chance.choose(3);
    const event = happenings.next(state, at, chance.choose, (id) => chance.answer(id), i);
    if (event !== undefined) happen(event);
  }
  let refused: string | undefined;
  for (let i = 0; i < bound && state.status === "active"; i++) {
    const [next] = owedBy(state);
    if (next === undefined) break;
    at += 1;
    // A refused decision is followed by another: the same again would be refused without end.
    const isOwn = answersOnly && refused !== next.id;
    happen(happenings.answer(next, isOwn ? chance.answer(next.id) : (chance.end ?? plainest), at));
    refused = tableHas(state.outstanding, next.id) ? next.id : undefined;
  }
  return { input, origin: worldOrigin, steps, state };
}

/** The start of a run. */
export function firstStep<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
): HistoryStep<Context> {
  const step = reasoner.start(input, worldOrigin);
  return { before: undefined, event: Object.freeze({ type: "start", at: worldOrigin.at }), step };
}

/** One more event of a run. */
export function nextStep<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  before: RunState<Context>,
  event: IncomingEvent,
): HistoryStep<Context> {
  // A law that writes into what it is shown would change what the next one sees.
  return { before, event: Object.freeze(event) as RunEvent, step: reasoner.step(before, event) };
}
