/**
 * `traceStorePort`: a trace as a store that a run can read, so that an agent can query its own. As
 * with every read, the answer is recorded.
 */

import { asJson, isJsonObject, type Json, ReckonerError } from "../../core/kernel/index.js";
import type { StorePort } from "../../runtime/for-adapters.js";
import {
  explain,
  formatChain,
  formatEvents,
  formatStats,
  linkOf,
  Trace,
  type TraceEvent,
  type TraceFilter,
  type TraceFormat,
  typesIn,
} from "../pure/index.js";
import type { TraceStore } from "./trace-store.js";
import { Traces } from "./traces.js";

/** Events that one answer holds at most; the latest are given. */
const MAX_EVENTS = 100;

/**
 * A store port over traces, for `traceTools`. It answers for the session of the run that asks: the run
 * itself, its children, and the runs that it goes on from; with `everything`, for all there is.
 */
export function traceStorePort(
  store: TraceStore,
  { everything = false }: { readonly everything?: boolean | undefined } = {},
): StorePort {
  return {
    name: store.name,
    async read(query, { signal }) {
      const asked = isJsonObject(query) ? query : {};
      const traces = new Traces(store, { signal });
      const scope = everything ? {} : { session: await sessionOf(traces, asked.runId) };
      return asJson(await answer(traces, asked, scope));
    },
    write() {
      throw new ReckonerError("trace.query", `The traces in ${store.name} cannot be written to.`);
    },
  };
}

async function sessionOf(traces: Traces, runId: Json | undefined): Promise<string> {
  const run = (await traces.runs()).find((each) => each.runId === runId);
  if (run !== undefined) return run.session;
  throw new ReckonerError(
    "trace.missing",
    `${traces.store.name} holds no run ${String(runId)}: give traceStorePort the journal of the run that asks.`,
  );
}

async function answer(
  traces: Traces,
  asked: Readonly<Record<string, Json>>,
  scope: Pick<TraceFilter, "session">,
): Promise<object> {
  const format = formatOf(asked.format);
  switch (asked.type) {
    case "events": {
      const found = await traces.query({ ...filterOf(asked), ...scope });
      const events = found.slice(-MAX_EVENTS);
      const given = format === "json" ? { events } : { text: formatEvents(events, format) };
      return { count: found.length, truncated: found.length > events.length, ...given };
    }
    case "stats": {
      const filter = filterOf(asked);
      const stats = await traces.statsOf({ ...filter, ...scope });
      return format === "json" ? { stats } : { text: formatStats(stats, format) };
    }
    case "explain": {
      // Only of the session: an id of another one is none.
      const trace = new Trace(await traces.query(scope));
      const { event, chain, ledHere, followed, missing } = explain(trace, String(asked.eventId));
      const some = (events: readonly TraceEvent[]) => events.slice(-MAX_EVENTS).map(linkOf);
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
      throw new ReckonerError("trace.query", `There is no query ${String(asked.type)}.`);
  }
}

function filterOf({ agentId, from, to, types }: Readonly<Record<string, Json>>): TraceFilter {
  const isTime = (value: Json | undefined) =>
    typeof value === "string" || typeof value === "number";
  return {
    ...(typeof agentId === "string" ? { agentId } : {}),
    ...(isTime(from) ? { from: from as string | number } : {}),
    ...(isTime(to) ? { to: to as string | number } : {}),
    ...(Array.isArray(types) ? { types: typesIn(types.join(",")) } : {}),
  };
}

function formatOf(format: Json | undefined): TraceFormat {
  return format === "terminal" || format === "markdown" ? format : "json";
}
