// What is misspelt in a definition is refused by its name: as if it were left out, a tool would run
// without the approval that its author asked for.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, agentTool, basicBehaviour, providerTool, tool } from "../../../../src/index.js";
import { beamSearch, think, thoughts } from "../../../../src/thoughts.js";
import { refusal } from "../../../support/thrown.js";

const { NaN: none } = Number;
const execute = () => 1;
const toolOf = (more: object) => tool({ name: "pay", execute, ...more } as never);

describe("a tool", () => {
  it.each([
    ["needApproval", { needApproval: true }],
    ["parameters", { parameters: {} }],
    ["constructor", { constructor: 1 }],
  ])("with %s is refused, and what there is is said", (name, more) => {
    const { code, message } = refusal(() => toolOf(more));
    expect(code).toBe("tool.invalid");
    expect(message).toContain(
      `Tool "pay" cannot be: ${name} is not a part of it; name, description,`,
    );
    expect(message).toContain("needsApproval");
  });

  it.each([
    ["needsApproval", "yes"],
    ["needsApproval", null],
    ["idempotent", "no"],
    ["sequential", 0],
    ["final", "false"],
    ["timeoutMs", "500"],
    ["description", 5],
    ["inputSchema", {}],
    ["jsonSchema", "object"],
    ["strict", 1],
    ["deferLoading", "yes"],
    ["providerOptions", []],
    ["formatError", "as it is"],
    ["children", 5],
    ["onUnknown", "go on"],
  ])("whose %s is %j is refused", (name, value) => {
    const { code, message } = refusal(() => toolOf({ [name]: value }));
    expect(code).toBe("tool.invalid");
    expect(message).toContain(`Tool "pay" cannot be: ${name} must be `);
  });

  it("of a class has fields of its own", () => {
    class Counter {
      readonly name = "count";
      count = 0;
      execute() {
        this.count += 1;
        return this.count;
      }
    }
    const counter = new Counter();
    expect(tool(counter).execute?.({} as never, {} as never)).toBe(1);
    expect(counter.count).toBe(1);
  });
});

describe("an agent", () => {
  it.each(["tools", "plugins"])("whose %s are no array is refused", (part) => {
    const { code, message } = refusal(() => agent({ name: "x", [part]: {} } as never));
    expect([code, message]).toEqual([
      "agent.invalid",
      expect.stringContaining(`Agent x: ${part} must be an array of`),
    ]);
  });

  it.each([
    [
      "plug-in judge: ",
      "beforTool",
      { plugins: [{ name: "judge", beforTool: () => ({ type: "deny", reason: "no" }) }] },
    ],
    ["output.", "shema", { output: { schema: z.string(), shema: 1 } }],
    ["behaviour.", "handelError", { behaviour: { ...basicBehaviour, handelError: () => "retry" } }],
    ["settings.", "temperatur", { settings: { temperatur: 0 } }],
    [
      "plug-in two: ",
      "settel",
      { plugins: [{ name: "one" }, { name: "two", settel: () => ({}) }] },
    ],
  ])("whose %s has %s is refused", (part, name, more) => {
    const { code, message } = refusal(() => agent({ name: "a", ...more } as never));
    expect(code).toBe("agent.invalid");
    expect(message).toContain(`Agent a: ${part}${name} is not a part of it; `);
  });

  it.each([
    ["version", { version: "2" }],
    ["system", { system: { of: "deps" } }],
    ["tools", { tools: [{ name: "pay", execute }] }],
    ["model", { model: 3 }],
    ["settings", { settings: "hot" }],
    ["settings.temperature", { settings: { temperature: "hot" } }],
    ["settings.maxOutputTokens", { settings: { maxOutputTokens: 0.5 } }],
    ["settings.stopSequences", { settings: { stopSequences: "." } }],
    ["toolChoice", { toolChoice: "maybe" }],
    ["maxIterations", { maxIterations: "3" }],
    ["tokenBudget", { tokenBudget: "100" }],
    ["deadlineMs", { deadlineMs: "1000" }],
    ["deadlineMs", { deadlineMs: Number.POSITIVE_INFINITY }],
    ["onLimit", { onLimit: "answers" }],
    ["onRejectedCall", { onRejectedCall: "ask" }],
    ["sequential", { sequential: "yes" }],
    ["deps", { deps: null }],
    ["behaviour", { behaviour: { name: "b" } }],
    ["behaviour", { behaviour: null }],
    ["behaviour.afterTool", { behaviour: { ...basicBehaviour, afterTool: 5 } }],
    ["plug-in judge: beforeTool", { plugins: [{ name: "judge", beforeTool: "deny" }] }],
    ["output", { output: 5 }],
    ["output.schema", { output: { schema: { type: "object" } } }],
    ["output.via", { output: { schema: z.string(), via: "text" } }],
    ["plug-in p: issue", { plugins: [{ name: "p", issue: [] }] }],
    ["conversation", { conversation: "no" }],
  ])("whose %s is of the wrong kind is refused: %j", (part, more) => {
    const { code, message } = refusal(() => agent({ name: "a", ...more } as never));
    expect([code, message]).toEqual([
      "agent.invalid",
      expect.stringMatching(new RegExp(`^Agent a: ${part} must be .*; it is [^;]*\\.$`)),
    ]);
  });

  const wrongWithin = (part: string, whole: object, kinds: object) =>
    Object.entries(kinds).map(
      ([name, value]) => [part, name, { ...whole, [name]: value }] as const,
    );
  const call = { buildMessages: 5, processResponse: "x", extractOutput: {}, getTools: [] };
  const may = { initContext: 5, beforeRequest: 5, afterTool: 5, handleError: null };
  it.each([
    ...wrongWithin("behaviour", basicBehaviour, { name: 5, tools: {}, ...may }),
    ...wrongWithin(
      "output",
      { schema: z.string() },
      { name: 5, description: {}, jsonSchema: "object", retries: -1 },
    ),
    ...wrongWithin(
      "settings",
      {},
      { topP: "1", topK: none, presencePenalty: "0", frequencyPenalty: [], seed: "x" },
    ),
    ...wrongWithin("settings", {}, { maxOutputTokens: 0, providerOptions: [] }),
  ])("whose %s has another %s than it may have is refused", (part, name, value) => {
    const { code, message } = refusal(() => agent({ name: "a", [part]: value } as never));
    expect(code).toBe("agent.invalid");
    expect(message).toContain(`Agent a: ${part}.${name} must be `);
  });

  it.each(Object.entries(call))("whose behaviour has another %s is refused", (name, value) => {
    const behaviour = { ...basicBehaviour, [name]: value };
    const { message } = refusal(() => agent({ name: "a", behaviour } as never));
    expect(message).toContain("Agent a: behaviour must be a behaviour, with buildMessages(), ");
  });

  it.each(
    Object.entries({
      tools: {},
      children: [],
      init: 0,
      systemPrompt: "x",
      issue: {},
      settle: null,
    }),
  )("whose plug-in has another %s than it may have is refused", (name, value) => {
    const plugins = [{ name: "p", [name]: value }];
    const { message } = refusal(() => agent({ name: "a", plugins } as never));
    expect(message).toContain(`Agent a: plug-in p: ${name} must be `);
  });

  it.each(["", "__proto__", 5, undefined])("whose plug-in is named %j is refused", (name) => {
    const { message } = refusal(() => agent({ name: "a", plugins: [{ name }] } as never));
    expect(message).toContain(`a plug-in is named ${JSON.stringify(name)}; its state is kept`);
  });

  it.each<[string, readonly unknown[]]>([
    ["version", [0, 7]],
    ["toolChoice", ["auto", "none", "required", { tool: "pay" }]],
    ["onLimit", ["error", "answer"]],
    ["onRejectedCall", ["error", "tell"]],
    ["onUnknown", ["stop", "continue"]],
  ])("may have any %s that there is", (part, values) => {
    const tools = [tool({ name: "pay", execute })];
    for (const value of values) {
      expect(agent({ name: "a", tools, [part]: value } as never).id).toBe("a");
    }
  });

  it("whose parts are there and undefined is as if they were left out", () => {
    const parts = ["system", "tools", "settings", "deps", "behaviour", "plugins", "conversation"];
    const none = Object.fromEntries(parts.map((part) => [part, undefined]));
    expect(agent({ name: "a", ...none } as never).fingerprint).toBe(
      agent({ name: "a" }).fingerprint,
    );
  });

  it("whose plug-in is nothing is refused", () => {
    const { code } = refusal(() => agent({ name: "a", plugins: [null] } as never));
    expect(code).toBe("agent.invalid");
  });

  it("may have a behaviour and plug-ins of classes, with fields of their own", () => {
    class Own {
      readonly name = "own";
      readonly words = ["x"];
      systemPrompt() {
        return this.words.join();
      }
    }
    const behaviour = Object.assign(Object.create({ own: 1 }), basicBehaviour, { words: [] });
    expect(agent({ name: "a", behaviour, plugins: [new Own()] }).id).toBe("a");
  });

  it.each(["sytem", "tool", "maxIteration", "onUnkown", "__proto__x"])(
    "with %s is refused",
    (name) => {
      const { code, message } = refusal(() => agent({ name: "a", [name]: "x" } as never));
      expect(code).toBe("agent.invalid");
      expect(message).toContain(`Agent a: ${name} is not a part of it; name, version,`);
    },
  );
});

describe("a tool of another reasoner's", () => {
  const child = agent({ name: "child" });
  it.each([
    [
      "agentTool: result must be a function that answers at once, without async; it is a string.",
      { result: "output" },
    ],
    [
      "agentTool: input must be a function that answers at once, without async; it is null.",
      { input: null },
    ],
    ["agentTool: timeoutMs is not a part of it; name, description,", { timeoutMs: 5 }],
    ['Tool "ask" cannot be: sequential must be true or false; it is 1.', { sequential: 1 }],
  ])("is refused: %s", (words, more) => {
    const refused = refusal(() => agentTool(child, { name: "ask", ...more } as never));
    expect([refused.code, refused.message]).toEqual([
      "tool.invalid",
      expect.stringContaining(words),
    ]);
  });

  it("that thinks is refused where it is misspelt", () => {
    const thinker = thoughts({ policy: beamSearch() });
    const thinks = (more: object) => refusal(() => think(thinker, more as never));
    expect(thinks({ title: "t" }).message).toContain("think: title is not a part of it; name,");
    expect(thinks({ description: 5 }).message).toBe(
      "think: description must be a string; it is 5.",
    );
  });

  it("or a provider's is refused where it is misspelt", () => {
    const of = (more: object) =>
      refusal(() => providerTool({ name: "search", id: "openai.web_search", ...more } as never));
    expect(of({ arguments: {} }).message).toContain(
      "arguments is not a part of it; name, id, args",
    );
    expect(of({ args: 5 }).message).toBe(
      'Tool "search" cannot be: args must be an object; it is 5.',
    );
  });
});
