/**
 * Traversals of the graph of thoughts: linear in what they visit, safe on cycles, and without recursion, so
 * that a path may have any length.
 */
import { tableAt, tableSize } from "../../kernel/values/index.js";
import {
  children,
  type Graph,
  getThought,
  listThoughts,
  nodesOf,
  outgoingEdges,
  parents,
} from "./graph.js";
import { isStructural, type Thought } from "./thought.js";

/** The direction of good scores: high, or low where a score counts errors. */
export type Better = "higher" | "lower";

/** Returns the thoughts that a thought was made of, nearest first (breadth first), itself left out. */
export function ancestors<State extends object>(graph: Graph<State>, id: string): Thought<State>[] {
  return reach(graph, id, parents);
}

/** Returns the thoughts that were made of a thought, nearest first (breadth first), itself left out. */
export function descendants<State extends object>(
  graph: Graph<State>,
  id: string,
): Thought<State>[] {
  return reach(graph, id, children);
}

function reach<State extends object>(
  graph: Graph<State>,
  id: string,
  neighbours: (graph: Graph<State>, id: string) => Thought<State>[],
): Thought<State>[] {
  const seen = new Set([id]);
  const found: Thought<State>[] = [];
  let row = neighbours(graph, id);
  while (row.length > 0) {
    const next: Thought<State>[] = [];
    for (const thought of row) {
      if (seen.has(thought.id)) continue;
      seen.add(thought.id);
      found.push(thought);
      // One by one: a call cannot take as many arguments as a thought may have children.
      for (const neighbour of neighbours(graph, thought.id)) next.push(neighbour);
    }
    row = next;
  }
  return found;
}

/** The source of a thought. */
export interface Source {
  /** The operation that made it; `null` for the root and for what was added by hand. */
  readonly operation: string | null;
  /** The model calls from whose answers it was read, as the journal has them; none where no model was asked. */
  readonly calls: readonly string[];
  /** The thoughts that it was made of. */
  readonly parents: readonly string[];
}

/** The source of a thought; `undefined` where the thought is not there. */
export function sourceOf(graph: Graph<object>, id: string): Source | undefined {
  const thought = getThought(graph, id);
  const made = parents(graph, id).map((each) => each.id);
  return thought && { operation: thought.operation, calls: thought.calls, parents: made };
}

/** The thoughts of which nothing was made, in order of insertion. A connection makes nothing. */
export function leaves<State extends object>(graph: Graph<State>): Thought<State>[] {
  return listThoughts(graph).filter(
    ({ id }) => !outgoingEdges(graph, id).some(({ type }) => isStructural(type)),
  );
}

/** The thoughts that were added last, so many, in order of insertion. Costs as much as they are many. */
export function newestThoughts<State extends object>(
  graph: Graph<State>,
  limit: number,
): Thought<State>[] {
  const size = tableSize(nodesOf(graph));
  const found: Thought<State>[] = [];
  for (let at = Math.max(0, size - limit); at < size; at++) {
    const node = tableAt(nodesOf(graph), at);
    if (node !== undefined) found.push(node.thought);
  }
  return found;
}

/** The best-scored leaf; of equals the one with the smaller id. None where no leaf is scored. */
export function bestLeaf<State extends object>(
  graph: Graph<State>,
  better: Better = "higher",
): Thought<State> | undefined {
  let best: Thought<State> | undefined;
  for (const leaf of leaves(graph)) {
    if (leaf.score === null) continue;
    if (best === undefined || isBefore(leaf, best, better)) best = leaf;
  }
  return best;
}

/** Returns true when a thought is the better of two: by its score; of equals the one with the smaller id. */
export function isBefore(a: Thought<object>, b: Thought<object>, better: Better): boolean {
  const gain = compareScores(a.score, b.score, better);
  return gain < 0 || (gain === 0 && compareIds(a.id, b.id) < 0);
}

/**
 * Orders ids as paths: what is a number in both is compared as a number, so that the third answer
 * comes before the eleventh. It is the order of asking, whatever the order in which answers came.
 */
export function compareIds(a: string, b: string): number {
  const [one, other] = [inOrder(a), inOrder(b)];
  // Only leading zeros may still tell them apart.
  return one === other ? compareTexts(a, b) : compareTexts(one, other);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The text of an id whose numbers are ordered as texts: each behind a sign for its length. */
function inOrder(id: string): string {
  return id.replace(
    /0*(\d+)/g,
    (_, digits: string) => `${String.fromCharCode(0x30 + digits.length)}${digits}`,
  );
}

/** Orders scores, the better one first; what is not scored comes last. */
export function compareScores(a: number | null, b: number | null, better: Better): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return better === "higher" ? b - a : a - b;
}

/** The way that was asked for last, by graph: many questions are asked of one thought. */
const lastPaths = /* @__PURE__ */ new WeakMap<object, readonly Thought<never>[]>();

/** The way from the root to a thought by first parents, both included; empty where it is not there. */
export function tracePath<State extends object>(graph: Graph<State>, id: string): Thought<State>[] {
  nodesOf(graph);
  const last = lastPaths.get(graph) as readonly Thought<State>[] | undefined;
  const path = last?.at(-1)?.id === id ? last : findPath(graph, id);
  lastPaths.set(graph, path as never);
  return [...path];
}

function findPath<State extends object>(
  graph: Graph<State>,
  id: string,
): readonly Thought<State>[] {
  const path: Thought<State>[] = [];
  const seen = new Set<string>();
  let here = getThought(graph, id);
  while (here !== undefined && !seen.has(here.id)) {
    seen.add(here.id);
    path.push(here);
    here = parents(graph, here.id)[0];
  }
  return path.reverse();
}

/** Returns true when thoughts were made of each other in a circle. Connections may go round. */
export function hasCycle(graph: Graph<object>): boolean {
  // Kahn: take away what has no parents left; in a circle everything has one.
  const left = new Map<string, number>();
  const free: string[] = [];
  const all = listThoughts(graph);
  for (const { id } of all) {
    const count = parents(graph, id).length;
    if (count === 0) free.push(id);
    else left.set(id, count);
  }
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    for (const child of children(graph, id)) {
      const count = (left.get(child.id) ?? 0) - 1;
      if (count > 0) left.set(child.id, count);
      else {
        left.delete(child.id);
        free.push(child.id);
      }
    }
  }
  return left.size > 0;
}
