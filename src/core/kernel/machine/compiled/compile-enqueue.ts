/**
 * Compiles XState's `enqueueActions(({ enqueue, check }) => …)`: returns a function that calls it and
 * collects the actions that it enqueues. `run-tables.ts` calls that at each step, since the actions differ
 * from step to step.
 */
import { assign, raise } from "xstate";
import { answered } from "../answered.js";
import { EffectUsed } from "../fault.js";
import { noActor, noSystem } from "../no-actor.js";
import type { Args, Collect, Test } from "./table-types.js";

/** The functions of `enqueue` that act on the world. */
const EFFECTS = ["cancel", "emit", "sendParent", "sendTo", "spawnChild", "stopChild"];

const refused = Object.fromEntries(
  EFFECTS.map((part) => [
    part,
    () => {
      throw new EffectUsed(part);
    },
  ]),
);

/**
 * Compiles the function of an `enqueueActions`.
 * @param testOf compiles a guard that it checks
 * @param part the function, as a fault names it
 */
export function compileEnqueue(
  collect: (actionArgs: object, params: unknown) => unknown,
  testOf: (guard: unknown) => Test,
  part: string,
): Collect {
  return (args: Args, params, at) => {
    const actions: unknown[] = [];
    const add = (action: unknown): void => {
      actions.push(action);
    };
    const enqueue = Object.assign(add, refused, {
      assign: (assignment: never) => add(assign(assignment)),
      raise: (event: never, options: never) => add(raise(event, options)),
    });
    const check = (guard: unknown) => testOf(guard)(args, at);
    const actionArgs = { ...args, enqueue, check, self: noActor, system: noSystem };
    answered(collect(actionArgs, params), part);
    return actions;
  };
}
