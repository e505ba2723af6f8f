// Executions on Restate are lost at each point between two operations, and at two of them: no tool that may not be
// repeated is executed twice, and none is lost.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLong } from "../../support/is-long.js";
import { killed } from "../../support/on-fake-restate.js";

const SOUND = { status: "identical", mismatches: [], repeated: 0, lost: 0 };

/** Each point is one of both; half of them are tried by `npm run verify -- --long` alone. */
const STEP = isLong ? 2 : 4;

describe.each([false, true])("executions that are lost and hear nothing of it: %s", (isDeaf) => {
  it("repeat and lose nothing, at every other point, or at a quarter of them", async () => {
    const { points } = await killed({});
    let unknown = 0;
    for (let point = isDeaf ? 2 : 1; point <= points; point += STEP) {
      const done = await killed({ kills: [point], isDeaf });
      expect({ point, ...done }).toMatchObject(SOUND);
      unknown += done.unknown;
    }
    // Some were cut off between their beginning and their end.
    expect(unknown).toBeGreaterThan(3);
  });

  it("repeat and lose nothing, at any two points", async () => {
    const points = fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 2, maxLength: 4 });
    const property = fc.asyncProperty(points, async (kills) => {
      expect(await killed({ kills, isDeaf })).toMatchObject(SOUND);
    });
    await fc.assert(property, { numRuns: 12 });
  });
});

it("a tool that only says that it may be repeated is found to be", async () => {
  const { points } = await killed({}, { planted: true });
  let repeated = 0;
  for (let point = 1; point <= points; point += 6) {
    repeated += (await killed({ kills: [point] }, { planted: true })).repeated;
  }
  expect(repeated).toBeGreaterThan(0);
});
