// What a function of a user's returns is looked at where it is returned: a `return` that was forgotten
// would show elsewhere, as another fault, or not at all.
import { describe, expect, it } from "vitest";
import { agent, type Behaviour, basicBehaviour, type Plugin, tool } from "../../../../src/index.js";
import { answer, resultsOf, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const look = tool({ name: "look", reduce: () => "seen" });
/** A run of an agent whose behaviour has one other function, and the message that it failed with. */
const failing = (name: keyof Behaviour, value: unknown) => {
  const behaviour = { ...basicBehaviour, name: "own", [name]: () => value } as Behaviour;
  const one = agent({ name: "one", tools: [look], behaviour });
  const run = byHand(one, "x");
  if (run.state.status === "active" && name === "handleError") {
    run.take({ type: "llm.failed", id: "llm/0", error: { code: "llm.failed", message: "down" } });
  } else if (run.state.status === "active") {
    run.take(answer(0, ...(name === "afterTool" ? [wish("look")] : ["Hi"])));
  }
  return one.error(run.state);
};

describe("a behaviour's function that returns something else than it must ends the run, and is named:", () => {
  const context = "a whole context: the one it was given, with its changes";
  const whole: readonly (readonly [keyof Behaviour, string, string])[] = [
    ["processResponse", 'state "thinking", event llm.succeeded', context],
    ["initContext", "start", context],
    ["afterTool", 'state "thinking", event llm.succeeded', context],
    ["buildMessages", "start", "a list of messages"],
    ["getTools", "start", "an array of tools"],
    ["beforeRequest", "start", "a whole request: the one it was given, with its changes"],
    [
      "extractOutput",
      'state "thinking", event llm.succeeded',
      "{ ok: true, output } or { ok: false, error: a string }",
    ],
    [
      "handleError",
      'state "thinking", event llm.failed',
      '{ type: "retry" or "continue", context } or { type: "error", error: { code, message } }',
    ],
  ];
  const values = [
    [undefined, "undefined"],
    [null, "null"],
    [{}, "another object"],
    [5, "5"],
  ] as const;
  const cases = whole.flatMap(([name, place, must]) =>
    values.map(([value, is]) => [name, is, value, place, must] as const),
  );

  it.each(cases)("%s, with %s", (name, is, value, place, must) => {
    expect(failing(name, value)).toEqual({
      code: "agent.invalid",
      message: `The machine failed at ${place}, what ${name} of behaviour own returns must be ${must}; it is ${is}.`,
    });
  });

  it("parts of what it must return are not enough", () => {
    const wrong: readonly (readonly [keyof Behaviour, unknown])[] = [
      ["processResponse", { messages: [], iteration: 1 }],
      ["getTools", [look, undefined]],
      ["beforeRequest", { messages: "x" }],
      ["extractOutput", { ok: true }],
      ["extractOutput", { ok: false }],
      ["handleError", { type: "retry" }],
      ["handleError", { type: "error", error: "down" }],
    ];
    for (const [name, value] of wrong) {
      expect(failing(name, value)?.message).toContain(`what ${name} of behaviour own returns must`);
    }
  });

  it("messages of a request, each", () => {
    const messages = [{ role: "user", content: "x" }, { role: "robot" }];
    const words =
      'the request that behaviour own made: messages[1].role must be "system", "user", "assistant" or "tool"; it is "robot"';
    for (const [name, value] of [
      ["buildMessages", messages],
      ["beforeRequest", { messages }],
    ] as const) {
      expect(failing(name, value)).toEqual({
        code: "agent.invalid",
        message: `The machine failed at start, ${words}.`,
      });
    }
  });
});

describe("a plug-in's function that returns something else than it may puts it out of work, and is named:", () => {
  it.each<[keyof Plugin, unknown, string]>([
    ["issue", {}, "what issue returns must be a list; it is another object"],
    ["settle", 5, "what settle returns must be an object; it is 5"],
    [
      "settle",
      { sate: 1 },
      "what settle returns: sate is not a part of it; state, prompt, deps are",
    ],
    ["settle", { prompt: 5 }, "what settle returns: prompt must be a string or null; it is 5"],
    ["settle", { deps: [] }, "what settle returns: deps must be an object; it is a list"],
    ["systemPrompt", 5, "what systemPrompt returns must be a string or null; it is 5"],
  ])("%s, with %j", (name, value, message) => {
    const plugin = { name: "p", [name]: () => value } as unknown as Plugin;
    const run = byHand(agent({ name: "one", plugins: [plugin] }), "x");
    expect(run.directives).toMatchObject([
      { topic: "plugin.failed", data: { name: "p", message } },
      { type: "llm" },
    ]);
  });

  it.each(["init", "issue", "settle", "systemPrompt"])("nothing is no fault of %s", (name) => {
    const plugin = { name: "p", [name]: () => undefined } as unknown as Plugin;
    const run = byHand(agent({ name: "one", plugins: [plugin] }), "x");
    expect(run.directives.map(({ type }) => type)).toEqual(["llm"]);
  });
});

describe("a hook whose verdict is none says what it may be", () => {
  it.each([null, 5, {}, "deny"])("before a tool: %j", (verdict) => {
    const judge = { name: "judge", beforeTool: () => verdict as never };
    const run = byHand(agent({ name: "one", tools: [look], plugins: [judge] }), "x");
    run.take(answer(0, wish("look")));
    expect(resultsOf(run.context)).toEqual([
      'Tool call was denied by hook: its verdict is invalid; beforeTool must return nothing, or { type: "allow", "modify" or "deny" }',
    ]);
  });
});
