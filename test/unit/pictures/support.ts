/** Samples for the pictures, and readers that know what a well-formed text of each format is. */

import type { DrawnEdge, DrawnNode } from "reckoner/pictures";
import type { ThoughtGraph } from "reckoner/thoughts";
import { type Thought, thoughtGraph } from "reckoner/thoughts";
import { expect } from "vitest";

/** Numbers that look random and are the same every time. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
}

/** So many thoughts in rows of a width, with scores, merges and connections; and the best of them. */
export function manyThoughts(count: number, width: number): { graph: ThoughtGraph; best: string } {
  const { addEdge, addThought, bestLeaf, emptyGraph, updateThought } = thoughtGraph;
  const random = numbers(count + width);
  let graph = addThought(emptyGraph, { id: "root", content: "Sort this list" });
  const rows: string[][] = [["root"]];
  for (let i = 1; i < count; i++) {
    const depth = 1 + Math.floor((i - 1) / width);
    const above = rows[depth - 1] as string[];
    const pick = () => above[random(above.length)] as string;
    const parents = i % 37 === 0 ? [...new Set([pick(), pick(), pick()])] : [pick()];
    const type = parents.length > 1 ? ("aggregates" as const) : ("generates" as const);
    const thought = { id: `t${i}`, operation: `${depth}-generate`, content: `thought ${i}` };
    graph = addThought(graph, thought, { parents, type });
    if (random(10) > 0) graph = updateThought(graph, `t${i}`, { score: random(12) });
    if (rows[depth] === undefined) rows.push([]);
    rows[depth]?.push(`t${i}`);
  }
  for (let i = 5; i < Math.min(count, 30); i += 5) {
    const edge = { from: `t${i}`, to: `t${i - 1}`, type: "connects" as const };
    graph = addEdge(graph, { ...edge, description: "both sort" });
  }
  return { graph, best: (bestLeaf(graph) as Thought).id };
}

/** Goals, their decisions, and options, actions and outcomes of those. */
export function manyDecisions(count: number): {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
} {
  const random = numbers(count);
  const types = ["decision", "option", "option", "action", "observation", "outcome"];
  const nodes: DrawnNode[] = [];
  const edges: DrawnEdge[] = [];
  for (let i = 0; i < count; i++) {
    const type = i % 40 === 0 ? "goal" : (types[random(types.length)] as string);
    const status = type === "option" && random(2) === 0 ? "rejected" : "active";
    nodes.push({ id: `d${i}`, type, label: `${type} ${i}`, status });
    if (type === "goal") continue;
    const from = `d${Math.max(Math.floor(i / 40) * 40, i - 1 - random(12))}`;
    const edgeType = status === "rejected" ? ("rejected" as const) : ("leads_to" as const);
    edges.push({ fromId: from, toId: `d${i}`, edgeType });
  }
  return { nodes, edges };
}

/** Texts that say something to a reader of SVG, Mermaid, YAML, a terminal or the eye. */
export const hostile: readonly string[] = [
  '"]; click n0 "javascript:alert(1)"',
  "</text></svg><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '%%{init: {"securityLevel": "loose"}}%%',
  "--> n1",
  "end",
  "subgraph x",
  "style:#x;y",
  "classDef a:#fff;",
  'a"|b|"c',
  "`**md**`",
  '\\" ]; evil [label="x',
  "\\N \\G \\l \\",
  "&quot;&lt;b&gt;&#60;",
  "]]> <!-- -->",
  "#quot; #35; fa:fa-car $$x^2$$",
  "\u202Eabc\u202C \u2066x\u2069 a\u200Bb",
  "a\u3164b\u2800c",
  "a\u0000b\u0007c\u001B[31m \u0085",
  "line\r\nbreak\ttab\u2028",
  "\uD800 lone \uFFFE",
  "日本語テキストの長い長いラベルです",
  "👨‍👩‍👧‍👦 family",
  `Z${"\u0351\u036B\u0343".repeat(300)}`,
  "x".repeat(5_000),
  "---\ntitle: x\n---",
  "__proto__",
  "constructor",
  "",
];

/** What an eye does not see, or what turns a line round. */
const UNSEEN = /(?![\n\t])\p{Cc}|[\u2800\u3164\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

/** Fails where an SVG is not well formed, or holds anything but shapes and texts. */
export function checkSvg(svg: string): void {
  expect(svg).not.toMatch(UNSEEN);
  expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
  const open: string[] = [];
  const known = /^(?:svg|title|style|rect|text|g|path|circle|line)$/;
  const tags = /<(\/?)([^\s>/]*)((?:\s+[\w-]+(?::\w+)?="[^"<]*")*)\s*(\/?)>|</g;
  for (const [tag, close, name = "", attributes = "", empty] of svg.matchAll(tags)) {
    // One by one: there are thousands, and an expectation of each takes its time.
    if (!known.test(name) || /\son|href|url\(/i.test(attributes))
      expect.fail(`no such tag: ${tag}`);
    if (close === "/" && open.pop() !== name) expect.fail(`${tag} closes nothing`);
    if (close === "" && empty !== "/") open.push(name);
  }
  expect(open).toEqual([]);
  const texts = svg.replace(/<style>[\s\S]*?<\/style>/, "").replace(/<[^>]*>/g, "");
  expect(texts).not.toMatch(/[<>"]|&(?!#\d+;)/);
}

// What a label may hold: letters, digits, what means nothing to Mermaid, entities, line breaks.
const LABEL = "(?:\\P{ASCII}|[\\w .,!?'/=+()[\\]*-]|#\\d+;|<br/>)*";
const LINES = [
  /^---$/,
  /^title: "(?:[^"\\%{}<>`#]|\\["\\ntu0-9a-f]+)*"$/,
  /^flowchart TD$/,
  new RegExp(`^ +n\\d+(?:\\[|\\(|\\(\\[|\\{\\{|\\[\\[|\\(\\(|\\[/)"${LABEL}"[\\])}\\\\]+$`, "u"),
  new RegExp(`^ +subgraph g\\d+\\["${LABEL}"\\]$`, "u"),
  /^ +end$/,
  new RegExp(`^ +[ng]\\d+ (?:-->|==>|-\\.->)(?:\\|"${LABEL}"\\|)? [ng]\\d+$`, "u"),
  /^ +[ng]\d+ ~~~ [ng]\d+$/,
  /^ +classDef look\d+ (?:[\w-]+:[#\w ]+,?)+$/,
  /^ +class (?:[ng]\d+,?)+ look\d+$/,
  /^ +linkStyle [\d,]+ stroke:#\w+$/,
  /^$/,
];

/** Fails where a line is none of Mermaid's that we write, or where Mermaid's limits are passed. */
export function checkMermaid(mermaid: string): void {
  expect(mermaid).not.toMatch(UNSEEN);
  expect(mermaid.length).toBeLessThanOrEqual(50_000);
  const lines = mermaid.split("\n");
  const wrong = lines.filter((line) => !LINES.some((shape) => shape.test(line)));
  expect(wrong).toEqual([]);
  expect(lines.filter((line) => / (?:-->|==>|-\.->|~~~)/.test(line)).length).toBeLessThanOrEqual(
    500,
  );
}
