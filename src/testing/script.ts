/**
 * A script: all choices of a simulated run as plain numbers and values, so that a failing script
 * shrinks and can be printed and repeated. It knows no reasoner.
 */
import fc from "fast-check";
import type { Json } from "../core/kernel/values/index.js";
import { jsonValue, unnormalisedValue } from "./arbitrary-json.js";
import { type Choose, chooser, spread } from "./checking/choose.js";

/** All choices of a simulated run. 0, and an empty list, are the simplest. */
export interface Script {
  /** The choice of each next event, one or two numbers per step; then the run is driven to its end. */
  readonly moves: readonly number[];
  /** The choice of each answer, by id, so that order and repetition do not matter. */
  readonly answers: readonly number[];
  /** Values that answers carry. */
  readonly values: readonly Json[];
}

/** Choices of a script for one key (the id of a directive): the same at every call. */
export function choicesFor(script: Script, key: string): Choose {
  const { answers, values } = script;
  if (answers.length === 0) return chooser(() => 0, values);
  let next = spread(key);
  return chooser(() => answers[next++ % answers.length] as number, values);
}

/** The length of scripts. */
export interface ScriptOptions {
  /** Default 40. */
  readonly maxMoves?: number | undefined;
  /** Values that answers carry. Default: any JSON, hostile values among it. */
  readonly values?: fc.Arbitrary<Json> | undefined;
}

/** Scripts of worlds. */
export function worldScript(options: ScriptOptions = {}): fc.Arbitrary<Script> {
  const { maxMoves = 40, values = anyValue() } = options;
  const number = fc.nat({ max: 255 });
  return fc.record({
    moves: fc.array(number, { maxLength: maxMoves }),
    answers: fc.array(number, { maxLength: 24 }),
    values: fc.array(values, { maxLength: 3 }),
  });
}

/** Draws values that the border takes as they are, and now and then one that it has to normalise first. */
function anyValue(): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 8, arbitrary: jsonValue() },
    { weight: 1, arbitrary: unnormalisedValue() as fc.Arbitrary<Json> },
  );
}
