// What holds of every trace: its events are exactly what the journals hold, counted by brute force, each
// once; what caused an event stands before it; and from any event one comes to an input.
import { expect } from "vitest";
import type { JournalTraces } from "../../src/trace/live/index.js";
import {
  buildFromSession,
  criticalPath,
  explain,
  type TraceEvent,
  walkTree,
} from "../../src/trace/pure/index.js";
import { count } from "./trace-oracle.js";
import { contentsOf } from "./traced.js";

const isMark = ({ type }: TraceEvent) => type === "error" || type === "decision";
const sorted = (ids: Iterable<string>) => [...ids].sort();

/**
 * What has to hold of the traces of runs and their children.
 * @param texts of their journals
 * @param isAgent whether a reasoner of a name is an agent, whose answers hold calls
 * @returns how many events there are of each type
 */
export async function tracesAre(
  traces: JournalTraces,
  texts: Iterable<string>,
  isAgent: (id: string) => boolean,
): Promise<Record<string, number>> {
  const { trace, events, runs, unread } = await contentsOf(traces);
  expect(unread).toEqual([]);
  const counted = [...texts]
    .filter((text) => text.includes("\n"))
    .flatMap((text) => count(text, isAgent));
  expect(sorted(runs.map(({ runId }) => runId))).toEqual(sorted(counted.map(({ runId }) => runId)));

  // Exactly the effects, inputs and inline calls, each once; a call of a batch that is not over yet
  // may still come to anything.
  const unmarked = events.filter((event) => !isMark(event));
  const ids = unmarked.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const all = new Set(
    counted.flatMap(({ effects, inputs, inlineCalls }) => [...effects, ...inputs, ...inlineCalls]),
  );
  const due = new Set(
    counted.flatMap(({ effects, inputs, inlineCalls, ended }) => [
      ...effects,
      ...inputs,
      ...(ended ? inlineCalls : []),
    ]),
  );
  for (const id of ids) expect(all).toContain(id);
  for (const id of due) expect(ids).toContain(id);
  for (const { runId, failures } of counted) {
    const errors = events.filter(
      ({ type, runId: of, id }) => of === runId && type === "error" && id.endsWith("/error"),
    );
    expect(errors).toHaveLength(failures);
  }

  expect(trace.defects).toEqual([]);
  const place = new Map(trace.events.map(({ id }, i) => [id, i]));
  for (const event of trace.events) {
    for (const cause of event.causes) {
      const of = trace.get(cause) as TraceEvent;
      expect(place.get(cause)).toBeLessThan(place.get(event.id) as number);
      expect(of.at).toBeLessThanOrEqual(event.at);
    }
    expect(event.causes[0]).toBe(event.parentEvent);
  }
  // Of a long run some events: each explanation looks at all of them.
  for (const { id } of trace.events.filter(
    (_, i) => i % Math.ceil(trace.events.length / 30) === 0,
  )) {
    const { inputs, ledHere, chain } = explain(trace, id);
    expect(inputs.length).toBeGreaterThan(0);
    expect(trace.get(chain[0]?.eventId ?? "")?.type).toBe("input");
    expect(ledHere.map((each) => each.id)).not.toContain(id);
  }

  // The trees hold every event once.
  const sessions = new Set(
    runs.flatMap(({ parent, session }) => (parent === undefined ? [session] : [])),
  );
  const walked = [...sessions].flatMap((session) =>
    [...walkTree(buildFromSession(trace, session)?.events ?? [])].map(({ node }) => node.id),
  );
  expect(sorted(walked)).toEqual(sorted(trace.events.map(({ id }) => id)));

  // The critical path has no holes.
  for (const { runId } of runs) {
    const path = criticalPath(trace, runId);
    const { segments = [], ms } = path ?? {};
    for (const [i, { from, to }] of segments.entries()) {
      expect(to).toBeGreaterThanOrEqual(from);
      if (i > 0) expect(from).toBe(segments[i - 1]?.to);
    }
    const first = segments[0];
    if (first !== undefined) expect((segments.at(-1)?.to ?? 0) - first.from).toBe(ms);
  }

  const counts: Record<string, number> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
