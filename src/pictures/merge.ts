/**
 * Merges several nodes of a picture into one (a stack), and redirects their edges to it. `collapse.ts` uses
 * it.
 */
import { countOf } from "../core/kernel/values/index.js";
import { lookEntry } from "./legend.js";
import type { LegendEntry, Picture, PictureEdge, PictureNode } from "./picture.js";
import { oneLine } from "./visible-text.js";

/** Counts that a stack names before it says how many more there are. */
const NAMED = 4;
/** Labels that stay where several edges became one. */
const LABELS = 3;

/** The picture with the nodes of each stack as one node, in the place of the first. */
export function merge(picture: Picture, stacks: readonly (readonly PictureNode[])[]): Picture {
  if (stacks.length === 0) return picture;
  const taken = new Set([...picture.nodes, ...picture.groups].map(({ id }) => id));
  const standsFor = new Map<string, PictureNode>();
  for (const all of stacks) {
    let id = `${all[0]?.id}…`;
    while (taken.has(id)) id += "…";
    taken.add(id);
    const stack = stackOf(id, all);
    for (const node of all) standsFor.set(node.id, stack);
  }
  return {
    ...picture,
    nodes: [...new Set(picture.nodes.map((node) => standsFor.get(node.id) ?? node))],
    edges: mergeEdges(picture.edges, (id) => standsFor.get(id)?.id ?? id),
  };
}

/** The legend with a line that says what a stack is. */
export function withStack(legend: readonly LegendEntry[]): readonly LegendEntry[] {
  return [...legend, lookEntry("several, drawn as one", { shape: "stack" })];
}

/** Edges between what nodes have become; those within one are gone. */
export function mergeEdges(
  edges: readonly PictureEdge[],
  become: (id: string) => string,
): PictureEdge[] {
  const merged = new Map<string | PictureEdge, { edge: PictureEdge; labels: string[] }>();
  for (const edge of edges) {
    const { line, tone, target, labels = [] } = edge;
    const [from, to] = [become(edge.from), become(edge.to)];
    const moved = from !== edge.from || to !== edge.to;
    if (moved && from === to) continue;
    // An edge that did not move stays itself, also beside one of its kind.
    const key = moved ? JSON.stringify([from, to, line, tone, target]) : edge;
    const found = merged.get(key);
    if (found === undefined) merged.set(key, { edge: { ...edge, from, to }, labels: [...labels] });
    else for (const label of labels) if (!found.labels.includes(label)) found.labels.push(label);
  }
  return [...merged.values()].map(({ edge: { labels: _labels, ...edge }, labels }) => {
    const more = labels.length - LABELS;
    const shown = more > 0 ? [...labels.slice(0, LABELS), `… ${more} more`] : labels;
    return shown.length === 0 ? edge : { ...edge, labels: shown };
  });
}

function stackOf(id: string, all: readonly PictureNode[]): PictureNode {
  const [first] = all as [PictureNode, ...PictureNode[]];
  const counts = countOf(all.flatMap(({ tally }) => tally ?? []));
  // A sort keeps the order of what is equal.
  const most = [...counts].sort(([, a], [, b]) => b - a);
  const parts = most.map(([text, count]) => (count === 1 ? text : `${count} × ${text}`));
  const more = parts.length - NAMED;
  const shown = more > 0 ? [...parts.slice(0, NAMED), `${more} other kinds`] : parts;
  const rows = all.flatMap(({ row }) => row ?? []);
  return {
    id,
    label: `… ${all.length} more`,
    details: shown.map(oneLine),
    title: [`${all.length} more`, ...parts].join("\n"),
    shape: "stack",
    tone: all.every(({ tone }) => tone === first.tone) ? first.tone : "plain",
    ...(first.group === undefined ? {} : { group: first.group }),
    ...(rows.length === all.length ? { row: rows.reduce((top, row) => Math.min(top, row)) } : {}),
    ...(all.every(({ top }) => top === true) ? { top: true } : {}),
  };
}
