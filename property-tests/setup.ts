// Seeds of the property runs: one fixed, one fresh, both printed; RECKONER_SEED repeats one alone,
// RECKONER_RUNS multiplies the runs for a long search. What names no seed takes the last of them.
import fc from "fast-check";
import { describe, it } from "vitest";
import type { PropertyLaw } from "../src/testing/index.js";

const FIXED = 20_260_101;
const given = process.env.RECKONER_SEED;
const fresh = (Date.now() ^ (process.pid << 8)) | 0;

/** The seeds that every property of this process runs with. */
export const seeds: readonly number[] = given === undefined ? [FIXED, fresh] : [Number(given)];

console.log(`seeds ${seeds.join(", ")}; repeat one with RECKONER_SEED=${seeds.at(-1)}`);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seeds.at(-1) as number });

/** The number by which the runs of a property are multiplied. */
export const times = Number(process.env.RECKONER_RUNS ?? 1);

/** A test for each law and seed. What fails prints its seed and path, shrunk. */
export function holds(of: string, laws: readonly PropertyLaw[], numRuns: number): void {
  describe(of, () => {
    for (const law of laws) {
      for (const seed of seeds) {
        const which = seed === FIXED ? "the fixed seed" : "a fresh seed";
        // A live run costs as much as a hundred steps.
        const runs = Math.ceil(numRuns * times * (law.isLive ? 0.25 : 1));
        it(`${law.name} (${which})`, () => fc.assert(law.property, { seed, numRuns: runs }));
      }
    }
  });
}
