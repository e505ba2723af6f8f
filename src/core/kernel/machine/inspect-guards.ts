/**
 * Finds the guards of a user's machine that a reasoner may not have: unknown names, async functions, guards
 * that lead to themselves. A part of `inspect-machine.ts`.
 */
import type { AnyStateMachine } from "xstate";
import { specialFunction } from "../values/thenable.js";
import { isSupportedGuard } from "./compiled/compile-guard.js";
import type { Refusals } from "./refusals.js";

/** A guard as it may stand in a machine. */
interface Loose {
  readonly type?: unknown;
  readonly guards?: readonly unknown[];
  readonly stateValue?: unknown;
}

/** Adds what is wrong with a guard. */
export function inspectGuard(
  machine: AnyStateMachine,
  guard: unknown,
  place: string,
  refusals: Refusals,
): void {
  if (guard === undefined) return;
  for (const message of new Set(refusalsOf(machine, guard, []))) refusals.add(place, message);
}

/** @param within the names that lead to this guard: one that leads to itself has no end */
function refusalsOf(
  machine: AnyStateMachine,
  guard: unknown,
  within: readonly string[],
): readonly string[] {
  if (typeof guard === "function") return refusalsOfFunction(machine, guard, within);
  const type = typeof guard === "string" ? guard : (guard as Loose | null)?.type;
  if (typeof type !== "string") return ["a guard is a function, or the name of one"];
  if (within.includes(type)) return [`the guard ${JSON.stringify(type)} leads to itself`];
  const { guards } = machine.implementations;
  if (!Object.hasOwn(guards, type)) {
    return [`the guard ${JSON.stringify(type)} is unknown; name it in setupReasoner's guards`];
  }
  return refusalsOf(machine, guards[type], [...within, type]);
}

function refusalsOfFunction(
  machine: AnyStateMachine,
  guard: object,
  within: readonly string[],
): readonly string[] {
  // XState treats a promise as true.
  if (specialFunction(guard) !== undefined)
    return ["a guard answers at once; write it as a plain function, without async"];
  if (!isSupportedGuard(guard))
    return ["guards are combined with `and`, `or`, `not` and `stateIn`"];
  const { guards, stateValue } = guard as Loose;
  const combined = (guards ?? []).flatMap((each) => refusalsOf(machine, each, within));
  if (typeof stateValue !== "string" || !stateValue.startsWith("#")) return combined;
  try {
    machine.getStateNodeById(stateValue);
    return combined;
  } catch {
    return [...combined, `stateIn names a state ${stateValue}, which is not there`];
  }
}
