// The run id and the keys of a child are made of its root's: no root may be named like them.
import { describe, expect, it } from "vitest";
import {
  agent,
  agentTool,
  memoryJournal,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { fork } from "../../../../src/time-travel.js";
import { rejection } from "../../../support/thrown.js";

const CHILD = "r:tool/0/0/0";
const keys: string[] = [];
const pay = tool({
  name: "pay",
  execute: (_input, { runId, idempotencyKey }) => keys.push(`${runId} ${idempotencyKey}`),
});
const inner = agent({ name: "inner", tools: [pay] });
const outer = agent({ name: "outer", tools: [agentTool(inner, { name: "ask" })] });
const model = scriptedModel(({ messages, tools = [] }) => {
  if (messages.some(({ role }) => role === "tool")) return "done";
  const name = tools[0]?.name ?? "";
  return { calls: [{ name, input: name === "ask" ? { prompt: "x" } : {} }] };
});

describe("a run id", () => {
  it("like a child's is refused, of a run and of a fork, before anything begins", async () => {
    await run(outer, "x", { model, runId: "r" });
    expect(keys.splice(0)).toEqual([`${CHILD} r%3atool/0/0/0:tool/0/0`]);
    const journal = memoryJournal();
    const refused = await rejection(run(inner, "x", { model, journal, runId: CHILD }));
    expect(refused).toMatchObject({ code: "option.invalid" });
    expect(refused.message).toContain('runId of run must be a string without ":"');
    expect(keys).toEqual([]);
    await run(inner, "x", { model, journal, runId: "r" });
    const forked = await rejection(fork(journal, { at: 0, runId: CHILD }));
    expect(forked.code).toBe("option.invalid");
  });

  it.each(["r%3atool/0/0/0", "r/tool/0/0/0", "r%tool", "r\ntool"])(
    "%j gives keys that no other run has",
    async (runId) => {
      keys.length = 0;
      await run(outer, "x", { model, runId: "r" });
      await run(outer, "x", { model, runId });
      await run(inner, "x", { model, runId });
      await run(inner, "x", { model, runId: "r" });
      const own = keys.map((each) => each.split(" ").at(-1));
      expect(new Set(own).size).toBe(4);
    },
  );
});
