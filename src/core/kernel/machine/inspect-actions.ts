/**
 * Finds the actions of a user's machine that a reasoner may not have (`sendTo`, `spawnChild`, `log`,
 * unknown names …), each with what to write instead. A part of `inspect-machine.ts`.
 */
import type { AnyStateMachine } from "xstate";
import { specialFunction } from "../values/thenable.js";
import type { Refusals } from "./refusals.js";

/** The properties that the creators of XState's own actions leave on them. */
interface Loose {
  readonly type?: unknown;
  readonly event?: unknown;
  readonly delay?: unknown;
  readonly assignment?: unknown;
  readonly collect?: unknown;
}

/** Actions of XState's own that act on the world, with their rewrites. */
const REWRITES: { readonly [type: string]: string } = {
  "xstate.spawnChild": "spawnChild starts an actor; issue a `run` directive",
  "xstate.stopChild": "stopChild stops an actor; issue a `cancel` directive for what runs",
  "xstate.sendTo":
    "sendTo reaches another actor; issue a `tool` or `notify` directive, or `raise` an event",
  "xstate.emit": "emit tells observers; issue a `notify` directive",
  "xstate.log": "log writes; issue a `notify` directive",
  "xstate.cancel":
    "cancel stops a delayed event; leave the state of its `after`, or issue a `cancel` directive",
};

/** Adds what a machine's actions have and a reasoner cannot have. */
export function inspectActions(
  machine: AnyStateMachine,
  actions: readonly unknown[],
  place: string,
  refusals: Refusals,
): void {
  for (const [i, action] of actions.entries()) {
    const message = refusalOf(machine, action);
    if (message !== undefined) refusals.add(`${place}[${i}]`, message);
  }
}

function refusalOf(machine: AnyStateMachine, action: unknown): string | undefined {
  if (typeof action === "function") return refusalOfFunction(action);
  const type = String(typeof action === "string" ? action : (action as Loose | null)?.type);
  const { actions } = machine.implementations;
  const named = Object.hasOwn(actions, type) ? actions[type] : undefined;
  if (type === "issue") {
    // A plain function of that name is never called; one of XState's own would act.
    const acts = (named as Loose | undefined)?.type !== undefined;
    return acts ? "issue is the kernel's own; give it nothing to do" : undefined;
  }
  if (named === undefined) {
    return `the action ${JSON.stringify(type)} is unknown; name it in setupReasoner's changes or issues`;
  }
  if (typeof named === "function") return refusalOfFunction(named);
  return `the action ${JSON.stringify(type)} is not an action; write it as a change or an issue`;
}

/** An async function assigns a promise, which changes nothing. */
function refusalOfAssign({ assignment }: Loose): string | undefined {
  const parts = typeof assignment === "function" ? [assignment] : Object.values(assignment ?? {});
  if (parts.every((part) => specialFunction(part) === undefined)) return undefined;
  return "a change answers at once; write it as a plain function, without async, and issue a directive for what takes time";
}

function refusalOfFunction(action: object): string | undefined {
  const { type, event, delay, collect } = action as Loose;
  if (type === "xstate.assign") return refusalOfAssign(action);
  if (type === "xstate.enqueueActions") {
    if (specialFunction(collect) === undefined) return undefined;
    return "actions are enqueued at once; write it as a plain function, without async";
  }
  if (type === "xstate.raise") {
    if (delay !== undefined) {
      return "raise with a delay waits; use `after`, or issue a `timer` directive";
    }
    const isEvent =
      typeof event === "function" || typeof (event as Loose | null)?.type === "string";
    return isEvent ? undefined : "raise takes an event, an object with a type";
  }
  const rewrite = REWRITES[String(type)];
  if (rewrite !== undefined) return rewrite;
  return "an inline action is an effect; change the context with `assign`, reach the world with `issue`";
}
