// What it costs to tell of journals that are gone, however many are.
import "../../../support/work.js";

import { expect, it } from "vitest";
import { agent, agentTool, memoryJournal, run, scriptedModel } from "../../../../src/index.js";
import { type JournalPort, journalTraces } from "../../../../src/runtime/index.js";
import { expectFlat } from "../../../support/work.js";

it("children that are gone are looked for among the runs with their ids, and not among all", async () => {
  const child = agent({ name: "child" });
  const parent = agent({ name: "parent", tools: [agentTool(child, { name: "ask" })] });
  const lived = async (runId: string, asked: number): Promise<JournalPort> => {
    const journal = memoryJournal(runId);
    const calls = Array.from({ length: asked }, () => ({ name: "ask", input: { prompt: "p" } }));
    const model = scriptedModel(({ tools }, turn) =>
      tools?.length === 1 && turn === 0 && asked > 0 ? { calls } : "so",
    );
    await run(parent, "go", { model, journal, runId });
    return { ...journal, child: () => memoryJournal("gone") };
  };
  await expectFlat(
    async (count) => {
      const other = await lived("other", 0);
      const ports = [await lived("asked", count), ...Array.from({ length: count }, () => other)];
      return async () => {
        const { unread } = await journalTraces(ports).read({}, {});
        expect(unread).toHaveLength(count);
      };
    },
    25,
    250,
    1.2,
  );
});
