import { describe, expect, it } from "vitest";
import { lineTime, placeOf, spanText, timeLineOf } from "../../../../src/studio/model/index.js";
import { paidTree } from "../support.js";

describe("a time line", () => {
  it("has a lane for each run, and calls side by side in rows", async () => {
    const { lanes } = timeLineOf(await paidTree());
    expect(lanes.map(({ label, depth }) => [label, depth])).toEqual([
      ["payer", 0],
      ["clerk", 1],
    ]);
    const [root] = lanes;
    for (const a of root?.bars ?? []) {
      for (const b of root?.bars ?? []) {
        const apart =
          a === b || a.row !== b.row || a.x + a.width <= b.x + 1e-9 || b.x + b.width <= a.x + 1e-9;
        expect(apart, `${a.label} over ${b.label}`).toBe(true);
      }
    }
  });

  it("shows what waits, and compresses the day in which nothing else happened", async () => {
    const { lanes, stretches } = timeLineOf(await paidTree());
    const approval = lanes[0]?.bars.find(({ type }) => type === "approval");
    expect(approval?.waits).toBe(true);
    const idle = stretches.filter((each) => each.idle);
    expect(idle).toHaveLength(1);
    expect(idle[0]?.ms).toBe(86_400_000);
    expect(idle[0]?.width).toBeLessThan(0.1);
    const whole = stretches.reduce((sum, { width }) => sum + width, 0);
    expect(whole).toBeCloseTo(1, 9);
  });

  it("places times in their order, from 0 to 1", async () => {
    const tree = await paidTree();
    const { stretches, from } = timeLineOf(tree);
    const places = tree.moments.map(({ seq, event }) =>
      placeOf(stretches, lineTime(event.at, seq)),
    );
    expect(placeOf(stretches, from - 1)).toBe(0);
    // What happened at one moment of the clock has places of its own, too.
    expect(new Set(places).size).toBe(places.length);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeCloseTo(1, 9);
  });

  it("needs no more rows for what happened at one moment than for what went on side by side", async () => {
    const { lanes } = timeLineOf(await paidTree());
    expect(lanes.map(({ rows }) => rows)).toEqual([2, 2]);
  });

  it("says durations in words", () => {
    expect([0, 999, 1_400, 12_000, 61_000, 90_061_000].map(spanText)).toEqual([
      "0 ms",
      "999 ms",
      "1.4 s",
      "12 s",
      "1 min 1 s",
      "1 d 1 h",
    ]);
    expect(spanText(Number.NaN)).toBe("an unknown time");
  });
});
