/**
 * Folds a picture that is too large, before it is written as SVG or Mermaid, until its nodes, edges and rows
 * are within limits. It closes groups, the innermost first, then merges the lightest nodes of rows that are
 * too wide, and the middle rows of too many.
 */
import { groupBy } from "../core/kernel/values/index.js";
import { rowsOf } from "./layers.js";
import { merge, mergeEdges, withStack } from "./merge.js";
import type { Picture, PictureNode } from "./picture.js";

/** The limits of a picture that is written. */
export interface Limits {
  /** Nodes and groups at most. */
  readonly nodes: number;
  readonly edges: number;
  /** Nodes side by side. */
  readonly columns: number;
  /** Rows one below the other. */
  readonly rows: number;
}

/** Nodes of this weight stay while others of their row can go. */
export const KEEP = 1_000_000;

/** The limits of a picture: of thoughts one screen shows all. */
export function limitsOf({ kind }: Picture): Limits {
  return { nodes: 200, edges: 480, columns: kind === "thoughts" ? 14 : 40, rows: 40 };
}

/** The picture within its limits; one that fits stays as it is. */
export function fold(picture: Picture, limits: Limits = limitsOf(picture)): Picture {
  const closed = closeGroups(picture, limits);
  const table = tableOf(closed);
  const fits = ({ nodes, groups, edges }: Picture) =>
    nodes.length + groups.length <= limits.nodes && edges.length <= limits.edges;
  let { columns, rows } = limits;
  let folded = merge(closed, stacksOf(table, columns, rows));
  while (!fits(folded) && (columns > 1 || rows > 1)) {
    if (columns > 1) columns = Math.floor((columns * 3) / 4);
    else rows = Math.floor(rows / 2);
    folded = merge(closed, stacksOf(table, columns, rows));
  }
  const all = picture.nodes.length + picture.groups.length;
  const stand = folded.nodes.length + folded.groups.length;
  if (stand === all) return picture;
  return {
    ...folded,
    legend: withStack(folded.legend),
    notes: [...folded.notes, `Folded: ${all} are drawn as ${stand}.`],
  };
}

/** Groups as nodes, the innermost first, until the rest is few enough. */
function closeGroups(picture: Picture, limits: Limits): Picture {
  let { nodes, edges, groups } = picture;
  /** The number of nodes in a group that is closed. */
  const held = new Map<string, number>();
  while (nodes.length + groups.length > limits.nodes || edges.length > limits.edges) {
    const parents = new Set(groups.map(({ parent }) => parent));
    const inner = groups.filter(({ id }) => !parents.has(id));
    if (inner.length === 0) break;
    const closing = new Set<string | undefined>(inner.map(({ id }) => id));
    const inside = new Map<string, string>();
    for (const { id, group } of nodes) {
      if (group === undefined || !closing.has(group)) continue;
      inside.set(id, group);
      held.set(group, (held.get(group) ?? 0) + (held.get(id) ?? 1));
    }
    const stacks = inner.map(({ id, label, parent, tone }): PictureNode => {
      const details = [`${held.get(id) ?? 0} inside`];
      return { id, label, details, shape: "stack", tone, ...(parent && { group: parent }) };
    });
    nodes = [...nodes.filter(({ id }) => !inside.has(id)), ...stacks];
    edges = mergeEdges(edges, (id) => inside.get(id) ?? id);
    groups = groups.filter(({ id }) => !closing.has(id));
  }
  return { ...picture, nodes, edges, groups };
}

/** A picture's nodes as its rows have them. */
interface Table {
  /** From the top, each with its nodes by their groups. */
  readonly rows: readonly (readonly (readonly PictureNode[])[])[];
  /** The nodes above each node. */
  readonly above: ReadonlyMap<string, readonly string[]>;
  /** The nodes that have others below them. */
  readonly leading: ReadonlySet<string>;
}

function tableOf({ nodes, edges }: Picture): Table {
  const rowOf = rowsOf(nodes, edges);
  const rows = [...groupBy(nodes, ({ id }) => rowOf.get(id) as number)].sort(([a], [b]) => a - b);
  const steps = edges
    .filter(({ target }) => target !== "anywhere")
    .map(({ from, to, target }) => (target === "above" ? [to, from] : [from, to]));
  const above = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const [upper, lower] of steps as [string, string][]) above.get(lower)?.push(upper);
  const leading = new Set(steps.flatMap(([upper]) => upper ?? []));
  return { rows: rows.map(([, row]) => byGroup(row)), above, leading };
}

const byGroup = (nodes: readonly PictureNode[]) => [
  ...groupBy(nodes, ({ group }) => group).values(),
];

/** Returns the nodes of each stack, so that no row is wider than `columns`, and rows are at most so many. */
function stacksOf(
  table: Table,
  columns: number,
  most: number,
): readonly (readonly PictureNode[])[] {
  const { rows } = table;
  // Where rows are too many, the middle ones become one: how it began and how it ended stay.
  const before = Math.ceil((most - 1) / 2);
  const after = rows.length > most ? rows.length - (most - 1 - before) : before;
  const stacks: (readonly PictureNode[])[] = byGroup(rows.slice(before, after).flat(2));
  const stacked = new Set(stacks.flat().map(({ id }) => id));
  for (const nodes of [...rows.slice(0, before), ...rows.slice(after)].flat()) {
    for (const stack of stacksIn(nodes, columns, table, stacked)) {
      stacks.push(stack);
      for (const { id } of stack) stacked.add(id);
    }
  }
  return stacks.filter(({ length }) => length > 1);
}

/** Returns the stacks of a row: of the nodes that hang on stacks alone, and of the others those that must go. */
function stacksIn(
  nodes: readonly PictureNode[],
  columns: number,
  { above, leading }: Table,
  stacked: ReadonlySet<string>,
): readonly (readonly PictureNode[])[] {
  const hanging = nodes.filter(({ id, weight = 0 }) => {
    const upper = above.get(id) ?? [];
    return weight < KEEP && upper.length > 0 && upper.every((each) => stacked.has(each));
  });
  const isHanging = new Set(hanging);
  const free = nodes.filter((node) => !isHanging.has(node));
  const room = Math.max(0, columns - (hanging.length > 0 ? 1 : 0));
  if (free.length <= room) return [hanging];
  if (columns === 1) return [nodes];
  const rank = ({ id, weight = 0 }: PictureNode) => 2 * weight + (leading.has(id) ? 1 : 0);
  const stay = new Set(free.toSorted((a, b) => rank(b) - rank(a)).slice(0, room - 1));
  return [hanging, free.filter((node) => !stay.has(node))];
}
