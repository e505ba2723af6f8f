/**
 * Routes the edges of a picture that dagre does not: loops, edges that were excluded from the layout, and the
 * last segment from a group's border to a node in it.
 */
import { sizeOfLabels } from "./boxes.js";
import type { PictureEdge } from "./picture.js";

/** A point, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An edge in its place, from border to border. */
export interface PlacedEdge {
  readonly edge: PictureEdge;
  readonly points: Point[];
  /** The middle of its labels, where it has some and there was room. */
  readonly label?: Point;
}

/** A place and a size. */
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

/** An edge back to where it began: a loop at the right, where dagre has left room for it. */
export function loop(edge: PictureEdge, { x, y, width, height }: Rectangle): PlacedEdge {
  const right = x + width / 2;
  const out = right + 20;
  const points = [
    { x: right, y: y - height / 4 },
    { x: out, y: y - height / 3 },
    { x: out, y: y + height / 3 },
    { x: right, y: y + height / 4 },
  ];
  return { edge, points, label: { x: out + 4 + sizeOfLabels(edge).width / 2, y } };
}

/** An edge that had no say in where its ends stand: an arc below a row, or a bow from row to row. */
export function bent(edge: PictureEdge, from: Rectangle, to: Rectangle): PlacedEdge {
  if (Math.abs(from.y - to.y) < (from.height + to.height) / 2) {
    const deep = Math.max(from.y + from.height / 2, to.y + to.height / 2);
    const sag = deep + 14 + Math.abs(from.x - to.x) / 40;
    const start = { x: from.x, y: from.y + from.height / 2 };
    const end = { x: to.x, y: to.y + to.height / 2 };
    const middle = { x: (from.x + to.x) / 2, y: sag };
    const points = [start, { x: from.x, y: sag }, middle, { x: to.x, y: sag }, end];
    return { edge, points, label: { x: middle.x, y: sag } };
  }
  const down = from.y < to.y ? 1 : -1;
  const start = { x: from.x, y: from.y + (down * from.height) / 2 };
  const end = { x: to.x, y: to.y - (down * to.height) / 2 };
  // Between the rows, next to where it begins: in the middle there may be other nodes.
  const share = Math.min(0.5, 16 / Math.abs(end.y - start.y));
  const label = {
    x: start.x + (end.x - start.x) * share,
    y: start.y + (end.y - start.y) * share,
  };
  return { edge, points: [start, end], label };
}

/** A way that ends at a group's border goes on to the border of what lies in the group. */
export function extend(points: Point[], box: Rectangle | undefined, end: "start" | "end"): void {
  const last = end === "start" ? points[0] : points.at(-1);
  if (box === undefined || last === undefined) return;
  const { x, y, width, height } = box;
  const [dx, dy] = [last.x - x, last.y - y];
  if (Math.abs(dx) <= width / 2 + 1 && Math.abs(dy) <= height / 2 + 1) return;
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : height / 2 / Math.abs(dy),
  );
  const border = { x: x + dx * scale, y: y + dy * scale };
  if (end === "start") points.unshift(border);
  else points.push(border);
}
