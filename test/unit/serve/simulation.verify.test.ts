// Hosts in one process from one seed meet each kind of fault, whatever is drawn; a fault that is planted is found.
import { describe, expect, it } from "vitest";
import { plantedFaults } from "../../support/serve-faults.js";
import { ROUGH, simulate } from "../../support/serve-simulation.js";

describe("a simulation", () => {
  it("meets each kind of fault", async () => {
    const all = [];
    for (let seed = 1; seed <= 6; seed++) all.push(await simulate({ seed }));
    for (const kind of ["kills", "drains", "partitions", "edits", "upgrades"] as const) {
      expect(all.reduce((sum, each) => sum + each[kind], 0)).toBeGreaterThan(0);
    }
  });
});

describe("a rough simulation", () => {
  it.each(Object.entries(plantedFaults))("finds %s", async (_, plant) => {
    let seed = 1;
    while (seed <= 20 && (await simulate({ ...ROUGH, seed, plant })).broken.length === 0) seed += 1;
    expect(seed).toBeLessThanOrEqual(20);
  });

  it("finds nothing where none is planted", async () => {
    for (let seed = 1; seed <= 5; seed++) {
      expect((await simulate({ ...ROUGH, seed })).broken).toEqual([]);
    }
  });
});
