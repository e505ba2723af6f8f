// Columns as the text of an array, and bytes from whatever a client makes of them.
import { expect, it } from "vitest";
import { arrayText, bytesOf } from "../../../../src/adapters/postgres/literals.js";

it.each([
  [[1, 2.5, -3], "{1,2.5,-3}"],
  [["one", "NULL", ""], '{"one","NULL",""}'],
  [[null, "x", null], '{NULL,"x",NULL}'],
  [['"', "\\", 'a"b"c', "\\\\", '\\"'], '{"\\"","\\\\","a\\"b\\"c","\\\\\\\\","\\\\\\""}'],
  [["{a,b}", " ", "a\nb"], '{"{a,b}"," ","a\nb"}'],
  [[], "{}"],
])("%j is %s", (column, text) => {
  expect(arrayText(column)).toBe(text);
});

it("bytes are those of a part of a buffer, of a whole one, or of their text", () => {
  const shown = (value: unknown) => {
    const view = bytesOf(value);
    return Array.from({ length: view.byteLength }, (_, i) => view.getUint8(i));
  };
  const pool = new Uint8Array([9, 9, 1, 2, 254, 9]);
  expect(shown(pool.subarray(2, 5))).toEqual([1, 2, 254]);
  expect(shown(pool)).toEqual([9, 9, 1, 2, 254, 9]);
  expect(shown("\\x0102fe")).toEqual([1, 2, 254]);
  expect(shown("\\x")).toEqual([]);
});
