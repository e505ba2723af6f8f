// The rules of decision graphs, one by one, with what is right written out: `storeLaws` only compare a
// store with the graph in memory.
import type { MakeStore, StoreLaw } from "../../../src/decisions/laws/store-law.js";
import { queryRules } from "./query-rules.js";
import { reasonRules } from "./reason-rules.js";
import { rowRules } from "./row-rules.js";
import { StoreUnderTest } from "./store-rule.js";
import { writeRules } from "./write-rules.js";

export function storeRules(make: MakeStore): readonly StoreLaw[] {
  return [...rowRules, ...writeRules, ...queryRules, ...reasonRules].map(({ name, holds }) => ({
    name,
    check: async () => holds(new StoreUnderTest(await make({ scoped: false }))),
  }));
}
