/**
 * Checks that a step gives the same result when it is repeated. A step that depends on a clock,
 * randomness, or a variable outside the machine cannot be replayed or searched.
 */

import { printValue, type Reasoner, type Step } from "../../core/kernel/machine/index.js";
import { asJson, firstDifference, type Json, sameJson } from "../../core/kernel/values/index.js";
import { SAME_AGAIN } from "./law-names.js";
import type { Breach } from "./monitor.js";
import { type HistoryStep, worldOrigin } from "./world.js";

const REMEDY = "time is event.at, chance is the seed, and what changes belongs in the context";
const WIDTH = 60;

/** Takes a step again, and returns the difference. */
export function nondeterminismOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  { before, event, step }: HistoryStep<Context>,
): Breach | undefined {
  const again =
    before === undefined ? reasoner.start(input, worldOrigin) : reasoner.step(before, event);
  const was = comesTo(step);
  const is = comesTo(again);
  // A part that neither has changed is the same object: long states cost what a step changes.
  if (sameJson(was, is)) return undefined;
  const found = firstDifference(was, is, "");
  const [first, second] = [found?.left, found?.right].map((value) =>
    value === undefined ? "nothing" : printValue(value, WIDTH),
  );
  const place = found?.path.replace(/^\.(state\.)?/, "");
  const what = `${event.type}, taken again, gives ${second} at ${place}, not ${first}; ${REMEDY}`;
  return { law: SAME_AGAIN, what };
}

function comesTo<Context>({ state, directives }: Step<Context>): Json {
  return asJson({ state, directives });
}

/** The first of some steps that comes to something else when it is taken again, and how many it takes. */
export function firstNondeterminism<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  steps: readonly HistoryStep<Context>[],
): (Breach & { readonly steps: number }) | undefined {
  for (const [i, taken] of steps.entries()) {
    if (taken.step.ignored?.reason === "ended") return undefined;
    const breach = nondeterminismOf(reasoner, input, taken);
    if (breach !== undefined) return { ...breach, steps: i + 1 };
  }
  return undefined;
}
