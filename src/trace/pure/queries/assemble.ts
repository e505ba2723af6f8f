/**
 * Joins the events of many runs to one `Trace`: puts each run in its session, and links the start of a run
 * that continues another to its cause there. A run that is referred to and missing stays a name.
 */

import type { HeaderLine } from "../../../core/journal/index.js";
import type { TraceEvent } from "../trace-event.js";
import { Trace, type TracedRunInfo } from "./trace.js";

/** The events of one run, with what its header says of other runs. */
export interface TracedRun {
  readonly header: Pick<HeaderLine, "runId" | "at" | "reasoner" | "from" | "fork">;
  /** Run id of the run that started it; absent for the root of a tree. */
  readonly parent?: string;
  readonly events: readonly TraceEvent[];
  readonly ended: boolean;
  /** The name of its journal. */
  readonly journal?: string;
}

/** A run, and those that it came from. */
type CameFrom = Pick<TracedRun, "parent"> & {
  readonly header: { readonly runId: string } & {
    readonly [Link in "from" | "fork"]?: { readonly runId: string };
  };
};

/** The session of each run: the first run that it goes on from, was forked from, or is a child of. */
export function sessionsOf(runs: Iterable<CameFrom>): ReadonlyMap<string, string> {
  const before = new Map<string, string | undefined>();
  for (const { header, parent } of runs) {
    const { runId, from, fork } = header;
    before.set(runId, parent ?? (from ?? fork)?.runId);
  }
  const sessions = new Map<string, string>();
  const next = (runId: string) => sessions.get(runId) ?? before.get(runId);
  for (const runId of before.keys()) {
    const way = new Set<string>();
    let at = runId;
    for (let to = next(at); to !== undefined && to !== at; to = next(at)) {
      way.add(at);
      // A cycle of links has no beginning; the least id is the same from wherever one starts.
      if (way.has(to)) at = [...way].slice([...way].indexOf(to)).sort()[0] as string;
      else at = to;
      if (way.has(at)) break;
    }
    for (const each of [...way, at]) if (before.has(each)) sessions.set(each, at);
  }
  return sessions;
}

/**
 * The trace of runs: each event in its session, the start of a linked run with what it came from, and a
 * delegation with the agent that it was to.
 */
export function assemble(runs: Iterable<TracedRun>): Trace {
  const all = [...runs];
  const sessions = sessionsOf(all);
  const byId = new Map(all.map((run) => [run.header.runId, run]));
  const sessionOf = (runId: string) => sessions.get(runId) as string;
  const events = all.flatMap(({ header, events }) => {
    const session = sessionOf(header.runId);
    const { from } = header;
    const cause = from === undefined ? undefined : causeIn(byId.get(from.runId), from.seq);
    return events.map((event): TraceEvent => {
      const isStart = event.type === "input" && event.seq === 0;
      const came =
        isStart && cause !== undefined && event.causes.length === 0
          ? { parentEvent: cause.id, causes: [cause.id] }
          : {};
      return { ...event, session, ...came, fields: fieldsOf(event, byId) };
    });
  });
  const infos = all.map(({ header, parent, events: own, ended, journal }): TracedRunInfo => {
    const { runId, reasoner, at } = header;
    return {
      runId,
      agentId: reasoner.id,
      session: sessionOf(runId),
      ...(parent === undefined ? {} : { parent }),
      startedAt: at,
      events: own.length,
      ended,
      ...(journal === undefined ? {} : { journal }),
    };
  });
  return new Trace(events, infos);
}

/** The fields of an event. A run's directive knows a child by the name of its tool, and the child itself. */
function fieldsOf(
  { type, fields }: TraceEvent,
  byId: ReadonlyMap<string, TracedRun>,
): TraceEvent["fields"] {
  const child = type === "delegation" ? byId.get(fields.runId ?? "") : undefined;
  return child === undefined ? fields : { ...fields, childId: child.header.reasoner.id };
}

/** Returns the cause at one of a run's events: the input, or the effect that it settled. */
function causeIn(run: TracedRun | undefined, seq: number): TraceEvent | undefined {
  return run?.events.find((event) => event.endSeq === seq && isTrigger(event));
}

/** Returns true when one of the journal's events was or settled an event, and it is not derived from it. */
export function isTrigger({ type, status, fields, endSeq }: TraceEvent): boolean {
  const moved = type !== "error" && type !== "decision" && status !== "cancelled";
  return moved && endSeq !== undefined && fields.via === undefined;
}
