// Tools that work through directives: what they ask for, and what settles it.
import { describe, expect, it } from "vitest";
import { agent, type ToolRequest, type ToolSettlement, tool } from "../../../../src/index.js";
import {
  answer,
  errorsOf,
  recordsOf,
  resultsOf,
  returned,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const read = (query: string): ToolRequest => ({ type: "read", store: "notes", query });
const write = (text: string): ToolRequest => ({
  type: "write",
  store: "notes",
  operations: [text],
});

const notes = (issue: () => readonly ToolRequest[]) =>
  tool({
    name: "notes",
    issue,
    settle: (_input, _context, settlements: readonly ToolSettlement[]) =>
      settlements.map((each) => ("value" in each ? (each.value ?? null) : each.type)),
  });
const started = (issue: () => unknown, ...more: Parameters<typeof tool>[0][]) =>
  byHand(
    agent({
      name: "a",
      tools: [notes(issue as () => readonly ToolRequest[]), ...more.map((each) => tool(each))],
    }),
    "x",
  );

describe("a tool that issues directives", () => {
  it("asks for all at once and gets what settles them in the order of the requests", () => {
    const run = started(() => [read("a"), write("b")]);
    run.take(answer(0, wish("notes")));
    expect(run.directives).toEqual([
      { ...read("a"), id: "tool/0/0/0" },
      { ...write("b"), id: "tool/0/0/1" },
    ]);
    run.take({ type: "write.succeeded", id: "tool/0/0/1" });
    run.take({ type: "read.succeeded", id: "tool/0/0/0", value: [1] });
    expect(resultsOf(run.context)).toEqual([[[1], "write.succeeded"]]);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("that asks for nothing is settled at once", () => {
    const run = started(() => []);
    run.take(answer(0, wish("notes")));
    expect(resultsOf(run.context)).toEqual([[]]);
  });

  it("gets a failure as what settled its request", () => {
    const run = started(() => [read("a")]);
    run.take(answer(0, wish("notes")));
    run.take({
      type: "read.failed",
      id: "tool/0/0/0",
      error: { code: "port.missing", message: "m" },
    });
    expect(resultsOf(run.context)).toEqual([["read.failed"]]);
  });

  const broken: readonly (readonly [string, () => unknown])[] = [
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["returns no array", () => ({})],
    ["is asynchronous", () => Promise.resolve([read("a")])],
    ["asks for what no tool may", () => [{ type: "llm", messages: [] }]],
    ["asks for a read without its store", () => [{ type: "read", query: 1 }]],
    ["asks with a Date", () => [{ type: "read", store: "s", query: new Date(0) }]],
    ["asks for nothing that is one", () => [null]],
  ];
  for (const [name, issue] of broken) {
    it(`whose issue ${name} fails its call, not the run`, () => {
      const run = started(issue);
      run.take(answer(0, wish("notes")));
      expect(run.state).toMatchObject({ status: "active" });
      expect(resultsOf(run.context)[0]).toMatch(/^Tool execution failed: /);
      expect(run.owed).toEqual(["llm/1"]);
    });
  }

  it("whose settle throws fails its call, not the run", () => {
    const settle = () => {
      throw new Error("no");
    };
    const one = agent({ name: "a", tools: [tool({ name: "t", issue: () => [], settle })] });
    const run = byHand(one, "x");
    run.take(answer(0, wish("t")));
    expect(resultsOf(run.context)).toEqual(["Tool execution failed: t threw an error."]);
    expect(errorsOf(run.context)).toEqual(["no"]);
  });

  it("that has written when the run is cancelled does not read as not executed", () => {
    const slow = { name: "slow", execute: () => "" };
    const run = started(() => [write("b")], slow);
    run.take(answer(0, wish("notes"), wish("slow")));
    run.take({ type: "write.succeeded", id: "tool/0/0/0" });
    run.take({ type: "cancel" });
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual(["unknown", "unknown"]);
    expect(resultsOf(run.context)[0]).toMatch(/may have taken effect/);
  });

  it("counts what its child runs have spent", () => {
    const run = started(() => [{ type: "run", reasoner: "child", input: 1 }]);
    run.take(answer(0, wish("notes")));
    const usage = { requests: 2, totalTokens: 7 };
    run.take({ type: "run.succeeded", id: "tool/0/0/0", runId: "c", output: 1, usage });
    expect(run.context.usage).toMatchObject({ requests: 3, totalTokens: 22, toolCalls: 1 });
  });
});

it("a result that is not the tool's own id settles nothing", () => {
  const run = started(() => [read("a")]);
  run.take(answer(0, wish("notes")));
  expect(run.take(returned("tool/0/0", 1)).ignored?.reason).toBe("stale");
});
