/**
 * Writes a picture as SVG: laid out, folded to one screen, with a legend, in both themes. It
 * contains no scripts, loads nothing, and escapes all text.
 */

import * as shapes from "../core/kernel/shapes.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import { GROUP_PADDING, headOf, labelsOf, sizeOfLabels } from "./boxes.js";
import { PICTURE } from "./check-arguments.js";
import { fold, limitsOf } from "./collapse.js";
import type { PlacedEdge, Rectangle } from "./edge-routes.js";
import { type Layout, layout, type PlacedGroup, type PlacedNode } from "./layout.js";
import { shortened, widthOf } from "./measure.js";
import type { Picture, PictureNode, PictureRow, Tone } from "./picture.js";
import { drawLegend, legendOf } from "./svg-legend.js";
import { number, outline, textLines, way } from "./svg-shapes.js";
import { SCOPE, type SvgTheme, styleOf } from "./svg-style.js";
import { attribute, oneLine, truncate, visible, xml } from "./visible-text.js";

/** The options of drawing an SVG. */
export interface SvgOptions {
  /** Default "auto": as the reader's system says. */
  readonly theme?: SvgTheme | undefined;
  /** Gives each node its id as `data-id`, unseen characters as `⟨U+202E⟩`, for a page in which nodes can be chosen. Default false. */
  readonly ids?: boolean | undefined;
}

const MARGIN = 24;
const TITLE = 15;
/** Letters that are shown where a node is pointed at. */
const TOOLTIP = 600;
const ROW_SIZE = 10;
const ROW_WIDTH = 110;

const OPTIONS = /* @__PURE__ */ shapes.optionsOf({
  theme: /* @__PURE__ */ shapes.oneOf("auto", "light", "dark"),
  ids: shapes.FLAG,
});

/**
 * The picture's text.
 * @throws ReckonerError `option.invalid`
 */
export function toSvg(picture: Picture, options: SvgOptions = {}): string {
  checkArguments("toSvg", { picture, options }, { picture: PICTURE, options: OPTIONS });
  const { drawn, placed, corners } = fitted(picture);
  const [left, top, right, bottom] = corners;
  const rows = rowsIn(drawn.rows, placed.nodes);
  const gutter = rows.reduce((most, { text }) => Math.max(most, widthOf(text, ROW_SIZE) + 16), 0);
  const title = oneLine(drawn.title);
  const wanted = Math.max(right - left + gutter, Math.min(widthOf(title, TITLE) * 1.1, 900), 420);
  const dx = MARGIN + gutter - left + (wanted - gutter - (right - left)) / 2;
  const dy = MARGIN + 2 * TITLE + (rows.length > 0 ? 20 : 0) - top;
  const width = wanted + 2 * MARGIN;
  const legend = drawLegend(drawn, MARGIN, bottom + dy + 26, wanted);
  const height = legend.bottom + MARGIN;
  const grid = rows.map(
    ({ y, text }) =>
      `<line class="grid" x1="${MARGIN}" x2="${number(width - MARGIN)}" y1="${number(y + dy)}" y2="${number(y + dy)}"/>` +
      `<text class="aside left" x="${MARGIN}" y="${number(y + dy - 4)}" font-size="${ROW_SIZE}">${xml(text)}</text>`,
  );
  const inner = [
    grid.join(""),
    `<g transform="translate(${number(dx)} ${number(dy)})">`,
    ...placed.groups.map(drawGroup),
    ...placed.edges.map(drawEdge),
    ...placed.nodes.map((each) => drawNode(each, options.ids === true)),
    ...labelled(placed.edges).map(drawLabel),
    "</g>",
    legend.text,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="${SCOPE}" viewBox="0 0 ${number(width)} ${number(height)}" width="${number(width)}" height="${number(height)}" style="max-width:100%;height:auto" role="img">`,
    `<title>${xml(title)}</title>`,
    `<style>\n${styleOf(options.theme ?? "auto", tonesOf(drawn))}\n</style>`,
    `<rect class="paper" width="100%" height="100%"/>`,
    `<text class="ink left bold" x="${MARGIN}" y="${MARGIN + TITLE}" font-size="${TITLE}">${xml(shortened(title, wanted, TITLE))}</text>`,
    ...inner.filter((part) => part !== ""),
    "</svg>",
    "",
  ].join("\n");
}

/** Pixels of one screen, which thoughts are for; who looks at another picture moves about in it. */
const SCREEN = 2000;
/** Narrower than this many nodes, a row says too little. */
const NARROWEST = 4;

/** The picture with its places, folded until it is narrow enough. */
function fitted(picture: Picture): { drawn: Picture; placed: Layout; corners: Corners } {
  const limits = limitsOf(picture);
  for (let { columns } = limits; ; columns -= Math.ceil(columns / 6)) {
    const drawn = fold(picture, { ...limits, columns });
    const placed = layout(drawn);
    const corners = cornersOf(placed);
    const fits = picture.kind !== "thoughts" || corners[2] - corners[0] <= SCREEN;
    if (fits || columns <= NARROWEST) return { drawn, placed, corners };
  }
}

type Corners = readonly [left: number, top: number, right: number, bottom: number];

function drawNode({ node, lines, x, y, width, height }: PlacedNode, hasId: boolean): string {
  const { tone } = node;
  const id = hasId ? ` data-id="${attribute(node.id)}"` : "";
  const tip = `<title>${xml(tipOf(node))}</title>`;
  return `<g class="node"${id}>${tip}${outline(node, { x, y, width, height })}${textLines(lines, { x, y }, tone)}</g>`;
}

function tipOf({ title, label, details = [] }: PictureNode): string {
  return truncate(visible(title ?? [label, ...details].join("\n")), TOOLTIP);
}

function drawGroup({ group, lines, x, y, width, height }: PlacedGroup): string {
  const [left, top] = [x - width / 2, y - height / 2];
  const size = `x="${number(left)}" y="${number(top)}" width="${number(width)}" height="${number(height)}"`;
  const middle = { x, y: top + GROUP_PADDING / 2 + headOf(group).height / 2 };
  return `<g><rect class="frame e-${group.tone} ${group.line}" ${size} rx="10"/>${textLines(lines, middle, group.tone)}</g>`;
}

function drawEdge({ edge, points }: PlacedEdge): string {
  const words = (edge.labels ?? []).join("\n");
  const tip = words === "" ? "" : `<title>${xml(truncate(visible(words), TOOLTIP))}</title>`;
  return tip === "" ? way(edge, points) : `<g class="edge">${tip}${way(edge, points)}</g>`;
}

/** Edges that were given no room have their labels shown only while they are few. */
const LABELLED = 12;

function labelled(edges: readonly PlacedEdge[]): readonly PlacedEdge[] {
  const free = edges.filter(({ edge }) => edge.target === "anywhere");
  if (free.length <= LABELLED) return edges;
  return edges.filter(({ edge }) => edge.target !== "anywhere");
}

function drawLabel({ edge, label }: PlacedEdge): string {
  const lines = labelsOf(edge);
  if (label === undefined || lines.length === 0) return "";
  const { width, height } = sizeOfLabels(edge);
  const back = `<rect class="label" x="${number(label.x - width / 2)}" y="${number(label.y - height / 2)}" width="${number(width)}" height="${number(height)}" rx="3"/>`;
  return back + textLines(lines, label, edge.tone);
}

/** The places of the row's names: a line above the row. */
function rowsIn(
  rows: readonly PictureRow[],
  nodes: readonly PlacedNode[],
): { y: number; text: string }[] {
  const tops = new Map<number, number>();
  for (const { node, y, height } of nodes) {
    if (node.row === undefined) continue;
    tops.set(node.row, Math.min(tops.get(node.row) ?? Number.POSITIVE_INFINITY, y - height / 2));
  }
  return rows.flatMap(({ row, label }) => {
    const top = tops.get(row);
    const text = shortened(oneLine(label), ROW_WIDTH, ROW_SIZE);
    return top === undefined ? [] : [{ y: top - 8, text }];
  });
}

/** The corners of all that is drawn. */
function cornersOf({ nodes, groups, edges }: Layout): Corners {
  const labels = edges.flatMap(({ edge, label }) =>
    label === undefined ? [] : [{ ...label, ...sizeOfLabels(edge) }],
  );
  const points = edges.flatMap((edge) => edge.points.map((at) => ({ ...at, width: 0, height: 0 })));
  const all = [...nodes, ...groups, ...labels, ...points];
  if (all.length === 0) return [0, 0, 0, 0];
  const least = (of: (each: Rectangle) => number) =>
    all.reduce((found, each) => Math.min(found, of(each)), Number.POSITIVE_INFINITY);
  return [
    least(({ x, width }) => x - width / 2),
    least(({ y, height }) => y - height / 2),
    -least(({ x, width }) => -x - width / 2),
    -least(({ y, height }) => -y - height / 2),
  ];
}

function tonesOf(picture: Picture): Set<Tone> {
  const { nodes, edges, groups } = picture;
  const looks = legendOf(picture).map((entry) => ("node" in entry ? entry.node : entry.edge));
  const all = [...nodes, ...edges, ...groups, ...looks];
  return new Set<Tone>([
    "plain",
    ...all.flatMap((one) => {
      const { tone, borderTone } = one as { tone: Tone; borderTone?: Tone };
      return borderTone === undefined ? [tone] : [tone, borderTone];
    }),
  ]);
}
