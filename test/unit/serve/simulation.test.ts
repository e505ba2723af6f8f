// Hosts in one process from one seed: nothing that was said is lost or doubled, no effect begins twice, and what is
// planted is found. A failure is a seed.
import type { HostStore } from "reckoner/serve";
import { describe, expect, it } from "vitest";
import { storeWith } from "../../support/serve.js";
import { simulate } from "../../support/serve-simulation.js";

describe("a simulation", () => {
  it.each([1, 2, 3, 4, 5, 6])("of seed %i finds nothing", async (seed) => {
    const { broken, effects } = await simulate({ seed });
    expect(broken).toEqual([]);
    expect(effects).toBeGreaterThan(0);
  });

  it("comes to the same from the same seed", async () => {
    expect(await simulate({ seed: 7 })).toEqual(await simulate({ seed: 7 }));
  });

  /** Plants a fault in a store; some seed finds it. */
  const finds = async (plant: (store: HostStore) => HostStore) => {
    for (let seed = 1; seed <= 10; seed++) {
      if ((await simulate({ seed, plant })).broken.length > 0) return true;
    }
    return false;
  };

  it("finds a wake that is lost where an owner lets go", async () => {
    const plant = (store: HostStore) =>
      storeWith(store, {
        async commit(owner, held, change) {
          // What waits at a release is taken for seen.
          const lost = change.release === undefined ? [] : await store.mail(owner);
          const own = lost.filter(({ place }) => place.id === held.place.id);
          const answers = own.flatMap(({ mail }) =>
            mail.map(({ key }) => ({ outcome: "taken", key, lines: 0 }) as const),
          );
          const all = [...(change.answers ?? []), ...answers];
          return store.commit(owner, held, { ...change, answers: all });
        },
      });
    expect(await finds(plant)).toBe(true);
  });

  it("finds a store that keeps what was said twice", async () => {
    const plant = (store: HostStore) =>
      storeWith(store, {
        post: async (place, mail, begins) => {
          // Under another key as well.
          const other = { ...mail, key: `${mail.key}/again` };
          await store.post(place, other, begins);
          return store.post(place, mail, begins);
        },
      });
    expect(await finds(plant)).toBe(true);
  });
});
