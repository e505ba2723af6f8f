/**
 * Computes positions with dagre. Each group is laid out by itself and is then a single box in its
 * parent, so that edges may lead into groups, out of them and to them.
 */
import { layout as dagre, Graph } from "@dagrejs/dagre";
import { type Box, GROUP_PADDING, headOf, sizeOf, sizeOfLabels } from "./boxes.js";
import { bent, extend, loop, type PlacedEdge, type Point, type Rectangle } from "./edge-routes.js";
import { rowsOf } from "./layers.js";
import type { Picture, PictureEdge, PictureGroup, PictureNode } from "./picture.js";

/** A node in its place: its middle and its size. */
export interface PlacedNode extends Box, Point {
  readonly node: PictureNode;
}

/** A group in its place: its middle and its size. */
export interface PlacedGroup extends Point {
  readonly group: PictureGroup;
  readonly width: number;
  readonly height: number;
}

/** A picture with places. */
export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly groups: readonly PlacedGroup[];
  readonly edges: readonly PlacedEdge[];
}

/** Places what is to be seen; the same picture gives the same places everywhere. */
export function layout(picture: Picture): Layout {
  const scopes = scopesOf(picture);
  const nodes: PlacedNode[] = [];
  const groups: PlacedGroup[] = [];
  const edges: { edge: PictureEdge; points: Point[]; label?: Point }[] = [];
  // Each scope is placed around its own middle first; then all are moved to where their box is.
  const inner = new Map<string, Scope>();
  for (const { id } of innermostFirst(picture.groups)) {
    inner.set(id, placeScope(picture, scopes, id, inner));
  }
  const open: { scope: Scope; at: Point }[] = [
    { scope: placeScope(picture, scopes, undefined, inner), at: { x: 0, y: 0 } },
  ];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { scope, at } = here;
    const moved = ({ x, y }: Point): Point => ({ x: x + at.x, y: y + at.y });
    for (const placed of scope.nodes) nodes.push({ ...placed, ...moved(placed) });
    for (const { edge, points, label } of scope.edges) {
      const end = label === undefined ? {} : { label: moved(label) };
      edges.push({ edge, points: points.map(moved), ...end });
    }
    for (const placed of scope.groups) {
      const middle = moved(placed);
      groups.push({ ...placed, ...middle });
      const below = inner.get(placed.group.id) as Scope;
      const head = headOf(placed.group).height;
      open.push({ scope: below, at: { x: middle.x, y: middle.y + head / 2 } });
    }
  }
  const boxes = new Map<string, Rectangle>();
  for (const placed of nodes) boxes.set(placed.node.id, placed);
  for (const placed of groups) boxes.set(placed.group.id, placed);
  for (const one of edges) {
    extend(one.points, boxes.get(one.edge.from), "start");
    extend(one.points, boxes.get(one.edge.to), "end");
  }
  return { nodes, groups, edges };
}

/** The contents of one group, around its middle. */
interface Scope {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly groups: readonly PlacedGroup[];
  readonly edges: readonly PlacedEdge[];
}

/** The edges of each scope, each between the two of its items that the edge's ends lie in. */
interface Scopes {
  readonly edges: ReadonlyMap<string | undefined, readonly Lifted[]>;
}

interface Lifted {
  readonly edge: PictureEdge;
  readonly from: string;
  readonly to: string;
}

function scopesOf({ nodes, groups, edges }: Picture): Scopes {
  const parentOf = new Map<string, string | undefined>();
  for (const { id, parent } of groups) parentOf.set(id, parent);
  for (const { id, group } of nodes) parentOf.set(id, group);
  /** From the outermost group to the thing itself. */
  const wayTo = (id: string): (string | undefined)[] => {
    const way: string[] = [];
    const seen = new Set<string>();
    for (
      let at: string | undefined = id;
      at !== undefined && !seen.has(at);
      at = parentOf.get(at)
    ) {
      seen.add(at);
      way.push(at);
    }
    return [undefined, ...way.reverse()];
  };
  const lifted = new Map<string | undefined, Lifted[]>();
  for (const edge of edges) {
    const from = wayTo(edge.from);
    const to = wayTo(edge.to);
    let same = 0;
    while (same < from.length && same < to.length && from[same] === to[same]) same += 1;
    // Where one end lies in the other, the edge is drawn within it, at the end itself.
    const depth = Math.min(same, from.length - 1, to.length - 1);
    const one = { edge, from: from[depth] as string, to: to[depth] as string };
    const scope = from[depth - 1];
    const list = lifted.get(scope);
    if (list === undefined) lifted.set(scope, [one]);
    else list.push(one);
  }
  return { edges: lifted };
}

/** Groups with the innermost first, without recursion. */
function innermostFirst(groups: readonly PictureGroup[]): PictureGroup[] {
  const below = new Map<string | undefined, PictureGroup[]>();
  for (const group of groups) {
    const list = below.get(group.parent);
    if (list === undefined) below.set(group.parent, [group]);
    else list.push(group);
  }
  const order = [...(below.get(undefined) ?? [])];
  for (const { id } of order) for (const child of below.get(id) ?? []) order.push(child);
  return order.reverse();
}

/** Above everything, so that rows begin at the same height. */
const CEILING = "ceiling";
/** The factor by which a row's height counts more than the length of an edge. */
const FIRM = 1000;

function placeScope(
  picture: Picture,
  scopes: Scopes,
  scope: string | undefined,
  inner: ReadonlyMap<string, Scope>,
): Scope {
  const nodes = picture.nodes.filter(({ group }) => group === scope);
  const groups = picture.groups.filter(({ parent }) => parent === scope);
  const graph = new Graph({ multigraph: true });
  const dense = picture.kind === "thoughts" || picture.kind === "decisions";
  graph.setGraph({
    rankdir: "TB",
    nodesep: dense ? 14 : 36,
    ranksep: dense ? 34 : 40,
    edgesep: dense ? 8 : 18,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  // Ids of ours are any text; dagre's are keys of objects.
  const names = new Map<string, string>();
  const rectangles = new Map<string, Box>();
  const add = (id: string, box: Box) => {
    names.set(id, `n${names.size}`);
    rectangles.set(id, box);
    graph.setNode(names.get(id) as string, { width: box.width, height: box.height });
  };
  for (const node of nodes) add(node.id, sizeOf(node, picture.kind));
  for (const group of groups) add(group.id, boxOfGroup(group, inner));
  const rows = takenRows(rowsOf(nodes, []));
  const ranked = nodes.some(({ row, top }) => row !== undefined || top === true);
  const tops = new Set(nodes.filter(({ top }) => top === true).map(({ id }) => id));
  const laid: { lifted: Lifted; name: string; turned: boolean }[] = [];
  const free: Lifted[] = [];
  const hung = new Set<string>();
  for (const lifted of scopes.edges.get(scope) ?? []) {
    const { edge } = lifted;
    const turned = edge.target === "above" || (tops.has(lifted.to) && !tops.has(lifted.from));
    const [from, to] = turned ? [lifted.to, lifted.from] : [lifted.from, lifted.to];
    const [upper, lower] = [names.get(from), names.get(to)];
    if (upper === undefined || lower === undefined) continue;
    const drop = tops.size > 0 || !ranked ? 1 : (rows.get(to) ?? 0) - (rows.get(from) ?? 0);
    if (edge.target === "anywhere" || drop < 1) {
      free.push(lifted);
      continue;
    }
    const name = `e${laid.length}`;
    const { weight = 1 } = edge;
    graph.setEdge(
      upper,
      lower,
      { ...sizeOfLabels(edge), labelpos: "c", minlen: drop, weight },
      name,
    );
    if (from !== to) hung.add(to);
    laid.push({ lifted, name, turned });
  }
  if (ranked) {
    graph.setNode(CEILING, { width: 0, height: 0 });
    for (const { id } of nodes) {
      if (hung.has(id)) continue;
      const minlen = (rows.get(id) ?? 0) + 1;
      const firm = tops.size === 0 || tops.has(id);
      graph.setEdge(CEILING, names.get(id) as string, { minlen, weight: firm ? FIRM : 0 });
    }
  }
  dagre(graph);
  const placeOf = (id: string): Point => {
    const { x = 0, y = 0 } = graph.node(names.get(id) as string) as Partial<Point>;
    return { x, y };
  };
  const boxAt = (id: string): Rectangle => {
    const { width, height } = rectangles.get(id) as Box;
    return { ...placeOf(id), width, height };
  };
  const edges: PlacedEdge[] = laid.map(({ lifted, name, turned }) => {
    const ends = { v: names.get(lifted.from), w: names.get(lifted.to), name };
    const found = graph.edge(turned ? { v: ends.w, w: ends.v, name } : ends) as {
      points: Point[];
      x?: number;
      y?: number;
    };
    const points = turned ? [...found.points].reverse() : found.points;
    const { x, y } = found;
    if (lifted.from === lifted.to) return loop(lifted.edge, boxAt(lifted.from));
    const label = x === undefined || y === undefined ? {} : { label: { x, y } };
    return { edge: lifted.edge, points, ...label };
  });
  for (const { edge, from, to } of free) {
    edges.push(bent(edge, boxAt(from), boxAt(to)));
  }
  return centred({
    nodes: nodes.map((node) => ({
      node,
      ...placeOf(node.id),
      ...(rectangles.get(node.id) as Box),
    })),
    groups: groups.map((group) => {
      const { width, height } = rectangles.get(group.id) as Box;
      return { group, ...placeOf(group.id), width, height };
    }),
    edges,
  });
}

function boxOfGroup(group: PictureGroup, inner: ReadonlyMap<string, Scope>): Box {
  const { width, height } = inner.get(group.id) ?? { width: 0, height: 0 };
  const head = headOf(group);
  return {
    lines: head.lines,
    width: Math.max(width + 2 * GROUP_PADDING, head.width),
    height: height + 2 * GROUP_PADDING + head.height,
  };
}

/** Rows without those in which nothing stands: of a picture that was folded they may be any number. */
function takenRows(rows: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const taken = [...new Set(rows.values())].sort((a, b) => a - b);
  const places = new Map(taken.map((row, i) => [row, i]));
  return new Map([...rows].map(([id, row]) => [id, places.get(row) as number]));
}

/** The scope moved so that its middle is at 0, 0. */
function centred(scope: Pick<Scope, "nodes" | "groups" | "edges">): Scope {
  const corners: Point[] = [];
  for (const { x, y, width, height } of [...scope.nodes, ...scope.groups]) {
    corners.push({ x: x - width / 2, y: y - height / 2 }, { x: x + width / 2, y: y + height / 2 });
  }
  for (const { edge, points, label } of scope.edges) {
    corners.push(...points);
    if (label === undefined) continue;
    const { width, height } = sizeOfLabels(edge);
    corners.push({ x: label.x - width / 2, y: label.y - height / 2 });
    corners.push({ x: label.x + width / 2, y: label.y + height / 2 });
  }
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const [left, right] = [least(xs), most(xs)];
  const [top, bottom] = [least(ys), most(ys)];
  const moved = <T extends Point>(place: T): T => ({
    ...place,
    x: place.x - (left + right) / 2,
    y: place.y - (top + bottom) / 2,
  });
  return {
    width: right - left,
    height: bottom - top,
    nodes: scope.nodes.map(moved),
    groups: scope.groups.map(moved),
    edges: scope.edges.map(({ edge, points, label }) => ({
      edge,
      points: points.map(moved),
      ...(label === undefined ? {} : { label: moved(label) }),
    })),
  };
}

const least = (numbers: readonly number[]): number =>
  numbers.reduce((found, n) => Math.min(found, n), numbers[0] ?? 0);
const most = (numbers: readonly number[]): number =>
  numbers.reduce((found, n) => Math.max(found, n), numbers[0] ?? 0);
