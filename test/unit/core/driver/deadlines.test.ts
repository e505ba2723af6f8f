// Moments, the earliest first, whatever moved meanwhile.
import { describe, expect, it } from "vitest";
import { Deadlines } from "../../../../src/core/driver/deadlines.js";

const due = (order: number, until: number | undefined) => ({ order, until });

describe("what is due", () => {
  it("comes by its moment, and by its order where that is the same", () => {
    const deadlines = new Deadlines<{ order: number; until: number | undefined }>();
    // A permutation of 0 to 96 that is no order: 35 generates the numbers below 97.
    const moments = Array.from({ length: 96 }, (_, i) => (35 * (i + 1)) % 97);
    for (const [order, moment] of moments.entries()) deadlines.add(due(order, moment >> 1));
    expect(deadlines.first).toBe(0);
    const taken: { order: number; until: number | undefined }[] = [];
    for (let next = deadlines.take(99); next !== undefined; next = deadlines.take(99))
      taken.push(next);
    const expected = [...taken].sort(
      (a, b) => (a.until ?? 0) - (b.until ?? 0) || a.order - b.order,
    );
    expect([taken.length, taken]).toEqual([96, expected]);
    expect(deadlines.first).toBeUndefined();
  });

  it("is not taken before its moment, nor at one that it had before", () => {
    const deadlines = new Deadlines<{ order: number; until: number | undefined }>();
    const moved = due(0, 5);
    const gone = due(1, 7);
    deadlines.add(moved);
    deadlines.add(gone);
    moved.until = 9;
    deadlines.add(moved);
    gone.until = undefined;
    expect([deadlines.first, deadlines.take(8)]).toEqual([9, undefined]);
    expect(deadlines.take(9)).toBe(moved);
  });

  it("is nothing where there is no moment", () => {
    const deadlines = new Deadlines<{ order: number; until: number | undefined }>();
    deadlines.add(due(0, undefined));
    expect(deadlines.first).toBeUndefined();
  });
});
