// A world is a function of its script: empty is the plainest run, and answers go by the directive.
import { expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import { toArray } from "../../../../src/core/kernel/values/index.js";
import { tool } from "../../../../src/core/kernel/vocabulary/index.js";
import { drive, type Script } from "../../../../src/testing/index.js";

const worker = agent({
  name: "worker",
  tools: [tool({ name: "t", execute: () => 1 }), tool({ name: "u", execute: () => 1 })],
});
const empty: Script = { moves: [], answers: [], values: [] };
const types = (script: Script, options = {}) =>
  drive(worker, "go", script, options).steps.map(({ event }) => event.type);

it("the empty script is the plainest run", () => {
  expect(types(empty)).toEqual(["start", "llm.succeeded"]);
});

it("the same script is the same history", () => {
  const script = { moves: [3, 1, 30, 7, 22, 1, 9, 25], answers: [5, 2, 8], values: [1, "a"] };
  expect(drive(worker, "go", script)).toEqual(drive(worker, "go", script));
});

it("a settler of one's own answers its directives, and the others keep their defaults", () => {
  const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: {} } as const;
  const history = drive(worker, "go", empty, {
    settlers: {
      llm: ({ id }) => ({
        type: "llm.succeeded",
        content: id === "llm/0" ? [call] : [{ type: "text", text: "mine" }],
        finishReason: "stop",
        usage: {},
      }),
    },
  });
  expect(history.steps.map(({ event }) => event.type)).toEqual([
    "start",
    "llm.succeeded",
    "tool.succeeded",
    "llm.succeeded",
  ]);
  expect(worker.output(history.state)).toBe("mine");
  expect(toArray(history.state.context.messages)).toHaveLength(4);
});

it("a settler that answers another question is refused", () => {
  const settlers = { llm: () => ({ type: "timer.fired" }) as never };
  expect(() => drive(worker, "go", empty, { settlers })).toThrow(
    /the settler of llm gave "timer\.fired"/,
  );
});

it("it stops at the bound", () => {
  const script = { ...empty, answers: [1] };
  const history = drive(worker, "go", script, { bound: 3, answersOnly: true });
  expect(history.steps.length).toBeLessThanOrEqual(4);
});
