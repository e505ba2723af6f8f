/**
 * Orders, resolves and checks the memory of history states as a run's state stores it in JSON: ids of
 * states, by the id of the history state. Used where a stored or migrated state is restored.
 */
import type { AnyStateNode } from "xstate";
import { groupBy } from "../values/index.js";
import { childrenOf } from "./nodes.js";
import type { History } from "./path.js";

/** All states of a machine by their ids, in the machine's own order. */
export type StatesById = ReadonlyMap<string, AnyStateNode>;

/** A history with everything in the machine's own order, frozen; `undefined` where nothing is remembered. */
export function inOrder(history: History, byId: StatesById): History | undefined {
  const stateIds = [...byId.keys()].filter((id) => Object.hasOwn(history, id));
  if (stateIds.length === 0) return undefined;
  const place = (id: string) => (byId.get(id) as AnyStateNode).order;
  const ordered = (ids: readonly string[]) => [...ids].sort((a, b) => place(a) - place(b));
  return Object.freeze(
    Object.fromEntries(
      stateIds.map((id) => [id, Object.freeze(ordered(history[id] as readonly string[]))]),
    ),
  );
}

/** A history state remembers what the machine cannot come back to. */
export class HistoryLost extends Error {}

/**
 * The memory of history states, as states.
 * @throws HistoryLost where a state is named that is not there
 */
export function recalled(
  history: History,
  byId: StatesById,
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
export function checkHistory(history: History, byId: StatesById): void {
  for (const [id, was] of Object.entries(recalled(history, byId))) {
    const { type, parent } = byId.get(id) as AnyStateNode;
    if (type === "history" && was.length > 0 && areTogether(parent as AnyStateNode, was)) continue;
    const names = was.map((each) => each.id).join(", ");
    throw new HistoryLost(`the history of ${id} cannot lead to ${names || "no state"}`);
  }
}

/** Returns true if states lie in a state, and no two of them in different states of a compound one. */
function areTogether(node: AnyStateNode, within: readonly AnyStateNode[]): boolean {
  const states = childrenOf(node);
  const below = within.filter((each) => each !== node);
  const entered = groupBy(below, (each) =>
    states.find(({ path }) => path.every((key, i) => each.path[i] === key)),
  );
  if (entered.has(undefined) || (node.type !== "parallel" && entered.size > 1)) return false;
  return [...entered].every(([state, each]) => areTogether(state as AnyStateNode, each));
}
