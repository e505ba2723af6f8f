// A context as data and back: what is kept, what is left out, and what is refused.
import { describe, expect, it } from "vitest";
import {
  type AgentContext,
  agent,
  agentContext,
  type Message,
  toArray,
  tool,
} from "../../../../../src/index.js";
import { lists } from "../../../../../src/kernel.js";
import { answer, wish } from "../../../../support/agent-events.js";
import { byHand, throughJson } from "../../../../support/by-hand.js";

const { deserialize, serialize } = agentContext;

const { newContext, addMessages, addUsage, addToolCall } = agentContext;

const messages: readonly Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "Weather?" }] },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I look." },
      { type: "tool-call", toolCallId: "c1", toolName: "look", input: { where: "here" } },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "c1",
        toolName: "look",
        output: { type: "json", value: { sky: "grey" } },
      },
    ],
  },
  { role: "assistant", content: "Grey." },
];

function whole(deps: object = { region: "north" }): AgentContext {
  const context = newContext({
    agentName: "clerk",
    systemPrompt: "You are a clerk.",
    deps: deps as AgentContext["deps"],
    maxIterations: 7,
    startedAt: Date.UTC(2024, 4, 1, 12),
  });
  const usage = { requests: 2, inputTokens: 9, totalTokens: 9, cacheReadInputTokens: 4 };
  return {
    ...addToolCall(addUsage(addMessages(context, messages), usage), {
      id: "tool/0/0",
      callId: "c1",
      name: "look",
      input: { where: "here" },
      status: "succeeded",
      output: { sky: "grey" },
    }),
    iteration: 2,
    queue: lists.of([{ role: "user" as const, content: "And tomorrow?" }]),
  };
}

/** What a context is after it was stored and read again. */
function stored(context: AgentContext): AgentContext {
  const read = deserialize(throughJson(serialize(context)));
  if (!read.ok) throw new Error(read.error);
  expect(read.warnings).toEqual([]);
  return read.context;
}

describe("serialize", () => {
  it("gives version 1 and the basic fields, lists as arrays, the start as ISO 8601", () => {
    const data = serialize(whole());
    expect(data).toMatchObject({
      version: 1,
      agentName: "clerk",
      systemPrompt: "You are a clerk.",
      maxIterations: 7,
      iteration: 2,
      needsResponse: false,
      startedAt: "2024-05-01T12:00:00.000Z",
    });
    expect(data.messages).toEqual(messages);
    expect(data.toolCalls).toHaveLength(1);
    expect(throughJson(data)).toEqual(data);
  });

  it("leaves secrets of deps out, at every depth, by whole word-parts", () => {
    const secrets = {
      apiToken: "x",
      api_key: "x",
      password: "x",
      nested: { list: [{ "client-secret": "x", name: "kept" }], Authorization: "x" },
    };
    const { deps } = serialize(
      whole({ ...secrets, region: "north", maxTokens: 5, tokenize: true }),
    );
    expect(deps).toEqual({
      nested: { list: [{ name: "kept" }] },
      region: "north",
      maxTokens: 5,
      tokenize: true,
    });
  });

  it("leaves out of deps whatever is not JSON", () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    const deps = {
      work: () => 1,
      socket: new Map(),
      big: 1n,
      nothing: undefined,
      not: Number.NaN,
      circle,
      list: [1, () => 2],
      same: [{ a: 1 }, { a: 1 }],
    };
    expect(serialize(whole(deps)).deps).toEqual({
      circle: {},
      list: [1, null],
      same: [{ a: 1 }, { a: 1 }],
    });
  });

  it("lets nothing through that is not its own", () => {
    const hidden = Object.defineProperty({ kept: 1 }, "got", {
      enumerable: true,
      get: () => "what a getter says",
    });
    const foreign = {
      ...whole({ hidden, list: Object.defineProperty([1, 2], 1, { get: () => "got" }) }),
      services: { db: "handle" },
      leaked: "s3cret",
      plugins: { p: { state: { run: () => 1, n: 2 }, prompt: null, failed: null, told: false } },
      request: { type: "built", directive: { messages: [] }, notices: [] },
    };
    const data = serialize(foreign as unknown as AgentContext);
    expect(Object.keys(data).toSorted()).toEqual(
      ["version", ...Object.keys(newContext())].toSorted(),
    );
    expect(data.deps).toEqual({ hidden: { kept: 1 }, list: [1, null] });
    expect(data.plugins).toMatchObject({ p: { state: { n: 2 } } });
    expect(data.request).toBeNull();
    expect(JSON.stringify(data)).not.toMatch(/s3cret|handle|getter/);
    const inherited = Object.create(whole()) as AgentContext;
    expect(serialize(inherited).agentName).toBe("clerk");
  });

  it("leaves a key out that no reader takes", () => {
    const odd = JSON.parse('{ "__proto__": { "a": 1 }, "kept": 2 }');
    expect(JSON.stringify(serialize(whole({ odd })).deps)).toBe('{"odd":{"kept":2}}');
  });

  it("keeps cache usage", () => {
    expect(serialize(whole()).usage.cacheReadInputTokens).toBe(4);
  });
});

describe("deserialize", () => {
  it("gives back what was serialised", () => {
    expect(stored(whole())).toEqual(throughJson(whole()));
    expect(stored(newContext())).toEqual({ ...throughJson(newContext()) });
  });

  it.each([0.5, -5, 8.64e15 + 1])("gives back a start at %d", (startedAt) => {
    expect(stored(newContext({ startedAt })).startedAt).toBe(startedAt);
  });

  it("repairs a transcript and says so; the calls of an open batch stay open", () => {
    const cut = [messages[1], messages[2]] as readonly Message[];
    const data = throughJson(serialize(newContext({ messages: cut })));
    const read = deserialize(data);
    if (!read.ok) throw new Error(read.error);
    expect(read.warnings).toEqual(["the transcript was repaired: 1 answered"]);
    expect(read.context.needsResponse).toBe(true);
    expect(toArray(read.context.messages).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
    ]);
    const open = deserialize({ ...data, batch: { calls: [] } });
    expect(open).toMatchObject({ ok: true, warnings: [] });
  });

  it.each([
    ["a queue", { queue: [5] }, "queue[0] must be an object; it is 5"],
    [
      "a message",
      { messages: [{ role: "tool", content: [{ type: "tool-result" }] }] },
      "messages[0].content[0]",
    ],
  ])("%s of another shape is an error, and nothing is thrown", (_what, data, error) => {
    const read = deserialize({ version: 1, ...data });
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining(error) });
  });

  it("gives a context that can be gone on with", () => {
    const again = agentContext.addMessage(stored(whole()), { role: "user", content: "So?" });
    expect(toArray(again.messages)).toHaveLength(6);
    expect(again.needsResponse).toBe(true);
  });

  it.each([
    ["nothing", null, "missing or invalid version field"],
    ["an array", [], "missing or invalid version field"],
    ["no version", { messages: [] }, "missing or invalid version field"],
    ["a version that is not a number", { version: "1" }, "missing or invalid version field"],
    ["another version", { version: 99 }, "unsupported version: 99"],
    ["no messages", { version: 1, messages: 5 }, "messages must be an array"],
    [
      "a message that is none",
      { version: 1, messages: [5] },
      "messages[0] must be an object; it is 5",
    ],
    ["a count that is none", { version: 1, iteration: "2" }, "iteration must be a number"],
    [
      "a time that is none",
      { version: 1, startedAt: "soon" },
      "startedAt must be a time in ISO 8601",
    ],
    [
      "what throws when it is looked at",
      new Proxy(
        {},
        {
          get() {
            throw new Error("a trap");
          },
        },
      ),
      "missing or invalid version field",
    ],
  ])("of %s says what is wrong and throws nothing", (_what, data, error) => {
    expect(deserialize(data)).toEqual({ ok: false, error });
  });

  it("refuses what is not JSON, with its path", () => {
    const read = deserialize({ version: 1, deps: { when: new Date(0) } });
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining("data.deps.when") });
    const hostile = JSON.parse('{ "version": 1, "deps": { "__proto__": { "a": 1 } } }');
    expect(deserialize(hostile).ok).toBe(false);
  });

  it("takes what is absent from a new context, but for needsResponse", () => {
    const read = deserialize({ version: 1 });
    expect(read).toEqual({
      ok: true,
      context: { ...newContext(), needsResponse: false },
      warnings: [],
    });
  });

  const call = { id: "1", callId: "c", name: "n", input: 1, status: "succeeded", output: 2 };
  it.each<[object, string]>([
    [{ tool_calls: [] }, "tool_calls is not a part of the data; version, runId, "],
    [{ started_at: 0 }, "started_at is not a part of the data"],
    [
      { messages: [{ role: "narrator", content: "Night." }] },
      'messages[0].role must be "system", "user", "assistant" or "tool"; it is "narrator"',
    ],
    [
      { messages: [{ role: "assistant", content: "", tool_calls: [{ id: "c" }] }] },
      "tool_calls is not a part of messages[0]; role, content, providerOptions are",
    ],
    [
      { messages: [{ role: "tool", content: "grey", tool_call_id: "c1" }] },
      "messages[0].content must be a list, each an object; it is a string",
    ],
    [
      { queue: [{ role: "user", content: "So?", metadata: {} }] },
      "metadata is not a part of queue[0]",
    ],
    [{ usage: { input_tokens: 9 } }, "input_tokens is not a part of usage"],
    [{ toolCalls: [5] }, "toolCalls[0] is not a record of a tool call"],
    [{ toolCalls: [{ ...call, callId: undefined }] }, "toolCalls[0] has no callId"],
    [{ toolCalls: [call, { ...call, result: 1 }] }, "result is not a part of toolCalls[1]"],
  ])("refuses what another program stored, and names it: %j", (data, error) => {
    const read = deserialize(throughJson({ version: 1, ...data }));
    expect(read).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  it("keeps what was spent, money too", () => {
    const spent = addUsage(whole(), { cost: 12 });
    expect(stored(spent).usage).toEqual(spent.usage);
    expect(stored(spent).usage.cost).toBe(12);
  });

  it("is in the agentContext namespace, beside the functions that go on with a context", () => {
    expect(agentContext.serialize).toBe(serialize);
    expect(agentContext.deserialize).toBe(deserialize);
  });
});

describe("a context in the middle of its tool calls", () => {
  it("comes back as it was, what settled requests of them included", () => {
    const jsonSchema = { type: "object" };
    const read = { type: "read" as const, store: "s", query: 1 };
    const clerk = agent({
      name: "clerk",
      tools: [
        tool({ name: "reads", jsonSchema, issue: () => [read, read], settle: () => null }),
        tool({ name: "acts", jsonSchema, execute: () => null }),
      ],
      plugins: [{ name: "memory", issue: () => [read, read] }],
    });
    const run = byHand(clerk, "go");
    run.take({ type: "read.succeeded", id: "plugin/0/0/1", value: 1 });
    expect(stored(run.context)).toEqual(run.context);
    run.take({ type: "read.succeeded", id: "plugin/0/0/0", value: 1 });
    run.take(answer(0, wish("reads"), wish("acts")));
    run.take({ type: "read.succeeded", id: "tool/0/0/1", value: "row" });
    run.take({ type: "message", content: "and?" });
    expect(stored(run.context)).toEqual(run.context);
    expect(serialize(run.context).batch?.calls[0]).toMatchObject({
      settlements: [null, { type: "read.succeeded", value: "row" }],
    });
  });
});
