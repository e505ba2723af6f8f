// Names of nodes: what is said of a prefix that several ids have.
import { expect, test } from "vitest";
import { idOfPrefix } from "../../../../../src/core/decisions/ids/name-node.js";

const ids = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`);

test("an ambiguous prefix is refused with ten ids at most, and whether there are more", () => {
  const listed = "a0, a1, a2, a3, a4, a5, a6, a7, a8, a9";
  const refusal = (said: string) => ({
    code: "decisions.ambiguous",
    message: `from names "a", with which several ids begin: ${said}; give more of it.`,
    place: "from",
  });
  expect(() => idOfPrefix("a", ids(10), "from")).toThrow(expect.objectContaining(refusal(listed)));
  expect(() => idOfPrefix("a", ids(11), "from")).toThrow(
    expect.objectContaining(refusal(`${listed} and more`)),
  );
});
