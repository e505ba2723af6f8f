// What stands in the place of a name is told as far as a line goes, however much it is.
import { expect, it } from "vitest";
import { shownBriefly } from "../../../../../src/core/kernel/values/index.js";
import { directiveFault } from "../../../../../src/core/kernel/vocabulary/directive.js";
import { UPDATE_OPERATIONS } from "../../../../../src/core/kernel/vocabulary/index.js";
import { messageFault } from "../../../../../src/core/kernel/vocabulary/part-shapes.js";
import { misfit } from "../../../../../src/core/kernel/vocabulary/shapes.js";
import { toolContentFault } from "../../../../../src/core/kernel/vocabulary/tool-content.js";

const long = "x".repeat(10_000);

it.each([
  ["short", '"short"'],
  [5, "5"],
  [null, "null"],
  [undefined, "undefined"],
  [true, "true"],
  [["a", { b: 1 }], '["a",{"b":1}]'],
  [long, `"${"x".repeat(59)} [cut: 9942 more characters]`],
  [{ [long]: 1 }, `{"${"x".repeat(58)} [cut: 9946 more characters]`],
])("%j", (value, shown) => {
  expect(shownBriefly(value)).toBe(shown);
});

it.each([
  ["a role", messageFault({ role: long, content: "" })],
  ["a type of directive", directiveFault({ type: long })],
  ["a type of content", toolContentFault([{ type: long }])],
  ["an operation", misfit([{ op: long, key: "k" }], UPDATE_OPERATIONS)],
])("%s is", (_what, fault) => {
  expect(fault).toContain("[cut: ");
  expect(String(fault).length).toBeLessThan(250);
});
