/** Answers traversal requests from a topology: maps ids to numbers, and the results back to ids. */
import type { Walk } from "../queries/rows.js";
import { maskOf, type Topology } from "./topology.js";
import { levelsFrom, pathFromGoal, reach, shortestPath } from "./walk.js";

const SUPERSEDES = maskOf(["supersedes"]);

/**
 * The ids of a walk, in the order that its query specifies.
 * @param numberOf the number of a node that is there; undefined where it is not
 * @param options `limit`: more than so many, plus one to show that there are more, need not be
 *   found; `tick`: the version that is walked
 */
export function walkRows(
  topology: Topology,
  walk: Walk,
  numberOf: (id: string) => number | undefined,
  options: { readonly limit: number; readonly tick?: number | undefined },
): string[] {
  const found = walkNumbers(topology, walk, numberOf, options);
  const ids: string[] = [];
  const most = Math.min(found.length, options.limit + 1);
  for (let i = 0; i < most; i++) ids.push(topology.idOf(found[i] as number));
  return ids;
}

function walkNumbers(
  topology: Topology,
  walk: Walk,
  numberOf: (id: string) => number | undefined,
  { limit, tick = 0 }: { readonly limit: number; readonly tick?: number | undefined },
): ArrayLike<number> {
  switch (walk.kind) {
    case "reach": {
      const from = numberOf(walk.from);
      if (from === undefined) return [];
      const mask = maskOf(walk.edgeTypes);
      return reach(topology, from, walk.direction, { tick, mask, limit });
    }
    case "path": {
      const [from, to] = [numberOf(walk.from), numberOf(walk.to)];
      if (from === undefined || to === undefined) return [];
      return shortestPath(topology, from, to, { tick, mask: maskOf(walk.edgeTypes) });
    }
    case "why": {
      const to = numberOf(walk.to);
      return to === undefined ? [] : pathFromGoal(topology, to, tick).path;
    }
    case "supersessions": {
      const of = numberOf(walk.of);
      if (of === undefined) return [];
      // What is furthest back comes first, so that everything comes before what superseded it.
      const options = { tick, mask: SUPERSEDES };
      const before = levelsFrom(topology, of, "outgoing", options).reverse();
      const after = levelsFrom(topology, of, "incoming", options);
      return [...before, [of], ...after].flatMap((level) => [...level]);
    }
  }
}
