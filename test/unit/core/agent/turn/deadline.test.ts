// A turn's deadline stands still while only people are waited for, and goes on with what was left.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../../src/index.js";
import { answer, decided, returned, wish } from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";

const pay = tool({ name: "pay", needsApproval: true, execute: () => "" });
const look = tool({ name: "look", execute: () => "" });
const value = tool({ name: "value", ask: { "~standard": schema() } as never });
function schema() {
  return {
    version: 1,
    vendor: "test",
    validate: (given: unknown) => ({ value: given }),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  };
}
const tools = [pay, look, value];
const started = (conversation = true) =>
  byHand(agent({ name: "a", conversation, deadlineMs: 100, tools }), "Hello");

describe("a deadline", () => {
  it("does not run while a person decides, and then has what was left", () => {
    const run = started();
    expect(run.directive("timer/deadline/0")).toMatchObject({ until: 100 });
    run.take({ ...answer(0, wish("pay")), at: 40 });
    expect(run.directives).toContainEqual({ type: "cancel", target: "timer/deadline/0" });
    expect(run.owed).toEqual(["approval/0/0"]);
    expect(run.context.deadline).toEqual({ timer: null, left: 60 });
    run.take({ ...decided("approval/0/0", true), at: 86_400_000 });
    expect(run.directive("timer/deadline/0/0/0")).toMatchObject({ until: 86_400_060 });
    run.take(returned("tool/0/0", ""));
    expect(run.owed).toEqual(["timer/deadline/0/0/0", "llm/1"]);
    run.take({ type: "timer.fired", id: "timer/deadline/0/0/0", at: 86_400_060 });
    expect(run.context.failure?.code).toBe("agent.deadline");
    run.take({ type: "message", content: "Again?" });
    expect(run.owed).toContain("timer/deadline/1");
  });

  it("runs while anything else is at work, and stands still for the next person", () => {
    const run = started();
    run.take({ ...answer(0, wish("pay", {}, "1"), wish("look"), wish("pay", {}, "2")), at: 10 });
    expect(run.owed).toContain("timer/deadline/0");
    run.take({ ...returned("tool/0/1", ""), at: 20 });
    expect(run.context.deadline).toEqual({ timer: null, left: 80 });
    run.take({ ...decided("approval/0/0", true), at: 1_000 });
    expect(run.directive("timer/deadline/0/0/0")).toMatchObject({ until: 1_080 });
    run.take({ ...returned("tool/0/0", ""), at: 1_030 });
    expect(run.context.deadline).toEqual({ timer: null, left: 50 });
    run.take({ ...decided("approval/0/2", false), at: 5_000 });
    expect(run.directive("timer/deadline/0/llm/1")).toMatchObject({ until: 5_050 });
    expect(run.owed).toEqual(["timer/deadline/0/llm/1", "llm/1"]);
  });

  it("is put off by the time that a model was down, once", () => {
    const run = started();
    run.take({ ...answer(0, wish("look")), at: 5_090, waitedMs: 5_000 });
    expect(run.directives).toMatchObject([
      { type: "cancel", target: "timer/deadline/0" },
      { type: "tool" },
      { type: "timer", id: "timer/deadline/0/llm/0", until: 5_100, deadline: true },
    ]);
    run.take({ type: "timer.fired", id: "timer/deadline/0/llm/0", at: 5_100 });
    expect(run.context.failure?.code).toBe("agent.deadline");
    const asking = started();
    asking.take({ ...answer(0, wish("pay")), at: 5_090, waitedMs: 5_000 });
    expect(asking.context.deadline).toEqual({ timer: null, left: 10 });
    expect(asking.owed).toEqual(["approval/0/0"]);
  });

  it("that began anew with a model call which was down is put off under another id", () => {
    const run = started();
    run.take({ ...answer(0, wish("value")), at: 40 });
    run.take({ ...decided("approval/0/0", true, { value: 7 }), at: 900 });
    expect(run.directive("timer/deadline/0/llm/1")).toMatchObject({ until: 960 });
    run.take({ ...answer(1, wish("look")), at: 5_910, waitedMs: 5_000 });
    expect(run.directives).toMatchObject([
      { type: "cancel", target: "timer/deadline/0/llm/1" },
      { type: "tool" },
      { type: "timer", id: "timer/deadline/0/llm/1/again", until: 5_960 },
    ]);
    run.take({ ...returned("tool/1/0", ""), at: 5_920 });
    run.take({ ...answer(2, wish("value")), at: 5_930 });
    expect(run.context.deadline).toEqual({ timer: null, left: 30 });
  });

  it("that was put off for people behind such a call goes on with their answer", () => {
    const run = started();
    run.take({ ...answer(0, wish("value")), at: 40 });
    run.take({ ...decided("approval/0/0", true, { value: 7 }), at: 900 });
    run.take({ ...answer(1, wish("pay")), at: 5_910, waitedMs: 5_000 });
    expect(run.context.deadline).toMatchObject({ timer: null, left: 50 });
    run.take({ ...decided("approval/1/0", true), at: 9_000 });
    expect(run.context.deadline).toMatchObject({ until: 9_050 });
    expect(run.state.status).toBe("active");
  });

  it("that stood still when the run ends sets no timer", () => {
    const run = byHand(agent({ name: "a", deadlineMs: 100, maxIterations: 1, tools }), "Hello");
    run.take(answer(0, wish("pay")));
    run.take(decided("approval/0/0", false));
    expect(run.state).toMatchObject({ status: "failed", value: "maxIterations" });
    expect(run.directives.filter(({ type }) => type === "timer")).toEqual([]);
  });

  it("stands still as well for a value that a person gives, also in a run of one turn", () => {
    const run = started(false);
    run.take({ ...answer(0, wish("value")), at: 40 });
    expect(run.owed).toEqual(["approval/0/0"]);
    run.take({ ...decided("approval/0/0", true, { value: 7 }), at: 900 });
    expect(run.owed).toEqual(["timer/deadline/0/llm/1", "llm/1"]);
    run.take(answer(1, "Seven."));
    expect(run.state).toMatchObject({ status: "done", value: "answered" });
  });

  it("has no timer after an interrupt between a question and its answer", () => {
    const run = started();
    run.take({ ...answer(0, wish("pay")), at: 40 });
    run.take({ type: "interrupt", partial: {} });
    expect([run.state.value, run.owed, run.context.deadline]).toEqual(["ready", [], null]);
  });
});
