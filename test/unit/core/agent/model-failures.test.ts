// What an agent makes of a model that fails: a call that the provider refused may be told to the
// model, and a model that stays down is what the run ends with.
import { describe, expect, it } from "vitest";
import {
  type AgentDefinition,
  agent,
  agentContext,
  basicBehaviour,
  type EffectError,
  tool,
} from "../../../../src/index.js";
import { answer, lastOf, messagesOf, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const { deserialize, serialize } = agentContext;

const failing = (n: number, error: EffectError) => ({ type: "llm.failed", id: `llm/${n}`, error });
const refused: EffectError = {
  code: "llm.rejectedCall",
  message: "Failed to call a function.",
  status: 400,
  detail: { error: { failed_generation: '<function=look>{"at": 5}' } },
};
const down: EffectError = { code: "llm.failed", message: "down", status: 503 };
const tools = [tool({ name: "look", execute: () => "" })];

describe("a call that the provider refused", () => {
  const telling = (more: Partial<AgentDefinition> = {}) =>
    byHand(agent({ name: "a", tools, onRejectedCall: "tell", ...more } as AgentDefinition), "x");

  it("is told to the model, with what it wrote; the iteration counts", () => {
    const run = telling();
    run.take(failing(0, refused));
    expect(run.owed).toEqual(["llm/1"]);
    expect(lastOf(run.context)).toEqual({
      role: "user",
      content:
        'Error: your tool call was rejected by the provider (Failed to call a function.). You wrote: <function=look>{"at": 5} Nothing was executed. Please retry with a valid call, or answer without one.',
    });
    run.take(answer(1, wish("look")));
    expect(run.owed).toEqual(["tool/1/0"]);
    expect(run.context.modelError).toBeNull();
  });

  it("is told without what the model wrote, where the provider keeps that", () => {
    for (const detail of [undefined, { error: { failed_generation: "" } }]) {
      const run = telling();
      const kept = detail === undefined ? {} : { detail };
      run.take(failing(0, { code: "llm.rejectedCall", message: "no", ...kept }));
      expect(lastOf(run.context)?.content).toContain("(no). Nothing was executed");
    }
  });

  it("is told in so many words and no more", () => {
    const run = telling();
    const long = "x".repeat(100_000);
    const detail = { error: { failed_generation: long } };
    run.take(failing(0, { code: "llm.rejectedCall", message: long, detail }));
    expect(String(lastOf(run.context)?.content).length).toBeLessThan(2_000);
  });

  it("ends the run with what the provider said where the model does not learn", () => {
    const run = telling({ maxIterations: 2 });
    run.take(failing(0, refused));
    run.take(failing(1, refused));
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(run.context.error).toEqual(refused);
  });

  it("ends the run where nothing else is said", () => {
    const run = byHand(agent({ name: "a", tools }), "x");
    run.take(failing(0, refused));
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(run.context.error).toEqual(refused);
  });

  it("is the only failure that is told", () => {
    const run = telling();
    run.take(failing(0, down));
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
  });

  it("is part of an agent's identity", () => {
    const plain = agent({ name: "a", tools });
    expect(agent({ name: "a", tools, onRejectedCall: "tell" }).fingerprint).not.toBe(
      plain.fingerprint,
    );
    expect(agent({ name: "a", tools, onRejectedCall: "error" }).fingerprint).toBe(
      plain.fingerprint,
    );
  });
});

describe("a behaviour that goes on after a failed model call", () => {
  const going = (more: Partial<AgentDefinition> = {}) =>
    byHand(
      agent({
        name: "a",
        maxIterations: 3,
        behaviour: {
          ...basicBehaviour,
          handleError: (_agent, _error, context) => ({ type: "continue", context }),
        },
        ...more,
      } as AgentDefinition),
      "x",
    );

  it("ends with the last model error where the model stays down", () => {
    const run = going();
    for (const n of [0, 1, 2]) run.take(failing(n, { ...down, message: `down ${n}` }));
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(run.context.error).toEqual({ ...down, message: "down 2" });
  });

  it("ends with the limit where the model answered in between", () => {
    const run = going({ tools });
    run.take(failing(0, down));
    for (const n of [1, 2]) {
      run.take(answer(n, wish("look")));
      run.take({ type: "tool.succeeded", id: `tool/${n}/0`, output: "" });
    }
    expect(run.context.error).toMatchObject({ code: "agent.maxIterations" });
  });

  it("answers where the model comes back", () => {
    const run = going();
    run.take(failing(0, down));
    run.take(answer(1, "Here I am."));
    expect([run.state.status, run.output]).toEqual(["done", "Here I am."]);
    expect(run.context.modelError).toBeNull();
  });

  it("keeps the error through a serialised context", () => {
    const run = going();
    run.take(failing(0, down));
    const read = deserialize(serialize(run.context));
    expect(read).toMatchObject({ ok: true, context: { modelError: down } });
    expect(messagesOf(run.context)).toHaveLength(1);
  });
});
