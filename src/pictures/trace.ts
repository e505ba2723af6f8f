/**
 * Draws a trace: each event below its parent, other causes dashed, with durations. It takes events
 * as plain data.
 */

import * as shapes from "../core/kernel/shapes.js";
import { checkDrawn, WITH_IDS } from "./check-arguments.js";
import { KEEP } from "./fold.js";
import { knownEdges } from "./known-edges.js";
import type { LegendEntry, NodeLook, Picture, PictureEdge, PictureNode } from "./picture.js";

/** An event of a trace, as far as it is drawn. */
export interface TraceEventData {
  readonly id: string;
  /** input, llm_call, tool_call, decision, delegation, error, approval, read, write, timer, … */
  readonly kind: string;
  readonly label: string;
  /** The event that it came from. */
  readonly parent?: string | null;
  /** The other events that it waited for. The parent may be among them. */
  readonly causes?: readonly string[];
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly durationMs?: number;
}

/** The options of a trace's picture. */
export interface TracePictureOptions {
  readonly title?: string | undefined;
  /** This event and what led to it stand out, and are folded last. */
  readonly explain?: string | undefined;
}

// A map: a kind may be any text, `constructor` too.
const KINDS: ReadonlyMap<string, NodeLook> = new Map(
  Object.entries({
    input: { shape: "pill", tone: "purple" },
    llm_call: { shape: "round", tone: "blue" },
    tool_call: { shape: "box", tone: "amber" },
    decision: { shape: "hexagon", tone: "green" },
    delegation: { shape: "double", tone: "teal" },
    approval: { shape: "pill", tone: "amber" },
    read: { shape: "box", tone: "teal" },
    write: { shape: "box", tone: "green" },
    timer: { shape: "round", tone: "plain" },
    error: { shape: "box", tone: "red" },
  } as const),
);
/** Later than any time. */
const NEVER = Number.POSITIVE_INFINITY;
const OTHER: NodeLook = { shape: "box", tone: "plain" };

/** The picture; writers make a text of it. */
export function tracePicture(
  events: readonly TraceEventData[],
  options: TracePictureOptions = {},
): Picture {
  checkDrawn("tracePicture", { events: [events, WITH_IDS] }, options, {
    title: shapes.TEXT,
    explain: shapes.TEXT,
  });
  const { title = "Trace", explain } = options;
  const links = events.flatMap(({ id, parent, causes = [] }) => [
    ...(parent == null ? [] : [{ from: parent, to: id, parent: true }]),
    ...[...new Set(causes)]
      .filter((cause) => cause !== parent)
      .map((cause) => ({ from: cause, to: id, parent: false })),
  ]);
  const { nodes, edges, notes } = knownEdges(events, links);
  const chain = explain === undefined ? new Set<string>() : leadingTo(explain, edges);
  const start = nodes.reduce(
    (least, { at = least }) => (isDate(at) ? Math.min(at, least) : least),
    NEVER,
  );
  return {
    kind: "trace",
    title,
    nodes: nodes.map((event) => nodeOf(event, start, chain.has(event.id))),
    edges: edges.map(({ from, to, parent }): PictureEdge => {
      const leads = chain.has(from) && chain.has(to);
      const line = parent ? (leads ? "thick" : "solid") : "dashed";
      return { from, to, line, tone: leads ? "blue" : "plain" };
    }),
    groups: [],
    rows: [],
    legend,
    notes,
  };
}

/** An event and all that led to it; safe on cycles. */
function leadingTo(
  id: string,
  edges: readonly { readonly from: string; readonly to: string }[],
): Set<string> {
  const above = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const list = above.get(to);
    if (list === undefined) above.set(to, [from]);
    else list.push(from);
  }
  const found = new Set([id]);
  for (const each of found) for (const cause of above.get(each) ?? []) found.add(cause);
  return found;
}

function nodeOf(event: TraceEventData, start: number, leads: boolean): PictureNode {
  const { id, kind, label, at, durationMs } = event;
  const since = at === undefined || !isDate(at) ? [] : [`+${duration(at - start)}`];
  const took =
    durationMs === undefined || !isDate(durationMs) ? [] : [`took ${duration(durationMs)}`];
  const details = [[kind.replaceAll("_", " "), ...since, ...took].join(", ")];
  const when = at === undefined || !isDate(at) ? [] : [new Date(at).toISOString()];
  return {
    id,
    label,
    details,
    title: [id, ...details, ...when, label].join("\n"),
    ...(KINDS.get(kind) ?? OTHER),
    ...(leads ? { border: "thick", borderTone: "blue" } : {}),
    tally: kind.replaceAll("_", " "),
    weight: leads ? KEEP : kind === "error" ? 2 : kind === "input" ? 1 : 0,
  };
}

/** Returns true for a time that a date can hold; a damaged journal may say anything. */
const isDate = (at: number): boolean => Math.abs(at) <= 8.64e15;

/** Milliseconds for a person: 40 ms, 1.3 s, 2 min 5 s, 3 h 20 min. */
function duration(ms: number): string {
  if (!(ms >= 1000)) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`;
  const minutes = Math.floor(Math.round(ms / 1000) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(ms / 1000) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const legend: readonly LegendEntry[] = [
  ...[...KINDS].map(
    ([kind, node]): LegendEntry => ({
      text: kind.replaceAll("_", " "),
      node,
      means: ["shape", "tone"],
    }),
  ),
  {
    text: "led to what is explained",
    node: { shape: "box", tone: "plain", border: "thick", borderTone: "blue" },
    means: ["borderTone"],
  },
  { text: "came from", edge: { line: "solid", tone: "plain" } },
  { text: "waited for", edge: { line: "dashed", tone: "plain" } },
];
