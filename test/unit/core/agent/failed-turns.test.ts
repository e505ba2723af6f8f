// A failed turn ends no conversation: the transcript is kept, and the next message goes on.
import { describe, expect, it } from "vitest";
import {
  agent,
  ModelError,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  summaryOf,
  toArray,
  tool,
} from "../../../../src/index.js";
import {
  answer,
  decided,
  messagesOf,
  recordsOf,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const look = tool({ name: "look", execute: () => "" });
const pay = tool({ name: "pay", needsApproval: true, execute: () => "" });
const tools = [look, pay];
const error = { code: "llm.failed", message: "503 overloaded" };
const rolesOf = (run: { context: Parameters<typeof messagesOf>[0] }) =>
  messagesOf(run.context).map(({ role }) => role);

describe("a turn of a conversation that fails", () => {
  it("for its model leaves what the user said, and the next message goes on", () => {
    const run = byHand(agent({ name: "a", conversation: true }), "Hello");
    run.take({ type: "llm.failed", id: "llm/0", error });
    expect(run.state).toMatchObject({ status: "active", value: "ready" });
    expect(run.context.failure).toEqual({ ...error, directive: "llm/0" });
    expect([rolesOf(run), run.output]).toEqual([["user"], undefined]);
    run.take({ type: "message", content: "Again?" });
    expect(run.owed).toEqual(["llm/1"]);
    run.take(answer(1, "Yes."));
    expect([run.output, run.context.failure, run.context.turn]).toEqual(["Yes.", null, 2]);
    run.take({ type: "conversation.end" });
    expect(run.state).toMatchObject({ status: "done", value: "ended" });
  });

  it("for its limit of iterations has as many in the next", () => {
    const run = byHand(agent({ name: "a", conversation: true, tools, maxIterations: 1 }), "Hello");
    for (const turn of [0, 1]) {
      run.take(answer(run.context.iteration, wish("look")));
      const [id] = run.owed;
      run.take({ type: "tool.succeeded", id, output: turn });
      expect(run.context.failure).toEqual({
        code: "agent.maxIterations",
        message: expect.stringContaining("asked 1 times"),
      });
      run.take({ type: "message", content: "Again?" });
      expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
    }
  });

  it("for its deadline closes what waits, and says so", () => {
    const run = byHand(agent({ name: "a", conversation: true, tools, deadlineMs: 100 }), "Hello");
    // While a person alone is waited for it would stand still.
    run.take(answer(0, wish("pay"), wish("look")));
    run.take({ type: "timer.fired", id: "timer/deadline/0", at: 100 });
    expect([run.state.value, run.owed]).toEqual(["ready", []]);
    expect(recordsOf(run.context)).toMatchObject([
      { status: "not-executed", output: expect.stringContaining("since the turn failed") },
      { status: "unknown" },
    ]);
    const { ignored } = run.take(decided("approval/0/0", true));
    expect(ignored?.reason).toBe("stale");
    run.take({ type: "message", content: "Again?" });
    expect(run.owed).toContain("timer/deadline/1");
  });

  it("for an answer that is not believed, after a behaviour that goes on, for its output", () => {
    const empty = byHand(agent({ name: "a", conversation: true, answerRetries: 0 }), "Hello");
    empty.take(answer(0));
    expect(empty.context.failure).toMatchObject({ code: "agent.emptyAnswer" });
    expect(empty.context.failure?.directive).toBeUndefined();
    expect(empty.state.value).toBe("ready");
  });

  it("leaves what was said meanwhile to the next turn", () => {
    const run = byHand(agent({ name: "a", conversation: true }), "Hello");
    run.take({ type: "message", content: "And this?" });
    run.take({ type: "llm.failed", id: "llm/0", error });
    expect(run.owed).toEqual(["llm/1"]);
    expect(run.context).toMatchObject({ turn: 1, failure: { code: "llm.failed" } });
    expect(rolesOf(run)).toEqual(["user", "user"]);
    expect(toArray(run.context.queue)).toEqual([]);
  });

  it("is told at the run's end and in its row, until a turn goes well", async () => {
    const journal = memoryJournal();
    const chat = agent({ name: "chat", conversation: true });
    const refused = new ModelError({ code: "llm.failed", message: "no key", transient: false });
    const down = { name: "m", generate: () => Promise.reject(refused) };
    const first = await run(chat, "Hello", { model: down, journal });
    const failure = { code: "llm.failed", message: "no key", directive: "llm/0" };
    expect(first).toMatchObject({ status: "waiting", reason: "ready", failure });
    expect(await summaryOf(journal)).toMatchObject({ status: "ready", failure });
    const again = await resume(chat, journal, { model: down, messages: ["Again?"] });
    expect(again).toMatchObject({ failure: { directive: "llm/1" } });
    expect(await summaryOf(journal)).toMatchObject({ failure: { directive: "llm/1" } });
    const model = scriptedModel(() => "Yes.");
    const well = await resume(chat, journal, { model, messages: ["And now?"] });
    expect([well, await summaryOf(journal)].map((each) => "failure" in each)).toEqual([
      false,
      false,
    ]);
  });

  it("ends a run that is no conversation", () => {
    const run = byHand(agent({ name: "a" }), "Hello");
    run.take({ type: "llm.failed", id: "llm/0", error });
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(run.context.failure).toBeNull();
  });
});

describe("a budget that is spent", () => {
  const prices = { m: { inputPerMillion: 1, outputPerMillion: 1 } };
  it.each([
    ["tokenBudget", { tokenBudget: 15 }, { spent: 15, total: 15 }],
    [
      "costBudget",
      { costBudget: 4.6e-5, prices, model: "m", settings: { maxOutputTokens: 30 } },
      { total: 46_000 },
    ],
  ] as const)("of a conversation refuses a message at the door: %s", (_name, limits, detail) => {
    const run = byHand(agent({ name: "a", conversation: true, ...limits }), "Hello");
    run.take(answer(0, "Hi."));
    expect(run.state.value).toBe("ready");
    const { ignored } = run.take({ type: "message", content: "More?" });
    expect(ignored).toMatchObject({ reason: "refused", code: "budget.spent" });
    expect(ignored?.message).toMatch(/has spent .* of .*, and the next request may take/);
    const one = agent({ name: "a", conversation: true, ...limits });
    const message = { type: "message", content: "More?", at: 9 } as const;
    expect(one.refusal(run.state, message)?.detail).toMatchObject(detail);
    expect(run.context.turn).toBe(1);
  });
});

describe("a budget of each turn", () => {
  const prices = { m: { inputPerMillion: 1, outputPerMillion: 1 } };
  it("fails the turn that spends it, and begins anew in the next", () => {
    const tokenBudget = { perTurn: 15, total: 40 };
    const run = byHand(agent({ name: "a", conversation: true, tools, tokenBudget }), "Hello");
    expect(run.context).toMatchObject({ tokenBudget: 15, budgets: { tokens: 40, cost: null } });
    for (const [bound, spent] of [
      [30, 15],
      [40, 30],
    ]) {
      run.take(answer(run.context.iteration, wish("look")));
      run.take({ type: "tool.succeeded", id: run.owed[0], output: "" });
      expect(run.context.failure).toEqual({
        code: "agent.tokenBudget",
        message: "The turn has spent 15 tokens of its 15; raise tokenBudget or simplify the task.",
      });
      expect(run.context).toMatchObject({ tokenBudget: bound, turnSpent: { tokens: spent } });
      run.take({ type: "message", content: "Again?" });
    }
    run.take(answer(run.context.iteration, "Yes."));
    const { ignored } = run.take({ type: "message", content: "More?" });
    expect(ignored).toMatchObject({ code: "budget.spent" });
    expect(ignored?.message).toContain("has spent 45 tokens of 40 tokens");
  });

  it("alone refuses no message", () => {
    const costBudget = { perTurn: 46_000 };
    const money = { costBudget, prices, model: "m", settings: { maxOutputTokens: 30 } };
    const run = byHand(agent({ name: "a", conversation: true, ...money }), "Hello");
    for (const turn of [0, 1, 2]) {
      run.take(answer(turn, "Hi."));
      expect(run.context.failure).toBeNull();
      run.take({ type: "message", content: "More?" });
      expect(run.owed).toEqual([`llm/${turn + 1}`]);
    }
  });

  it.each([{ perTurn: 0 }, { perTurn: 5, most: 9 }, "5", null])("is none in %j", (tokenBudget) => {
    expect(() => agent({ name: "a", tokenBudget: tokenBudget as never })).toThrow("tokenBudget");
  });
});
