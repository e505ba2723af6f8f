/**
 * Assigns a row to each node: its own if it has one, otherwise the longest path from above. Safe on
 * cycles, linear, without recursion.
 */
import type { PictureEdge, PictureNode } from "./picture.js";

/** Rows from 0 on. */
export function rowsOf(
  nodes: readonly PictureNode[],
  edges: readonly PictureEdge[],
): Map<string, number> {
  const hasTop = nodes.some(({ top }) => top === true);
  const rows = new Map(
    nodes.map(({ id, row, top }): [string, number] => [id, row ?? (hasTop && !top ? 1 : 0)]),
  );
  const fixed = new Set(nodes.filter(({ row }) => row !== undefined).map(({ id }) => id));
  const below = forward(nodes, edges);
  const missing = new Map<string, number>();
  for (const targets of below.values()) {
    for (const to of targets) missing.set(to, (missing.get(to) ?? 0) + 1);
  }
  const free = nodes.map(({ id }) => id).filter((id) => !missing.has(id));
  for (const id of free) {
    for (const to of below.get(id) ?? []) {
      const row = (rows.get(id) as number) + 1;
      if (!fixed.has(to)) rows.set(to, Math.max(row, rows.get(to) as number));
      const left = (missing.get(to) as number) - 1;
      missing.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  return rows;
}

/** Returns the nodes below each node, edges that close a circle left out. */
function forward(
  nodes: readonly PictureNode[],
  edges: readonly PictureEdge[],
): Map<string, string[]> {
  const known = new Map(nodes.map((node): [string, PictureNode] => [node.id, node]));
  const next = new Map(nodes.map(({ id }): [string, string[]] => [id, []]));
  for (const edge of edges) {
    const [from, to] = edge.target === "above" ? [edge.to, edge.from] : [edge.from, edge.to];
    const target = known.get(to);
    if (edge.target === "anywhere" || from === to || target === undefined) continue;
    // A node that stands on top has nothing above it but its like.
    if (target.top === true && known.get(from)?.top !== true) continue;
    next.get(from)?.push(to);
  }
  const state = new Map<string, "open" | "closed">();
  const kept = new Map(nodes.map(({ id }): [string, string[]] => [id, []]));
  for (const { id } of nodes) {
    if (state.has(id)) continue;
    state.set(id, "open");
    const stack = [{ id, at: 0 }];
    for (let here = stack.at(-1); here !== undefined; here = stack.at(-1)) {
      const to = next.get(here.id)?.[here.at++];
      if (to === undefined) {
        state.set(here.id, "closed");
        stack.pop();
      } else if (state.get(to) !== "open") {
        kept.get(here.id)?.push(to);
        if (state.has(to)) continue;
        state.set(to, "open");
        stack.push({ id: to, at: 0 });
      }
    }
  }
  return kept;
}
