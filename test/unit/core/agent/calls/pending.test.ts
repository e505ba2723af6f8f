// An approval that does not block: the chat goes on, and what comes of the call is a message of its own.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agentContext } from "../../../../../src/core/agent/index.js";
import {
  agent,
  agentTool,
  contextUpdate,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  textOf,
  toArray,
  tool,
  withUpdate,
} from "../../../../../src/index.js";
import { summaryOf } from "../../../../../src/runtime/index.js";
import {
  answer,
  decided,
  failed,
  lastOf,
  mayHaveRun,
  messagesOf,
  recordsOf,
  resultsOf,
  returned,
  transcriptFault,
  wish,
} from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";
import { everyWay } from "../../../../support/every-way.js";

const { deserialize, serialize } = agentContext;

const beside = { when: true, blocks: false } as const;
const pay = tool({
  name: "pay",
  inputSchema: z.object({ amount: z.number() }),
  needsApproval: { when: ({ amount }) => amount > 10, blocks: false },
  execute: ({ amount }) => `paid ${amount}`,
});
const look = tool({ name: "look", execute: () => "seen" });
const tools = [pay, look];
const chat = agent({ name: "chat", conversation: true, tools });

/** A chat that waits, with a question about 50 open. */
function asked(of = chat) {
  const run = byHand(of, "Pay 50.");
  run.take(answer(0, wish("pay", { amount: 50 })));
  run.take(answer(1, "I asked."));
  return run;
}

const userTexts = (run: ReturnType<typeof asked>) =>
  messagesOf(run.context).flatMap((each) => (each.role === "user" ? [textOf(each)] : []));

describe("an approval that does not block", () => {
  it("is told to the model as asked for, and the turn goes on and ends", () => {
    const run = byHand(chat, "Pay 50.");
    run.take(answer(0, wish("pay", { amount: 50 })));
    expect(run.directives).toMatchObject([
      { type: "approval", id: "approval/0/0", toolCallId: "call-pay" },
      { type: "llm", id: "llm/1" },
    ]);
    expect(resultsOf(run.context)).toEqual([expect.stringContaining("A person was asked")]);
    expect(recordsOf(run.context)).toMatchObject([{ id: "tool/0/0", status: "asked" }]);
    run.take(answer(1, "I asked."));
    expect([run.state.value, run.owed, run.output]).toEqual([
      "ready",
      ["approval/0/0"],
      "I asked.",
    ]);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });

  it("leaves other calls of the answer as they are, and those for which no person is needed", () => {
    const run = byHand(chat, "Pay.");
    run.take(
      answer(0, wish("pay", { amount: 5 }, "a"), wish("pay", { amount: 50 }, "b"), wish("look")),
    );
    expect(run.owed).toEqual(["tool/0/0", "tool/0/2", "approval/0/1"]);
    // The person is quicker than the tools of the answer.
    run.take(decided("approval/0/1", true));
    expect(run.directives).toMatchObject([{ type: "tool", id: "tool/0/1" }]);
    run.take(returned("tool/0/1", "paid 50"));
    run.take(returned("tool/0/2", "seen"));
    run.take(returned("tool/0/0", "paid 5"));
    expect(resultsOf(run.context)).toEqual(["paid 5", expect.stringContaining("asked"), "seen"]);
    expect(userTexts(run)[1]).toMatch(/tool\/0\/1 of pay[\s\S]*paid 50$/);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("that is given begins the call at once, and its result begins the next turn", () => {
    const run = asked();
    run.take(decided("approval/0/0", true));
    expect(run.directives).toMatchObject([
      { type: "tool", id: "tool/0/0", name: "pay", input: { amount: 50 } },
    ]);
    expect(run.state.value).toBe("ready");
    run.take(returned("tool/0/0", "paid 50"));
    expect([run.owed, run.context.turn, run.context.pending]).toEqual([["llm/2"], 1, null]);
    expect(lastOf(run.context)).toEqual({
      role: "user",
      content: expect.stringMatching(
        /^\[This is not from the user: [^\]]*tool\/0\/0 of pay[\s\S]*\]\n\npaid 50$/,
      ),
    });
    expect(recordsOf(run.context)).toMatchObject([
      { id: "tool/0/0", status: "asked" },
      { id: "tool/0/0", status: "succeeded", output: "paid 50" },
    ]);
    expect(run.context.usage.toolCalls).toBe(1);
  });

  it("that is refused, or whose call fails, is a message as well", () => {
    const refused = asked();
    refused.take(decided("approval/0/0", false, { reason: "Too much." }));
    expect(userTexts(refused)[1]).toMatch(/rejected by approval handler: Too much\.$/);
    expect(refused.owed).toEqual(["llm/2"]);
    const wrong = asked();
    wrong.take(decided("approval/0/0", true));
    wrong.take(failed("tool/0/0", "no money"));
    expect(userTexts(wrong)[1]).toMatch(/Tool execution failed: pay threw an error\.$/);
    expect(recordsOf(wrong.context)[1]).toMatchObject({
      status: "failed",
      error: { message: "no money" },
    });
  });

  it("may be given with other arguments, which the model reads; wrong ones are refused", () => {
    const run = asked();
    const wrong = run.take(decided("approval/0/0", true, { input: { amount: "7" } }));
    expect(wrong.ignored).toMatchObject({ reason: "refused", code: "approval.input" });
    run.take(decided("approval/0/0", true, { input: { amount: 7 }, by: "Ada" }));
    expect(run.directives).toMatchObject([{ type: "tool", input: { amount: 7 } }]);
    run.take(returned("tool/0/0", "paid 7"));
    expect(userTexts(run)[1]).toContain('other arguments, {"amount":7}');
    expect(recordsOf(run.context)[1]).toMatchObject({
      input: { amount: 7 },
      edited: { from: { amount: 50 }, by: "Ada" },
    });
  });

  it("is decided beside a turn, whose requests begin as those before: the outcome waits for its end", () => {
    const run = asked();
    const before = messagesOf(run.context);
    run.take({ type: "message", content: "What are your hours?" });
    expect(run.owed).toEqual(["approval/0/0", "llm/2"]);
    run.take(decided("approval/0/0", true));
    expect(run.directives).toMatchObject([{ type: "tool", id: "tool/0/0" }]);
    run.take(returned("tool/0/0", "paid 50"));
    expect(run.directives).toEqual([]);
    run.take(answer(2, "From nine to five."));
    expect(run.owed).toEqual(["llm/3"]);
    const messages = messagesOf(run.context);
    expect(messages.slice(0, before.length)).toEqual(before);
    expect(messages.map(({ role }) => role).slice(before.length)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
    expect(textOf(messages.at(-1))).toMatch(/paid 50$/);
  });

  it("beside calls of a later answer, and beside an approval that blocks, is told apart from them", () => {
    const both = agent({
      name: "both",
      conversation: true,
      tools: [...tools, tool({ name: "drop", needsApproval: true, execute: () => "" })],
    });
    const run = asked(both as never);
    run.take({ type: "message", content: "And drop it." });
    run.take(answer(2, wish("drop"), wish("look")));
    expect(run.owed).toEqual(["approval/0/0", "approval/2/0", "tool/2/1"]);
    run.take(decided("approval/0/0", true));
    // What the answer's own step issued is not issued again.
    expect(run.directives).toMatchObject([{ type: "tool", id: "tool/0/0" }]);
    run.take(returned("tool/2/1", "seen"));
    expect(run.directives).toEqual([]);
    run.take(decided("approval/2/0", false));
    run.take(returned("tool/0/0", "paid"));
    run.take(answer(3, "No."));
    expect(userTexts(run).at(-1)).toMatch(/tool\/0\/0 of pay[\s\S]*paid$/);
  });

  it("is asked of nobody where the step ends the run, whose transcript says so", () => {
    const run = byHand(agent({ name: "one", tools, maxIterations: 1 }), "Pay 50.");
    run.take(answer(0, wish("pay", { amount: 50 })));
    expect(run.state).toMatchObject({ status: "failed", value: "maxIterations" });
    expect(run.directives).toEqual([]);
    expect(textOf(lastOf(run.context))).toContain("before it was approved");
    expect(recordsOf(run.context)).toMatchObject([{ status: "asked" }, { status: "not-executed" }]);
  });

  it("of several is one message each, in the order in which they came to something", () => {
    const run = byHand(chat, "Pay twice.");
    run.take(answer(0, wish("pay", { amount: 50 }, "a"), wish("pay", { amount: 60 }, "b")));
    run.take(answer(1, "I asked."));
    run.take({ type: "message", content: "Well?" });
    run.take(decided("approval/0/1", false));
    run.take(decided("approval/0/0", true));
    run.take(returned("tool/0/0", "paid 50"));
    run.take(answer(2, "Soon."));
    expect(userTexts(run).slice(2)).toEqual([
      expect.stringMatching(/tool\/0\/1 of pay[\s\S]*rejected/),
      expect.stringMatching(/tool\/0\/0 of pay[\s\S]*paid 50/),
    ]);
  });

  it("stays open when the turn is interrupted or fails, and is closed with the run", () => {
    const run = asked();
    run.take({ type: "message", content: "Hours?" });
    run.take({ type: "interrupt", partial: {} });
    expect([run.state.value, run.owed]).toEqual(["ready", ["approval/0/0"]]);
    run.take({ type: "message", content: "Hours?" });
    run.take({ type: "llm.failed", id: "llm/3", error: { code: "llm.failed", message: "503" } });
    expect([run.state.value, run.owed]).toEqual(["ready", ["approval/0/0"]]);
    run.take(decided("approval/0/0", true));
    run.take({ type: "cancel" });
    expect([run.state.status, run.owed]).toEqual(["cancelled", []]);
    expect(textOf(lastOf(run.context))).toContain(mayHaveRun("tool/0/0"));
    const undecided = asked();
    undecided.take({ type: "conversation.end" });
    expect(undecided.state.status).toBe("done");
    expect(textOf(lastOf(undecided.context))).toContain("before it was approved");
    expect(recordsOf(undecided.context)[1]).toMatchObject({ status: "not-executed" });
  });

  it("of a run that is no conversation is waited for, and its outcome is answered", () => {
    const run = asked(agent({ name: "one", tools }) as never);
    expect([run.state.status, run.state.value]).toEqual(["active", "ready"]);
    run.take(decided("approval/0/0", true));
    run.take(returned("tool/0/0", "paid 50"));
    run.take(answer(2, "It is paid."));
    expect([run.state.status, run.state.value, run.output]).toEqual([
      "done",
      "answered",
      "It is paid.",
    ]);
    const failing = asked(agent({ name: "one", tools }) as never);
    failing.take({ type: "message", content: "Well?" });
    failing.take({
      type: "llm.failed",
      id: "llm/2",
      error: { code: "llm.failed", message: "503" },
    });
    expect(failing.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(textOf(lastOf(failing.context))).toContain("before it was approved");
  });

  it("of a pure tool and of one that issues has its outcome, with the change of deps", () => {
    const count = tool({
      name: "count",
      needsApproval: beside,
      reduce: () => withUpdate("counted", contextUpdate().increment("n")),
    });
    const keep = tool({
      name: "keep",
      needsApproval: beside,
      issue: () => [{ type: "read", store: "s", query: 1 }],
      settle: (_input, _context, [read]) => (read?.type === "read.succeeded" ? read.value : null),
    });
    const run = byHand(
      agent({ name: "a", conversation: true, tools: [count, keep], deps: { n: 0 } }),
      "Go.",
    );
    run.take(answer(0, wish("count"), wish("keep")));
    run.take(answer(1, "Asked."));
    const { directives } = run.take(decided("approval/0/0", true));
    expect(directives).toMatchObject([
      { type: "notify", topic: "tool.settled", data: { id: "tool/0/0", output: "counted" } },
      { type: "llm" },
    ]);
    expect(run.context.deps).toEqual({ n: 1 });
    run.take(decided("approval/0/1", true));
    expect(run.directives).toMatchObject([{ type: "read", id: "tool/0/1/0" }]);
    run.take({ type: "read.succeeded", id: "tool/0/1/0", value: { kept: true } });
    run.take(answer(2, "Counted."));
    expect(userTexts(run).at(-1)).toMatch(/\{"kept":true\}$/);
  });

  it("of a child gives it a share of the budget, which nothing else of the run may spend", () => {
    const child = agent({ name: "child" });
    const ask = agentTool(child, { name: "ask", needsApproval: beside });
    const run = byHand(
      agent({ name: "a", conversation: true, tools: [ask], tokenBudget: 1_030 }),
      "Go.",
    );
    run.take(answer(0, wish("ask", { prompt: "?" })));
    run.take(answer(1, "Asked."));
    run.take(decided("approval/0/0", true));
    expect(run.directives).toMatchObject([{ type: "run", budget: { tokens: 500 } }]);
    run.take({ type: "message", content: "Well?" });
    run.take({ ...answer(2, "Soon."), usage: { totalTokens: 500 } });
    run.take({ type: "message", content: "Well?" });
    expect(run.context.failure).toMatchObject({ code: "agent.tokenBudget" });
    run.take({
      type: "run.succeeded",
      id: "tool/0/0/0",
      runId: "c",
      output: "Yes.",
      usage: { totalTokens: 5 },
    });
    expect(run.context.usage.totalTokens).toBe(535);
    expect(run.owed).toEqual(["llm/4"]);
  });

  it("survives a context that is serialized", () => {
    const run = asked();
    const read = deserialize(JSON.parse(JSON.stringify(serialize(run.context))));
    expect(read).toMatchObject({ ok: true, context: { pending: run.context.pending } });
  });

  it("is not of a tool that ends the run, and is one or the other", () => {
    const made =
      (needsApproval: never, final = false) =>
      () =>
        tool({ name: "t", needsApproval, final, execute: () => "" });
    expect(made(beside as never, true)).toThrow("its approval blocks");
    for (const wrong of [{ blocks: "no" }, { block: false }, { when: 5 }, 5]) {
      expect(made(wrong as never)).toThrow("needsApproval");
    }
    const of = (needsApproval: boolean | object) =>
      agent({ name: "a", tools: [made(needsApproval as never)()] }).fingerprint;
    expect(of({ when: true, blocks: true })).toBe(of(true));
    expect(of({})).toBe(of(true));
    expect(of(beside)).not.toBe(of(true));
  });
});

describe("a run with such an approval", () => {
  const model = () =>
    scriptedModel(({ messages }) => {
      const last = messages.at(-1);
      const said = textOf(last);
      if (said === "Pay.") return { calls: [{ name: "pay", input: { amount: 50 } }] };
      return last?.role === "tool" ? "I asked." : `re: ${said.split("\n").at(-1)}`;
    });

  it("answers what the user says while it is open, and goes on with it days later", async () => {
    const journal = memoryJournal();
    const host = { model: model() };
    const first = await run(chat, "Pay.", { ...host, journal });
    expect(first).toMatchObject({
      status: "waiting",
      reason: "ready",
      output: "I asked.",
      approvals: [{ id: "approval/0/0" }],
    });
    expect((await summaryOf(journal)).status).toBe("waiting");
    const hours = await resume(chat, journal, { ...host, messages: ["Hours?"] });
    expect(hours).toMatchObject({ output: "re: Hours?", approvals: [{ id: "approval/0/0" }] });
    const approvals = { "approval/0/0": { approve: true } };
    const end = await resume(chat, journal, { ...host, approvals });
    expect(end).toMatchObject({ status: "waiting", output: "re: paid 50", approvals: [] });
    expect(transcriptFault(toArray(end.context.messages))).toBeUndefined();
    expect((await replay(chat, journal)).status).toBe("identical");
  });

  it("comes to the same after a crash anywhere", async () => {
    const again = tool({
      name: "pay",
      needsApproval: beside,
      idempotent: true,
      execute: () => "paid",
    });
    const { end } = await everyWay({
      reasoner: agent({ name: "one", tools: [again] }),
      input: "Pay.",
      world: () => ({ model: model(), approve: () => ({ approve: true }) }),
    });
    expect(end).toMatchObject({ status: "done" });
  });

  it("is told to the next run that goes on from it", async () => {
    const journal = memoryJournal();
    await run(chat, "Pay.", { model: model(), journal });
    const next = await run(chat, "Hours?", { model: model(), from: journal });
    const texts = toArray(next.context.messages).map(textOf);
    expect(texts.some((text) => text.includes("before it was approved"))).toBe(true);
  });
});
