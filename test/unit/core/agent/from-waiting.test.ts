// A run that goes on from one that waits reads what happened there: a call that ran is never told as one
// that did not.
import { describe, expect, it } from "vitest";
import {
  agent,
  agentContext,
  contextUpdate,
  memoryJournal,
  run,
  scriptedModel,
  tool,
  withUpdate,
} from "../../../../src/index.js";
import {
  answer,
  decided,
  messagesOf,
  resultsOf,
  returned,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const { deserialize, patchDanglingToolCalls, serialize } = agentContext;

const ask = tool({ name: "ask", needsApproval: true, execute: () => "asked" });
const pay = tool({
  name: "pay",
  execute: () => withUpdate("paid", contextUpdate().set("paid", 1)),
});
const slow = tool({ name: "slow", execute: () => "" });
const NOT = "Tool call was interrupted and not executed. Please retry if needed.";
const mayHaveRun = expect.stringMatching(/after it had started\. It may have taken effect/);

describe("what a waiting run leaves to the next", () => {
  it("are the results that it has, also of calls that are not written yet", async () => {
    const first = agent({ name: "a", tools: [ask, pay] });
    const journal = memoryJournal();
    const model = scriptedModel([{ calls: [{ name: "ask" }, { name: "pay" }] }, "ok"]);
    expect((await run(first, "go", { model, journal })).status).toBe("waiting");
    const answering = { model: scriptedModel(["fine"]), from: journal, journal: memoryJournal() };
    const next = await run(first, "forget the approval", answering);
    expect(resultsOf(next.context)).toEqual([NOT, "paid"]);
    expect(next.context.deps).toEqual({ paid: 1 });
    expect(transcriptFault(messagesOf(next.context))).toBeUndefined();
  });

  it("is hidden by the next run's hooks as any other result", async () => {
    const journal = memoryJournal();
    const model = scriptedModel([{ calls: [{ name: "ask" }, { name: "pay" }] }]);
    await run(agent({ name: "a", tools: [ask, pay] }), "go", { model, journal });
    const hide = {
      name: "hide",
      afterTool: () => ({ type: "returned", output: "hidden", update: [] }) as const,
    };
    const answering = { model: scriptedModel(["fine"]), from: journal, journal: memoryJournal() };
    const next = await run(
      agent({ name: "a", tools: [ask, pay], plugins: [hide] }),
      "go on",
      answering,
    );
    expect(resultsOf(next.context)).toEqual([NOT, "hidden"]);
  });

  it("says in its context, patched by hand, which calls may have taken effect", () => {
    const first = byHand(agent({ name: "a", tools: [ask, pay, slow] }), "go");
    first.take(answer(0, wish("ask"), wish("pay"), wish("slow")));
    first.take(returned("tool/0/1", "paid"));
    const read = deserialize(JSON.parse(JSON.stringify(serialize(first.context))));
    if (!read.ok) throw new Error(read.error);
    for (const context of [first.context, read.context]) {
      const patched = patchDanglingToolCalls(context);
      expect(resultsOf(patched)).toEqual([NOT, mayHaveRun, mayHaveRun]);
      expect(patched.batch).toBeNull();
      expect(patchDanglingToolCalls(patched)).toEqual(patched);
    }
    first.take(decided("approval/0/0", false));
    first.take(returned("tool/0/2", ""));
    expect(patchDanglingToolCalls(first.context)).toEqual(first.context);
  });
});
