import { expect, it } from "vitest";
import { isSnapshotDue } from "../../../../src/core/driver/snapshot-due.js";

/** A run of so many lines of 1 000 bytes, each of which adds an item to a List: rows that its snapshots look at. */
function looks(lines: number): number {
  let [marked, rows] = [{ bytes: 0, size: 0 }, 0];
  for (let line = 1; line <= lines; line++) {
    if (!isSnapshotDue(line * 1_000, marked, true)) continue;
    marked = { bytes: line * 1_000, size: 5_000 };
    rows += line / 32;
  }
  return rows;
}

it("snapshots of a run that goes on cost the same for each line, however many there were", () => {
  expect(looks(1_000_000) / 1_000_000).toBeLessThan(4);
  expect(looks(1_000_000) / looks(100_000)).toBeLessThan(12);
});

it("who opens a run that was broken off steps through a small part of its lines", () => {
  expect(isSnapshotDue(100_000_000, { bytes: 98_000_000, size: 5_000 }, true)).toBe(true);
  expect(isSnapshotDue(100_000_000, { bytes: 99_000_000, size: 5_000 }, true)).toBe(false);
});

it("of a run that waits one is due with any line", () => {
  expect(isSnapshotDue(1_001, { bytes: 1_000, size: 5_000 }, false)).toBe(true);
  expect(isSnapshotDue(1_000, { bytes: 1_000, size: 5_000 }, false)).toBe(false);
});
