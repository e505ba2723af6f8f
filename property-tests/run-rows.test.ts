// The row of a live run is the row that its lines give: behind each take, whoever drives it and however often
// it was opened anew from its last row.
import fc from "fast-check";
import { expect, it } from "vitest";
import { summaryOf } from "../src/runtime/index.js";
import { LiveRow, type RowDriver } from "../src/runtime/journals/live-row.js";
import { rowStart } from "../src/runtime/ports/run-row.js";
import { type DriverHost, linesOfHost } from "../src/testing/driver-laws.js";
import { agentInput, textJournal, worldScript } from "../src/testing/index.js";
import { rowHost } from "../test/support/row-host.js";
import { limitedAgent, orderlyAgent } from "./full-agents.js";
import { seeds, times } from "./setup.js";

const world = { input: agentInput(["t0", "t1"]), stores: ["s"] };
const runs = Math.ceil(8 * Math.max(1, times));
/** So many takes of a run are compared. */
const MOST = 25;
const seen = { children: 0, ended: 0, usage: 0, rows: 0 };

/** A host that keeps the row of its run, and compares it behind each take with what the lines say. */
function indexing(lifetime: "run" | "take", checks: Promise<void>[]): DriverHost {
  return rowHost(lifetime, (reasoner, run) => {
    let live: LiveRow | undefined;
    let takes = 0;
    return (lines, owed, driver) => {
      const header = JSON.parse(lines[0] as string);
      live ??= new LiveRow(rowStart(header));
      live.take(owed.show);
      const row = live.of(driver as unknown as RowDriver);
      if (lifetime === "take") {
        live = new LiveRow(JSON.parse(JSON.stringify(row)));
      }
      // A run may take thousands of steps, and each of these reads all lines.
      takes += 1;
      if (takes > MOST) return;
      seen.rows += 1;
      seen.children += row.children.length;
      seen.usage += row.usage.totalTokens;
      if (row.status === "done" || row.status === "failed") seen.ended += 1;
      const journal = textJournal(lines.map((line) => `${line}\n`).join(""));
      checks.push(
        summaryOf(journal).then(({ journal: _name, ...folded }) => {
          expect(row, `${reasoner.id} ${run.runId}`).toEqual(folded);
        }),
      );
    };
  });
}

for (const [name, agents] of [
  ["agents", orderlyAgent],
  ["agents with budgets", limitedAgent],
] as const) {
  for (const seed of seeds) {
    it(`${name}: the row is what the lines say (seed ${seed})`, async () => {
      const property = fc.asyncProperty(
        agents,
        world.input,
        worldScript(),
        fc.constantFrom("run", "take"),
        async (agent, input, script, lifetime) => {
          const checks: Promise<void>[] = [];
          const host = indexing(lifetime, checks);
          await linesOfHost(host, agent as never, input, script, world);
          await Promise.all(checks);
        },
      );
      await fc.assert(property, { seed, numRuns: runs });
    });
  }
}

it("met children, ends and what was spent", () => {
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
