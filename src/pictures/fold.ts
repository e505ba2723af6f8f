/**
 * Folds large pictures: the least important nodes are merged into stacks. Groups are collapsed
 * first, innermost first; then the middle rows if there are too many, then nodes of rows that are
 * too wide.
 */
import * as shapes from "../core/kernel/shapes.js";
import { checkWritten } from "./check-arguments.js";
import { rowsOf } from "./layers.js";
import { merge, mergeEdges, withStack } from "./merge.js";
import type { Picture, PictureEdge, PictureNode } from "./picture.js";

/** The limits of a picture. */
export interface FoldLimits {
  /** Nodes and groups at most. Default 200. */
  readonly nodes?: number | undefined;
  /** Edges at most. Default 480. */
  readonly edges?: number | undefined;
  /** Nodes side by side. Default 40; of thoughts 14, which one screen shows. */
  readonly columns?: number | undefined;
  /** Rows one below the other. Default 40. */
  readonly rows?: number | undefined;
}

/** Of any number there is a picture: what is none, or too small, is taken as well as it can be. */
const LIMIT: shapes.Shape = [(value) => typeof value === "number", "a number"];
const foldLimits: shapes.Shapes<FoldLimits> = {
  nodes: LIMIT,
  edges: LIMIT,
  columns: LIMIT,
  rows: LIMIT,
};
/** Limits as callers give them. */
export const FOLD: shapes.Shape = /* @__PURE__ */ shapes.optionsOf(foldLimits);

/** The same with its defaults. */
export type Limits = Required<shapes.Defined<FoldLimits>>;

/** Nodes of this weight stay while others of their row can go. */
export const KEEP = 1_000_000;

/** The limits of a picture, where nothing else is said. */
export function limitsOf({ kind, nodes, groups, edges }: Picture, limits: FoldLimits = {}): Limits {
  const columns = kind === "thoughts" ? 14 : 40;
  const told = { nodes: 200, edges: 480, columns, rows: 40, ...shapes.given(limits) };
  // Limits are made smaller until the picture fits: what is not a number, or has no end, has all there is.
  const all = nodes.length + groups.length;
  const atLeastOne = (limit: number, most: number) =>
    Math.max(1, Number.isFinite(limit) ? Math.floor(limit) : most);
  return {
    nodes: atLeastOne(told.nodes, all),
    edges: Number.isFinite(told.edges) ? told.edges : edges.length,
    columns: atLeastOne(told.columns, all),
    rows: atLeastOne(told.rows, all),
  };
}

/**
 * The picture within its limits; one that fits stays as it is. As callers ask for it.
 * @throws ReckonerError `option.invalid` for what is no picture, or no limits
 */
export function foldPicture(picture: Picture, limits: FoldLimits = {}): Picture {
  checkWritten("foldPicture", picture, limits, foldLimits);
  return fold(picture, limits);
}

/** The picture within its limits; one that fits stays as it is. */
export function fold(picture: Picture, limits: FoldLimits = {}): Picture {
  const { nodes, edges, columns, rows } = limitsOf(picture, limits);
  const slim =
    picture.edges.length > edges ? mergeEdges(picture.edges, (id) => id, true) : undefined;
  const closed = closeGroups(slim === undefined ? picture : { ...picture, edges: slim }, nodes);
  const order = orderOf(closed);
  let folded = closed;
  let high = rows;
  for (let wide = columns; ; wide = wide > 1 ? wide - Math.ceil(wide / 8) : columns) {
    const buckets = bucketsOf(order, wide, high);
    const last = wide === 1 && high === 1;
    // Counted first: most attempts need not be drawn up.
    if (last || left(closed, buckets) <= nodes) {
      folded = merge(closed, buckets);
      if (last || folded.edges.length <= edges) break;
    }
    if (wide === 1) high = Math.max(1, Math.floor(high / 2));
  }
  if (folded.edges.length > edges && closed.groups.length > 0 && nodes > 1) {
    // Edges between groups become fewer only where groups are closed.
    const fewer = Math.min(nodes, picture.nodes.length + picture.groups.length) / 2;
    return fold(picture, { nodes: fewer, edges, columns, rows });
  }
  if (folded === picture) return picture;
  const stand = folded.nodes.length + folded.groups.length;
  const all = picture.nodes.length + picture.groups.length;
  if (stand === all) return folded;
  return { ...folded, notes: [...folded.notes, `Folded: ${all} are drawn as ${stand}.`] };
}

/** Counts the nodes and groups that are left where each bucket is one node. */
function left({ nodes, groups }: Picture, buckets: ReadonlyMap<string, string>): number {
  return groups.length + nodes.length - buckets.size + new Set(buckets.values()).size;
}

/** Groups as nodes, the innermost first, until the rest is few enough. */
function closeGroups(picture: Picture, most: number): Picture {
  let { nodes, edges, groups } = picture;
  /** The number of nodes in a group that is closed. */
  const held = new Map<string, number>();
  while (groups.length > 0 && nodes.length + groups.length > most) {
    const parents = new Set(groups.map(({ parent }) => parent));
    const inner = new Set(groups.filter(({ id }) => !parents.has(id)).map(({ id }) => id));
    if (inner.size === 0) break;
    const inside = new Map<string, string>();
    for (const { id, group } of nodes) {
      if (group === undefined || !inner.has(group)) continue;
      inside.set(id, group);
      held.set(group, (held.get(group) ?? 0) + (held.get(id) ?? 1));
    }
    const stacks = groups
      .filter(({ id }) => inner.has(id))
      .map(
        ({ id, label, parent, tone }): PictureNode => ({
          id,
          label,
          details: [`${held.get(id) ?? 0} inside`],
          shape: "stack",
          tone,
          ...(parent === undefined ? {} : { group: parent }),
        }),
      );
    nodes = [...nodes.filter(({ id }) => !inside.has(id)), ...stacks];
    edges = mergeEdges(edges, (id) => inside.get(id) ?? id);
    groups = groups.filter(({ id }) => !inner.has(id));
  }
  if (groups === picture.groups) return picture;
  return { ...picture, nodes, edges, groups, legend: withStack(picture.legend) };
}

/** A picture's nodes as its rows have them. */
interface Order {
  /** From the top; each with its nodes by group. */
  readonly rows: readonly ReadonlyMap<string, readonly PictureNode[]>[];
  readonly around: Neighbours;
}

function orderOf({ nodes, edges }: Picture): Order {
  const rowOf = rowsOf(nodes, edges);
  const rows = new Map<number, Map<string, PictureNode[]>>();
  for (const node of nodes) {
    const at = rowOf.get(node.id) as number;
    const row = rows.get(at) ?? new Map<string, PictureNode[]>();
    rows.set(at, row);
    const key = JSON.stringify([at, node.group ?? null]);
    const layer = row.get(key);
    if (layer === undefined) row.set(key, [node]);
    else layer.push(node);
  }
  const fromTop = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  return { rows: fromTop, around: neighbours(edges) };
}

/** Sorts nodes into stacks so that no row is wider than `columns`, and rows are at most so many. */
function bucketsOf({ rows, around }: Order, columns: number, most: number): Map<string, string> {
  const buckets = new Map<string, string>();
  // Where rows are too many, the middle ones become one: how it began and how it ended stay.
  const before = Math.ceil((most - 1) / 2);
  const after = rows.length > most ? rows.length - (most - 1 - before) : before;
  for (const row of rows.slice(before, after)) {
    for (const layer of row.values()) {
      for (const { id, group } of layer) buckets.set(id, JSON.stringify(["rows", group ?? null]));
    }
  }
  // Buckets are told apart by those above them, so they need short names.
  const named = new Map<string, string>();
  const name = (bucket: string): string => {
    const known = named.get(bucket) ?? `stack ${named.size}`;
    named.set(bucket, known);
    return known;
  };
  for (const row of [...rows.slice(0, before), ...rows.slice(after)]) {
    for (const [key, layer] of row) {
      for (const [id, bucket] of foldLayer(key, layer, columns, around, buckets, name)) {
        buckets.set(id, bucket);
      }
    }
  }
  return buckets;
}

interface Neighbours {
  readonly above: (id: string) => readonly string[];
  readonly hasBelow: (id: string) => boolean;
}

function neighbours(edges: readonly PictureEdge[]): Neighbours {
  const above = new Map<string, string[]>();
  const sources = new Set<string>();
  for (const { from, to, target } of edges) {
    if (target === "anywhere") continue;
    const [upper, lower] = target === "above" ? [to, from] : [from, to];
    sources.add(upper);
    const list = above.get(lower);
    if (list === undefined) above.set(lower, [upper]);
    else list.push(upper);
  }
  return { above: (id) => above.get(id) ?? [], hasBelow: (id) => sources.has(id) };
}

/** The distance of the kin that shares a stack: parents, grandparents, everybody. */
const KIN = [0, 1, 2] as const;

/**
 * Sorts the nodes of a row into stacks. Nodes that hang on stacks alone go into one. Of the others the
 * best stay; of the rest siblings share a stack, or cousins where there is no room for so many, or all.
 */
function foldLayer(
  key: string,
  layer: readonly PictureNode[],
  columns: number,
  { above, hasBelow }: Neighbours,
  stacks: ReadonlyMap<string, string>,
  name: (bucket: string) => string,
): Map<string, string> {
  const ranked = layer.map((node, index) => {
    const { id, weight = 0 } = node;
    const parents = above(id);
    const loose = weight < KEEP && parents.length > 0 && parents.every((each) => stacks.has(each));
    return { id, weight, index, loose, leads: hasBelow(id) };
  });
  const hanging = ranked.filter(({ loose }) => loose).length;
  if (layer.length <= columns && hanging < 2) return new Map();
  ranked.sort(
    (a, b) =>
      Number(a.loose) - Number(b.loose) ||
      b.weight - a.weight ||
      Number(b.leads) - Number(a.leads) ||
      a.index - b.index,
  );
  const stack = (id: string) => stacks.get(id) ?? id;
  const bucketOf = (id: string, leads: boolean, kin: number): string => {
    if (kin === 2) return name(JSON.stringify([key]));
    const parents = above(id);
    const up = kin === 0 ? parents : parents.slice(0, 1).flatMap((each) => above(each).slice(0, 1));
    return name(JSON.stringify([key, leads, ...new Set(up.map(stack))]));
  };
  const most = ranked.length - hanging;
  for (const kin of KIN) {
    // From the last one up: how many places the rest takes when so many stay.
    const taken = new Set<string>();
    let stay: number | undefined;
    for (let at = ranked.length - 1; at >= 0; at--) {
      const { id, leads } = ranked[at] as { id: string; leads: boolean };
      taken.add(bucketOf(id, leads, kin));
      if (at <= most && at + taken.size <= columns) stay = Math.max(stay ?? 0, at);
    }
    if (stay === undefined) continue;
    return new Map(ranked.slice(stay).map(({ id, leads }) => [id, bucketOf(id, leads, kin)]));
  }
  return new Map();
}
