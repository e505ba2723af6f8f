/**
 * Computes the positions of nodes, groups and edges with dagre, for `toSvg`. Each group is laid out by itself
 * and is then a single box in its parent, so that edges may lead into groups, out of them and to them.
 */
import { layout as dagre, Graph } from "@dagrejs/dagre";
import { groupBy } from "../core/kernel/values/index.js";
import { type Box, GROUP_PADDING, headOf, sizeOf, sizeOfLabels } from "./boxes.js";
import { bent, extend, loop, type PlacedEdge, type Point, type Rectangle } from "./edge-routes.js";
import type { Picture, PictureEdge, PictureGroup, PictureNode } from "./picture.js";

/** A node in its place: its middle and its size. */
export interface PlacedNode extends Box, Point {
  readonly node: PictureNode;
}

/** A group in its place: its middle, its size and its head. */
export interface PlacedGroup extends Box, Point {
  readonly group: PictureGroup;
}

/** A picture with places. */
export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly groups: readonly PlacedGroup[];
  readonly edges: readonly PlacedEdge[];
}

/** Places what is to be seen; the same picture gives the same places everywhere. */
export function layout(picture: Picture): Layout {
  const { nodes, groups, edges } = place(picture, undefined, liftedEdges(picture));
  const boxes = new Map<string, Rectangle>();
  for (const placed of nodes) boxes.set(placed.node.id, placed);
  for (const placed of groups) boxes.set(placed.group.id, placed);
  for (const { edge, points } of edges) {
    extend(points, boxes.get(edge.from), "start");
    extend(points, boxes.get(edge.to), "end");
  }
  return { nodes, groups, edges };
}

/** An edge in a scope, between the two of its items that the edge's ends lie in. */
interface Lifted {
  readonly edge: PictureEdge;
  readonly from: string;
  readonly to: string;
}

/** The edges by the innermost scope that holds both ends: a group, or none. */
function liftedEdges(picture: Picture): ReadonlyMap<string | undefined, readonly Lifted[]> {
  const parentOf = new Map<string, string | undefined>();
  for (const { id, parent } of picture.groups) parentOf.set(id, parent);
  for (const { id, group } of picture.nodes) parentOf.set(id, group);
  /** From the outermost group to the thing itself. */
  const wayTo = (id: string): readonly string[] => {
    const way = new Set<string>();
    for (let at: string | undefined = id; at && !way.has(at); at = parentOf.get(at)) way.add(at);
    return [...way].reverse();
  };
  const lifted = picture.edges.map((edge) => {
    const [from, to] = [wayTo(edge.from), wayTo(edge.to)];
    let depth = 0;
    // Where one end lies in the other, the edge is drawn within it, at the end itself.
    const last = Math.min(from.length, to.length) - 1;
    while (depth < last && from[depth] === to[depth]) depth += 1;
    const ends = { from: from[depth] as string, to: to[depth] as string };
    return { edge, ...ends, scope: from[depth - 1] };
  });
  return groupBy(lifted, ({ scope }) => scope);
}

/** The contents of a scope, groups within groups too, from its upper left corner. */
interface Placed extends Layout {
  readonly width: number;
  readonly height: number;
}

/** Above everything, so that rows begin at the same height. */
const CEILING = "ceiling";
/** The factor by which a row's height counts more than the length of an edge. */
const FIRM = 1000;

function place(
  picture: Picture,
  scope: string | undefined,
  lifted: ReturnType<typeof liftedEdges>,
): Placed {
  const nodes = picture.nodes.filter(({ group }) => group === scope);
  const groups = picture.groups.filter(({ parent }) => parent === scope);
  const inner = new Map(groups.map(({ id }) => [id, place(picture, id, lifted)]));
  const boxes = new Map<string, Box>();
  for (const node of nodes) boxes.set(node.id, sizeOf(node, picture.kind));
  for (const group of groups) boxes.set(group.id, boxOfGroup(group, inner.get(group.id) as Placed));
  const dense = picture.kind === "thoughts" || picture.kind === "decisions";
  const graph = new Graph({ multigraph: true });
  graph.setGraph(
    dense
      ? { rankdir: "TB", nodesep: 14, ranksep: 34, edgesep: 8 }
      : { rankdir: "TB", nodesep: 36, ranksep: 40, edgesep: 18 },
  );
  // Ids of ours are any text; dagre's are keys of objects.
  const names = new Map([...boxes.keys()].map((id, i) => [id, `n${i}`]));
  const nameOf = (id: string) => names.get(id) as string;
  for (const [id, { width, height }] of boxes) graph.setNode(nameOf(id), { width, height });
  const tops = new Set(nodes.filter(({ top }) => top === true).map(({ id }) => id));
  const rows = heldRows(nodes, tops);
  const laid: { lifted: Lifted; turned: boolean }[] = [];
  const free: Lifted[] = [];
  const hung = new Set<string>();
  for (const one of lifted.get(scope) ?? []) {
    if (!boxes.has(one.from) || !boxes.has(one.to)) continue;
    const { target, weight = 1 } = one.edge;
    const turned = target === "above" || (tops.has(one.to) && !tops.has(one.from));
    const [from, to] = turned ? [one.to, one.from] : [one.from, one.to];
    const drop = tops.size > 0 ? 1 : (rows.get(to) ?? 1) - (rows.get(from) ?? 0);
    if (target === "anywhere" || drop < 1) {
      free.push(one);
      continue;
    }
    const label = { ...sizeOfLabels(one.edge), labelpos: "c", minlen: drop, weight };
    graph.setEdge(nameOf(from), nameOf(to), label, `e${laid.length}`);
    if (from !== to) hung.add(to);
    laid.push({ lifted: one, turned });
  }
  if (rows.size > 0) graph.setNode(CEILING, { width: 0, height: 0 });
  for (const [id, row] of rows) {
    const weight = tops.size === 0 || tops.has(id) ? FIRM : 0;
    if (!hung.has(id)) graph.setEdge(CEILING, nameOf(id), { minlen: row + 1, weight });
  }
  dagre(graph);
  const { width, height } = graph.graph() as { width: number; height: number };
  const placed = <Thing extends object>(id: string, thing: Thing): Thing & Box & Point => {
    const { x = 0, y = 0 } = graph.node(nameOf(id)) as Partial<Point>;
    return { ...thing, ...(boxes.get(id) as Box), x, y };
  };
  const own: Layout = {
    nodes: nodes.map((node) => placed(node.id, { node })),
    groups: groups.map((group) => placed(group.id, { group })),
    edges: [
      ...laid.map(({ lifted: { edge, from, to }, turned }, i): PlacedEdge => {
        if (from === to) return loop(edge, placed(from, {}));
        const [v, w] = turned ? [to, from] : [from, to];
        const way = graph.edge({ v: nameOf(v), w: nameOf(w), name: `e${i}` });
        const { points, x, y } = way as { points: Point[] } & Partial<Point>;
        const label = x === undefined || y === undefined ? {} : { label: { x, y } };
        return { edge, points: turned ? points.reverse() : points, ...label };
      }),
      ...free.map(({ edge, from, to }) => bent(edge, placed(from, {}), placed(to, {}))),
    ],
  };
  const parts = own.groups.map(({ group, x, y, height: outer }) => {
    const within = inner.get(group.id) as Placed;
    const top = y - outer / 2 + headOf(group).height + GROUP_PADDING;
    return moved(within, { x: x - within.width / 2, y: top });
  });
  const all = [own, ...parts];
  return {
    width: Number.isFinite(width) ? width : 0,
    height: Number.isFinite(height) ? height : 0,
    nodes: all.flatMap((part) => part.nodes),
    groups: all.flatMap((part) => part.groups),
    edges: all.flatMap((part) => part.edges),
  };
}

/**
 * The rows at which nodes are held. Those in which nothing stands are left out: of a picture that was folded
 * they may be any number. Empty where rows mean nothing; beside nodes on top the others are below them.
 */
function heldRows(
  nodes: readonly PictureNode[],
  tops: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  if (tops.size > 0) return new Map(nodes.map(({ id }) => [id, tops.has(id) ? 0 : 1]));
  if (nodes.every(({ row }) => row === undefined)) return new Map();
  const taken = [...new Set(nodes.map(({ row = 0 }) => row))].sort((a, b) => a - b);
  const places = new Map(taken.map((row, i) => [row, i]));
  return new Map(nodes.map(({ id, row = 0 }) => [id, places.get(row) as number]));
}

function boxOfGroup(group: PictureGroup, { width, height }: Placed): Box {
  const head = headOf(group);
  return {
    lines: head.lines,
    width: Math.max(width + 2 * GROUP_PADDING, head.width),
    height: height + 2 * GROUP_PADDING + head.height,
  };
}

function moved({ nodes, groups, edges }: Layout, by: Point): Layout {
  const at = <Place extends Point>(place: Place): Place => ({
    ...place,
    x: place.x + by.x,
    y: place.y + by.y,
  });
  return {
    nodes: nodes.map(at),
    groups: groups.map(at),
    edges: edges.map(({ edge, points, label }) => ({
      edge,
      points: points.map(at),
      ...(label === undefined ? {} : { label: at(label) }),
    })),
  };
}
