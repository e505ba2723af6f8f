/**
 * `traceStorePort`: a trace as a store that a run can read, so that an agent can query its own trace. As with
 * every read, the answer is recorded.
 */
import { asJson, isJsonObject, type Json, ReckonerError } from "../../core/kernel/values/index.js";
import type { StorePort } from "../../runtime/for-adapters.js";
import type { JournalTraces } from "../live/index.js";
import {
  explain,
  formatChain,
  formatEvents,
  formatStats,
  linkOf,
  queryEvents,
  statsOf,
  Trace,
  type TraceEvent,
  type TraceFilter,
} from "../pure/index.js";

/** Events that one answer holds at most; the latest are given. */
const MAX_EVENTS = 100;

/**
 * A store port over traces, for `traceTools`. It answers for the session of the run that asks: the run
 * itself, its children, and the runs that it goes on from; with `everything`, for all there is.
 */
export function traceStorePort(
  traces: Pick<JournalTraces, "name" | "read">,
  { everything = false }: { readonly everything?: boolean | undefined } = {},
): StorePort {
  return {
    name: traces.name,
    async read(query) {
      const asked = isJsonObject(query) ? query : {};
      const { trace } = await traces.read();
      const run = trace.runs.find(({ runId }) => runId === asked.runId);
      if (everything) return asJson(answer(trace.events, asked));
      if (run !== undefined) {
        // Only of the session: an id of another one is none.
        return asJson(answer(queryEvents(trace.events, { session: run.session }), asked));
      }
      throw new ReckonerError(
        "trace.missing",
        `${traces.name} holds no run ${String(asked.runId)}: give traceStorePort the journal of the run that asks.`,
      );
    },
    write() {
      throw new ReckonerError("trace.query", `The traces in ${traces.name} cannot be written to.`);
    },
  };
}

/** @throws ReckonerError `trace.query`, whose message the model reads; `trace.missing`, `trace.ambiguous` */
function answer(
  events: readonly TraceEvent[],
  { type, runId: _, eventId, format, ...asked }: { readonly [part: string]: Json },
): object {
  const filter = asked as TraceFilter;
  const isJson = format === undefined || format === "json";
  switch (type) {
    case "events": {
      const found = queryEvents(events, filter);
      const some = found.slice(-MAX_EVENTS);
      const text = isJson ? { events: some } : { text: formatEvents(some, format as "terminal") };
      return { count: found.length, truncated: found.length > some.length, ...text };
    }
    case "stats": {
      const stats = statsOf(queryEvents(events, filter), filter.agentId);
      return isJson ? { stats } : { text: formatStats(stats, format as "terminal") };
    }
    case "explain": {
      if (typeof eventId !== "string") {
        throw new ReckonerError("trace.query", "eventId is missing; trace_query lists the ids.");
      }
      const trace = new Trace(events);
      const { event, chain, ledHere, followed, missing } = explain(trace, eventId);
      const some = (found: readonly TraceEvent[]) => found.slice(-MAX_EVENTS).map(linkOf);
      return {
        event,
        text: formatChain({ chain }, "terminal"),
        chain,
        ledHere: some(ledHere),
        followed: some(followed),
        missing,
      };
    }
    default:
      throw new ReckonerError("trace.query", `There is no query ${String(type)}.`);
  }
}
