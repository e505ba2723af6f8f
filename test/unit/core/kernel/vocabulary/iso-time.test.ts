// Times that people write: the same on every machine, and none by accident of the engine.
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseIsoTime } from "../../../../../src/core/kernel/vocabulary/index.js";

it.each([
  ["1970-01-01", 0],
  ["1970-01-01T00:00", 0],
  ["1970-01-01 00:00:01", 1_000],
  ["1970-01-01T00:00:00.5Z", 500],
  ["1970-01-01T00:00:00.123456789Z", 123],
  ["1970-01-01t02:00:00+02:00", 0],
  ["1969-12-31T22:30:00-0130", 0],
  ["0001-02-03T00:00:00Z", Date.parse("0001-02-03T00:00:00Z")],
  ["2024-02-29", Date.UTC(2024, 1, 29)],
  ["+275760-09-13", 8.64e15],
])("%s is a time", (text, ms) => {
  expect(parseIsoTime(text)).toBe(ms);
});

it.each([
  "",
  "1",
  "2026",
  "2026-01",
  "yesterday",
  "Jan 1 2026",
  "2026-13-45",
  "2026-00-01",
  "2026-02-30",
  "2023-02-29",
  "2026-01-01T24:00",
  "2026-01-01T12:60",
  "2026-01-01T12:00:60",
  "2026-01-01T12",
  "2026-01-01Z",
  "2026-01-01T12:00 CET",
  "2026-01-01T12:00+24:00",
  "2026-01-01T12:00+02:60",
  "2026-01-01T12:00Z then",
  "+275760-09-14",
])("%j is none", (text) => {
  expect(parseIsoTime(text)).toBeUndefined();
});

it("reads what a date prints", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(parseIsoTime(date.toISOString())).toBe(date.getTime());
    }),
  );
});
