/**
 * Searches a decision graph breadth first over its links, for the queries of paths, descendants, ancestors
 * and reasons. It visits each node once, so that cycles do no harm, and does not recurse, so that a path may
 * have any length.
 */
import { addTo } from "../../../core/kernel/values/index.js";
import type { Direction, Link } from "./rows.js";

/** The neighbours of each node, in the order of the links. */
export function neighboursOf(
  links: Iterable<Link>,
  direction: Direction,
): (id: string) => readonly string[] {
  const neighbours = new Map<string, string[]>();
  for (const { fromId, toId } of links) {
    const [id, other] = direction === "outgoing" ? [fromId, toId] : [toId, fromId];
    addTo(neighbours, id, other);
  }
  return (id) => neighbours.get(id) ?? [];
}

/**
 * Finds all nodes that can be reached.
 * @returns each node, in the order in which it was found, with the one that it was found from;
 * undefined for those that the search began with
 */
export function breadthFirst(
  starts: readonly string[],
  neighbours: (id: string) => readonly string[],
): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>(starts.map((id) => [id, undefined]));
  // A Map iterates over what is added meanwhile: it is the queue.
  for (const id of found.keys()) {
    for (const other of neighbours(id)) if (!found.has(other)) found.set(other, id);
  }
  return found;
}

/** The way from a found node back to where the search began, both included. */
export function wayBack(
  found: ReadonlyMap<string, string | undefined>,
  from: string,
): readonly string[] {
  const way: string[] = [];
  let id: string | undefined = found.has(from) ? from : undefined;
  for (; id !== undefined; id = found.get(id)) way.push(id);
  return way;
}
