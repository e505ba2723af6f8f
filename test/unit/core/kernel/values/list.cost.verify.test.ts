// What an append to a List costs, as blocks that are run.
import "../../../../support/work.js";
import { it } from "vitest";
import { append, listOf } from "../../../../../src/core/kernel/values/index.js";
import { expectGrowth, workOf } from "../../../../support/work.js";

it("the append with which the rows of a long list move up costs a row a level, and not what is in them", async () => {
  const full = (levels: number) => {
    const list = listOf(Array.from({ length: 32 ** levels - 1 }, (_, i) => i));
    return workOf(() => append(list, 0));
  };
  await full(1);
  expectGrowth(await full(2), await full(3), 2);
});
