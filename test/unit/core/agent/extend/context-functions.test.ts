// The functions of the agent's context, as the Nous agent context has them.
import { describe, expect, it } from "vitest";
import { noUsage } from "../../../../../src/core/kernel/vocabulary/index.js";
import {
  agentContext,
  type Message,
  type ToolCallRecord,
  toArray,
} from "../../../../../src/index.js";
import { throughJson } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

const {
  addMessage,
  addMessages,
  addToolCall,
  addUsage,
  assistantMessages,
  fromRunContext,
  incrementIteration,
  lastMessage,
  maxIterationsReached,
  mergeDeps,
  newContext,
  patchDanglingToolCalls,
  setNeedsResponse,
  toRunContext,
} = agentContext;

const user: Message = { role: "user", content: "Hello" };
const said: Message = { role: "assistant", content: "Hi" };
const calling: Message = {
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: "c1", toolName: "t", input: {} }],
};
const system: Message = { role: "system", content: "Be brief." };
const result: Message = {
  role: "tool",
  content: [
    { type: "tool-result", toolCallId: "c1", toolName: "t", output: { type: "text", value: "x" } },
  ],
};

describe("a new context", () => {
  it("is empty, needs a response and may ask ten times", () => {
    const context = newContext();
    expect(context).toMatchObject({
      agentName: "agent",
      systemPrompt: null,
      deps: {},
      usage: noUsage,
      needsResponse: true,
      iteration: 0,
      maxIterations: 10,
    });
    expect(toArray(context.messages)).toEqual([]);
    expect(throughJson(context)).toEqual(context);
  });

  it("takes what it is given", () => {
    const context = newContext({
      systemPrompt: "S",
      messages: [user],
      deps: { a: 1 },
      maxIterations: 3,
    });
    expect(context).toMatchObject({ systemPrompt: "S", deps: { a: 1 }, maxIterations: 3 });
    expect(lastMessage(context)).toEqual(user);
  });
});

it.each([
  ["dep is not a part of it; runId, agentName,", { dep: {} }],
  ["takes an object that defines it, not nothing", null],
])("a new context is refused: %s", (what, given) => {
  const { code, message } = refusal(() => agentContext.newContext(given as never));
  expect([code, message]).toEqual(["agent.invalid", expect.stringContaining(what)]);
});

describe("addMessage", () => {
  it.each([
    ["a model's answer needs no response", [user, said], false],
    ["a model's calls need one", [user, calling], true],
    ["a result needs one", [calling, result], true],
    ["a user's word needs one", [said, user], true],
    ["a system message changes nothing: behind an answer", [user, said, system], false],
    ["a system message changes nothing: behind a question", [user, system], true],
  ])("%s", (_name, messages, needs) => {
    expect(addMessages(newContext(), messages).needsResponse).toBe(needs);
  });

  it("one by one and all at once come to the same", () => {
    const all = [user, calling, result, said, system];
    const repeated = all.reduce((context, message) => addMessage(context, message), newContext());
    expect(addMessages(newContext(), all)).toEqual(repeated);
    expect(toArray(repeated.messages)).toEqual(all);
  });

  it("changes no earlier context", () => {
    const before = newContext();
    addMessage(before, user);
    expect(toArray(before.messages)).toEqual([]);
  });

  it("a provider's own call needs no response: it has been carried out", () => {
    const searched: Message = {
      role: "assistant",
      content: [
        { type: "tool-call", toolCallId: "p", toolName: "web", input: {}, providerExecuted: true },
        { type: "text", text: "Found." },
      ],
    };
    expect(addMessages(newContext(), [user, searched]).needsResponse).toBe(false);
  });
});

describe("the other functions", () => {
  it("addToolCall, addUsage, mergeDeps (shallow), incrementIteration, setNeedsResponse", () => {
    const record: ToolCallRecord = {
      id: "tool/0/0",
      callId: "c1",
      name: "t",
      input: {},
      status: "succeeded",
      output: "x",
    };
    const spent = { requests: 1, inputTokens: 2, totalTokens: 2, cacheReadInputTokens: 1 };
    let context = newContext({ deps: { a: { x: 1 }, b: 1 } as object });
    context = addToolCall(context, record);
    context = addUsage(addUsage(context, spent), spent);
    context = mergeDeps(context, { a: { y: 2 } });
    context = setNeedsResponse(incrementIteration(context), false);
    expect(toArray(context.toolCalls)).toEqual([record]);
    expect(context).toMatchObject({
      usage: { requests: 2, inputTokens: 4, totalTokens: 4, cacheReadInputTokens: 2 },
      deps: { b: 1 },
      iteration: 1,
      needsResponse: false,
    });
    expect(context.deps).toEqual({ a: { y: 2 }, b: 1 });
  });

  it("maxIterationsReached at the limit, not before", () => {
    const one = incrementIteration(newContext({ maxIterations: 2 }));
    expect(maxIterationsReached(one)).toBe(false);
    expect(maxIterationsReached(incrementIteration(one))).toBe(true);
  });

  it("lastMessage and assistantMessages, also where there are none", () => {
    expect(lastMessage(newContext())).toBeUndefined();
    expect(assistantMessages(newContext())).toEqual([]);
    const context = addMessages(newContext(), [user, calling, result, said]);
    expect(lastMessage(context)).toEqual(said);
    expect(assistantMessages(context)).toEqual([calling, said]);
  });

  it("toRunContext and back keep the run, deps and usage", () => {
    const context = addUsage(newContext({ runId: "r:1", deps: { a: 1 } }), { requests: 3 });
    const run = toRunContext(context, { id: "tool/0/1", at: 7 });
    expect(run).toEqual({
      runId: "r:1",
      id: "tool/0/1",
      idempotencyKey: "r%3a1:tool/0/1",
      at: 7,
      deps: { a: 1 },
      usage: { ...noUsage, requests: 3 },
      retry: 0,
    });
    const again = fromRunContext(run, { systemPrompt: "S", maxIterations: 4 });
    expect(again).toMatchObject({
      runId: "r:1",
      deps: { a: 1 },
      usage: { requests: 3 },
      systemPrompt: "S",
      maxIterations: 4,
      iteration: 0,
    });
  });

  it("patchDanglingToolCalls gives a call its result, and then needs a response", () => {
    const cut = setNeedsResponse(addMessages(newContext(), [user, calling]), false);
    const patched = patchDanglingToolCalls(cut);
    expect(toArray(patched.messages)).toHaveLength(3);
    expect(patched.needsResponse).toBe(true);
    expect(patchDanglingToolCalls(patched)).toBe(patched);
    const whole = addMessages(newContext(), [user, calling, result]);
    expect(patchDanglingToolCalls(whole)).toBe(whole);
  });
});
