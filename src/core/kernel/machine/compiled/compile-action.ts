/**
 * Compiles the actions of a state or a transition (`assign`, `issue`, `raise`, `enqueueActions`, the timers
 * of `after`) to entries of the tables, which `run-tables.ts` carries out. Other actions are refused.
 */
import { nameIn } from "../answered.js";
import { EffectUsed } from "../fault.js";
import { issueNamedBy } from "../named-issues.js";
import { returnsWholeContext } from "../whole-context.js";
import { compileEnqueue } from "./compile-enqueue.js";
import { compileGuard, type Setup } from "./compile-guard.js";
import type { Action, MachineFunction, Test } from "./table-types.js";

/** An action by its name. */
interface Named {
  readonly type: string;
  readonly params?: unknown;
}

/** An action of XState's own, as its creators make them: a function that is never called. */
interface BuiltIn {
  readonly type?: string;
  readonly resolve: unknown;
  readonly collect?: unknown;
  readonly assignment?: MachineFunction | { readonly [key: string]: unknown };
  readonly event?: unknown;
  readonly id?: string;
  readonly delay?: unknown;
  readonly sendId?: string;
}

/** @throws EffectUsed for an action that acts on the world */
export function compileActions(actions: readonly unknown[], setup: Setup): Action[] {
  return actions.map((action) => compileAction(action, setup));
}

function compileAction(action: unknown, setup: Setup): Action {
  if (typeof action === "function") return builtIn(action as unknown as BuiltIn, {}, setup);
  const reference = typeof action === "string" ? { type: action } : (action as Named);
  const { type, params } = reference;
  const named = setup.actions[type] as BuiltIn | undefined;
  if (named !== undefined && "resolve" in named) return builtIn(named, reference, setup);
  if (type === "issue") return { kind: "issue", directives: undefined, params, part: "issue" };
  throw new EffectUsed(type);
}

/** Compiles an action of XState's, with the name by which it stands in the machine and the params there. */
function builtIn(action: BuiltIn, { type: name, params }: Partial<Named>, setup: Setup): Action {
  const { afters, delays } = setup;
  const named = name === undefined ? "" : ` ${name}`;
  switch (action.type) {
    case "xstate.assign": {
      const { assignment } = action as Required<BuiltIn>;
      const part = `assign${named || nameIn(assignment)}`;
      const whole = returnsWholeContext(assignment);
      return { kind: "assign", change: assignment, params, whole, part };
    }
    case "xstate.enqueueActions": {
      const directives = issueNamedBy(action);
      if (directives !== undefined) return { kind: "issue", directives, params, part: `${name}` };
      const testOf = (guard: unknown) => compileGuard(guard, setup) as Test;
      return {
        kind: "enqueue",
        collect: compileEnqueue(action.collect as never, testOf, `enqueueActions${named}`),
        params,
        compile: (each) => compileAction(each, setup),
      };
    }
    case "xstate.raise": {
      const { id, delay, event } = action;
      if (id !== undefined && afters.names.has(id)) {
        const own = typeof delay === "string" ? delays[delay] : delay;
        return { kind: "afterStarts", event: id, delay: own, part: `delay ${delay}` };
      }
      if (delay !== undefined) throw new EffectUsed("raise with a delay");
      return { kind: "raise", event, params };
    }
    case "xstate.cancel": {
      const { sendId } = action;
      if (sendId !== undefined && afters.names.has(sendId)) {
        return { kind: "afterStops", event: sendId };
      }
    }
  }
  throw new EffectUsed(action.type?.replace("xstate.", "") ?? "inline action");
}
