/**
 * Traversals of a topology: linear in the edges visited, safe on cycles, and without recursion, so
 * that a path may have any length. Results are node numbers in the order that the queries specify.
 */
import { edgeTypes } from "../vocabulary/edge.js";
import { sortRanks } from "./sort-ranks.js";
import { ALL_EDGES, type Direction, type Topology } from "./topology.js";

/** What a walk may be told. */
export interface WalkOptions {
  /** Which edges are there: those of this tick. Default 0. */
  readonly tick?: number;
  /** Which types of edges are followed: see `maskOf`. Default all. */
  readonly mask?: number;
  /** The walk may stop when it has found more. Default: it goes on to the end. */
  readonly limit?: number;
}

/**
 * What can be reached from a node, itself left out: by depth, then creation, then id.
 * @returns one array for each depth, from 1 on
 */
export function levelsFrom(
  topology: Topology,
  start: number,
  direction: Direction,
  { tick = 0, mask = ALL_EDGES, limit = Number.POSITIVE_INFINITY }: WalkOptions = {},
): Uint32Array[] {
  topology.settle();
  const seen = new Uint8Array(topology.nodeCount);
  seen[start] = 1;
  const levels: Uint32Array[] = [];
  let level: Uint32Array | number[] = [start];
  for (let found = 0; found <= limit; ) {
    const next: number[] = [];
    const visit = (_edge: number, other: number) => {
      if (seen[other] === 1) return;
      seen[other] = 1;
      next.push(other);
    };
    for (const node of level) topology.eachEdge(node, direction, tick, visit, mask);
    if (next.length === 0) break;
    level = inOrder(topology, next);
    levels.push(level);
    found += level.length;
  }
  return levels;
}

/** The same in one array. */
export function reach(
  topology: Topology,
  start: number,
  direction: Direction,
  options: WalkOptions = {},
): Uint32Array {
  return joined(levelsFrom(topology, start, direction, options));
}

/**
 * A shortest path, both ends included; of several the one whose nodes come first in the order of
 * creation and id at the first depth where they differ. Empty where there is none. It is looked for
 * from both ends, so that in a graph that branches little of it is seen.
 */
export function shortestPath(
  topology: Topology,
  from: number,
  to: number,
  { tick = 0, mask = ALL_EDGES }: WalkOptions = {},
): Uint32Array {
  topology.settle();
  const down = new Search(topology, from, "outgoing", tick, mask);
  const up = new Search(topology, to, "incoming", tick, mask);
  let met = from === to;
  while (!met) {
    const [smaller, other] = down.level.length <= up.level.length ? [down, up] : [up, down];
    met = smaller.goDeeper(other);
    if (smaller.level.length === 0) return new Uint32Array(0);
  }
  // The distance to the end is known for nodes that the backward search has reached. From the
  // meeting point it is propagated to all nodes on a shortest path.
  let level = down.level.filter((node) => up.hasReached(node));
  for (let depth = down.depth - 1; depth >= 0; depth--) {
    const distance = up.depth + down.depth - depth;
    const before: number[] = [];
    const visit = (_edge: number, node: number) => {
      if (down.depths[node] !== depth || up.hasReached(node)) return;
      up.depths[node] = distance;
      before.push(node);
    };
    for (const node of level) topology.eachEdge(node, "incoming", tick, visit, mask);
    level = before;
  }
  return descend(topology, from, up.depths, tick, mask);
}

/** A search from one node, level by level. */
class Search {
  /** How far each node is; -1 where the search has not been. */
  readonly depths: Int32Array;
  /** The last level, and its depth. */
  level: number[];
  depth = 0;
  readonly #topology: Topology;
  readonly #direction: Direction;
  readonly #tick: number;
  readonly #mask: number;

  constructor(topology: Topology, start: number, direction: Direction, tick: number, mask: number) {
    this.#topology = topology;
    this.#direction = direction;
    this.#tick = tick;
    this.#mask = mask;
    this.depths = new Int32Array(topology.nodeCount).fill(-1);
    this.depths[start] = 0;
    this.level = [start];
  }

  hasReached(node: number): boolean {
    return (this.depths[node] as number) >= 0;
  }

  /** Goes one whole level deeper, and says whether it met another search there. */
  goDeeper(other?: Search): boolean {
    this.depth += 1;
    const next: number[] = [];
    let met = false;
    const visit = (_edge: number, node: number) => {
      if (this.hasReached(node)) return;
      this.depths[node] = this.depth;
      next.push(node);
      met ||= other?.hasReached(node) === true;
    };
    for (const node of this.level) {
      this.#topology.eachEdge(node, this.#direction, this.#tick, visit, this.#mask);
    }
    this.level = next;
    return met;
  }
}

/**
 * Why a node is there: the path from its goal. The goal is the nearest one to which no other goal
 * leads (of equals the first in order); where goals lead to each other in a circle, the nearest of
 * all. A path without rejections is taken before one with them.
 * @returns the path, the goal first, and the types of edges it may have; empty where no goal leads
 * to the node
 */
export function pathFromGoal(
  topology: Topology,
  node: number,
  tick: number,
): { readonly path: Uint32Array; readonly mask: number } {
  topology.settle();
  for (const mask of [REASONS, REASONS | REJECTED]) {
    const search = new Search(topology, node, "incoming", tick, mask);
    while (search.level.length > 0) search.goDeeper();
    const { depths: distances } = search;
    const goal = nearestGoal(topology, distances, tick, mask);
    if (goal !== undefined) return { path: descend(topology, goal, distances, tick, mask), mask };
  }
  return { path: new Uint32Array(0), mask: REASONS };
}

const bit = (type: (typeof edgeTypes)[number]) => 1 << edgeTypes.indexOf(type);
const REJECTED = bit("rejected");
/** Edges along which one thing is the reason of another. */
const REASONS = ALL_EDGES & ~(REJECTED | bit("blocks") | bit("supersedes"));

function nearestGoal(
  topology: Topology,
  distances: Int32Array,
  tick: number,
  mask: number,
): number | undefined {
  const goals: number[] = [];
  for (let node = 0; node < distances.length; node++) {
    if ((distances[node] as number) >= 0 && topology.typeOf(node) === "goal") goals.push(node);
  }
  // Everything to which a goal leads, among what leads to the node.
  const led = new Uint8Array(distances.length);
  let level = goals;
  while (level.length > 0) {
    const next: number[] = [];
    for (const node of level) {
      topology.eachEdge(
        node,
        "outgoing",
        tick,
        (_edge, other) => {
          if (led[other] === 1 || (distances[other] as number) < 0) return;
          led[other] = 1;
          next.push(other);
        },
        mask,
      );
    }
    level = next;
  }
  const first = goals.filter((goal) => led[goal] === 0);
  const comesFirst = (a: number, b: number) =>
    (distances[a] as number) - (distances[b] as number) || topology.rankOf(a) - topology.rankOf(b);
  return (first.length > 0 ? first : goals).reduce<number | undefined>(
    (best, goal) => (best === undefined || comesFirst(goal, best) < 0 ? goal : best),
    undefined,
  );
}

/** Goes down the distances to 0, each time to the first in order. */
function descend(
  topology: Topology,
  from: number,
  distances: Int32Array,
  tick: number,
  mask: number,
): Uint32Array {
  const length = distances[from] as number;
  const path = new Uint32Array(length + 1);
  for (let node = from, i = 0; i <= length; i++) {
    path[i] = node;
    let next = -1;
    const wanted = length - i - 1;
    topology.eachEdge(
      node,
      "outgoing",
      tick,
      (_edge, other) => {
        if (distances[other] !== wanted) return;
        if (next < 0 || topology.rankOf(other) < topology.rankOf(next)) next = other;
      },
      mask,
    );
    node = next;
  }
  return path;
}

function inOrder(topology: Topology, nodes: readonly number[]): Uint32Array {
  const ranks = new Uint32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) ranks[i] = topology.rankOf(nodes[i] as number);
  sortRanks(ranks, topology.nodeCount);
  for (let i = 0; i < ranks.length; i++) ranks[i] = topology.nodeAt(ranks[i] as number);
  return ranks;
}

function joined(levels: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(levels.reduce((sum, level) => sum + level.length, 0));
  let place = 0;
  for (const level of levels) {
    all.set(level, place);
    place += level.length;
  }
  return all;
}
