// Hosts in one process from one seed: nothing that was said is lost or doubled, and no effect begins twice. A failure
// is a seed.

import type { HostStore } from "reckoner/serve";
import { describe, expect, it } from "vitest";
import { storeWith } from "../../support/serve.js";
import { simulate } from "../../support/serve-simulation.js";

describe("a simulation", () => {
  it.each([1, 2, 3])("of seed %i finds nothing", async (seed) => {
    const { broken, effects } = await simulate({ seed });
    expect(broken).toEqual([]);
    expect(effects).toBeGreaterThan(0);
  });

  it("finds a host that waits for something else than its ports", async () => {
    const small = { seed: 1, hosts: 1, runs: 1, faults: 0 };
    expect((await simulate(small)).broken).toEqual([]);
    const plant = (store: HostStore) =>
      storeWith(store, {
        async renew(...given) {
          await new Promise(setImmediate);
          return store.renew(...given);
        },
      });
    const { broken } = await simulate({ ...small, plant });
    expect(broken.join()).toContain("was asked by what no port woke");
  });

  it("comes to the same from the same seed", async () => {
    expect(await simulate({ seed: 7 })).toEqual(await simulate({ seed: 7 }));
  });
});
