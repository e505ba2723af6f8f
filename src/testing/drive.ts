/**
 * Drives a reasoner through a script in the synchronous simulation of `checking/world.ts`: the script makes
 * its choices.
 */
import type { Reasoner } from "../core/kernel/machine/index.js";
import { inOrder } from "./checking/choose.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import { driveBy, type History } from "./checking/world.js";
import { choicesFor, type Script } from "./script.js";

/** Drives a run through a script to its end. */
export function drive<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  options: WorldOptions<NoInfer<Context>> = {},
): History<Input, Context> {
  const { moves, values } = script;
  const chance = {
    moves: moves.length,
    choose: inOrder(moves, values),
    answer: (id: string) => choicesFor(script, id),
  };
  return driveBy(reasoner, input, chance, options);
}
