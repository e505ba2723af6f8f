/**
 * Draws a graph of thoughts: one row per depth, named after the operations that made it, each
 * thought in the colour of its score, and what led to the result with thick borders.
 */

import * as shapes from "../core/kernel/shapes.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import {
  type Better,
  type Edge,
  type Thought,
  type ThoughtGraph,
  thoughtGraph,
} from "../core/thoughts/index.js";
import { KEEP } from "./collapse.js";
import { edgeEntries, lookEntry } from "./legend.js";
import type {
  EdgeLook,
  LegendEntry,
  NodeLook,
  Picture,
  PictureEdge,
  PictureNode,
  PictureOptions,
  PictureRow,
  Tone,
} from "./picture.js";
import { oneLine } from "./visible-text.js";

/** The options of a picture of thoughts. */
export interface ThoughtsPictureOptions extends PictureOptions {
  /** The result: what it was made of stands out. */
  readonly best?: string | null | undefined;
  /** The direction of good scores. Default "higher". */
  readonly better?: Better | undefined;
  /** The text of a thought's box. Default: its content. */
  readonly label?: ((thought: Thought<object>) => string) | undefined;
}

const OPTIONS = /* @__PURE__ */ shapes.optionsOf({
  best: shapes.TEXT_OR_NULL,
  better: /* @__PURE__ */ shapes.oneOf("higher", "lower"),
  title: shapes.TEXT,
  label: shapes.PURE,
});

const RANKS: readonly Tone[] = ["rank1", "rank2", "rank3", "rank4", "rank5"];
/** Operations that a row names. */
const NAMED = 2;

const MADE: Readonly<Record<Edge["type"], EdgeLook>> = {
  generates: { line: "solid", tone: "plain" },
  refines: { line: "dashed", tone: "blue" },
  aggregates: { line: "solid", tone: "purple" },
  connects: { line: "dotted", tone: "teal" },
};

/** The picture; writers make a text of it. */
export function thoughtsPicture(
  graph: ThoughtGraph<object>,
  options: ThoughtsPictureOptions = {},
): Picture {
  checkArguments("thoughtsPicture", { options }, { options: OPTIONS });
  const { best = null, better = "higher", title = "Graph of thoughts" } = options;
  const { label = ({ content }: Thought<object>) => content } = options;
  const all = thoughtGraph.listThoughts(graph);
  const kept = new Set(
    best === null ? [] : [best, ...thoughtGraph.ancestors(graph, best).map(({ id }) => id)],
  );
  const bands = bandsOf(all, better);
  return {
    kind: "thoughts",
    title,
    nodes: all.map((thought) => ({
      ...nodeOf(thought, kept.has(thought.id), bands),
      label: label(thought),
    })),
    edges: thoughtGraph.listEdges(graph).map((edge) => edgeOf(edge, kept)),
    groups: [],
    rows: rowsOf(all),
    legend: legendOf(bands),
    notes: [],
  };
}

function nodeOf(thought: Thought<object>, kept: boolean, bands: Bands): PictureNode {
  const { id, content, depth, score, solved, valid, failures } = thought;
  const verdict = [
    ...(score === null ? [] : [shown(score)]),
    ...(solved === true ? ["solved"] : []),
    ...(valid === false ? ["invalid"] : []),
    ...(failures > 0 ? [`${failures} failed`] : []),
  ];
  const rank = score === null ? 0 : (bands.rankOf.get(score) ?? 0);
  return {
    id,
    label: content,
    ...(verdict.length === 0 ? {} : { details: [verdict.join(", ")] }),
    title: `${[id, ...verdict].join(", ")}\n${content}`,
    ...lookOf(thought, kept, bands),
    row: depth,
    tally: score === null ? "not scored" : `(${shown(score)})`,
    weight: (kept || solved === true ? KEEP : 0) + rank + (score === null ? 0 : 1),
  };
}

function lookOf(thought: Thought<object>, kept: boolean, bands: Bands): NodeLook {
  const { kind, score, solved, valid, failures } = thought;
  const shape = kind === "root" ? "pill" : kind === "aggregation" ? "hexagon" : "round";
  const tone = score === null ? "plain" : bands.toneOf(score);
  if (solved === true) return { shape, tone, border: "thick", borderTone: "green" };
  if (valid === false) return { shape, tone, border: "dashed", borderTone: "red" };
  if (kept) return { shape, tone, border: "thick", borderTone: "blue" };
  return failures > 0 ? { shape, tone, border: "dashed", borderTone: "amber" } : { shape, tone };
}

function edgeOf({ from, to, type, description }: Edge, kept: ReadonlySet<string>): PictureEdge {
  const { line, tone } = MADE[type];
  const leads = type !== "connects" && kept.has(from) && kept.has(to);
  return {
    from,
    to,
    line: leads ? "thick" : line,
    tone: leads ? "blue" : tone,
    ...(description === undefined ? {} : { labels: [description] }),
    ...(type === "connects" ? { target: "anywhere" } : {}),
  };
}

/** Scores in at most five bands from worst to best; equal scores are in one. */
interface Bands {
  readonly toneOf: (score: number) => Tone;
  /** From 0 for the worst to 1 for the best. */
  readonly rankOf: ReadonlyMap<number, number>;
  /** Worst first. */
  readonly bands: readonly { readonly tone: Tone; readonly scores: readonly number[] }[];
}

function bandsOf(all: readonly Thought<object>[], better: Better): Bands {
  const scores = [...new Set(all.flatMap(({ score }) => score ?? []))].sort((a, b) =>
    better === "higher" ? a - b : b - a,
  );
  const last = Math.max(1, scores.length - 1);
  const only = scores.length === 1;
  const rankOf = new Map(scores.map((score, i): [number, number] => [score, only ? 1 : i / last]));
  const toneOf = (score: number): Tone =>
    RANKS[Math.round((rankOf.get(score) ?? 0) * (RANKS.length - 1))] as Tone;
  const bands = RANKS.map((tone) => ({
    tone,
    scores: scores.filter((score) => toneOf(score) === tone),
  })).filter((band) => band.scores.length > 0);
  return { toneOf, rankOf, bands };
}

/** The names of the operations that made a row's thoughts. */
function rowsOf(all: readonly Thought<object>[]): PictureRow[] {
  const rows = new Map<number, Set<string>>();
  for (const { depth, operation } of all) {
    const names = rows.get(depth) ?? new Set();
    names.add(operation === null ? "problem" : oneLine(operation));
    rows.set(depth, names);
  }
  return [...rows].map(([row, names]) => {
    const more = names.size - NAMED;
    const shown = [...names].slice(0, NAMED).join(", ");
    return { row, label: more > 0 ? `${shown} and ${more} more` : shown };
  });
}

function legendOf({ bands }: Bands): LegendEntry[] {
  const scored = bands.map(({ tone, scores }, i): LegendEntry => {
    const [from, to] = [shown(scores[0] as number), shown(scores.at(-1) as number)];
    const last = bands.length - 1;
    const place = last === 0 ? "" : i === 0 ? ", worst" : i === last ? ", best" : "";
    const text = from === to ? `score ${from}${place}` : `scores ${from} to ${to}${place}`;
    return lookEntry(text, { tone });
  });
  return [
    lookEntry("the problem", { shape: "pill" }),
    lookEntry("merged of several", { shape: "hexagon" }),
    ...scored,
    lookEntry("not scored", { shape: "round", tone: "plain" }),
    lookEntry("solved", { border: "thick", borderTone: "green" }),
    lookEntry("invalid", { border: "dashed", borderTone: "red" }),
    lookEntry("a branch of it failed", { border: "dashed", borderTone: "amber" }),
    lookEntry("led to the result", { border: "thick", borderTone: "blue" }),
    ...edgeEntries(MADE),
  ];
}

function shown(score: number): string {
  const rounded = Math.round(score * 100) / 100;
  // The largest numbers have no hundredths, and no room for a factor.
  return String(Number.isFinite(rounded) ? rounded : score);
}
