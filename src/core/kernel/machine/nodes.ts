/** A machine's state nodes as XState resolved them, and the names of places for messages. */
import type { AnyStateNode } from "xstate";

/** A transition of a state. */
export type Transition = NonNullable<AnyStateNode["always"]>[number];

/** A state and all states in it, in the machine's own order. */
export function nodesOf(node: AnyStateNode): readonly AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap((each) => nodesOf(each as AnyStateNode))];
}

/** A state and those that it lies in, up to the machine. */
export function upwards(node: AnyStateNode): AnyStateNode[] {
  const path: AnyStateNode[] = [];
  for (let at: AnyStateNode | undefined = node; at !== undefined; at = at.parent) path.push(at);
  return path;
}

/** Whether a state lies in another one, at any depth. */
export function liesIn(node: AnyStateNode, other: AnyStateNode): boolean {
  return node !== other && upwards(node).includes(other);
}

/** Where a state stands in its machine: `machine.states.asking.states.first`. */
export function placeOf(node: AnyStateNode): string {
  return ["machine", ...node.path.map((key) => `states.${key}`)].join(".");
}
