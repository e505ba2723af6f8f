// The agent loop: ask, answer, count, end.
import { describe, expect, it } from "vitest";
import { noUsage } from "../../../../src/core/kernel/vocabulary/index.js";
import { type Agent, agent, tool } from "../../../../src/index.js";
import {
  answer,
  cost,
  lastOf,
  messagesOf,
  returned,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { refusal } from "../../../support/thrown.js";

const look = tool({ name: "look", jsonSchema: { type: "object" }, execute: () => "" });
const looker: Agent = agent({ name: "looker", system: "Look.", tools: [look] });

describe("asking", () => {
  it("starts with one model call that has the system prompt, the tools and the prompt", () => {
    const run = byHand(looker, "What is there?");
    const [directive] = run.directives;
    expect(run.directives).toHaveLength(1);
    expect(directive).toMatchObject({
      type: "llm",
      id: "llm/0",
      system: "Look.",
      tools: [look.schema],
    });
    expect(messagesOf(run.context)).toEqual([{ role: "user", content: "What is there?" }]);
    expect(run.state.value).toBe("thinking");
  });

  it("an earlier transcript comes before the prompt", () => {
    const messages = [
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
    ] as const;
    const run = byHand(looker, { prompt: "c", messages });
    expect(messagesOf(run.context).map(({ content }) => content)).toEqual(["a", "b", "c"]);
  });

  it("settings, tool choice and the model's name go into the request", () => {
    const more = {
      settings: { temperature: 0 },
      toolChoice: { tool: "look" },
      model: "small",
    } as const;
    const run = byHand(agent({ name: "a", tools: [look], ...more }), "x");
    expect(run.directives[0]).toMatchObject(more);
  });

  it("an agent without system prompt and tools asks without them", () => {
    const run = byHand(agent({ name: "a" }), "x");
    expect(Object.keys(run.directives[0] as object).sort()).toEqual(["id", "messages", "type"]);
  });
});

describe("answering", () => {
  it("a text reply ends the run after one iteration, with its usage", () => {
    const run = byHand(looker, "x");
    run.take(answer(0, "Nothing."));
    expect(run.state).toMatchObject({ status: "done", value: "answered" });
    expect(run.output).toBe("Nothing.");
    expect(run.context).toMatchObject({ iteration: 1, finishReason: "stop" });
    expect(run.context.usage.totalTokens).toBe(15);
  });

  it("the output is the text of all text parts; reasoning is kept and not in it", () => {
    const run = byHand(looker, "x");
    const reasoning = {
      type: "reasoning",
      text: "hm",
      providerOptions: { anthropic: { signature: "s" } },
    } as const;
    run.take(answer(0, reasoning, "One ", "two."));
    expect(run.output).toBe("One two.");
    expect(lastOf(run.context)?.content).toContainEqual(reasoning);
  });

  it("tool calls that the provider carried out itself are none of ours", () => {
    const run = byHand(looker, "x");
    run.take(answer(0, { ...wish("search"), providerExecuted: true }, "Found it."));
    expect([run.state.status, run.output]).toEqual(["done", "Found it."]);
  });

  it("a model error ends the run with that error", () => {
    const run = byHand(looker, "x");
    const error = { code: "llm.failed", message: "down", status: 503 };
    run.take({ type: "llm.failed", id: "llm/0", error });
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(looker.error(run.state)).toEqual(error);
  });
});

describe("going round", () => {
  it("each iteration has its own id, and the transcript grows by reference", () => {
    const run = byHand(looker, "x");
    for (let i = 0; i < 3; i++) {
      run.take(answer(i, wish("look", { i })));
      expect(run.owed).toEqual([`tool/${i}/0`]);
      run.take(returned(`tool/${i}/0`, i));
      expect(run.owed).toEqual([`llm/${i + 1}`]);
    }
    run.take(answer(3, "done"));
    expect(messagesOf(run.context)).toHaveLength(8);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });

  it("endless calls end in an error after the iterations that are allowed", () => {
    const run = byHand(looker, { prompt: "x", maxIterations: 2 });
    for (let i = 0; i < 2; i++) {
      run.take(answer(i, wish("look")));
      run.take(returned(`tool/${i}/0`, "ok"));
    }
    expect(run.state).toMatchObject({ status: "failed", value: "maxIterations" });
    expect(looker.error(run.state)?.code).toBe("agent.maxIterations");
    expect(looker.error(run.state)?.message).toContain("2 times");
    expect([run.owed, run.context.iteration]).toEqual([[], 2]);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });

  it("an answer in the last iteration that is allowed is an answer", () => {
    const run = byHand(looker, { prompt: "x", maxIterations: 1 });
    run.take(answer(0, "done"));
    expect(run.state.status).toBe("done");
  });

  it("ten iterations are allowed where nothing is said", () => {
    expect(byHand(looker, "x").context.maxIterations).toBe(10);
  });
});

describe("usage", () => {
  it("begins at nothing in all seven counters", () => {
    expect(byHand(looker, "x").context.usage).toEqual(noUsage);
    expect(Object.keys(noUsage)).toHaveLength(7);
  });

  it("adds up every counter over answers and tool calls", () => {
    const run = byHand(looker, "x");
    const usage = { ...cost, cacheCreationInputTokens: 3, cacheReadInputTokens: 2 };
    run.take({
      ...answer(0, wish("look"), wish("look", {}, "second")),
      usage: { ...usage, requests: 2 },
    });
    run.take(returned("tool/0/0", 1));
    run.take(returned("tool/0/1", 1));
    run.take({ ...answer(1, "done"), usage });
    expect(run.context.usage).toEqual({
      requests: 3,
      toolCalls: 2,
      inputTokens: 20,
      outputTokens: 10,
      totalTokens: 30,
      cacheCreationInputTokens: 6,
      cacheReadInputTokens: 4,
    });
  });

  it("counts that are absent are 0, but for the total, which is the sum of the others", () => {
    const run = byHand(looker, "x");
    run.take({ ...answer(0, "done"), usage: { inputTokens: 4 } });
    expect(run.context.usage).toEqual({ ...noUsage, requests: 1, inputTokens: 4, totalTokens: 4 });
  });
});

describe("what the user says while the agent is busy", () => {
  it("while the model thinks: the answer is not the end, and the message comes after it", () => {
    const run = byHand(looker, "x");
    run.take({ type: "message", content: "also y" });
    expect(run.directives).toEqual([]);
    run.take(answer(0, "x is done"));
    expect(run.owed).toEqual(["llm/1"]);
    expect(messagesOf(run.context).map(({ content }) => content)).toEqual([
      "x",
      [{ type: "text", text: "x is done" }],
      "also y",
    ]);
  });

  it("while tools run: it comes after the results, in the order it was said", () => {
    const run = byHand(looker, "x");
    run.take(answer(0, wish("look")));
    run.take({ type: "message", content: "first" });
    run.take({ type: "message", content: [{ type: "text", text: "second" }] });
    run.take(returned("tool/0/0", 1));
    const roles = messagesOf(run.context).map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "user", "user"]);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("when a final tool has succeeded: the run goes on", () => {
    const finish = tool({ name: "finish", final: true, reduce: () => "out" });
    const run = byHand(agent({ name: "a", tools: [finish, look] }), "x");
    run.take(answer(0, wish("look"), wish("finish")));
    run.take({ type: "message", content: "wait" });
    run.take(returned("tool/0/0", 1));
    expect([run.state.status, run.owed]).toEqual(["active", ["llm/1"]]);
  });

  it("when the iterations are used up: it is in the transcript of the failed run", () => {
    const run = byHand(looker, { prompt: "x", maxIterations: 1 });
    run.take({ type: "message", content: "more" });
    run.take(answer(0, "x is done"));
    expect(run.state.value).toBe("maxIterations");
    expect(lastOf(run.context)?.content).toBe("more");
  });

  it("when the model fails: it is in the transcript of the failed run", () => {
    const run = byHand(looker, "x");
    run.take({ type: "message", content: "more" });
    run.take({ type: "llm.failed", id: "llm/0", error: { code: "c", message: "m" } });
    expect(lastOf(run.context)?.content).toBe("more");
  });
});

describe("definitions that cannot work are refused", () => {
  const definitions: readonly (readonly [string, object])[] = [
    ["no name", { name: "" }],
    ["no iteration", { name: "a", maxIterations: 0 }],
    ["half an iteration", { name: "a", maxIterations: 1.5 }],
  ];
  for (const [name, definition] of definitions) {
    it(name, () =>
      expect(refusal(() => agent(definition as { name: string })).code).toBe("agent.invalid"),
    );
  }

  it("two tools of one name", () => {
    expect(refusal(() => agent({ name: "a", tools: [look, look] })).code).toBe("tool.invalid");
  });
});

it("the fingerprint follows prompts and schemas", () => {
  const print = (more: object) => agent({ name: "a", ...more }).fingerprint;
  const prints = [{}, { system: "s" }, { tools: [look] }, { settings: { seed: 1 } }].map(print);
  expect(new Set(prints).size).toBe(prints.length);
});

it("deps come from the input, else from the definition", () => {
  const one = agent<{ n?: number }>({ name: "a", deps: { n: 1 } });
  expect(byHand(one, "x").context.deps).toEqual({ n: 1 });
  expect(byHand(one, { prompt: "x", deps: { n: 2 } }).context.deps).toEqual({ n: 2 });
  expect(
    byHand(one, { messages: [{ role: "user", content: "x" }], deps: { n: 3 } }).context.deps,
  ).toEqual({ n: 3 });
});
