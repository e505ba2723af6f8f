// Answers that are not believed: their calls do not run, their text is not the output; the model is told
// why and asked again, so many times in a turn, and then the run ends for it.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentContext,
  agent,
  type FinishReason,
  type ModelResponse,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import {
  answer,
  lastOf,
  messagesOf,
  recordsOf,
  resultsOf,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const thought = { type: "reasoning", text: "Hm." } as const;
const flawed = [
  ["empty", "stop", []],
  ["empty", "stop", [thought]],
  ["empty", "tool-calls", []],
  ["truncated", "length", [{ type: "text", text: "First, take the" }]],
  ["filtered", "content-filter", [{ type: "text", text: "I" }]],
  ["faulty", "error", [{ type: "text", text: "First" }]],
] as const;

const ran: unknown[] = [];
const pay = tool({
  name: "pay",
  idempotent: true,
  execute: (input) => {
    ran.push(input);
    return "paid";
  },
});
const clerk = agent({ name: "clerk", tools: [pay] });

const ending = (
  finishReason: FinishReason,
  n: number,
  ...parts: Parameters<typeof answer>[1][]
) => ({
  ...answer(n, ...parts),
  finishReason,
});
const noticesOf = (step: { readonly directives: readonly object[] }) =>
  step.directives.filter((each) => (each as { type: string }).type === "notify");

describe.each(flawed)("an answer that is %s (%s, %j)", (flaw, finishReason, content) => {
  it("is asked for again; the model and observers are told why", () => {
    const run = byHand(clerk, "Pay 3.");
    run.take(ending(finishReason, 0, ...content));
    expect(run.owed).toEqual(["llm/1"]);
    expect(run.context).toMatchObject({ flaw, answer: null, finishReason });
    expect(messagesOf(run.context).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(String(lastOf(run.context)?.content)).toContain("Your last answer was not taken");
    expect(noticesOf(run)).toEqual([
      { type: "notify", topic: "answer.again", data: { iteration: 0, flaw, times: 1 } },
    ]);
    run.take(answer(1, "Paid."));
    expect(run.state).toMatchObject({ status: "done", value: "answered", context: { flaw: null } });
  });

  it("ends the run, in a state of its own, where it stays so", () => {
    const run = byHand(clerk, "Pay 3.");
    for (const n of [0, 1, 2]) run.take(ending(finishReason, n, ...content));
    expect(run.state).toMatchObject({ status: "failed", value: `${flaw}Answer` });
    const error = clerk.error(run.state);
    expect(error?.code).toBe(`agent.${flaw}Answer`);
    expect(error?.message).toContain(`(finish reason ${finishReason})`);
    expect(error?.message).toContain("(2 times)");
    expect(noticesOf(run)).toEqual([]);
  });

  it("ends a wrap-up at once", () => {
    const one = agent({ name: "a", tools: [pay], maxIterations: 1, onLimit: "answer" });
    const run = byHand(one, "Pay 3.");
    run.take(answer(0, wish("pay")));
    run.take({ type: "tool.succeeded", id: "tool/0/0", output: "paid" });
    run.take(ending(finishReason, 1, ...content));
    expect(run.state).toMatchObject({ status: "failed", value: `${flaw}Answer` });
  });
});

describe.each([
  ["truncated", "length"],
  ["filtered", "content-filter"],
  ["faulty", "error"],
  ["faulty", "other"],
] as const)("the calls of an answer that is %s (%s)", (flaw, finishReason) => {
  it("do not run; the model reads why, and may make them again", () => {
    const run = byHand(clerk, "Pay 3 and 4.");
    run.take(ending(finishReason, 0, "Now:", wish("pay", { sum: 3 }, "a"), wish("pay", {}, "b")));
    expect(run.owed).toEqual(["llm/1"]);
    expect(resultsOf(run.context)).toHaveLength(2);
    for (const text of resultsOf(run.context))
      expect(text).toMatch(/^Error: not executed, because/);
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual([
      "not-executed",
      "not-executed",
    ]);
    expect(noticesOf(run)).toMatchObject([{ topic: "answer.again", data: { flaw, times: 1 } }]);
    run.take(answer(1, wish("pay", { sum: 3 }, "a")));
    expect(run.owed).toEqual(["tool/1/0"]);
  });

  it("end the run where they stay so, each with its result", () => {
    const run = byHand(agent({ name: "a", tools: [pay], answerRetries: 1 }), "Pay 3.");
    run.take(ending(finishReason, 0, wish("pay", { sum: 3 }, "a")));
    run.take(ending(finishReason, 1, wish("pay", { sum: 3 }, "b")));
    expect(run.state).toMatchObject({ status: "failed", value: `${flaw}Answer` });
    expect(resultsOf(run.context)).toHaveLength(2);
  });
});

describe("how often it is asked for again", () => {
  it.each([
    [0, 1],
    [1, 2],
    [undefined, 3],
  ])("with answerRetries %s the model is asked %d times", (answerRetries, asked) => {
    const run = byHand(agent({ name: "a", answerRetries }), "x");
    let n = 0;
    while (run.state.status === "active") run.take(answer(n++));
    expect(n).toBe(asked);
  });

  it("is counted in one turn, whatever was wrong", () => {
    const run = byHand(clerk, "x");
    run.take(answer(0));
    run.take(ending("length", 1, "Fi"));
    run.take(ending("content-filter", 2, "Fi"));
    expect(run.state.value).toBe("filteredAnswer");
    const chat = byHand(agent({ name: "chat", conversation: true }), "x");
    chat.take(answer(0));
    chat.take(answer(1));
    chat.take(answer(2, "Hello."));
    chat.take({ type: "message", content: "And now?" });
    chat.take(answer(3));
    chat.take(answer(4));
    expect(chat.owed).toEqual(["llm/5"]);
  });

  it("ends with a limit, and names what was wrong with the answer", () => {
    const run = byHand(agent({ name: "a", maxIterations: 1 }), "x");
    run.take(answer(0));
    expect(run.state.value).toBe("emptyAnswer");
    const wraps = byHand(agent({ name: "a", maxIterations: 1, onLimit: "answer" }), "x");
    wraps.take(answer(0));
    expect(wraps.state.value).toBe("concluding");
    wraps.take(answer(1, "Five."));
    expect(wraps.output).toBe("Five.");
  });
});

it("a provider that has not finished its own tools is asked again, and nothing is said to it", () => {
  const run = byHand(clerk, "x");
  const theirs = { ...wish("search"), providerExecuted: true };
  run.take(ending("paused", 0, "I look.", theirs));
  expect(run.owed).toEqual(["llm/1"]);
  expect(lastOf(run.context)?.role).toBe("assistant");
  run.take(answer(1, "Found."));
  expect(run.output).toBe("Found.");
});

it("an output that does not validate, and a call that was refused, are told to observers too", () => {
  const counter = agent({
    name: "a",
    output: { schema: z.literal(5) },
    onRejectedCall: "tell",
  });
  const run = byHand(counter, "x");
  run.take(answer(0, "6"));
  expect(noticesOf(run)).toMatchObject([{ data: { iteration: 0, flaw: "output", times: 1 } }]);
  run.take({ type: "llm.failed", id: "llm/1", error: { code: "llm.rejectedCall", message: "m" } });
  expect(noticesOf(run)).toMatchObject([{ data: { iteration: 1, flaw: "rejected" } }]);
  run.take(answer(2, "5"));
  expect(run.output).toBe(5);
});

describe("a run", () => {
  it("tells at its end why the model stopped", async () => {
    const said = (finishReason: FinishReason): ModelResponse => ({
      content: [{ type: "text", text: "Five." }],
      finishReason,
      usage: {},
    });
    const endOf = (finishReason: FinishReason) =>
      run(agent({ name: "a", answerRetries: 0 }), "x", {
        model: { name: "m", generate: async () => said(finishReason) },
      });
    expect(await endOf("other")).toMatchObject({ status: "done", finishReason: "other" });
    expect(await endOf("length")).toMatchObject({ status: "failed", finishReason: "length" });
    const chat = agent({ name: "a", conversation: true });
    const waiting = await run(chat, "x", { model: scriptedModel(["Hello."]) });
    expect(waiting).toMatchObject({ status: "waiting", finishReason: "stop" });
    // One that was never asked has none.
    const none = await run(agent({ name: "a" }), {} as never, { model: scriptedModel(["x"]) });
    expect(none.finishReason).toBeUndefined();
  });

  it("with such answers comes to the same end however it is killed and resumed", async () => {
    ran.length = 0;
    const call = { calls: [{ name: "pay", input: { sum: 3 } }] };
    const { end } = await everyWay<string, unknown, never>({
      reasoner: clerk as never,
      input: "Pay 3.",
      world: () => ({
        model: scriptedModel(({ messages }) => {
          const asked = messages.filter(({ role }) => role === "assistant").length;
          return (
            [{ text: "" }, { ...call, finishReason: "length" as const }, call][asked] ?? "Paid."
          );
        }),
      }),
    });
    expect(end).toMatchObject({ status: "done", output: "Paid." });
    expect(recordsOf(end.context as AgentContext).map(({ status }) => status)).toEqual([
      "not-executed",
      "succeeded",
    ]);
  });
});
