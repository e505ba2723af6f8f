/** Compiles an action: `assign`, `issue`, `raise`, and the starts and stops of `after` timers. */
import type { AnyStateNode } from "xstate";
import type { Afters } from "./after.js";
import { issueNamedBy } from "./named-issues.js";
import { NotCompiled } from "./not-compiled.js";
import type { Action, MachineFunction } from "./tables.js";
import { returnsWholeContext } from "./whole-context.js";

/** What a machine's names mean, and what else its actions and guards refer to. */
export interface Known {
  readonly actions: { readonly [name: string]: unknown };
  readonly guards: { readonly [name: string]: unknown };
  readonly delays: { readonly [name: string]: unknown };
  readonly afters: Afters;
  readonly root: AnyStateNode;
}

/** An action of XState's own, as its creators make them: a function that is never called. */
interface BuiltIn {
  readonly type: string;
  readonly resolve: unknown;
  readonly assignment?: MachineFunction | { readonly [key: string]: unknown };
  readonly event?: unknown;
  readonly id?: string;
  readonly delay?: unknown;
  readonly sendId?: string;
}

/** @throws NotCompiled where only XState itself can carry one out */
export function compileActions(actions: readonly unknown[], known: Known, place: string): Action[] {
  return actions.map((action) => compileAction(action, known, place));
}

function compileAction(action: unknown, known: Known, place: string): Action {
  if (typeof action === "function")
    return builtIn(action as unknown as BuiltIn, undefined, known, place);
  const { type, params } =
    typeof action === "string"
      ? { type: action, params: undefined }
      : (action as { readonly type: string; readonly params?: unknown });
  const named = known.actions[type] as BuiltIn | undefined;
  if (named !== undefined && "resolve" in named) return builtIn(named, params, known, place);
  if (type === "issue") return { kind: "issue", directives: undefined, params };
  throw new NotCompiled(place, `has an action ${type}`);
}

function builtIn(action: BuiltIn, params: unknown, known: Known, place: string): Action {
  const { afters } = known;
  switch (action.type) {
    case "xstate.assign":
      if (action.assignment === undefined) break;
      return {
        kind: "assign",
        change: action.assignment,
        params,
        whole: returnsWholeContext(action.assignment),
      };
    case "xstate.enqueueActions": {
      const directives = issueNamedBy(action);
      if (directives === undefined) break;
      return { kind: "issue", directives, params };
    }
    case "xstate.raise": {
      const { id, delay, event } = action;
      if (id !== undefined && afters.names.has(id)) {
        const named = typeof delay === "string" ? known.delays[delay] : delay;
        return { kind: "afterStarts", event: id, delay: named };
      }
      if (delay === undefined) return { kind: "raise", event, params };
      break;
    }
    case "xstate.cancel": {
      const { sendId } = action;
      if (sendId !== undefined && afters.names.has(sendId)) {
        return { kind: "afterStops", event: sendId };
      }
    }
  }
  throw new NotCompiled(place, `uses ${String(action.type).replace("xstate.", "")}`);
}
