/** Queries over the events of a trace: filters, counts, durations, errors. */

import * as shapes from "../../../core/kernel/shapes.js";
import { groupBy, ReckonerError } from "../../../core/kernel/values/index.js";
import {
  checkArguments,
  checkDefinition,
  parseIsoTime,
} from "../../../core/kernel/vocabulary/index.js";
import { EVENTS } from "../argument-shapes.js";
import { type TraceEvent, type TraceEventType, traceEventTypes } from "../trace-event.js";

/** The events that are meant; an absent part asks for nothing. */
export interface TraceFilter {
  readonly agentId?: string | undefined;
  readonly session?: string | undefined;
  readonly runId?: string | undefined;
  /** Not before this time: ISO 8601 (UTC where it names no zone), or milliseconds since 1970. */
  readonly from?: string | number | undefined;
  /** Not after this time. */
  readonly to?: string | number | undefined;
  readonly types?: readonly TraceEventType[] | undefined;
  /** The last so many. */
  readonly limit?: number | undefined;
}

/** A time in milliseconds. @throws ReckonerError `trace.query` where it is none */
export function timeOf(time: string | number, name: string): number {
  const isMs = typeof time === "number" || /^\d{11,16}$/.test(time);
  const ms = isMs ? Number(time) : parseIsoTime(time);
  if (ms !== undefined && Number.isFinite(ms)) return ms;
  throw new ReckonerError(
    "trace.query",
    `${name} ${time} is not a time; write it as 2026-01-31T12:00:00Z, or in milliseconds.`,
    { place: name },
  );
}

const TIME: shapes.Shape = /* @__PURE__ */ shapes.either(shapes.TEXT, shapes.NUMBER);
const TYPES: shapes.Shape = /* @__PURE__ */ shapes.listOf(
  /* @__PURE__ */ shapes.oneOf(...traceEventTypes),
);
const FILTER: shapes.Shapes<TraceFilter> = {
  agentId: shapes.TEXT,
  session: shapes.TEXT,
  runId: shapes.TEXT,
  from: TIME,
  to: TIME,
  types: TYPES,
  limit: /* @__PURE__ */ shapes.count(0),
};

/** The events that fit, by time. @throws ReckonerError `trace.query` */
export function queryEvents(
  events: readonly TraceEvent[],
  filter: TraceFilter = {},
): readonly TraceEvent[] {
  checkArguments("queryEvents", { events }, { events: EVENTS });
  checkDefinition("trace.query", "A question to a trace", filter, FILTER);
  const { agentId, session, runId, types, limit } = filter;
  const from = filter.from === undefined ? undefined : timeOf(filter.from, "from");
  const to = filter.to === undefined ? undefined : timeOf(filter.to, "to");
  const wanted = types === undefined ? undefined : new Set(types);
  const found = events.filter(
    (event) =>
      (agentId === undefined || event.agentId === agentId) &&
      (session === undefined || event.session === session) &&
      (runId === undefined || event.runId === runId) &&
      (from === undefined || event.at >= from) &&
      (to === undefined || event.at <= to) &&
      (wanted === undefined || wanted.has(event.type)),
  );
  return limit === undefined || found.length <= limit ? found : found.slice(found.length - limit);
}

/** The counts of an agent's events. */
export interface TraceStats {
  /** "" where several were counted together. */
  readonly agentId: string;
  readonly totalEvents: number;
  readonly toolCalls: number;
  readonly llmCalls: number;
  readonly decisions: number;
  readonly delegations: number;
  readonly errors: number;
  /** Mean over the calls of which a duration is known, rounded; 0 where there are none. */
  readonly avgToolDurationMs: number;
  readonly avgLLMDurationMs: number;
}

/** Counts events. @param agentId whose they are; for the reader alone */
export function statsOf(events: readonly TraceEvent[], agentId = ""): TraceStats {
  checkArguments("statsOf", { events, agentId }, { events: EVENTS, agentId: shapes.TEXT });
  const count = (type: TraceEventType) => events.filter((event) => event.type === type).length;
  return {
    agentId,
    totalEvents: events.length,
    toolCalls: count("tool_call"),
    llmCalls: count("llm_call"),
    decisions: count("decision"),
    delegations: count("delegation"),
    errors: count("error"),
    avgToolDurationMs: meanDuration(events, "tool_call"),
    avgLLMDurationMs: meanDuration(events, "llm_call"),
  };
}

function meanDuration(events: readonly TraceEvent[], type: TraceEventType): number {
  const durations = events.flatMap((event) =>
    event.type === type && event.durationMs !== undefined ? [event.durationMs] : [],
  );
  if (durations.length === 0) return 0;
  return Math.round(durations.reduce((sum, each) => sum + each, 0) / durations.length);
}

/** Tool and model calls that took longer than a time in milliseconds, the longest first. */
export function findSlowOps(
  events: readonly TraceEvent[],
  thresholdMs: number,
): readonly TraceEvent[] {
  checkArguments(
    "findSlowOps",
    { events, thresholdMs },
    { events: EVENTS, thresholdMs: shapes.atLeast(0) },
  );
  return events
    .filter(({ type, durationMs = 0 }) => {
      return (type === "tool_call" || type === "llm_call") && durationMs > thresholdMs;
    })
    .sort((a, b) => (b.durationMs ?? 0) - (a.durationMs ?? 0));
}

/** An error, and how often it came. */
export interface ErrorGroup {
  readonly error: string;
  readonly count: number;
  /** ISO 8601. */
  readonly lastSeen: string;
  /** The agent of the last one. */
  readonly agentId: string;
}

/** Errors by their texts, the most frequent first. */
export function findErrors(events: readonly TraceEvent[], limit = 20): readonly ErrorGroup[] {
  checkArguments("findErrors", { events, limit }, { events: EVENTS, limit: shapes.count(0) });
  const errors = events.filter(({ type }) => type === "error");
  return [...groupBy(errors, ({ fields }) => fields.error ?? "unknown")]
    .map(([error, group]): ErrorGroup => {
      const last = group.reduce((a, b) => (b.at >= a.at ? b : a));
      return { error, count: group.length, lastSeen: last.timestamp, agentId: last.agentId };
    })
    .sort((a, b) => b.count - a.count)
    .slice(0, limit);
}
