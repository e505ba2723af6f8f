/**
 * Converts XState's state values (`{ acting: "approving" }`) to the set of active states and back, and
 * tells whether states can be active together. Both paths that compute steps use it.
 */
import type { AnyStateNode } from "xstate";
import { childrenOf, isLeaf } from "./nodes.js";

/** The value of active states, its regions in the machine's order, frozen: it goes into states as it is. */
export function valueOfStates(node: AnyStateNode, active: ReadonlySet<AnyStateNode>): unknown {
  const children = childrenOf(node).filter((each) => active.has(each));
  const [only] = children;
  if (node.type === "compound" && only !== undefined && isLeaf(only)) return only.key;
  return Object.freeze(
    Object.fromEntries(children.map((each) => [each.key, valueOfStates(each, active)])),
  );
}

/** Returns true for states that can be active together: one in each compound state, all of a parallel one. */
export function isPossible(root: AnyStateNode, active: ReadonlySet<AnyStateNode>): boolean {
  const isWhole = (node: AnyStateNode): boolean => {
    const children = childrenOf(node);
    const inside = children.filter((each) => active.has(each)).length;
    return (
      inside === (node.type === "parallel" ? children.length : node.type === "compound" ? 1 : 0)
    );
  };
  const isIn = ({ type, parent }: AnyStateNode): boolean =>
    type !== "history" && (parent === undefined || active.has(parent));
  return active.has(root) && [...active].every((node) => isIn(node) && isWhole(node));
}

/** Active states in the order in which XState has them where it restores a value: siblings before what lies in them. */
export function restoredOrder(
  root: AnyStateNode,
  active: ReadonlySet<AnyStateNode>,
): readonly AnyStateNode[] {
  const order = [root];
  const visit = (node: AnyStateNode): void => {
    const inside = childrenOf(node).filter((each) => active.has(each));
    order.push(...inside);
    inside.forEach(visit);
  };
  visit(root);
  return order;
}

/**
 * The states that are active by a value. Of a state that is named alone the initial state in it is,
 * and of a parallel one every region.
 * @throws Error where the machine has no such state
 */
export function statesOf(root: AnyStateNode, value: unknown): ReadonlySet<AnyStateNode> {
  const states = new Set<AnyStateNode>();
  const visit = (node: AnyStateNode, nodeValue: unknown): void => {
    states.add(node);
    const at = (typeof nodeValue === "string" ? { [nodeValue]: {} } : (nodeValue ?? {})) as object;
    const children = childrenOf(node);
    const named = Object.keys(at);
    const isThere = named.every((key) => children.some((child) => child.key === key));
    if (!isThere || (node.type !== "parallel" && named.length > (node.type === "compound" ? 1 : 0)))
      throw new Error(`No state is ${JSON.stringify(value)}`);
    const inside = children.filter(({ key }) => node.type === "parallel" || named.includes(key));
    const initial = node.type === "compound" ? node.initial.target : [];
    for (const child of inside.length > 0 ? inside : initial) {
      visit(child, (at as { readonly [key: string]: unknown })[child.key]);
    }
  };
  visit(root, value);
  return states;
}
