// The cost of tracing a run with children, however many it has.
import "../../../support/work.js";

import { expect, it } from "vitest";
import { agent, agentTool, memoryJournal, run, scriptedModel } from "../../../../src/index.js";
import { diff } from "../../../../src/time-travel/live/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { contentsOf } from "../../../support/traced.js";
import { expectFlat } from "../../../support/work.js";

const child = agent({ name: "child" });
const parent = agent({ name: "parent", tools: [agentTool(child, { name: "ask" })] });

async function lived(asked: number) {
  const journal = memoryJournal("r");
  const calls = Array.from({ length: asked }, () => ({ name: "ask", input: { prompt: "p" } }));
  const model = scriptedModel(({ tools }, turn) =>
    tools?.length === 1 && turn === 0 ? { calls } : "so",
  );
  await run(parent, "go", { model, journal, runId: "r", concurrency: 1 });
  return journal;
}

it.each([
  ["traced", async (journal: never) => (await contentsOf(journalTraces(journal))).runs.length],
  ["compared", async (journal: never) => Number((await diff(journal, journal)).same)],
] as const)("each line is %s once, and not once for each run", async (_, read) => {
  await expectFlat(
    async (count) => {
      const journal = await lived(count);
      return async () => expect(await read(journal as never)).toBeGreaterThan(0);
    },
    10,
    100,
    1.3,
  );
});
