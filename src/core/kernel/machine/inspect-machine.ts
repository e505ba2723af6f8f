/**
 * Inspects a user's machine when the reasoner is defined. Effects of XState (`invoke`, `spawn`,
 * `sendTo` …) and undefined names are refused, all at once, each with its place and what to write
 * instead.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { specialFunction } from "../values/thenable.js";
import { unknownName } from "../vocabulary/shapes.js";
import { aftersOf, isNameTooLong } from "./after.js";
import { targetOfHistory } from "./compiled/history-states.js";
import { inspectActions } from "./inspect-actions.js";
import { inspectGuard } from "./inspect-guards.js";
import { nodesOf, placeOf, type Transition } from "./nodes.js";
import { Refusals } from "./refusals.js";

/** @throws ReckonerError `machine.unsupported` with every place */
export function inspectMachine(machine: AnyStateMachine): void {
  const refusals = new Refusals();
  if (Object.keys(machine.implementations.actors).length > 0) {
    refusals.add(
      "setup.actors",
      "an actor is an effect; issue a `run` directive for another reasoner, a `tool` for anything else",
    );
  }
  // An async context factory returns a promise, of which XState takes nothing.
  if (specialFunction(machine.config.context) !== undefined) {
    refusals.add(
      "machine.context",
      "a context is made at once; write it as a plain function, without async",
    );
  }
  const nodes = nodesOf(machine.root);
  const ids = new Set<string>();
  for (const node of nodes) {
    const place = placeOf(node);
    if (ids.has(node.id))
      refusals.add(`${place}.id`, `another state has the id ${node.id}; rename one`);
    ids.add(node.id);
    inspectNode(machine, node, place, refusals);
  }
  refusals.throwAny("machine.unsupported");
}

/** The parts of a state that XState knows. */
const STATE_PARTS = {
  id: true,
  type: true,
  initial: true,
  states: true,
  on: true,
  always: true,
  after: true,
  entry: true,
  exit: true,
  onDone: true,
  history: true,
  target: true,
  output: true,
  tags: true,
  meta: true,
  description: true,
  order: true,
  parent: true,
  // Refused by what they ask for.
  invoke: true,
  route: true,
};
const MACHINE_PARTS = {
  ...STATE_PARTS,
  context: true,
  types: true,
  schemas: true,
  version: true,
  options: true,
};

/** The parts of a transition that it knows, and those that it adds. */
const TRANSITION_PARTS = {
  target: true,
  guard: true,
  actions: true,
  reenter: true,
  meta: true,
  description: true,
  source: true,
  event: true,
  eventType: true,
  delay: true,
  toJSON: true,
};

const statePartsOf = (node: AnyStateNode) =>
  node.parent === undefined ? MACHINE_PARTS : STATE_PARTS;

/** A guard that is misspelt would be none, and its transition always be taken. */
function refuseUnknown(config: object, parts: object, place: string, refusals: Refusals): void {
  const unknown = unknownName(config, parts);
  if (unknown === undefined) return;
  refusals.add(`${place}.${unknown}`, "XState knows no such part, and would pass it over");
}

function inspectNode(
  machine: AnyStateMachine,
  node: AnyStateNode,
  place: string,
  refusals: Refusals,
): void {
  const config = node.config as { readonly [key: string]: unknown };
  if (node.invoke.length > 0) {
    refusals.add(
      `${place}.invoke`,
      "an invoked actor is an effect; issue an `llm`, `tool` or `run` directive on entry, and take what settles it in `on`",
    );
  }
  if (config.route !== undefined) {
    refusals.add(`${place}.route`, "a route is an event of XState's own; send an event of yours");
  }
  if (config.output !== undefined && node.type !== "final" && node.parent !== undefined) {
    refusals.add(`${place}.output`, "only a final state and the machine have an output");
  }
  refuseUnknown(config, statePartsOf(node), place, refusals);
  inspectFinal(node, place, refusals);
  inspectAfter(machine, node, place, refusals);
  inspectHistory(node, place, refusals);
  // XState adds the start and stop of its timers to a state's own actions, at the end.
  const own = (actions: readonly unknown[], entries: unknown) =>
    actions.slice(0, entries === undefined ? 0 : Array.isArray(entries) ? entries.length : 1);
  inspectActions(machine, own(node.entry, config.entry), `${place}.entry`, refusals);
  inspectActions(machine, own(node.exit, config.exit), `${place}.exit`, refusals);
  inspectInitial(machine, node, place, refusals);
  for (const [type, transitions] of node.transitions) {
    // Of the states that have a route; each is refused where it stands.
    if (type === "xstate.route") continue;
    const at = placeOfEvent(node, type, place);
    if (at === undefined) {
      const where = `${place}.on[${JSON.stringify(type)}]`;
      refusals.add(
        where,
        "XState's own events do not occur; take one of the kernel's, or raise your own",
      );
      continue;
    }
    inspectTransitions(machine, transitions, at, refusals);
  }
  inspectTransitions(machine, node.always ?? [], `${place}.always`, refusals, true);
}

function inspectTransitions(
  machine: AnyStateMachine,
  transitions: readonly Transition[],
  place: string,
  refusals: Refusals,
  numbered: boolean = transitions.length > 1,
): void {
  for (const [i, transition] of transitions.entries()) {
    const at = numbered ? `${place}[${i}]` : place;
    refuseUnknown(transition, TRANSITION_PARTS, at, refusals);
    inspectGuard(machine, transition.guard, `${at}.guard`, refusals);
    inspectActions(machine, transition.actions, `${at}.actions`, refusals);
  }
}

/**
 * Returns the place where the transitions for an event are written; `undefined` where it is one that
 * never comes.
 */
function placeOfEvent(node: AnyStateNode, type: string, place: string): string | undefined {
  if (type === `xstate.done.state.${node.id}`) return `${place}.onDone`;
  const delayed = node.after.find(({ eventType }) => eventType === type);
  if (delayed !== undefined) return `${place}.after[${JSON.stringify(String(delayed.delay))}]`;
  if (type.startsWith("xstate.") && !type.startsWith("xstate.done.state.")) return undefined;
  return `${place}.on[${JSON.stringify(type)}]`;
}

function inspectInitial(
  machine: AnyStateMachine,
  node: AnyStateNode,
  place: string,
  refusals: Refusals,
): void {
  try {
    inspectActions(machine, node.initial.actions, `${place}.initial.actions`, refusals);
  } catch {
    refusals.add(
      `${place}.initial`,
      "it names no state that is there; name one of the states in it",
    );
  }
}

/** XState would leave a final state again, so that a region that is done would be undone. */
function inspectFinal({ type, config }: AnyStateNode, place: string, refusals: Refusals): void {
  if (type !== "final") return;
  for (const part of ["on", "always", "after", "onDone", "states"] as const) {
    const value: unknown = config[part];
    if (value === undefined || Object.keys(value as object).length === 0) continue;
    refusals.add(
      `${place}.${part}`,
      "nothing comes after a final state; write it in the state around it, or make this state no final one",
    );
  }
}

function inspectAfter(
  machine: AnyStateMachine,
  node: AnyStateNode,
  place: string,
  refusals: Refusals,
): void {
  for (const delay of new Set(node.after.map((each) => each.delay))) {
    const at = `${place}.after[${JSON.stringify(String(delay))}]`;
    const name = aftersOf(machine).names.get(`xstate.after.${delay}.${node.id}`);
    if (name !== undefined && isNameTooLong(name)) {
      refusals.add(
        at,
        `its timer's id would begin with ${name}, which is too long; shorten the names`,
      );
    }
    const named = typeof delay === "string" ? machine.implementations.delays[delay] : delay;
    if (specialFunction(named) !== undefined) {
      refusals.add(at, "a delay answers at once; write it as a plain function, without async");
    } else if (typeof named === "number" && !Number.isFinite(named)) {
      refusals.add(at, `the delay ${delay} has no end; leave out what is never to happen`);
    } else if (typeof named !== "number" && typeof named !== "function") {
      refusals.add(
        at,
        `the delay ${JSON.stringify(delay)} is unknown; give milliseconds, or name it in setup`,
      );
    }
  }
}

/** Checks the target of a history state that remembers nothing yet: XState would look only then. */
function inspectHistory(node: AnyStateNode, place: string, refusals: Refusals): void {
  if (node.type !== "history" || node.parent === undefined) return;
  const { target } = node.config as { readonly target?: string };
  if (target === undefined || targetOfHistory(node, target) !== undefined) return;
  refusals.add(`${place}.target`, `there is no state ${JSON.stringify(target)} to begin with`);
}
