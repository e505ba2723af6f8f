// What callers give where a collection is needed, and is none.
import { expect, it } from "vitest";
import {
  append,
  itemAt,
  pushItem,
  replaceItem,
  sizeOf,
  tableAt,
  tableCells,
  tableDelete,
  tableGet,
  tableHas,
  tableNewest,
  tableSet,
  tableSize,
  tableValues,
  toArray,
  vectorItem,
  vectorItems,
  vectorSize,
} from "../../../../../src/core/kernel/values/index.js";
import { refusal } from "../../../../support/thrown.js";

it.each<[string, (given: never) => unknown]>([
  ["List", (given) => toArray(given)],
  ["List", (given) => sizeOf(given)],
  ["List", (given) => itemAt(given, 0)],
  ["List", (given) => append(given, 1)],
  ["List", (given) => append(given)],
  ["Vector", (given) => vectorItems(given)],
  ["Vector", (given) => vectorSize(given)],
  ["Vector", (given) => vectorItem(given, 0)],
  ["Vector", (given) => pushItem(given, 1)],
  ["Vector", (given) => replaceItem(given, 0, 1)],
  ["Table", (given) => tableCells(given)],
  ["Table", (given) => tableSize(given)],
  ["Table", (given) => tableGet(given, "a")],
  ["Table", (given) => tableHas(given, "a")],
  ["Table", (given) => tableSet(given, "a", 1)],
  ["Table", (given) => tableDelete(given, "a")],
  ["Table", (given) => tableValues(given)],
  ["Table", (given) => tableAt(given, 0)],
  ["Table", (given) => tableNewest(given)],
])("a %s is needed, and something else is refused: %s", (kind, call) => {
  for (const [given, is] of [
    [[1], "array"],
    [null, "null"],
    [undefined, "undefined"],
    ["text", "string"],
    [{}, "object"],
  ] as const) {
    const { code, message } = refusal(() => call(given as never));
    expect(code).toBe("option.invalid");
    expect(message).toMatch(new RegExp(`^A ${kind} is needed; .* What was given is ${is}\\.$`));
  }
});
