// The order of everything that is answered.
import { expect, test } from "vitest";
import { byCreation } from "../../../../../src/core/decisions/ids/order.js";

test("is that of creation, then of ids by their bytes; what is the same is neither first nor last", () => {
  const [a, b, B, later] = [
    { createdAt: 1, id: "a" },
    { createdAt: 1, id: "b" },
    { createdAt: 1, id: "B" },
    { createdAt: 2, id: "-" },
  ];
  expect([later, b, a, B].sort(byCreation)).toEqual([B, a, b, later]);
  expect(byCreation(a, { ...a })).toBe(0);
});
