/**
 * Assigns a row to each node of a picture, for folding: its own if it has one, otherwise its distance from
 * above. Safe on cycles, linear, without recursion.
 */
import type { PictureEdge, PictureNode } from "./picture.js";

/** Rows from 0 on. */
export function rowsOf(
  nodes: readonly PictureNode[],
  edges: readonly PictureEdge[],
): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const below = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  const hung = new Set<string>();
  for (const edge of edges) {
    const [from, to] = edge.target === "above" ? [edge.to, edge.from] : [edge.from, edge.to];
    if (edge.target === "anywhere" || from === to) continue;
    // A node that stands on top has nothing above it but its like.
    if (byId.get(to)?.top === true && byId.get(from)?.top !== true) continue;
    below.get(from)?.push(to);
    hung.add(to);
  }
  const hasTop = nodes.some(({ top }) => top === true);
  const rows = new Map<string, number>();
  // Nodes that nothing hangs above come first; what is in a circle then begins with its first node.
  for (const first of [...nodes.filter(({ id }) => !hung.has(id)), ...nodes]) {
    if (rows.has(first.id)) continue;
    const queue = [first.id];
    rows.set(first.id, first.row ?? (hasTop && first.top !== true ? 1 : 0));
    for (const id of queue) {
      for (const to of below.get(id) ?? []) {
        const node = byId.get(to);
        if (node === undefined || rows.has(to)) continue;
        rows.set(to, node.row ?? (rows.get(id) as number) + 1);
        queue.push(to);
      }
    }
  }
  return rows;
}
