/**
 * A graph of thoughts as SVG: each thought a disc in the row of its depth, coloured by its score. What
 * led to the result stands out; a title on each disc shows the thought when it is pointed at.
 */
import { type Graph, listEdges, listThoughts, parents } from "./graph.js";
import { describe } from "./print-tree.js";
import type { Thought } from "./thought.js";
import { ancestors, type Better, compareScores } from "./walk.js";

/** How the picture is drawn. */
export interface SvgOptions {
  /** The result: what it was made of stands out. */
  readonly best?: string | null;
  readonly better?: Better;
  readonly title?: string;
}

const GAP = 34;
const ROW = 84;
const RADIUS = 12;
const MARGIN = 40;

/** The picture's text. */
export function thoughtsToSvg(graph: Graph, options: SvgOptions = {}): string {
  const { best = null, better = "higher", title = "Graph of thoughts" } = options;
  const all = listThoughts(graph);
  const places = placesOf(graph, all);
  const colour = colours(all, better);
  const kept = new Set(best === null ? [] : [best, ...ancestors(graph, best).map(({ id }) => id)]);
  const width =
    2 * MARGIN +
    GAP *
      most(
        [...places.values()].map(({ x }) => x),
        1,
      );
  const height =
    2 * MARGIN +
    ROW *
      most(
        all.map(({ depth }) => depth),
        0,
      );
  const at = (id: string) => {
    const { x, y } = places.get(id) as Place;
    return { x: round(MARGIN + x * GAP), y: MARGIN + y * ROW };
  };
  const edges = listEdges(graph).map(({ from, to, type }) => {
    const a = at(from);
    const b = at(to);
    const strong = kept.has(from) && kept.has(to);
    const dash = type === "connects" ? ' stroke-dasharray="3 4"' : "";
    const bend = round((a.y + b.y) / 2);
    return `<path d="M${a.x} ${a.y}C${a.x} ${bend} ${b.x} ${bend} ${b.x} ${b.y}" stroke="${strong ? "#333" : "#bbb"}" stroke-width="${strong ? 2.5 : 1}"${dash}/>`;
  });
  const discs = all.map((thought) => {
    const { x, y } = at(thought.id);
    const ring = thought.solved === true ? "#2a7d2a" : kept.has(thought.id) ? "#333" : "#999";
    const score = thought.score === null ? "" : String(round(thought.score));
    return [
      `<g><title>${quoted(describe(thought).slice(0, 300))}</title>`,
      `<circle cx="${x}" cy="${y}" r="${RADIUS}" fill="${colour(thought)}" stroke="${ring}" stroke-width="${kept.has(thought.id) ? 2.5 : 1}"/>`,
      `<text x="${x}" y="${y + 4}">${score}</text></g>`,
    ].join("");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" width="${round(width)}" height="${height}" role="img">`,
    `<title>${quoted(title)}</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<g fill="none">${edges.join("")}</g>`,
    `<g font-family="sans-serif" font-size="10" text-anchor="middle" fill="#222">${discs.join("")}</g>`,
    "</svg>",
    "",
  ].join("\n");
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Leaves side by side, everything else above the middle of what hangs below it. */
function placesOf(graph: Graph, all: readonly Thought[]): Map<string, Place> {
  const below = new Map<string, string[]>();
  for (const { id } of all) {
    const parent = parents(graph, id)[0];
    if (parent === undefined) continue;
    const siblings = below.get(parent.id);
    if (siblings === undefined) below.set(parent.id, [id]);
    else siblings.push(id);
  }
  const places = new Map<string, Place>();
  let next = 0;
  // The thoughts come parents first, so backwards every child is placed before its parent.
  const order = [...all].reverse();
  const depthFirst = leavesInOrder(all, below);
  for (const id of depthFirst) places.set(id, { x: next++, y: 0 });
  for (const { id, depth } of order) {
    const hanging = below.get(id) ?? [];
    const first = places.get(hanging[0] ?? id)?.x;
    const last = places.get(hanging.at(-1) ?? id)?.x;
    const x = first === undefined || last === undefined ? next++ : (first + last) / 2;
    places.set(id, { x, y: depth });
  }
  return places;
}

function leavesInOrder(all: readonly Thought[], below: ReadonlyMap<string, string[]>): string[] {
  const children = new Set([...below.values()].flat());
  const stack = all
    .map(({ id }) => id)
    .filter((id) => !children.has(id))
    .reverse();
  const found: string[] = [];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const next = below.get(id) ?? [];
    if (next.length === 0) found.push(id);
    for (const child of [...next].reverse()) stack.push(child);
  }
  return found;
}

/** From red for the worst score to green for the best; grey for none. */
function colours(all: readonly Thought[], better: Better): (thought: Thought) => string {
  const scores = all
    .flatMap(({ score }) => score ?? [])
    .sort((a, b) => compareScores(a, b, better));
  const ranks = new Map(scores.map((score, i) => [score, i / Math.max(1, scores.length - 1)]));
  return ({ score }) => {
    if (score === null) return "#eee";
    const hue = Math.round(120 * (1 - (ranks.get(score) ?? 0)));
    return `hsl(${hue} 70% 80%)`;
  };
}

function most(numbers: readonly number[], atLeast: number): number {
  return numbers.reduce((found, n) => Math.max(found, n), atLeast);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function quoted(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`);
}
