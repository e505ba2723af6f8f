// Questions to events at their edges: what is just found, just cut, and in which order it stands.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  buildFromSession,
  criticalPath,
  findSlowOps,
  queryEvents,
  Trace,
} from "../../../../src/trace/pure/index.js";
import { refusal } from "../../../support/thrown.js";
import { event } from "../../../support/traced.js";

const ids = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id).join(" ");

describe("a trace", () => {
  const trace = new Trace([
    event("r#a", { at: 1 }),
    event("r#b", { at: 2, parentEvent: "r#a" }),
    event("r#c", { at: 3, parentEvent: "r#a", causes: ["r#b", "r#a"] }),
    event("r#d", { at: 4, parentEvent: "r#a" }),
    event("r#only-cause", { at: 5, causes: ["r#b"] }),
  ]);

  it("knows what an event is a cause of, each once", () => {
    expect(ids(trace.effectsOf({ id: "r#a" }))).toBe("r#b r#c r#d");
    expect(ids(trace.effectsOf({ id: "r#b" }))).toBe("r#c r#only-cause");
    expect(trace.defects).toEqual([]);
  });

  it("finds an event by what is behind its run's id, before all that only begin so", () => {
    const two = new Trace([event("r#tool/1", { at: 1 }), event("r#tool/10", { at: 2 })]);
    expect(two.find("tool/1").id).toBe("r#tool/1");
    expect(two.find("r#tool/10").id).toBe("r#tool/10");
    expect(refusal(() => two.find("tool")).message).toBe(
      "tool fits 2 events: r#tool/1, r#tool/10. Write more of the id.",
    );
    expect(refusal(() => two.find("")).code).toBe("trace.missing");
  });

  it("says how many more events fit than it names", () => {
    const of = (count: number) =>
      refusal(() =>
        new Trace(Array.from({ length: count }, (_, i) => event(`r#tool/${i}`, { at: i }))).find(
          "tool",
        ),
      ).message;
    expect(of(5)).not.toMatch(/more\. /);
    expect(of(6)).toMatch(/^tool fits 6 events: .*r#tool\/4 and 1 more\. /);
  });

  it("has a run behind the one that its start came from, at the same time", () => {
    const started = (id: string, runId: string, more: object) =>
      event(id, { at: 7, runId, seq: 0, type: "input", ...more });
    const both = new Trace([
      started("child#start", "child", { parentEvent: "r#x" }),
      event("child#y", { at: 7, runId: "child", seq: 1, parentEvent: "child#start" }),
      started("r#start", "r", {}),
      event("r#x", { at: 7, seq: 1, parentEvent: "r#start" }),
    ]);
    expect(ids(both.events)).toBe("r#start r#x child#start child#y");
  });

  it("has runs of the same time in the order of their ids, whichever came first", () => {
    const of = (runId: string) =>
      [2, 1].map((seq) => event(`${runId}#${seq}`, { at: 7, runId, seq }));
    const [a, b] = [of("a"), of("b")];
    for (const events of [
      [...a, ...b],
      [...b, ...a],
    ]) {
      expect(ids(new Trace(events).events)).toBe("a#1 a#2 b#1 b#2");
    }
  });
});

describe("a session's tree", () => {
  it("has durations where they are known, and no such field where not", () => {
    const tree = buildFromSession(
      new Trace([event("a", { at: 1, durationMs: 5 }), event("b", { at: 2 })]),
      "s",
    );
    expect(tree?.events.map(({ durationMs }) => durationMs)).toEqual([5, undefined]);
    expect(Object.keys(tree?.events[1] ?? {})).not.toContain("durationMs");
  });
});

describe("a critical path", () => {
  it("has beside it what took time as its own segments do, and nothing that has not ended", () => {
    const call = { type: "tool_call", at: 0, durationMs: 100, parentEvent: "start" } as const;
    const trace = new Trace([
      event("start", { type: "input", at: 0, seq: 0, endSeq: 0 }),
      event("c1", { ...call, seq: 0, endSeq: 2 }),
      event("c2", { ...call, seq: 0, endSeq: 1, durationMs: 20 }),
      event("open", { type: "tool_call", at: 50, seq: 0 }),
      event("thought", { type: "decision", at: 50, durationMs: 5, seq: 0 }),
    ]);
    const segments = criticalPath(trace, "r")?.segments ?? [];
    expect(segments.map(({ event, beside }) => [event.id, ids(beside)])).toEqual([["c1", "c2"]]);
  });

  it("has beside each stretch what ran in any part of it, and not what only touches it", () => {
    const ran = (id: string, at: number, until: number, seq: number, more: object = {}) =>
      event(id, { at, durationMs: until - at, seq, endSeq: seq + 20, ...more });
    const behind = (parentEvent: string, endSeq: number) => ({ parentEvent, endSeq });
    const trace = new Trace([
      event("start", { type: "input", at: 0, seq: 0, endSeq: 0 }),
      ran("p1", 0, 10, 1, behind("start", 31)),
      ran("p2", 10, 20, 2, behind("p1", 32)),
      ran("p3", 20, 30, 3, behind("p2", 33)),
      ran("all", 0, 30, 4),
      ran("first", 0, 10, 5),
      ran("middle", 9, 21, 6),
      ran("moment", 15, 15, 7),
      ran("last", 29, 40, 8),
    ]);
    const segments = criticalPath(trace, "r")?.segments ?? [];
    expect(segments.map(({ event, beside }) => `${event.id}: ${ids(beside)}`)).toEqual([
      "p1: all first middle",
      "p2: all middle moment",
      "p3: all middle last",
    ]);
  });
});

describe("a query", () => {
  const events = [1, 2, 3].map((at) => event(`e${at}`, { at }));

  it("with a limit gives the newest", () => {
    expect(ids(queryEvents(events, { limit: 2 }))).toBe("e2 e3");
    expect(ids(queryEvents(events, { limit: 3 }))).toBe("e1 e2 e3");
    expect(ids(queryEvents(events, { limit: 4 }))).toBe("e1 e2 e3");
    expect(ids(queryEvents(events, { limit: 0 }))).toBe("");
  });

  it("for slow calls gives the longest first, and none that is as long as the threshold", () => {
    const calls = [10, 30, 20, 15].map((durationMs, i) =>
      event(`c${durationMs}`, { at: i, type: "tool_call", durationMs }),
    );
    const others = [
      event("open", { type: "llm_call" }),
      event("x", { type: "read", durationMs: 99 }),
    ];
    expect(ids(findSlowOps([...calls, ...others], 10))).toBe("c30 c20 c15");
  });
});

it.each(["1", "2026", "2026-02-30", "Jan 1 2026", "2026-01-01T24:00", ""])(
  "a question from %j, which engines take for a time, is refused",
  (from) => {
    expect(refusal(() => queryEvents([], { from })).code).toBe("trace.query");
    expect(refusal(() => queryEvents([], { to: from })).code).toBe("trace.query");
  },
);

it("asks by UTC where a time names no zone, wherever the machine stands", () => {
  vi.stubEnv("TZ", "America/New_York");
  onTestFinished(() => void vi.unstubAllEnvs());
  const found = queryEvents([event("r#a", { at: 1 }), event("r#b", { at: 3_600_000 })], {
    from: "1970-01-01T01:00",
  });
  expect(ids(found)).toBe("r#b");
});
