/**
 * Converts XState's snapshots to JSON and back: state values with their regions in order, history
 * as ids.
 */
import type { AnyMachineSnapshot, AnyStateNode } from "xstate";
import type { History } from "./path.js";

/** A statechart's value with its regions in the machine's order, whatever order it came in. */
export function inOrder(node: AnyStateNode, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const parts = value as { readonly [key: string]: unknown };
  const keys = Object.keys(parts);
  if (keys.some((key) => !Object.hasOwn(node.states, key))) return value;
  const known = Object.keys(node.states).filter((key) => Object.hasOwn(parts, key));
  return Object.fromEntries(
    known.map((key) => [key, inOrder(node.states[key] as AnyStateNode, parts[key])]),
  );
}

/** Whether each active state lies in active states. */
export function isWhole({ _nodes }: AnyMachineSnapshot): boolean {
  const active = new Set<unknown>(_nodes);
  return _nodes.every(({ parent }) => parent === undefined || active.has(parent));
}

/** Whether a value has one active state in each compound state, and all of a parallel one. */
export function canBe(node: AnyStateNode, value: unknown): boolean {
  const states = Object.values(node.states) as readonly AnyStateNode[];
  const active =
    typeof value === "string" ? [value] : Object.keys((value ?? {}) as { [key: string]: unknown });
  const wanted =
    node.type === "parallel"
      ? states.filter(({ type }) => type !== "history").length
      : Math.min(states.length, 1);
  return (
    active.length === wanted &&
    active.every((key) => {
      const below = typeof value === "string" ? {} : (value as { [key: string]: unknown })[key];
      return canBe(node.states[key] as AnyStateNode, below);
    })
  );
}

/** What XState's history states remember, as ids. */
export function remembered(
  { historyValue }: AnyMachineSnapshot,
  nodes: readonly AnyStateNode[],
): History | undefined {
  const known = nodes.filter(({ id }) => Object.hasOwn(historyValue, id));
  if (known.length === 0) return undefined;
  return Object.fromEntries(
    known.map(({ id }) => {
      const was = historyValue[id] as readonly AnyStateNode[];
      return [id, [...was].sort((a, b) => a.order - b.order).map((node) => node.id)];
    }),
  );
}

/** A history state remembers what the machine cannot come back to. */
export class HistoryLost extends Error {}

/**
 * What history states remember, as XState has it.
 * @throws HistoryLost where a state is named that is not there
 */
export function recalled(
  history: History,
  byId: ReadonlyMap<string, AnyStateNode>,
): { readonly [id: string]: readonly AnyStateNode[] } {
  const stateOf = (id: string): AnyStateNode => {
    const node = byId.get(id);
    if (node === undefined) {
      throw new HistoryLost(`the history names a state ${id}, which is not there`);
    }
    return node;
  };
  return Object.fromEntries(
    Object.entries(history).map(([id, was]) => [stateOf(id).id, was.map(stateOf)]),
  );
}

/**
 * Checks that history states lead to states that can be active together where they lie. XState
 * enters whatever they remember.
 * @throws HistoryLost where one does not
 */
export function checkHistory(history: History, byId: ReadonlyMap<string, AnyStateNode>): void {
  for (const [id, was] of Object.entries(recalled(history, byId))) {
    const { type, parent } = byId.get(id) as AnyStateNode;
    if (type === "history" && was.length > 0 && areTogether(parent as AnyStateNode, was)) continue;
    const names = was.map((each) => each.id).join(", ");
    throw new HistoryLost(`the history of ${id} cannot lead to ${names || "no state"}`);
  }
}

/** Whether states lie in a state, and no two of them in different states of a compound one. */
function areTogether(node: AnyStateNode, within: readonly AnyStateNode[]): boolean {
  const states = (Object.values(node.states) as readonly AnyStateNode[]).filter(
    ({ type }) => type !== "history",
  );
  const entered = new Map<AnyStateNode | undefined, AnyStateNode[]>();
  for (const each of within) {
    if (each === node) continue;
    const state = states.find(({ path }) => path.every((key, i) => each.path[i] === key));
    entered.set(state, [...(entered.get(state) ?? []), each]);
  }
  if (entered.has(undefined) || (node.type !== "parallel" && entered.size > 1)) return false;
  return [...entered].every(([state, each]) => areTogether(state as AnyStateNode, each));
}
