/** Merges several nodes into a stack, and redirects their edges to it. */
import type { LegendEntry, NodeLook, Picture, PictureEdge, PictureNode } from "./picture.js";
import { unusedId } from "./unused-id.js";
import { oneLine } from "./visible-text.js";

/** The look of a stack in the legend. */
export const STACK: NodeLook = { shape: "stack", tone: "plain" };

/** Counts that a stack names before it says how many more there are. */
const NAMED = 4;
/** Labels that stay where several edges became one. */
const LABELS = 3;

/**
 * The picture with the members of each bucket as one node, in the place of the first.
 * @param bucketOf node → bucket; nodes without one stay. A bucket of one is no bucket.
 */
export function merge(picture: Picture, bucketOf: ReadonlyMap<string, string>): Picture {
  const members = new Map<string, PictureNode[]>();
  for (const node of picture.nodes) {
    const bucket = bucketOf.get(node.id);
    if (bucket === undefined) continue;
    const list = members.get(bucket);
    if (list === undefined) members.set(bucket, [node]);
    else list.push(node);
  }
  const taken = new Set([...picture.nodes, ...picture.groups].map(({ id }) => id));
  const stacks = new Map<readonly PictureNode[], string>();
  const standsFor = new Map<string, string>();
  const nodes: PictureNode[] = [];
  for (const node of picture.nodes) {
    const all = members.get(bucketOf.get(node.id) ?? "") ?? [];
    if (all.length < 2) {
      nodes.push(node);
      continue;
    }
    const id = stacks.get(all) ?? unusedId(`${(all[0] as PictureNode).id}…`, taken);
    standsFor.set(node.id, id);
    if (stacks.has(all)) continue;
    stacks.set(all, id);
    taken.add(id);
    nodes.push(stackOf(id, all));
  }
  if (standsFor.size === 0) return picture;
  return {
    ...picture,
    nodes,
    edges: mergeEdges(picture.edges, (id) => standsFor.get(id) ?? id),
    legend: withStack(picture.legend),
  };
}

/** The legend with a line that says what a stack is. */
export function withStack(legend: readonly LegendEntry[]): readonly LegendEntry[] {
  return [...legend, { text: "several, drawn as one", node: STACK, means: ["shape"] }];
}

/**
 * Edges between what nodes have become; those within one are gone.
 * @param all whether edges that stay where they are become one as well, where they look the same
 */
export function mergeEdges(
  edges: readonly PictureEdge[],
  become: (id: string) => string,
  all = false,
): PictureEdge[] {
  const merged = new Map<string, { edge: PictureEdge; labels: string[] }>();
  for (const edge of edges) {
    const [from, to] = [become(edge.from), become(edge.to)];
    const moved = from !== edge.from || to !== edge.to;
    if (moved && from === to) continue;
    const { line, tone, target = "below", labels = [] } = edge;
    // An edge that did not move stays itself, also beside one of its kind.
    const own = moved || all ? [] : labels;
    const key = JSON.stringify([from, to, line, tone, target, ...own]);
    const known = merged.get(key);
    if (known === undefined) {
      merged.set(key, { edge: { ...edge, from, to }, labels: [...labels] });
    } else {
      for (const label of labels) if (!known.labels.includes(label)) known.labels.push(label);
    }
  }
  return [...merged.values()].map(({ edge: { labels: _labels, ...edge }, labels }) => {
    const more = labels.length - LABELS;
    const shown = more > 0 ? [...labels.slice(0, LABELS), `… ${more} more`] : labels;
    return shown.length === 0 ? edge : { ...edge, labels: shown };
  });
}

function stackOf(id: string, all: readonly PictureNode[]): PictureNode {
  const [first] = all as [PictureNode, ...PictureNode[]];
  const tones = new Set(all.map(({ tone }) => tone));
  const counts = new Map<string, number>();
  for (const { tally } of all) {
    if (tally !== undefined) counts.set(tally, (counts.get(tally) ?? 0) + 1);
  }
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
    tone: tones.size === 1 ? first.tone : "plain",
    ...(first.group === undefined ? {} : { group: first.group }),
    ...(rows.length === all.length ? { row: rows.reduce((top, row) => Math.min(top, row)) } : {}),
    ...(all.every(({ top }) => top === true) ? { top: true } : {}),
  };
}
