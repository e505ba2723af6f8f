/** Draws a trace: each event below its parent, other causes dashed, with durations. */

import * as shapes from "../core/kernel/shapes.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import {
  eventSummary,
  explain,
  Trace,
  type TraceEvent,
  type TraceEventType,
} from "../trace/pure/index.js";
import { KEEP } from "./collapse.js";
import { inWords, lookEntries, lookEntry } from "./legend.js";
import type {
  LegendEntry,
  NodeLook,
  Picture,
  PictureEdge,
  PictureNode,
  PictureOptions,
} from "./picture.js";

/** The options of a trace's picture. */
export interface TracePictureOptions extends PictureOptions {
  /** An event's id, or a prefix of one: this event and what led to it stand out, and are folded last. */
  readonly explain?: string | undefined;
}

const LOOKS: Readonly<Record<TraceEventType, NodeLook>> = {
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
};

const OPTIONS = /* @__PURE__ */ shapes.optionsOf({ title: shapes.TEXT, explain: shapes.TEXT });
const isTrace = /* @__PURE__ */ shapes.hasMethods("get", "parentOf");
const isEvent = /* @__PURE__ */ shapes.hasParts("id", "type", "at", "fields");
const TRACE: shapes.Shape = [
  (value) => isTrace(value) || (Array.isArray(value) && value.every(isEvent)),
  "a trace, as journalTraces() reads it, or a list of its events",
];

/**
 * The picture of a trace, or of some of its events as queries give them; writers make a text of it.
 * @throws ReckonerError `option.invalid`; `trace.missing` and `trace.ambiguous` of what is explained
 */
export function tracePicture(
  source: Trace | readonly TraceEvent[],
  options: TracePictureOptions = {},
): Picture {
  checkArguments("tracePicture", { trace: source, options }, { trace: TRACE, options: OPTIONS });
  const trace = isTrace(source) ? (source as Trace) : new Trace(source as readonly TraceEvent[]);
  const { title = "Trace" } = options;
  const leads = new Set<string>();
  if (options.explain !== undefined) {
    const { event, ledHere } = explain(trace, options.explain);
    for (const { id } of [event, ...ledHere]) leads.add(id);
  }
  const { events } = trace;
  const start = events.reduce((least, { at }) => Math.min(at, least), Number.POSITIVE_INFINITY);
  const missing = trace.defects.filter(({ kind }) => kind === "missing").length;
  return {
    kind: "trace",
    title,
    nodes: events.map((event) => nodeOf(event, start, leads.has(event.id))),
    edges: events.flatMap((event) => edgesTo(event, trace, leads)),
    groups: [],
    rows: [],
    legend,
    notes: missing === 0 ? [] : [`Left out: ${missing} edges from what is not here.`],
  };
}

function edgesTo(event: TraceEvent, trace: Trace, leads: ReadonlySet<string>): PictureEdge[] {
  const parent = trace.parentOf(event)?.id;
  const causes = new Set(parent === undefined ? event.causes : [parent, ...event.causes]);
  return [...causes]
    .filter((from) => trace.get(from) !== undefined)
    .map((from) => {
      const isWay = leads.has(from) && leads.has(event.id);
      const line = from !== parent ? "dashed" : isWay ? "thick" : "solid";
      return { from, to: event.id, line, tone: isWay ? "blue" : "plain" };
    });
}

function nodeOf(event: TraceEvent, start: number, leads: boolean): PictureNode {
  const { id, type, at, timestamp, durationMs } = event;
  const kind = inWords(type);
  const took = durationMs === undefined ? [] : [`took ${duration(durationMs)}`];
  const label = eventSummary(event);
  const details = [[kind, `+${duration(at - start)}`, ...took].join(", ")];
  return {
    id,
    label,
    details,
    title: [id, ...details, timestamp, label].join("\n"),
    ...LOOKS[type],
    ...(leads ? { border: "thick", borderTone: "blue" } : {}),
    tally: kind,
    weight: leads ? KEEP : type === "error" ? 2 : type === "input" ? 1 : 0,
  };
}

/** Milliseconds for a person: 40 ms, 1.3 s, 2 min 5 s, 3 h 20 min. */
function duration(ms: number): string {
  if (!(ms >= 1000)) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`;
  const minutes = Math.floor(Math.round(ms / 1000) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(ms / 1000) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const legend: readonly LegendEntry[] = [
  ...lookEntries(LOOKS),
  lookEntry("led to what is explained", { border: "thick", borderTone: "blue" }, "box"),
  { text: "came from", edge: { line: "solid", tone: "plain" } },
  { text: "waited for", edge: { line: "dashed", tone: "plain" } },
];
