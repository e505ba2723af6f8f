// ReAct: six pure tools, and no request after the final answer.
import { describe, expect, it } from "vitest";
import { agent, reactBehaviour, scriptedModel, tool } from "../../../../src/index.js";
import { answer, resultsOf, returned, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const look = tool({ name: "look", idempotent: true, execute: () => "seen" });
const react = agent({ name: "r", tools: [look], behaviour: reactBehaviour, deps: { mine: 1 } });
const started = () => byHand(react, "Solve it.");

describe("ReAct", () => {
  it("offers its six tools beside the agent's own, all of them pure", () => {
    const [asked] = started().directives;
    expect(asked).toMatchObject({ type: "llm", system: expect.stringContaining("final_answer") });
    const names = ["plan", "note", "add_todo", "complete_todo", "list_todos", "final_answer"];
    const offered = (asked as unknown as { tools: { name: string }[] }).tools;
    expect(offered.map(({ name }) => name)).toEqual(["look", ...names]);
    expect(names.map((name) => react.tools[name]?.kind)).toEqual(names.map(() => "reduce"));
  });

  it("keeps a plan, notes and to-dos in deps, in call order within one answer", () => {
    const run = started();
    run.take(
      answer(
        0,
        wish("plan", { plan: "first look" }),
        wish("note", { text: "it is dark" }, "n1"),
        wish("note", { text: "very dark" }, "n2"),
        wish("add_todo", { text: "light" }, "t1"),
        wish("add_todo", { text: "look" }, "t2"),
        wish("complete_todo", { id: 1 }),
        wish("list_todos"),
      ),
    );
    const todos = [
      { id: 1, text: "light", done: true },
      { id: 2, text: "look", done: false },
    ];
    expect(run.context.deps).toEqual({
      mine: 1,
      react: { plan: "first look", notes: ["it is dark", "very dark"], todos },
    });
    expect(resultsOf(run.context)).toEqual([
      { planned: "first look" },
      { noted: "it is dark", total: 1 },
      { noted: "very dark", total: 2 },
      { id: 1, text: "light", done: false },
      { id: 2, text: "look", done: false },
      { completed: 1 },
      { todos },
    ]);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("tells the model what it got wrong, and goes on", () => {
    const run = started();
    run.take(answer(0, wish("complete_todo", { id: 9 }), wish("plan", { plan: 5 })));
    expect(resultsOf(run.context)).toEqual([
      "Tool execution failed: There is no to-do 9.",
      "Error: tool arguments did not match the schema (plan: expected a string). Please retry with valid arguments.",
    ]);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("asks no more after the final answer, also beside other calls", () => {
    const run = started();
    run.take(answer(0, wish("final_answer", { answer: "42" }), wish("look")));
    expect(run.owed).toEqual(["tool/0/1"]);
    run.take(returned("tool/0/1", "seen"));
    expect(run.state).toMatchObject({ status: "done", value: "finished" });
    expect(run.output).toBe("42");
    expect(run.context).toMatchObject({ needsResponse: false, usage: { requests: 1 } });
    expect(run.directives).toMatchObject([{ topic: "tool.settled" }]);
  });

  it("takes an answer in plain text as well", () => {
    const run = started();
    run.take(answer(0, "It is 42."));
    expect(run.output).toBe("It is 42.");
  });

  it("comes to the same after a crash anywhere", async () => {
    const model = scriptedModel([
      { calls: [{ name: "plan", input: { plan: "look" } }, { name: "look" }] },
      { calls: [{ name: "add_todo", input: { text: "say" } }, { name: "look" }] },
      { calls: [{ name: "complete_todo", input: { id: 1 } }] },
      { calls: [{ name: "final_answer", input: { answer: "42" } }] },
    ]);
    const { end } = await everyWay({
      reasoner: react,
      input: "Solve it.",
      world: () => ({ model }),
    });
    expect(end).toMatchObject({ status: "done", reason: "finished", output: "42" });
    expect(end.context.usage.requests).toBe(4);
  });
});
