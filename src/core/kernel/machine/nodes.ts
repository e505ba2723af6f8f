/**
 * Reads a machine's state nodes and transitions as XState resolved them, and names their places for error
 * messages.
 */
import type { AnyStateNode } from "xstate";

/** A transition of a state. */
export type Transition = NonNullable<AnyStateNode["always"]>[number];

/** A state and all states in it, in the machine's own order. */
export function nodesOf(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((each) => nodesOf(each))];
}

/** All transitions of a state, those without an event last. */
export function transitionsOf(node: AnyStateNode): readonly Transition[] {
  return [...node.transitions.values()].flat().concat(node.always ?? []);
}

/** The states directly in a state that can be active: history states cannot. */
export function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).filter(({ type }) => type !== "history");
}

/** Returns true for a state in which no other can be active. */
export function isLeaf({ type }: AnyStateNode): boolean {
  return type === "atomic" || type === "final";
}

/** A state and those that it lies in, up to the machine. */
export function upwards(node: AnyStateNode): AnyStateNode[] {
  const path: AnyStateNode[] = [];
  for (let at: AnyStateNode | undefined = node; at !== undefined; at = at.parent) path.push(at);
  return path;
}

/** Returns true when a state lies in another one, at any depth. */
export function liesIn(node: AnyStateNode, other: AnyStateNode): boolean {
  let at = node.parent;
  while (at !== undefined && at !== other) at = at.parent;
  return at !== undefined;
}

/** Returns the place of a state in its machine: `machine.states.asking.states.first`. */
export function placeOf(node: AnyStateNode): string {
  return ["machine", ...node.path.map((key) => `states.${key}`)].join(".");
}
