/** `storeLaws`: what every decision store must do, as data, for any test runner. */
import { queryLaws } from "./query-laws.js";
import { reasonLaws } from "./reason-laws.js";
import { rowLaws } from "./row-laws.js";
import { scopeLaws } from "./scope-laws.js";
import { type MakeStore, type StoreLaw, StoreUnderTest } from "./store-law.js";
import { writeLaws } from "./write-laws.js";

/**
 * The laws of a store of decisions.
 * @param make a store that holds nothing yet; called anew for each law
 */
export function storeLaws(make: MakeStore): readonly StoreLaw[] {
  return [...rowLaws, ...writeLaws, ...queryLaws, ...reasonLaws, ...scopeLaws].map(
    ({ name, scoped = false, holds }): StoreLaw => ({
      name,
      check: async () => holds(new StoreUnderTest(await make({ scoped }))),
    }),
  );
}
