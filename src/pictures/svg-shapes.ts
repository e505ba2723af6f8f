/** The elements of an SVG: node outlines, edge paths, arrow heads, lines of text. */
import { LEADING, type TextLine } from "./boxes.js";
import type { Point, Rectangle } from "./edge-routes.js";
import type { EdgeLook, NodeLook, Tone } from "./picture.js";
import { xml } from "./visible-text.js";

/** Pixels of a round corner. */
const CORNER = 28;

/** A number with one digit after the point, so that no engine's last bit shows. */
export function number(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return String(rounded === 0 ? 0 : rounded);
}

/** The class of a tone's fill and stroke. */
export const toneClass = (tone: Tone): string => `t-${tone}`;

/** A node's outline. */
export function outline(look: NodeLook, area: Rectangle): string {
  const { shape, tone, border, borderTone } = look;
  const { x, y, width, height } = area;
  const classes = [
    toneClass(tone),
    ...(borderTone === undefined ? [] : [`b-${borderTone}`]),
    ...(border === "thick" || border === "dashed" ? [border] : []),
  ].join(" ");
  const box = (by: number, round: number, dx = 0, dy = 0) =>
    `<rect class="${classes}" x="${number(x - width / 2 + by + dx)}" y="${number(y - height / 2 + by + dy)}" width="${number(width - 2 * by)}" height="${number(height - 2 * by)}" rx="${round}"/>`;
  switch (shape) {
    case "dot":
      return `<circle class="ink" cx="${number(x)}" cy="${number(y)}" r="${number(width / 2)}"/>`;
    case "history":
      return `<circle class="${classes}" cx="${number(x)}" cy="${number(y)}" r="${number(width / 2)}"/>`;
    case "hexagon": {
      const [left, right] = [x - width / 2, x + width / 2];
      const [top, bottom] = [y - height / 2, y + height / 2];
      const points = [
        [left + 10, top],
        [right - 10, top],
        [right, y],
        [right - 10, bottom],
        [left + 10, bottom],
        [left, y],
      ].map((pair) => pair.map(number).join(" "));
      return `<path class="${classes}" d="M${points.join("L")}Z"/>`;
    }
    case "pill":
      return box(0, Math.round(height / 2));
    case "double":
      return box(0, 9) + box(3, 6);
    case "stack":
      return box(3, 3, 3, -3) + box(3, 3) + box(3, 3, -3, 3);
    case "round":
      return box(0, 9);
    case "box":
      return box(0, 2);
  }
}

/** Lines of text around a middle. */
export function textLines(lines: readonly TextLine[], { x, y }: Point, ink = "plain"): string {
  const height = lines.reduce((sum, { size }) => sum + size * LEADING, 0);
  let top = y - height / 2;
  return lines
    .map(({ text, size, bold, quiet }) => {
      top += size * LEADING;
      const classes = [`i-${ink}`, ...(bold ? ["bold"] : []), ...(quiet ? ["quiet"] : [])];
      return `<text class="${classes.join(" ")}" x="${number(x)}" y="${number(top - size * 0.35)}" font-size="${size}">${xml(text)}</text>`;
    })
    .join("");
}

/** An edge's way as a smooth line, with its head. */
export function way(look: EdgeLook, points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return "";
  const before = lastApart(points, last);
  const head = arrowHead(before, last, look.line === "thick" ? 8 : 6.5);
  let path = `M${at(first)}`;
  // Straight from bend to bend, so that the way runs through its label; the corners are round.
  for (let i = 0; i < rest.length - 1; i++) {
    const bend = rest[i] as Point;
    const [from, to] = [points[i] as Point, rest[i + 1] as Point];
    path += `L${at(towards(bend, from))}Q${at(bend)} ${at(towards(bend, to))}`;
  }
  path += `L${at(head.base)}`;
  const classes = `way e-${look.tone} ${look.line}`;
  return `<path class="${classes}" d="${path}"/><path class="h-${look.tone}" d="${head.path}"/>`;
}

/** The last point that is not where the way ends. */
function lastApart(points: readonly Point[], end: Point): Point {
  for (let i = points.length - 2; i >= 0; i--) {
    const point = points[i] as Point;
    if (Math.abs(point.x - end.x) + Math.abs(point.y - end.y) > 0.5) return point;
  }
  return { x: end.x, y: end.y - 1 };
}

function arrowHead(from: Point, to: Point, length: number): { path: string; base: Point } {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const distance = Math.sqrt(dx * dx + dy * dy) || 1;
  const [ux, uy] = [dx / distance, dy / distance];
  const base = { x: to.x - ux * length, y: to.y - uy * length };
  const half = length * 0.45;
  const left = { x: base.x - uy * half, y: base.y + ux * half };
  const right = { x: base.x + uy * half, y: base.y - ux * half };
  return { path: `M${at(to)}L${at(left)}L${at(right)}Z`, base };
}

const at = ({ x, y }: Point): string => `${number(x)} ${number(y)}`;

/** Returns the point where a corner begins to be round. */
function towards(bend: Point, point: Point): Point {
  const [dx, dy] = [point.x - bend.x, point.y - bend.y];
  const distance = Math.sqrt(dx * dx + dy * dy) || 1;
  const by = Math.min(CORNER, distance / 2) / distance;
  return { x: bend.x + dx * by, y: bend.y + dy * by };
}
