/** `storeLaws`: what every decision store must do, as data, for any test runner. */
import { exampleLaws } from "./example-laws.js";
import { Pair } from "./pair.js";
import type { MakeStore, StoreLaw } from "./store-law.js";
import { writerLaws } from "./writer-laws.js";

/**
 * The laws of a store of decisions. `storeAgrees` is the property that goes with them.
 * @param make a store that holds nothing yet; called anew for each law
 */
export function storeLaws(make: MakeStore): readonly StoreLaw[] {
  return [...exampleLaws, ...writerLaws].map(({ name, scoped = false, holds }) => ({
    name,
    async check() {
      const store = await make({ scoped });
      await holds(new Pair(store, scoped), store);
    },
  }));
}
