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

/** A history state remembers a state that the machine has not. */
export class HistoryLost extends Error {
  constructor(id: string) {
    super(`the history names a state ${id}, which is not there`);
  }
}

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
    if (node === undefined) throw new HistoryLost(id);
    return node;
  };
  return Object.fromEntries(
    Object.entries(history).map(([id, was]) => [stateOf(id).id, was.map(stateOf)]),
  );
}
