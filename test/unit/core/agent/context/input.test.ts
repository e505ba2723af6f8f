// What an agent starts from: whatever is no input is refused at the start, with its place.
import { describe, expect, it, test } from "vitest";
import { agent } from "../../../../../src/core/agent/index.js";
import { messageFault } from "../../../../../src/core/kernel/vocabulary/index.js";
import { byHand } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

const one = agent({ name: "one" });

test.each(["many", 0, 1.5, -1])("maxIterations of %j is refused", (maxIterations) => {
  const { state } = one.start({ prompt: "x", maxIterations } as never, { at: 0, runId: "r" });
  expect(state).toMatchObject({ status: "failed", fault: { code: "agent.invalid" } });
});

describe("an input that is none", () => {
  it.each<[unknown, string]>([
    [null, "input"],
    [5, "input"],
    [[], "input"],
    [{}, "input"],
    [{ deps: {} }, "input"],
    [{ messages: [] }, "input"],
    [{ prompt: 5 }, "input.prompt"],
    [{ prompt: [5] }, "input.prompt"],
    [{ prompt: "x", messages: "y" }, "input.messages"],
    [{ messages: [5] }, "input.messages[0]"],
    [{ messages: [{ role: "user", content: "x" }, { role: "robot" }] }, "input.messages[1]"],
    [{ prompt: "x", deps: [] }, "input.deps"],
    [{ prompt: "x", maxIteration: 3 }, "input"],
  ])("%j is refused at %s", (input, place) => {
    const { state, directives } = one.start(input as never, { at: 0, runId: "r" });
    expect(state).toMatchObject({ status: "failed", fault: { code: "agent.invalid" } });
    expect(state.fault?.place).toContain(place);
    expect(directives).toEqual([]);
  });

  it("others are taken", () => {
    for (const input of [
      "",
      { prompt: "" },
      { messages: [{ role: "user", content: "x" }] },
      { prompt: [{ type: "text", text: "x" }] },
      {
        prompt: [
          { type: "image", image: "aGk=" },
          { type: "file", data: "aGk=", mediaType: "text/plain" },
        ],
      },
    ]) {
      expect(byHand(one, input as never).owed).toEqual(["llm/0"]);
    }
  });
});

describe("an input that is prepared", () => {
  it("has the definition's deps where it brings none, and the run goes on from no other", () => {
    const deps = { a: 1 };
    const shop = agent({ name: "shop", deps });
    expect(shop.prepare("x", false)).toEqual({ prompt: "x", deps });
    expect(shop.prepare({ prompt: "x" } as never, false)).toEqual({ prompt: "x", deps });
    const own = { prompt: "x", deps: { a: 2 } };
    for (const input of [own, null, 5, []]) expect(shop.prepare(input as never, false)).toBe(input);
    for (const input of ["x", { prompt: "x" }]) {
      expect(shop.prepare(input as never, true)).toBe(input);
    }
  });

  it.each([
    ["Map", new Map([["user", "Ann"]])],
    ["Date", new Date(0)],
  ])("is refused where the definition's deps are a %s", (name, deps) => {
    const shop = agent({ name: "shop", deps });
    for (const input of ["x", { prompt: "x" }]) {
      const { code, message } = refusal(() => shop.start(input, { at: 0, runId: "r" }));
      expect([code, message]).toEqual(["json.refused", expect.stringContaining(name)]);
    }
  });

  it("stays as it is where the definition has no deps", () => {
    const inputs = ["x", { prompt: "x" }, { messages: [] }, null];
    for (const input of inputs) {
      for (const goesOn of [false, true]) expect(one.prepare(input as never, goesOn)).toBe(input);
    }
  });
});

describe("a message", () => {
  const result = {
    type: "tool-result",
    toolCallId: "a",
    toolName: "t",
    output: { type: "text", value: "" },
  };
  it.each<[unknown, string]>([
    [null, "the message must be an object; it is null"],
    [[], "the message must be an object; it is a list"],
    [{ role: "system", content: [] }, "content must be a string; it is a list"],
    [{ role: "user", content: 5 }, "content must be a string or a list of parts; it is 5"],
    [{ role: "tool", content: "x" }, "content must be a list, each an object"],
    [
      { role: "function", content: "x" },
      'role must be "system", "user", "assistant" or "tool"; it is "function"',
    ],
    [{ role: "user", content: [null] }, "content[0] must be an object; it is null"],
    [{ role: "user", content: [{ type: "text" }] }, "content[0].text is missing"],
    [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "t" }] },
      "content[0].input is missing",
    ],
    [
      { role: "assistant", content: [{ type: "tool-call", input: {}, toolName: "t" }] },
      "content[0].toolCallId is missing",
    ],
    [
      { role: "tool", content: [{ ...result, output: "x" }] },
      "content[0].output must be an object",
    ],
    [
      { role: "tool", content: [{ ...result, toolName: 5 }] },
      "content[0].toolName must be a string",
    ],
  ])("%j %s", (message, words) => expect(messageFault(message)).toContain(words));

  it.each<[string, unknown]>([
    ["text", { role: "user", content: "x" }],
    ["parts of a provider's own", { role: "assistant", content: [{ type: "custom", kind: "x" }] }],
    ["results", { role: "tool", content: [result] }],
    ["nothing", { role: "assistant", content: [] }],
  ])("of %s is one", (_what, message) => expect(messageFault(message)).toBeUndefined());
});

it.each<[unknown, string]>([
  [{}, "input needs a prompt, or messages of which there is one at least"],
  [{ messages: [] }, "input needs a prompt, or messages of which there is one at least"],
  [
    { prompt: [{ type: "text", text: "x" }, { type: "zzz" }] },
    'input.prompt[1].type must be "text", "image" or "file"; it is "zzz"',
  ],
  [{ prompt: [] }, "input.prompt must be a list, each an object; 1 or more; it is a list"],
  [
    { messages: [{ role: "user", content: [] }] },
    "input.messages[0].content must be a list, each an object; 1 or more; it is a list",
  ],
  [{ prompt: [{ type: "image" }] }, "input.prompt[0].image is missing; it must be a string"],
  [
    { prompt: [{ type: "file", data: "" }] },
    "input.prompt[0].mediaType is missing; it must be a string",
  ],
  [
    { messages: [{ role: "user", content: [{ type: "constructor" }] }] },
    'input.messages[0].content[0].type must be "text", "image" or "file"; it is "constructor"',
  ],

  [5, "input must be a prompt, or an object with a prompt or messages"],
  [
    { prompt: "x", maxIterations: "2" },
    "input.maxIterations must be a whole number, 1 or more; it is a string",
  ],
  [{ prompt: "x", deps: 5 }, "input.deps must be an object; it is 5"],
  [{ promt: "x" }, "input.promt is not a part of it; prompt, messages, deps, maxIterations are"],
  [
    { prompt: "x", maxIteration: 2 },
    "input.maxIteration is not a part of it; prompt, messages, deps, maxIterations are",
  ],
  [
    { prompt: "x", "two\nlines": 2 },
    'input["two\\nlines"] is not a part of it; prompt, messages, deps, maxIterations are',
  ],
  [{ prompt: [{ type: "text" }] }, "input.prompt[0].text is missing; it must be a string"],
])("%j: its fault says what to mend", (input, words) => {
  const { state } = one.start(input as never, { at: 0, runId: "r" });
  expect(one.error(state)).toEqual({
    code: "agent.invalid",
    message: `The machine failed at start, ${words}.`,
  });
});

it("a promise of an input is refused as what is not JSON", () => {
  const start = (input: unknown) => one.start(input as never, { at: 0, runId: "r" });
  expect(() => start(Promise.resolve("x"))).toThrow("is a Promise, which is not JSON");
  // Nobody waits for it, and it must not fail the process.
  expect(() => start(Promise.reject(new Error("late")))).toThrow("is a Promise, which is not JSON");
});
