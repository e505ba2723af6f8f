/**
 * What a machine may be made of. Whatever is an effect in XState (invoke, spawn, after, raise …) or
 * cannot be restored from JSON (history) is refused when the reasoner is defined, with its place.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { ReckonerError } from "./errors.js";
import { settles } from "./event.js";

interface Loose {
  readonly type?: unknown;
  readonly target?: unknown;
}

/** @throws ReckonerError `machine.unsupported` with the place */
export function inspectMachine(machine: AnyStateMachine): void {
  if (Object.keys(machine.implementations.actors).length > 0) {
    throw unsupported("setup.actors", "actors are effects; issue a directive instead");
  }
  inspectNode(machine, machine.root as AnyStateNode, "machine");
}

function inspectNode(machine: AnyStateMachine, node: AnyStateNode, place: string): void {
  const config = node.config as Record<string, unknown>;
  if (node.type === "history") {
    throw unsupported(
      place,
      "history states cannot be restored from JSON; keep what you need in the context",
    );
  }
  if (node.invoke.length > 0) throw unsupported(`${place}.invoke`, "issue a directive instead");
  if (config.after !== undefined) {
    throw unsupported(`${place}.after`, "issue a timer directive instead");
  }
  if (config.output !== undefined) {
    throw unsupported(`${place}.output`, "give output to defineReasoner instead");
  }
  inspectActions(machine, node.entry, `${place}.entry`);
  inspectActions(machine, node.exit, `${place}.exit`);
  for (const [type, transitions] of node.transitions) {
    if (type.startsWith("xstate.") && !type.startsWith("xstate.done.state.")) {
      throw unsupported(`${place}.on[${JSON.stringify(type)}]`, "XState's own events do not occur");
    }
    transitions.forEach((transition, i) => {
      const at = `${place}.on[${JSON.stringify(type)}]${transitions.length > 1 ? `[${i}]` : ""}`;
      inspectActions(machine, transition.actions, `${at}.actions`);
    });
  }
  (node.always ?? []).forEach((transition, i) => {
    inspectActions(machine, transition.actions, `${place}.always[${i}].actions`);
  });
  const initial = node.initial as { readonly actions?: readonly unknown[] } | undefined;
  inspectActions(machine, initial?.actions ?? [], `${place}.initial.actions`);
  for (const [key, child] of Object.entries(node.states)) {
    inspectNode(machine, child as AnyStateNode, `${place}.states.${key}`);
  }
}

function inspectActions(
  machine: AnyStateMachine,
  actions: readonly unknown[],
  place: string,
): void {
  for (const [i, action] of actions.entries()) {
    const at = `${place}[${i}]`;
    const type = typeof action === "string" ? action : (action as Loose).type;
    if (typeof action === "function") {
      inspectFunction(action, at);
      continue;
    }
    const named = machine.implementations.actions[String(type)];
    // A plain function of that name is never called; one of XState's own would act.
    if (type === "issue" && (named as Loose | undefined)?.type === undefined) continue;
    if (type === "issue") throw unsupported(at, "issue is the kernel's own; give it nothing to do");
    if (named === undefined) throw unsupported(at, `the action ${JSON.stringify(type)} is unknown`);
    if (typeof named !== "function") throw unsupported(at, "only assign and issue are allowed");
    inspectFunction(named, at);
  }
}

function inspectFunction(action: object, place: string): void {
  const type = (action as Loose).type;
  if (type === "xstate.assign") return;
  throw unsupported(
    place,
    typeof type === "string"
      ? `${type.replace("xstate.", "")} is an effect; only assign and issue are allowed`
      : "an inline action is an effect; only assign and issue are allowed",
  );
}

/** @internal */
export function unsupported(place: string, mend: string): ReckonerError {
  return new ReckonerError("machine.unsupported", `${place}: ${mend}.`, { place });
}

/** Whether the machine's owner may send an event of this type from outside. */
export function isCustomType(type: string): boolean {
  return settles[type] === undefined && type !== "start" && !type.startsWith("xstate.");
}
