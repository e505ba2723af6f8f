/** A decision that comes after the deadline: the time that has passed is taken first, and nothing runs. */

import { expect, test } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import { tool } from "../../../../src/core/kernel/index.js";
import {
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { rejection } from "../../../support/thrown.js";

test("an approval after the deadline runs no tool", async () => {
  let paid = 0;
  const pay = tool({ name: "pay", needsApproval: true, execute: () => ++paid });
  const payer = agent({ name: "payer", tools: [pay], deadlineMs: 1_000 });
  const model = scriptedModel([{ calls: [{ name: "pay" }] }, "done"]);
  const journal = memoryJournal();
  const clock = virtualClock();
  expect((await run(payer, "pay", { model, journal, clock })).status).toBe("waiting");
  clock.advance(2_000);
  const approvals = { "approval/0/0": { approve: true } };
  const late = await rejection(resume(payer, journal, { model, clock, approvals }));
  expect([late.code, late.message]).toEqual([
    "approval.stale",
    expect.stringContaining("deadline"),
  ]);
  const end = await resume(payer, journal, { model, clock });
  expect([end.status, end.reason, paid]).toEqual(["failed", "deadline", 0]);
  expect((await replay(payer, journal)).status).toBe("identical");
});
