/** Writes a picture as DOT, for Graphviz. */

import { labelsOf } from "./boxes.js";
import { checkWritten } from "./check-arguments.js";
import { FOLD, type FoldLimits, fold } from "./fold.js";
import { light } from "./palette.js";
import type { Picture, PictureEdge, PictureGroup, PictureNode } from "./picture.js";
import { oneLine, truncate, visible } from "./visible-text.js";

/** How DOT is written. */
export interface DotOptions {
  /** What it may hold. Default: some hundred nodes, of thoughts what one screen shows. */
  readonly fold?: FoldLimits | undefined;
}

const LABEL = 60;
const TOOLTIP = 600;

/** The picture's text. */
export function toDot(picture: Picture, options: DotOptions = {}): string {
  checkWritten("toDot", picture, options, { fold: FOLD });
  const drawn = fold(picture, options.fold);
  const names = new Map<string, string>();
  for (const { id } of drawn.nodes) names.set(id, `n${names.size}`);
  const clusters = new Map(drawn.groups.map(({ id }, i): [string, string] => [id, `cluster_${i}`]));
  const lines = [
    `digraph ${quoted(oneLine(drawn.title))} {`,
    `  graph [rankdir=TB, compound=true, fontname="sans-serif", labelloc=t, label=${quoted([oneLine(drawn.title), ...drawn.notes.map(oneLine)].join("\n"))}];`,
    `  node [shape=box, style="filled", fontname="sans-serif", fontsize=11];`,
    `  edge [fontname="sans-serif", fontsize=10];`,
    ...blocks(drawn, names, clusters),
    ...ranks(drawn, names),
    ...drawn.edges.flatMap((edge) => edgeLine(drawn, edge, names, clusters)),
    "}",
    "",
  ];
  return lines.join("\n");
}

/** Nodes within the clusters of their groups, without recursion. */
function blocks(
  { nodes, groups }: Picture,
  names: ReadonlyMap<string, string>,
  clusters: ReadonlyMap<string, string>,
): string[] {
  const lines: string[] = [];
  type Open = {
    readonly scope: string | undefined;
    readonly indent: string;
    readonly close?: string;
  };
  const stack: Open[] = [{ scope: undefined, indent: "  " }];
  for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
    const { scope, indent, close } = here;
    if (close !== undefined) {
      lines.push(close);
      continue;
    }
    const group = groups.find(({ id }) => id === scope);
    if (group !== undefined) {
      lines.push(
        `${indent.slice(2)}subgraph ${clusters.get(group.id)} {`,
        `${indent}${head(group)}`,
      );
      stack.push({ scope, indent, close: `${indent.slice(2)}}` });
    }
    for (const node of nodes) {
      if (node.group === scope) lines.push(`${indent}${names.get(node.id)} [${look(node)}];`);
    }
    const inner = groups.filter(({ parent }) => parent === scope);
    for (const { id } of inner.reverse()) stack.push({ scope: id, indent: `${indent}  ` });
  }
  return lines;
}

function head({ label, details = [], line, tone }: PictureGroup): string {
  const text = quoted([label, ...details].map(oneLine).join("\n"));
  const { stroke } = light.tones[tone];
  return `label=${text}; style=${quoted(`rounded,${line}`)}; color=${quoted(stroke)};`;
}

const SHAPES = {
  box: "box",
  round: "box",
  pill: "box",
  hexagon: "hexagon",
  double: "box",
  dot: "point",
  history: "circle",
  stack: "folder",
} as const;

function look(node: PictureNode): string {
  const { label, details = [], title, shape, tone, border, borderTone } = node;
  if (shape === "dot") return `shape=point, width=0.15, label=""`;
  const { fill, ink } = light.tones[tone];
  const style = [
    "filled",
    ...(shape === "round" || shape === "pill" || shape === "double" ? ["rounded"] : []),
    ...(border === "dashed" ? ["dashed"] : []),
  ];
  const text = [
    truncate(oneLine(label), LABEL),
    ...details.map((line) => truncate(oneLine(line), LABEL)),
  ];
  const tip = truncate(visible(title ?? [label, ...details].join("\n")), TOOLTIP);
  return [
    `label=${quoted(text.join("\n"))}`,
    `tooltip=${quoted(tip)}`,
    `shape=${SHAPES[shape]}`,
    `style=${quoted(style.join(","))}`,
    `fillcolor=${quoted(fill)}`,
    `color=${quoted(light.tones[borderTone ?? tone].stroke)}`,
    `fontcolor=${quoted(ink)}`,
    ...(shape === "double" ? ["peripheries=2"] : []),
    ...(border === "thick" ? ["penwidth=2.6"] : []),
  ].join(", ");
}

/** Rows stay rows. */
function ranks({ nodes, groups }: Picture, names: ReadonlyMap<string, string>): string[] {
  if (groups.length > 0) return [];
  const rows = new Map<number, string[]>();
  for (const { id, row, top } of nodes) {
    const at = row ?? (top === true ? 0 : undefined);
    if (at === undefined) continue;
    const list = rows.get(at) ?? [];
    list.push(`${names.get(id)};`);
    rows.set(at, list);
  }
  // Graphviz's source is the first row, with nothing else in it.
  const ranked = nodes.some(({ top }) => top === true) ? "source" : "same";
  return [...rows].map(([, list]) => `  { rank=${ranked}; ${list.join(" ")} }`);
}

function edgeLine(
  picture: Picture,
  edge: PictureEdge,
  names: ReadonlyMap<string, string>,
  clusters: ReadonlyMap<string, string>,
): string[] {
  const from = names.get(edge.from) ?? anyIn(picture, edge.from, names);
  const to = names.get(edge.to) ?? anyIn(picture, edge.to, names);
  if (from === undefined || to === undefined) return [];
  const { stroke } = light.tones[edge.tone];
  const label = labelsOf(edge).map(({ text }) => text);
  const turned = edge.target === "above";
  const parts = [
    ...(label.length === 0 ? [] : [`label=${quoted(label.join("\n"))}`]),
    ...(edge.line === "thick" || edge.line === "solid" ? [] : [`style=${edge.line}`]),
    ...(edge.line === "thick" ? ["penwidth=2.6"] : []),
    `color=${quoted(stroke)}`,
    ...(edge.target === "anywhere" ? ["constraint=false"] : []),
    ...(turned ? ["dir=back"] : []),
    ...tail(turned ? "lhead" : "ltail", clusters.get(edge.from)),
    ...tail(turned ? "ltail" : "lhead", clusters.get(edge.to)),
  ];
  const ends = turned ? [to, from] : [from, to];
  return [`  ${ends.join(" -> ")} [${parts.join(", ")}];`];
}

const tail = (name: string, cluster: string | undefined): string[] =>
  cluster === undefined ? [] : [`${name}=${cluster}`];

/** Graphviz leads edges to nodes alone: to the first that lies in a group, cut off at its border. */
function anyIn(
  { nodes, groups }: Picture,
  id: string,
  names: ReadonlyMap<string, string>,
): string | undefined {
  const inside = new Set([id]);
  for (const group of groups) {
    if (group.parent !== undefined && inside.has(group.parent)) inside.add(group.id);
  }
  const node = nodes.find(({ group }) => group !== undefined && inside.has(group));
  return node === undefined ? undefined : names.get(node.id);
}

/** A text between quotes: Graphviz reads backslashes and entities in it. */
function quoted(text: string): string {
  const escaped = text
    .replace(/\\/g, "\\\\")
    .replace(/"/g, '\\"')
    .replace(/&/g, "&amp;")
    .replace(/\n/g, "\\n");
  return `"${escaped}"`;
}
