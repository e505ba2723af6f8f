// What it costs to tell of journals that are gone, however many are.
import "../../../support/work.js";

import { expect, it } from "vitest";
import { agent, memoryJournal, run, scriptedModel } from "../../../../src/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { contentsOf } from "../../../support/traced.js";
import { expectFlat } from "../../../support/work.js";

it("runs that are gone are looked for by their ids, and not among all", async () => {
  const talker = agent({ name: "talker" });
  const model = scriptedModel(() => "so");
  const lived = async (runId: string, more: object = {}) => {
    const journal = memoryJournal(runId);
    await run(talker, "go", { model, journal, runId, ...more });
    return journal;
  };
  await expectFlat(
    async (count) => {
      const [first, other] = [await lived("first"), await lived("other")];
      const second = { ...(await lived("second", { from: first })), follow: () => gone };
      const gone = memoryJournal("gone");
      const ports = [...Array(count).fill(second), ...Array(count).fill(other)];
      return async () => {
        const { unread } = await contentsOf(journalTraces(ports));
        expect(unread).toHaveLength(count);
      };
    },
    25,
    250,
  );
});
