/**
 * Writes a picture as a Mermaid flowchart. It stays within Mermaid's limits by folding, and escapes
 * labels. (What a chart's labels say is decided in `core/kernel/machine/chart-text.ts`.)
 */
import { groupBy } from "../core/kernel/values/index.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import { labelsOf } from "./boxes.js";
import { PICTURE } from "./check-arguments.js";
import { fold, limitsOf } from "./collapse.js";
import { light } from "./palette.js";
import type { Picture, PictureEdge, PictureGroup, PictureNode, Shape } from "./picture.js";
import { oneLine, truncate } from "./visible-text.js";

/** Mermaid's own `maxEdges` and `maxTextSize`: it draws nothing of what is beyond. */
const MAX_EDGES = 500;
const MAX_TEXT = 50_000;

/** Letters of a label. */
const LABEL = 60;
/** Letters of the title, and lines of a node, a group or an edge. */
const TITLE = 300;
const LINES = 12;

/** The first of many lines. */
const few = (lines: readonly string[]): readonly string[] =>
  lines.length <= LINES
    ? lines
    : [...lines.slice(0, LINES - 1), `… ${lines.length - LINES + 1} more`];

/**
 * The picture's text, folded until Mermaid draws it.
 * @throws ReckonerError `option.invalid`
 */
export function toMermaid(picture: Picture): string {
  checkArguments("toMermaid", { picture }, { picture: PICTURE });
  const stand = picture.nodes.length + picture.groups.length;
  let limits = limitsOf(picture);
  for (;;) {
    const text = write(fold(picture, limits));
    if (text.length <= MAX_TEXT || limits.nodes <= 1) return text;
    limits = { ...limits, nodes: Math.max(1, Math.floor(Math.min(limits.nodes, stand) / 2)) };
  }
}

function write(picture: Picture): string {
  const names = new Map<string, string>();
  for (const { id } of picture.nodes) names.set(id, `n${names.size}`);
  picture.groups.forEach(({ id }, i) => {
    names.set(id, `g${i}`);
  });
  const edges = picture.edges.filter(({ from, to }) => names.has(from) && names.has(to));
  // Where folding leaves more, the rest is named.
  const drawn = edges.slice(0, MAX_EDGES);
  const left = edges.length - drawn.length;
  const notes = left === 0 ? picture.notes : [...picture.notes, `Left out: ${left} edges.`];
  const lines = [
    "---",
    `title: ${yaml([truncate(oneLine(picture.title), TITLE), ...notes.map(oneLine)].join(" · "))}`,
    "---",
    "flowchart TD",
    ...blocks(picture, names),
    ...drawn.map((edge) => `  ${edgeText(edge, names)}`),
    // Links that are not seen, as many as there is room for: they say what stands above what.
    ...above(picture)
      .filter(([upper, lower]) => upper !== lower)
      .slice(0, MAX_EDGES - drawn.length)
      .map(([upper, lower]) => `  ${names.get(upper)} ~~~ ${names.get(lower)}`),
    ...styles(picture, names),
    ...linkStyles(drawn),
    "",
  ];
  return lines.join("\n");
}

/** Nodes within the subgraphs of their groups. */
function blocks(
  picture: Picture,
  names: ReadonlyMap<string, string>,
  scope?: string,
  indent = "  ",
): string[] {
  const here = picture.nodes.filter(({ group }) => group === scope);
  // Nodes on top come first: Mermaid turns the edges that lead back to earlier ones.
  const ordered = [...here.filter(({ top }) => top === true), ...here.filter(({ top }) => !top)];
  const inner = picture.groups.filter(({ parent }) => parent === scope);
  return [
    ...ordered.map((node) => `${indent}${names.get(node.id)}${nodeText(node)}`),
    ...inner.flatMap((group) => [
      `${indent}subgraph ${names.get(group.id)}["${headOf(group)}"]`,
      ...blocks(picture, names, group.id, `${indent}  `),
      `${indent}end`,
    ]),
  ];
}

const headOf = ({ label, details = [] }: PictureGroup): string =>
  few([label, ...details])
    .map((text) => entities(truncate(oneLine(text), LABEL)))
    .join("<br/>");

const BRACKETS: Readonly<Record<Shape, readonly [open: string, close: string]>> = {
  box: ["[", "]"],
  round: ["(", ")"],
  pill: ["([", "])"],
  hexagon: ["{{", "}}"],
  double: ["[[", "]]"],
  dot: ["((", "))"],
  history: ["((", "))"],
  stack: ["[/", "\\]"],
};

function nodeText({ label, details = [], shape }: PictureNode): string {
  const [open, close] = BRACKETS[shape];
  const lines = shape === "dot" ? ["●"] : few([label, ...details]);
  const text = lines.map((line) => entities(truncate(oneLine(line), LABEL))).join("<br/>");
  return `${open}"${text}"${close}`;
}

/** Returns the pairs that are to stand above each other where the arrows alone would have it otherwise. */
function above({ nodes, edges }: Picture): [upper: string, lower: string][] {
  const tops = new Set(nodes.filter(({ top }) => top === true).map(({ id }) => id));
  const turned = edges
    .filter(({ from, to, target }) => target === "above" || (tops.has(to) && !tops.has(from)))
    .map(({ from, to }): [string, string] => [to, from]);
  const [first] = tops;
  if (first === undefined) return turned;
  const hung = new Set([...edges.map(({ to }) => to), ...turned.map(([, lower]) => lower)]);
  const loose = nodes.filter(({ id }) => !tops.has(id) && !hung.has(id));
  return [...turned, ...loose.map(({ id }): [string, string] => [first, id])];
}

const ARROWS = { solid: "-->", thick: "==>", dashed: "-.->", dotted: "-.->" } as const;

function edgeText(edge: PictureEdge, names: ReadonlyMap<string, string>): string {
  const text = few(labelsOf(edge).map((line) => line.text))
    .map(entities)
    .join("<br/>");
  const label = text === "" ? "" : `|"${text}"|`;
  return `${names.get(edge.from)} ${ARROWS[edge.line]}${label} ${names.get(edge.to)}`;
}

/** A class for each look, with the nodes that have it. Fills bring their own ink, for any theme. */
function styles({ nodes, groups }: Picture, names: ReadonlyMap<string, string>): string[] {
  const looks = [
    ...nodes.map((node) => [node.id, styleOf(node)] as const),
    ...groups.map(({ id, tone, line }) => {
      const dashes = line === "dashed" ? ",stroke-dasharray:6 4" : "";
      return [id, `fill:none,stroke:${light.tones[tone].stroke}${dashes}`] as const;
    }),
  ];
  return [...groupBy(looks, ([, style]) => style)].flatMap(([style, all], i) => [
    `  classDef look${i} ${style}`,
    `  class ${all.map(([id]) => names.get(id)).join(",")} look${i}`,
  ]);
}

function styleOf({ tone, border, borderTone }: PictureNode): string {
  const { fill, stroke, ink } = light.tones[tone];
  const line = light.tones[borderTone ?? tone].stroke;
  const extra =
    border === "thick" ? ",stroke-width:3px" : border === "dashed" ? ",stroke-dasharray:6 4" : "";
  return `fill:${fill},stroke:${borderTone === undefined ? stroke : line},color:${ink}${extra}`;
}

function linkStyles(edges: readonly PictureEdge[]): string[] {
  const coloured = edges.flatMap(({ tone }, i) => (tone === "plain" ? [] : [{ tone, i }]));
  return [...groupBy(coloured, ({ tone }) => tone)].map(
    ([tone, all]) =>
      `  linkStyle ${all.map(({ i }) => i).join(",")} stroke:${light.tones[tone].stroke}`,
  );
}

/**
 * The parts of a label's line that Mermaid would take for Markdown: rules and underlines, the points and
 * numbers of lists (it draws "Unsupported markdown: list" then), links; and all else that is no plain
 * letter.
 */
const MEANS_SOMETHING =
  /^[-=]+$|^[-+](?=\s|$)|(?<=^\d{1,9})[.)](?=\s|$)|(?<=\])\(|(?<=\bwww)\.|[^\p{L}\p{N}\p{M} .,!?'/=+\-()[\]]/giu;

/** Mermaid reads entities in quoted labels; whatever of ASCII could mean something to it is one. */
function entities(text: string): string {
  // Mermaid makes formulas and icons of decoded text as well: a word joiner keeps them text.
  const plain = text.replace(/\$(?=\$)/g, "$\u2060").replace(/:(?=fa-)/g, ":\u2060");
  return plain.replace(MEANS_SOMETHING, (found) =>
    found > "\u007F" ? found : found.replace(/./g, (letter) => `#${letter.charCodeAt(0)};`),
  );
}

/** A title in the front matter, with everything that Mermaid looks for outside it escaped. */
function yaml(text: string): string {
  return JSON.stringify(text).replace(
    /[%{}<>`#]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
