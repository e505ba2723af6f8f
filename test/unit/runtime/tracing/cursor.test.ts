// How far events were delivered: what a cursor says, what is none, and what is due behind it.
import { describe, expect, it } from "vitest";
import type { TraceEvent } from "../../../../src/core/trace/index.js";
import { dueEvents, readCursor, writeCursor } from "../../../../src/runtime/tracing/cursor.js";

const format = "reckoner-trace-cursor/1";

describe("a cursor", () => {
  it("is read as it was written", () => {
    const sent = new Map([
      ["r", 2],
      ["s", 0],
    ]);
    expect(readCursor(writeCursor(sent))).toEqual(sent);
  });

  it.each([
    "",
    "null",
    "{}",
    JSON.stringify({ format: "other", runs: [] }),
    JSON.stringify({ format, runs: {} }),
    ...[["r"], ["r", 1, 2], ["r", -1], ["r", 1.5], ["r", "1"], [1, 1], "r1", null].map((entry) =>
      JSON.stringify({ format, runs: [["ok", 1], entry] }),
    ),
  ])("that is %j is none", (text) => {
    expect(readCursor(text)).toBe(undefined);
  });
});

describe("what is due", () => {
  const event = (id: string, at: number, endSeq?: number, durationMs?: number) =>
    ({ id, runId: id.slice(0, 1), at, endSeq, durationMs }) as unknown as TraceEvent;
  const due = (events: readonly TraceEvent[], sent: Record<string, number> = {}) =>
    dueEvents(events, new Map(Object.entries(sent))).map(
      (each) => `${each.event.id}:${each.count}`,
    );

  it("is of each run what is over, in the order in which it was, counted from 1", () => {
    const events = [event("a3", 5, 9), event("a1", 1, 2), event("a2", 2, 4), event("a4", 9)];
    expect(due(events)).toEqual(["a1:1", "a2:2", "a3:3"]);
    expect(due([...events].reverse())).toEqual(["a1:1", "a2:2", "a3:3"]);
    expect(due(events, { a: 2, b: 1 })).toEqual(["a3:3"]);
    expect(due([...events, ...events])).toHaveLength(3);
  });

  it("of several runs goes by the time at which it was over, and never back within one", () => {
    const events = [
      event("a1", 1, 2, 10),
      event("a2", 2, 4),
      event("b1", 5, 1),
      event("b2", 20, 2),
    ];
    expect(due(events)).toEqual(["b1:1", "a1:1", "a2:2", "b2:2"]);
  });
});
