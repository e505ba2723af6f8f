/**
 * The critical path: the chain of events that determines a run's duration. A directive is issued at
 * the time of the settlement before it, so the chain from the last event back, parent by parent,
 * has gaps only where the run waited for an input.
 */

import { groupBy } from "../../../core/kernel/values/index.js";
import { checkArguments } from "../../../core/kernel/vocabulary/index.js";
import { TRACE } from "../argument-shapes.js";
import type { TraceEvent } from "../trace-event.js";
import { isTrigger } from "./assemble.js";
import type { Trace } from "./trace.js";

/** The use of a segment of the path; `outside` means that the run waited for an input. */
export type WaitKind = "model" | "tool" | "person" | "disk" | "timer" | "child" | "outside";

const KINDS: Readonly<Record<string, WaitKind>> = {
  llm_call: "model",
  tool_call: "tool",
  approval: "person",
  read: "disk",
  write: "disk",
  timer: "timer",
  delegation: "child",
};

/** A interval of the path. */
export interface PathSegment {
  readonly kind: WaitKind;
  /** The event that took the time; of `outside`, the input that ended it. */
  readonly event: TraceEvent;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  /** The events that ran at the same time. */
  readonly beside: readonly TraceEvent[];
  /** Part of it was spent on the way to a place; the journal does not say how much. */
  readonly waitedForPlace: boolean;
  /** Of a child run, its own path, where its events are at hand. */
  readonly within?: CriticalPath;
}

type Interval = Pick<PathSegment, "kind" | "event" | "from" | "to">;

/** The path of one run. */
export interface CriticalPath {
  readonly runId: string;
  /** Milliseconds from the first event to the last; what `segments` add up to. */
  readonly ms: number;
  readonly segments: readonly PathSegment[];
  /** Milliseconds by what they were spent on. */
  readonly byKind: { readonly [K in WaitKind]: number };
}

/** Returns the time at which an event was over. */
function endOf({ at, durationMs = 0 }: TraceEvent): number {
  return at + durationMs;
}

/** The path of a run; `undefined` where it has no event. */
export function criticalPath(trace: Trace, runId: string): CriticalPath | undefined {
  checkArguments("criticalPath", { trace }, { trace: TRACE });
  const runs = groupBy(trace.events, (event) => event.runId);
  return pathOf({ trace, runs }, runId, new Set());
}

/** A trace, and its events by their runs. */
interface Runs {
  readonly trace: Trace;
  readonly runs: ReadonlyMap<string, readonly TraceEvent[]>;
}

function pathOf(within: Runs, runId: string, above: ReadonlySet<string>): CriticalPath | undefined {
  const { trace, runs } = within;
  const events = runs.get(runId) ?? [];
  const triggers = triggersOf(events);
  const order = [...triggers.keys()].sort((a, b) => a - b);
  const lastSeq = order.at(-1);
  if (lastSeq === undefined) return undefined;
  const found: Interval[] = [];
  const seen = new Set<string>();
  let at = triggers.get(lastSeq);
  while (at !== undefined && !seen.has(at.id)) {
    seen.add(at.id);
    const kind = KINDS[at.type];
    if (kind !== undefined) {
      found.push({ kind, event: at, from: at.at, to: endOf(at) });
      const parent: TraceEvent | undefined = trace.parentOf(at);
      at = parent?.runId === runId ? parent : undefined;
      continue;
    }
    const before = triggerBefore(at.seq, order, triggers);
    if (before !== undefined) {
      found.push({ kind: "outside", event: at, from: endOf(before), to: at.at });
    }
    at = before;
  }
  const timed = events.filter(({ type, durationMs }) => type in KINDS && durationMs !== undefined);
  const beside = besideEach(found.reverse(), timed);
  const here = new Set([...above, runId]);
  const segments = found.map(
    (each): PathSegment => segmentOf(within, each, beside.get(each) ?? [], here),
  );
  const byKind = { model: 0, tool: 0, person: 0, disk: 0, timer: 0, child: 0, outside: 0 };
  for (const { kind, ms } of segments) byKind[kind] += ms;
  return { runId, ms: segments.reduce((sum, { ms }) => sum + ms, 0), segments, byKind };
}

/** The events that the journal's events settled or were, by sequence number. */
function triggersOf(events: readonly TraceEvent[]): ReadonlyMap<number, TraceEvent> {
  const triggers = new Map<number, TraceEvent>();
  for (const event of events) {
    // An event that was cut off, or has no settlement of its own, moved nothing.
    if (isTrigger(event)) triggers.set(event.endSeq as number, event);
  }
  return triggers;
}

function triggerBefore(
  seq: number,
  order: readonly number[],
  triggers: ReadonlyMap<number, TraceEvent>,
): TraceEvent | undefined {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((order[middle] as number) < seq) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : triggers.get(order[low - 1] as number);
}

/** Returns the events that ran at the same time as each interval. Both are gone through once, by time. */
function besideEach(
  intervals: readonly Interval[],
  timed: readonly TraceEvent[],
): ReadonlyMap<Interval, readonly TraceEvent[]> {
  const coming = timed.toSorted((a, b) => a.at - b.at);
  const beside = new Map<Interval, readonly TraceEvent[]>();
  let next = 0;
  let running: TraceEvent[] = [];
  for (const interval of intervals.toSorted((a, b) => a.from - b.from)) {
    const { event, from, to } = interval;
    for (; next < coming.length && (coming[next] as TraceEvent).at < to; next++) {
      running.push(coming[next] as TraceEvent);
    }
    // An event that was over before this one began is over before all that follow.
    running = running.filter((each) => endOf(each) > from);
    const others = running.filter(({ id, at }) => id !== event.id && at < to);
    beside.set(interval, others);
  }
  return beside;
}

function segmentOf(
  runs: Runs,
  { kind, event, from, to }: Interval,
  beside: readonly TraceEvent[],
  above: ReadonlySet<string>,
): PathSegment {
  const child = kind === "child" ? event.fields.runId : undefined;
  const within = child === undefined || above.has(child) ? undefined : pathOf(runs, child, above);
  return {
    kind,
    event,
    from,
    to,
    ms: to - from,
    beside,
    waitedForPlace: event.fields.waitedFor === "place",
    ...(within === undefined ? {} : { within }),
  };
}
