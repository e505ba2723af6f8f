/**
 * Makes the kernel's own copy of a user's machine, which is not modified itself: the copy has a limit on
 * microsteps, and the output of a top-level final state where the machine has none.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { sealContext } from "./seal-context.js";

/** Microsteps in one step; a machine that takes more goes round in circles. */
const MAX_MICROSTEPS = 1_000;

/** Returns the number of microsteps that a step may take (K6); XState's own default is no bound at all. */
export function microstepLimit(machine: AnyStateMachine): number {
  const { maxIterations } = machine.options as { maxIterations?: number };
  return maxIterations !== undefined && Number.isFinite(maxIterations)
    ? maxIterations
    : MAX_MICROSTEPS;
}

/**
 * A machine like the given one. The `output` of a top-level final state is the machine's where that has
 * none: XState would drop it.
 */
export function ownMachine(machine: AnyStateMachine): AnyStateMachine {
  const own = machine.provide({}) as AnyStateMachine;
  Object.assign(own.options, { maxIterations: microstepLimit(machine) });
  const config = own.config as { readonly context?: unknown };
  Object.assign(own, { config: { ...config, context: frozenContext(config.context) } });
  const root = own.root as AnyStateNode & { output: unknown };
  const finals = Object.values(root.states) as readonly AnyStateNode[];
  if (root.output === undefined && finals.some(({ output }) => output !== undefined)) {
    root.output = outputOfFinal;
  }
  return own;
}

function outputOfFinal({ event }: { readonly event: { readonly output?: unknown } }): unknown {
  return event.output;
}

/** A first context that nobody changes in place: the next start would begin with what is left of it. */
function frozenContext(context: unknown): unknown {
  if (typeof context !== "function") return frozen(context);
  return (...args: readonly unknown[]): unknown => frozen(context(...args));
}

/** A value that is not JSON stays as it is: entry actions may replace it before the border. */
function frozen(context: unknown): unknown {
  try {
    return sealContext(context, undefined, false);
  } catch {
    return context;
  }
}
