// Functions that have to answer at once: one that is declared `async` is refused where it is defined;
// one that returns a promise all the same fails closed, and the reason says so.
import { describe, expect, it } from "vitest";
import { HOOKS } from "../../../../src/core/agent/index.js";
import { agent, agentTool, basicBehaviour, type Plugin, tool } from "../../../../src/index.js";
import { answer, errorsOf, resultsOf, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { refusal } from "../../../support/thrown.js";

const later = (): never => Promise.resolve(true) as never;
const declared = async () => true;
const at = "returned a promise; it has to answer at once, without async.";
const must = "must be a function that answers at once, without async; it is an async function.";

describe("declared async is refused", () => {
  it.each([
    ["needsApproval", { execute: later }],
    ["formatError", { execute: later }],
    ["reduce", {}],
    ["issue", { settle: later }],
    ["settle", { issue: later }],
  ])("of a tool: %s", (name, more) => {
    const { code, message } = refusal(() =>
      tool({ name: "t", ...more, [name]: declared } as never),
    );
    expect(code).toBe("tool.invalid");
    expect(message).toContain(`${name} must be `);
    expect(message).toContain("at once, without async; it is an async function.");
  });

  it.each(["input", "result"])("of an agent as a tool: %s", (name) => {
    const { code, message } = refusal(() =>
      agentTool(agent({ name: "child" }), { name: "ask", [name]: declared }),
    );
    expect([code, message]).toEqual(["tool.invalid", `agentTool: ${name} ${must}`]);
  });

  const behaviour = (name: string) => ({
    behaviour: { ...basicBehaviour, name: "own", [name]: declared },
  });
  const plugin = (name: string) => ({ plugins: [{ name: "p", [name]: declared }] });
  it.each([
    ...["buildMessages", "processResponse", "extractOutput", "getTools"].map(
      (name) => [`behaviour.${name}`, behaviour(name)] as const,
    ),
    ...["initContext", "beforeRequest", "afterTool", "handleError"].map(
      (name) => [`behaviour.${name}`, behaviour(name)] as const,
    ),
    ...["init", "systemPrompt", "issue", "settle", ...HOOKS].map(
      (name) => [`plug-in p: ${name}`, plugin(name)] as const,
    ),
  ])("of an agent: %s", (part, more) => {
    const { code, message } = refusal(() => agent({ name: "a", ...more } as never));
    expect([code, message]).toEqual(["agent.invalid", `Agent a: ${part} ${must}`]);
  });

  it("of an agent: system", () => {
    expect(refusal(() => agent({ name: "a", system: declared as never })).message).toBe(
      "Agent a: system must be a string or a function that answers at once, without async; it is an async function.",
    );
  });

  it("one that throws when it is looked at is seen when it answers", () => {
    const hostile = new Proxy(later, {
      get: () => {
        throw new Error("no");
      },
    });
    expect(agent({ name: "a", system: hostile }).spec.system).toBe(hostile);
  });

  it("execute may be", () => {
    expect(tool({ name: "t", execute: declared }).kind).toBe("execute");
  });
});

describe("a promise where an answer is needed", () => {
  const told = (given: object, more: object = {}) => {
    const tools = [tool({ name: "t", ...given } as never)];
    const run = byHand(agent({ name: "a", tools, ...more }), "x");
    run.take(answer(0, wish("t")));
    return { owed: run.owed, results: resultsOf(run.context), errors: errorsOf(run.context) };
  };

  it.each([
    ["needsApproval", { needsApproval: later, execute: () => 1 }],
    ["reduce", { reduce: later }],
    ["issue", { issue: later, settle: () => 1 }],
    ["settle", { issue: () => [], settle: later }],
  ])("%s: the call fails, and nothing runs", (name, given) => {
    expect(told(given)).toEqual({
      owed: ["llm/1"],
      results: ["Tool execution failed: t threw an error."],
      errors: [`${name} ${at}`],
    });
  });

  it("beforeTool: the call is denied", () => {
    expect(
      told({ execute: () => 1 }, { plugins: [{ name: "judge", beforeTool: later }] }),
    ).toMatchObject({
      owed: ["llm/1"],
      results: [`Tool call was denied by hook: beforeTool ${at}`],
    });
  });

  it("beforeRequest: the request is denied", () => {
    const run = byHand(
      agent({ name: "a", plugins: [{ name: "judge", beforeRequest: later }] }),
      "x",
    );
    expect(run.context.error).toEqual({
      code: "agent.denied",
      message: `A plug-in denied the request: beforeRequest ${at}`,
    });
  });

  it("formatError: the standard text is told", () => {
    const given = {
      formatError: later,
      reduce: () => {
        throw new Error("gone");
      },
    };
    expect(told(given).results).toEqual(["Tool execution failed: t threw an error."]);
  });

  it.each(["init", "systemPrompt", "issue", "settle"])("%s: the plug-in is out of work", (name) => {
    const plugin = { name: "p", [name]: later } as Plugin;
    const run = byHand(agent({ name: "a", plugins: [plugin] }), "x");
    expect(run.directives).toMatchObject([
      { topic: "plugin.failed", data: { name: "p", message: `${name} ${at}` } },
      { type: "llm" },
    ]);
  });
});
