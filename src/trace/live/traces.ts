/**
 * `Traces`: the queries over a trace store, as methods. Each reads the store as it is at that
 * moment.
 */

import { ReckonerError } from "../../core/kernel/index.js";
import { checkGiven, TRACES } from "../../runtime/for-adapters.js";
import {
  buildFromSession,
  type CausalChain,
  type CriticalPath,
  criticalPath,
  type DecisionTree,
  type ErrorGroup,
  type Explanation,
  explain,
  explainAction,
  findErrors,
  findSlowOps,
  queryEvents,
  statsOf,
  Trace,
  type TraceEvent,
  type TraceFilter,
  type TraceStats,
  type Wait,
  waitsOf,
} from "../pure/index.js";
import {
  askTraces,
  type TraceCall,
  type TraceContents,
  type TracedRunInfo,
  type TraceStore,
} from "./trace-store.js";

/** Questions to a store of traces. */
export class Traces {
  readonly store: TraceStore;
  readonly #call: TraceCall;

  constructor(store: TraceStore, call: TraceCall = {}) {
    checkGiven("The store of Traces", store, TRACES);
    this.store = store;
    this.#call = call;
  }

  /** Everything, as it is now. @throws ReckonerError `trace.unreachable` */
  async contents(): Promise<TraceContents> {
    return await askTraces(this.store, {}, this.#call);
  }

  /** Everything put together. @throws ReckonerError `trace.unreachable` */
  async trace(): Promise<Trace> {
    return new Trace((await this.contents()).events);
  }

  /** The runs that the store knows of. */
  async runs(): Promise<readonly TracedRunInfo[]> {
    return (await this.contents()).runs;
  }

  /** The tree of a session; `undefined` where there is none of that name. */
  async buildFromSession(session: string): Promise<DecisionTree | undefined> {
    const { events, runs } = await this.contents();
    return buildFromSession(
      new Trace(events),
      session,
      runs.map((run) => run.session),
    );
  }

  /** The chain that led to an event, root first; empty where there is no such event. */
  async explainAction(eventId: string): Promise<CausalChain> {
    return explainAction(await this.trace(), eventId);
  }

  /**
   * What led to an event, and what followed from it.
   * @param eventId or the beginning of one
   * @throws ReckonerError `trace.missing`, `trace.ambiguous`
   */
  async explain(eventId: string): Promise<Explanation> {
    return explain(await this.trace(), eventId);
  }

  /** An agent's events, by time. @throws ReckonerError `trace.query` */
  async queryEvents(
    agentId: string | undefined,
    from?: TraceFilter["from"],
    to?: TraceFilter["to"],
    types?: TraceFilter["types"],
  ): Promise<readonly TraceEvent[]> {
    return await this.query({
      ...(agentId === undefined ? {} : { agentId }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(types === undefined ? {} : { types }),
    });
  }

  /** Events that fit, by time. @throws ReckonerError `trace.query` */
  async query(filter: TraceFilter = {}): Promise<readonly TraceEvent[]> {
    // Refused before the store is asked, which may not look at it.
    queryEvents([], filter);
    const { events } = await askTraces(this.store, filter, this.#call);
    return queryEvents(new Trace(events).events, filter);
  }

  /** Counts of an agent's events. */
  async stats(
    agentId?: string,
    from?: TraceFilter["from"],
    to?: TraceFilter["to"],
  ): Promise<TraceStats> {
    return statsOf(await this.queryEvents(agentId, from, to), agentId);
  }

  /** Counts of the events that fit. */
  async statsOf(filter: TraceFilter): Promise<TraceStats> {
    return statsOf(await this.query(filter), filter.agentId);
  }

  /** Calls that took longer than a time in milliseconds, the longest first. */
  async findSlowOps(thresholdMs: number, filter: TraceFilter = {}): Promise<readonly TraceEvent[]> {
    return findSlowOps(await this.query(filter), thresholdMs);
  }

  /** Errors by their texts, the most frequent first. */
  async findErrors(limit = 20, filter: TraceFilter = {}): Promise<readonly ErrorGroup[]> {
    return findErrors(await this.query(filter), limit);
  }

  /** What a run's time consists of. @throws ReckonerError `trace.missing` */
  async criticalPath(runId: string): Promise<CriticalPath> {
    return this.#of(runId, criticalPath(await this.trace(), runId));
  }

  /**
   * How long what a run waited for lay there until the last of it came.
   * @throws ReckonerError `trace.missing`
   */
  async waits(runId: string): Promise<readonly Wait[]> {
    const trace = await this.trace();
    const isThere = trace.events.some((event) => event.runId === runId);
    return this.#of(runId, isThere ? waitsOf(trace, runId) : undefined);
  }

  #of<T>(runId: string, found: T | undefined): T {
    if (found !== undefined) return found;
    throw new ReckonerError(
      "trace.missing",
      `${this.store.name} holds no run ${runId}; reckoner observe status lists the runs.`,
      { place: runId },
    );
  }
}
