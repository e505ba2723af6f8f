// Two and more processes on one journal, in schedules from seeds: nothing is paid twice, whatever dies, stalls or is lost.
import { beforeAll, describe, expect, it } from "vitest";
import { World } from "./processes.js";
import { loaded } from "./processes-clerk.js";
import type { Planted } from "./processes-plants.js";
import { wrongs } from "./processes-wrongs.js";

async function played(seed: number, planted?: Planted): Promise<World> {
  const world = new World(seed, planted);
  await world.play();
  return world;
}
const SEEDS = 200;
/** So many seeds are tried before a fault counts as one that is not found. */
const MOST = 500;
/** The refusals with which a world may end: of a run that never began, since it died or lost its power before. */
const ENDS = /ends: (?:waiting|done|journal\.(?:empty|missing))$/;

const PLANTED: readonly Planted[] = [
  "rewind takes no lock",
  "a lock is never lost",
  "heads are not durable",
  "lines are not synced",
  "heads are read once",
  "no note of the end",
];

beforeAll(loaded);

describe("several processes", () => {
  it("go the same way from the same seed", async () => {
    for (const seed of [7, 8, 9]) {
      expect((await played(seed)).log).toEqual((await played(seed)).log);
    }
  });

  it("pay nothing twice, and come to an end", async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const world = await played(seed);
      const log = `seed ${seed}:\n${world.log.join("\n")}`;
      expect(wrongs(world), log).toEqual([]);
      expect(
        world.log.findLast((line) => line.includes(" ends: ")),
        log,
      ).toMatch(ENDS);
    }
  });

  it.each(PLANTED)("are seen to do something wrong where %s", async (planted) => {
    for (let seed = 0; seed < MOST; seed++) {
      if (wrongs(await played(seed, planted)).length > 0) return;
    }
    throw new Error(`${planted}: ${MOST} seeds did not find it.`);
  });
});
