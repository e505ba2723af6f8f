// Hosts in one process from one seed: nothing that was said is lost or doubled, and no effect begins twice. A failure
// is a seed.
import { describe, expect, it } from "vitest";
import { simulate } from "../../support/serve-simulation.js";

describe("a simulation", () => {
  it.each([1, 2, 3])("of seed %i finds nothing", async (seed) => {
    const { broken, effects } = await simulate({ seed });
    expect(broken).toEqual([]);
    expect(effects).toBeGreaterThan(0);
  });

  it("comes to the same from the same seed", async () => {
    expect(await simulate({ seed: 7 })).toEqual(await simulate({ seed: 7 }));
  });
});
