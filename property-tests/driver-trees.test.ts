// Trees of runs in one driver and one journal: a host that keeps its driver and one that throws it away after each
// take write the same bytes, also where it is opened from the newest snapshot, and what was torn off a journal and only follows is written again to the very bytes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { openFold } from "../src/driver.js";
import { linesOfHost } from "../src/testing/driver-laws.js";
import { agentInput, worldScript } from "../src/testing/index.js";
import { type Lifetime, rowHost } from "../test/support/row-host.js";
import { limitedAgent, orderlyAgent } from "./full-agents.js";
import { seeds, times } from "./setup.js";

const world = { input: agentInput(["t0", "t1"]), stores: ["s"] };
const runs = Math.ceil(32 * times);
const OPTIONS = { approvals: "outside", slots: 3 } as const;

/** Lines that only follow from the line before. */
const follows =
  /^\{(?:"begin":|"run":"[^"]+","seq":\d+,"event":\{"type":"cancel")|"event":\{"type":"run\./;

/** Scripts, some of which cancel the root while its children run. */
const scripts = fc
  .tuple(worldScript(), fc.boolean())
  .map(([script, cancels]) => (cancels ? { ...script, moves: [1, 251, ...script.moves] } : script));

const seen = { children: 0, cancelled: 0, torn: 0, marks: 0 };

for (const [name, agents] of [
  ["agents", orderlyAgent],
  ["agents with budgets", limitedAgent],
] as const) {
  for (const seed of seeds) {
    it(`${name}: whoever drives a tree writes the same bytes (seed ${seed})`, async () => {
      const property = fc.asyncProperty(
        agents,
        world.input,
        scripts,
        async (agent, input, script) => {
          const of = (lifetime: Lifetime) =>
            linesOfHost(rowHost(lifetime), agent as never, input, script, world);
          const lives = await of("run");
          expect(await of("take")).toEqual(lives);
          expect(await of("snapshot")).toEqual(lives);
          seen.marks += lives.filter((line) => line.startsWith('{"mark":{"snapshot"')).length;
          seen.children += lives.filter((line) => line.startsWith('{"begin":')).length;
          seen.cancelled += lives.filter((line) =>
            /"run":"[^"]+","seq":\d+,"event":\{"type":"cancel"/.test(line),
          ).length;
          for (let cut = 1; cut < lives.length; cut++) {
            if (!follows.test(lives[cut] as string)) continue;
            seen.torn += 1;
            const fold = openFold([agent as never], OPTIONS);
            for (const line of lives.slice(0, cut)) fold.take(line);
            const { lines } = fold.driver().take([], 0);
            expect(lines[0]).toBe(lives[cut]);
          }
        },
      );
      await fc.assert(property, { seed, numRuns: runs });
    });
  }
}

it("met children, some of them cancelled, snapshots, and lines that were torn off", () => {
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
