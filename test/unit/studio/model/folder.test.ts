import { describe, expect, it } from "vitest";
import {
  filteredRuns,
  type RunItem,
  totalsOf,
  waitsFor,
} from "../../../../src/studio/model/index.js";

const NOW = 1_000_000;

function item(own: Partial<RunItem>): RunItem {
  return {
    journal: "a.jsonl",
    runId: "r",
    reasoner: "payer",
    version: 1,
    fingerprint: "f1",
    status: "done",
    startedAt: 0,
    lastAt: 100,
    events: 4,
    approvals: [],
    timers: 0,
    children: [],
    tokens: 50,
    requests: 2,
    ...own,
  };
}

describe("the runs of a folder", () => {
  const runs = [
    item({ journal: "old", lastAt: 1 }),
    item({ journal: "new", lastAt: 900, title: "Broken lamp" }),
    item({
      journal: "waits",
      status: "waiting",
      lastAt: 5,
      fingerprint: "f2",
      approvals: [{ id: "approval/0/0", title: "Run the tool refund?", since: NOW - 61_000 }],
    }),
  ];

  it("has those that wait first, then the newest", () => {
    expect(filteredRuns(runs, {}).map(({ journal }) => journal)).toEqual(["waits", "new", "old"]);
  });

  it("finds by words, status and configuration", () => {
    const found = (filter: object) => filteredRuns(runs, filter).map(({ journal }) => journal);
    expect(found({ text: "LAMP broken" })).toEqual(["new"]);
    expect(found({ text: "refund" })).toEqual(["waits"]);
    expect(found({ status: "done" })).toEqual(["new", "old"]);
    expect(found({ fingerprint: "f2" })).toEqual(["waits"]);
    expect(found({ text: "lamp", status: "waiting" })).toEqual([]);
  });

  it("says what a run waits for, and since when", () => {
    expect(waitsFor(runs[2] as RunItem, NOW)).toBe("Run the tool refund?, for 1 min 1 s");
    expect(waitsFor(item({ status: "waiting", timers: 2 }), NOW)).toBe("2 timers");
    expect(waitsFor(item({ status: "ready", lastAt: NOW - 5_000 }), NOW)).toBe(
      "a message, for 5.0 s",
    );
    expect(waitsFor(item({ status: "waiting", down: "No answer." }), NOW)).toMatch(
      /which is down: No answer/,
    );
    expect(waitsFor(item({}), NOW)).toBe("");
  });
});

describe("totals", () => {
  it("adds up, and names the runs that stand out", () => {
    const usual = Array.from({ length: 20 }, (_, i) =>
      item({ journal: `u${i}`, tokens: 50 + (i % 3), fingerprint: i < 5 ? "f1" : "f2" }),
    );
    const found = totalsOf([...usual, item({ journal: "odd", tokens: 5_000, status: "failed" })]);
    const tokens = found.measures.find(({ measure }) => measure === "tokens");
    expect(tokens).toMatchObject({ runs: 21, median: 51, most: 5_000 });
    expect(tokens?.total).toBe(usual.reduce((sum, each) => sum + each.tokens, 5_000));
    expect(tokens?.outliers.map(({ journal }) => journal)).toEqual(["odd"]);
    expect(found.statuses).toEqual([
      { status: "done", runs: 20 },
      { status: "failed", runs: 1 },
    ]);
  });

  it("has no outliers where all are alike, and no measure that nobody knows", () => {
    const found = totalsOf([item({}), item({}), item({})]);
    expect(found.measures.flatMap(({ outliers }) => outliers)).toEqual([]);
    expect(found.measures.map(({ measure }) => measure)).not.toContain("cost");
    expect(totalsOf([])).toMatchObject({ runs: 0, measures: [] });
  });
});
