// The cases of the Nous runner, live: each as it is, replayed, and killed after every line.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, memoryJournal, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { errorsOf, messagesOf, recordsOf, resultsOf } from "../../../support/agent-events.js";
import { everyWay } from "../../../support/every-way.js";

const input = "Hello";

describe("the runner", () => {
  it("given a text reply: one iteration, 15 tokens", async () => {
    const model = scriptedModel(["Hi"]);
    const { end } = await everyWay({
      reasoner: agent({ name: "a" }),
      input,
      world: () => ({ model }),
    });
    expect(end).toMatchObject({ status: "done", output: "Hi" });
    expect(end.context).toMatchObject({ iteration: 1, usage: { requests: 1, totalTokens: 15 } });
  });

  it("given a model error: that error, the transcript kept", async () => {
    const model = scriptedModel(() => ({ error: { code: "http", status: 400, message: "no" } }));
    const { end } = await everyWay({
      reasoner: agent({ name: "a" }),
      input,
      world: () => ({ model }),
    });
    expect(end).toMatchObject({
      status: "failed",
      reason: "modelFailed",
      error: { code: "http", status: 400, message: "no" },
    });
    expect(messagesOf(end.context)).toEqual([{ role: "user", content: "Hello" }]);
  });

  it("given a tool that throws: the model is told, and the run continues to its text", async () => {
    const throws = tool({
      name: "throws",
      idempotent: true,
      retries: 9,
      execute: (_input, { retry }) => {
        throw new Error(`broken ${retry}`);
      },
    });
    const model = scriptedModel([{ calls: [{ name: "throws" }] }, "Sorry."]);
    const { end } = await everyWay({
      reasoner: agent({ name: "a", tools: [throws] }),
      input,
      world: () => ({ model }),
      // Attempts of a killed process count.
      mayDiffer: true,
    });
    expect(end).toMatchObject({ status: "done", output: "Sorry." });
    expect(resultsOf(end.context)).toEqual(["Tool execution failed: throws threw an error."]);
    expect(errorsOf(end.context)).toEqual(["broken 9"]);
  });

  it("given endless calls and at most 2 iterations: ends with the limit", async () => {
    const look = tool({ name: "look", reduce: () => "seen" });
    const model = scriptedModel(() => ({ calls: [{ name: "look" }] }));
    const { end } = await everyWay({
      reasoner: agent({ name: "a", tools: [look] }),
      input: { prompt: input, maxIterations: 2 },
      world: () => ({ model }),
    });
    expect(end).toMatchObject({ status: "failed", error: { code: "agent.maxIterations" } });
    expect(end.context).toMatchObject({ iteration: 2, maxIterations: 2 });
  });

  it("given an unregistered tool: Tool not found, and the run continues", async () => {
    const model = scriptedModel([{ calls: [{ name: "nope" }] }, "Sorry."]);
    const { end } = await everyWay({
      reasoner: agent({ name: "a" }),
      input,
      world: () => ({ model }),
    });
    expect(resultsOf(end.context)).toEqual(["Tool not found: nope"]);
    expect(end).toMatchObject({ status: "done", output: "Sorry." });
  });

  it("given retries 2 and a tool that always fails: three attempts, then the error", async () => {
    let attempts = 0;
    const flaky = tool({
      name: "flaky",
      retries: 2,
      execute() {
        attempts += 1;
        throw new Error("down");
      },
    });
    const model = scriptedModel([{ calls: [{ name: "flaky" }] }, "Sorry."]);
    const end = await run(agent({ name: "a", tools: [flaky] }), input, { model });
    expect(attempts).toBe(3);
    expect(recordsOf(end.context)).toMatchObject([
      {
        status: "failed",
        output: "Tool execution failed: flaky threw an error.",
        error: { code: "tool.threw", message: "down" },
      },
    ]);
  });

  it.each([{}, { path: 5 }, { path: null }])(
    "given the argument %j: rejected before it is called",
    async (wrong) => {
      let called = 0;
      const read = tool({
        name: "read",
        inputSchema: z.object({ path: z.string() }),
        execute: () => {
          called += 1;
          return "";
        },
      });
      const model = scriptedModel([{ calls: [{ name: "read", input: wrong }] }, "Sorry."]);
      const { end } = await everyWay({
        reasoner: agent({ name: "a", tools: [read] }),
        input,
        world: () => ({ model }),
      });
      expect(called).toBe(0);
      expect(resultsOf(end.context)[0]).toContain("did not match the schema (path: ");
    },
  );

  it("given approval required and nobody to approve: rejected without a journal, waiting with one", async () => {
    const risky = tool({ name: "risky", needsApproval: true, execute: () => "done" });
    const reasoner = agent({ name: "a", tools: [risky] });
    const model = scriptedModel([{ calls: [{ name: "risky" }] }, "I may not."]);
    const end = await run(reasoner, input, { model });
    expect(recordsOf(end.context)).toMatchObject([{ status: "rejected" }]);
    expect(end).toMatchObject({ status: "done", output: "I may not." });
    const journal = memoryJournal();
    expect(await run(reasoner, input, { model, journal })).toMatchObject({ status: "waiting" });
    const denied = await resume(reasoner, journal, { model, unattended: "deny" });
    expect(denied).toMatchObject({ status: "done", output: "I may not." });
  });

  it("given a cancel before the start: cancelled, and nobody is asked", async () => {
    let asked = 0;
    const model = scriptedModel(() => {
      asked += 1;
      return "Hi";
    });
    const end = await run(agent({ name: "a" }), input, { model, signal: AbortSignal.abort("no") });
    expect(end).toMatchObject({ status: "cancelled" });
    expect(end.context.cancelReason).toBe("no");
    expect(asked).toBe(0);
    expect(messagesOf(end.context)).toHaveLength(1);
  });

  it("given dangling calls in earlier messages: each is answered right behind them", async () => {
    const calls = ["c1", "c2"].map((toolCallId) => ({
      type: "tool-call" as const,
      toolCallId,
      toolName: "t",
      input: {},
    }));
    const model = scriptedModel(() => "Again?");
    const { end } = await everyWay({
      reasoner: agent({ name: "a" }),
      input: {
        prompt: "Go on",
        messages: [
          { role: "user", content: "Hello" },
          { role: "assistant", content: calls },
        ],
      },
      world: () => ({ model }),
    });
    expect(messagesOf(end.context).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "user",
      "assistant",
    ]);
    expect(new Set(resultsOf(end.context))).toEqual(
      new Set(["Tool call was interrupted and not executed. Please retry if needed."]),
    );
  });
});
