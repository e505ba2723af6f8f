/**
 * Finds the causes and consequences of an event in a trace: the chain of parents from the root to it, all
 * that it waited for, and all that waited for it.
 */

import { checkArguments } from "../../../core/kernel/vocabulary/index.js";
import { TRACE } from "../argument-shapes.js";
import { eventSummary } from "../printing/summary.js";
import type { TraceEvent, TraceEventType } from "../trace-event.js";
import { causesOf, type Trace } from "./trace.js";

/** A link of a causal chain. */
export interface CausalChainLink {
  readonly eventId: string;
  readonly type: TraceEventType;
  readonly agentId: string;
  readonly timestamp: string;
  readonly summary: string;
}

/** The chain that led to an event, from the root on. */
export interface CausalChain {
  readonly chain: readonly CausalChainLink[];
}

/** Parents up to the root, which comes first; empty where there is no such event. */
export function explainAction(trace: Trace, eventId: string): CausalChain {
  checkArguments("explainAction", { trace }, { trace: TRACE });
  const chain: CausalChainLink[] = [];
  for (let at = trace.get(eventId); at !== undefined; at = trace.parentOf(at)) {
    chain.push(linkOf(at));
  }
  return { chain: chain.reverse() };
}

/** An event as a link of a chain. */
export function linkOf(event: TraceEvent): CausalChainLink {
  const { id: eventId, type, agentId, timestamp } = event;
  return { eventId, type, agentId, timestamp, summary: eventSummary(event) };
}

/** An event with all that led to it and all that followed. */
export interface Explanation {
  readonly event: TraceEvent;
  /** From the root to the event, parent by parent. */
  readonly chain: readonly CausalChainLink[];
  /** Everything that it waited for, directly or not, by time. */
  readonly ledHere: readonly TraceEvent[];
  /** Everything that waited for it, directly or not, by time. */
  readonly followed: readonly TraceEvent[];
  /** The inputs among what led here: where it all came from. */
  readonly inputs: readonly TraceEvent[];
  /** Causes that are not among the events: there the explanation ends. */
  readonly missing: readonly string[];
}

/** @throws ReckonerError `trace.missing`, `trace.ambiguous` */
export function explain(trace: Trace, eventId: string): Explanation {
  checkArguments("explain", { trace }, { trace: TRACE });
  const event = trace.find(eventId);
  const missing = new Set<string>();
  const ledHere = reach(event, (each) =>
    [...causesOf(each)].flatMap((id) => {
      const cause = trace.get(id);
      if (cause === undefined) missing.add(id);
      return cause === undefined ? [] : [cause];
    }),
  );
  const followed = reach(event, (each) => trace.effectsOf(each));
  return {
    event,
    chain: explainAction(trace, event.id).chain,
    ledHere: trace.events.filter(({ id }) => ledHere.has(id)),
    followed: trace.events.filter(({ id }) => followed.has(id)),
    inputs: trace.events.filter(
      ({ id, type }) => type === "input" && (ledHere.has(id) || id === event.id),
    ),
    missing: [...missing],
  };
}

/** All that is reached from an event, itself only where it is reached in a circle. */
function reach(
  from: TraceEvent,
  next: (event: TraceEvent) => readonly TraceEvent[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [from];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const each of next(at)) {
      if (found.has(each.id)) continue;
      found.add(each.id);
      queue.push(each);
    }
  }
  return found;
}
