// Which events `observe events --follow` prints at a look, and in which order.
import { expect, it } from "vitest";
import { endedEvents } from "../../../../src/cli/observe/ended-events.js";
import type { TraceEvent } from "../../../../src/trace/pure/index.js";

const event = (id: string, at: number, endSeq?: number, durationMs?: number) =>
  ({ id, runId: id.slice(0, 1), at, endSeq, durationMs }) as unknown as TraceEvent;
const ended = (events: readonly TraceEvent[], printed: readonly string[] = []) =>
  endedEvents(events, new Set(printed)).map(({ id }) => id);

it("are those of a run that have ended and were not printed, in the order of its lines", () => {
  const events = [event("a3", 5, 9), event("a1", 1, 2), event("a2", 2, 4), event("a4", 9)];
  expect(ended(events)).toEqual(["a1", "a2", "a3"]);
  expect(ended([...events].reverse())).toEqual(["a1", "a2", "a3"]);
  expect(ended(events, ["a1", "a2", "b1"])).toEqual(["a3"]);
  expect(ended([...events, ...events])).toHaveLength(3);
});

it("of several runs go by the time of their end, and keep the order within a run", () => {
  const events = [event("a1", 1, 2, 10), event("a2", 2, 4), event("b1", 5, 1), event("b2", 20, 2)];
  expect(ended(events)).toEqual(["b1", "a1", "a2", "b2"]);
  expect(ended(events, ["a1"])).toEqual(["b1", "a2", "b2"]);
});
