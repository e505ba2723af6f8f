/** A decision that comes long after the deadline would have been: it stood still, and the tool runs. */

import { expect, test } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import { tool } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";

test("an approval after the deadline's time runs its tool", async () => {
  let paid = 0;
  const pay = tool({ name: "pay", needsApproval: true, execute: () => ++paid });
  const payer = agent({ name: "payer", tools: [pay], deadlineMs: 1_000 });
  const model = scriptedModel([{ calls: [{ name: "pay" }] }, "done"]);
  const journal = memoryJournal();
  const clock = virtualClock();
  expect((await run(payer, "pay", { model, journal, clock })).status).toBe("waiting");
  clock.advance(2_000);
  const approvals = { "approval/0/0": { approve: true } };
  expect((await resume(payer, journal, { model, clock })).status).toBe("waiting");
  const end = await resume(payer, journal, { model, clock, approvals });
  expect([end.status, end.reason, paid]).toEqual(["done", "answered", 1]);
  expect((await replay(payer, journal)).status).toBe("identical");
});
