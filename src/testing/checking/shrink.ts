/**
 * Shrinks a run that breaks a law: leaves events out and simplifies answers, as long as the same law is
 * broken. An answer stays with its directive, also if that has another id in the shorter run.
 */

import { owedBy, type Reasoner, type RunState } from "../../core/kernel/machine/index.js";
import {
  type Effect,
  isSettlement,
  type RunEvent,
  settles,
} from "../../core/kernel/vocabulary/index.js";
import { type Choose, plainestOf } from "./choose.js";
import { settle } from "./settlers.js";
import type { WorldOptions } from "./what-may-happen.js";
import { firstStep, type HistoryStep, nextStep } from "./world.js";

/** Replays of one shrinking, at most. */
const MOST_REPLAYS = 3_000;

/** An event, and which of the questions of its type it answered. */
interface Kept {
  readonly event: RunEvent;
  /** Index among the outstanding directives of its type, from the last one, -1; absent where it answered nothing. */
  readonly index?: number;
}

/** The way in which a question is found again in a shorter run, where ids may have moved on: its id, or its place. */
type FoundBy = "id" | "place";

/** Tests if steps break the law in question, and how many of them suffice. */
export type Breaks<Context> = (steps: readonly HistoryStep<Context>[]) => number | undefined;

/** A run's shortest version that breaks the law. */
export function shrinkRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  inputs: readonly Input[],
  steps: readonly HistoryStep<Context>[],
  breaks: Breaks<Context>,
  options: WorldOptions<Context>,
  values: Choose = plainestOf([{}]),
): { readonly input: Input; readonly steps: readonly HistoryStep<Context>[] } {
  let input = inputs[0] as Input;
  let best = steps.slice(0, breaks(steps) ?? steps.length);
  let kept = best.slice(1).map(keep);
  let replays = 0;
  const attempt = (events: readonly Kept[], from: Input = input): boolean => {
    for (const by of ["id", "place"] as const) {
      if (replays >= MOST_REPLAYS) return false;
      replays += 1;
      const again = replayed(reasoner, from, events, by);
      const enough = breaks(again);
      if (enough === undefined) continue;
      best = again.slice(0, enough);
      kept = best.slice(1).map(keep);
      input = from;
      return true;
    }
    return false;
  };
  const leaveOut = () => {
    for (let size = Math.max(1, kept.length >> 1); size >= 1; size >>= 1) {
      for (let at = kept.length - size; at >= 0; ) {
        const without = [...kept.slice(0, at), ...kept.slice(at + size)];
        at = attempt(without) ? Math.min(at, kept.length) - size : at - size;
      }
    }
  };
  for (const other of inputs.slice(1)) if (attempt(kept, other)) break;
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    leaveOut();
    for (let i = 0; i < kept.length; i++) {
      const plain = plainer(best[i + 1] as HistoryStep<Context>, options, values);
      if (plain === undefined || JSON.stringify(plain) === JSON.stringify(kept[i]?.event)) continue;
      const { index } = kept[i] as Kept;
      const answer = index === undefined ? { event: plain } : { event: plain, index };
      attempt([...kept.slice(0, i), answer, ...kept.slice(i + 1)]);
    }
  }
  return { input, steps: best };
}

/** The questions of an answer's type that were outstanding. */
function questionsOf(state: RunState<unknown> | undefined, type: string): readonly Effect[] {
  return state === undefined ? [] : owedBy(state).filter((each) => each.type === settles[type]);
}

function keep<Context>({ before, event }: HistoryStep<Context>): Kept {
  if (!isSettlement(event)) return { event };
  const questions = questionsOf(before, event.type);
  const index = questions.findIndex(({ id }) => id === event.id);
  return index < 0 ? { event } : { event, index: index - questions.length };
}

/** The same events over again; what answers no question of its type any more is left out. */
export function replayed<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  events: readonly Kept[],
  by: FoundBy,
): readonly HistoryStep<Context>[] {
  const steps = [firstStep(reasoner, input)];
  for (const { event, index } of events) {
    const { state } = (steps[steps.length - 1] as HistoryStep<Context>).step;
    if (state.status !== "active") break;
    const at = state.at;
    if (index === undefined) {
      steps.push(nextStep(reasoner, state, { ...event, at } as RunEvent));
      continue;
    }
    const questions = questionsOf(state, event.type);
    const { id: asked } = event as { readonly id: string };
    // Of fewer questions than there were, the first is the oldest.
    const placed = questions.at(Math.max(index, -questions.length));
    const named = by === "id" ? questions.find(({ id }) => id === asked) : undefined;
    const question = named ?? placed;
    if (question === undefined) continue;
    const time = question.type === "timer" ? Math.max(at, question.until) : at;
    steps.push(nextStep(reasoner, state, { ...event, id: question.id, at: time } as RunEvent));
  }
  return steps;
}

/** The plainest answer to the same question. */
function plainer<Context>(
  { before, event }: HistoryStep<Context>,
  options: WorldOptions<Context>,
  values: Choose,
): RunEvent | undefined {
  if (!isSettlement(event)) return undefined;
  const question = questionsOf(before, event.type).find(({ id }) => id === event.id);
  if (question === undefined) return undefined;
  return settle(question, options.settlers ?? {}, values, event.at);
}
