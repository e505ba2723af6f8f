// Agents as tools of agents: what the parent reads of a child's end, how ids and journals follow.

import { describe, expect, it } from "vitest";
import { MAX_DEPTH } from "../../../../src/core/kernel/values/index.js";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type AgentContext,
  agent,
  agentTool,
  memoryJournal,
  type Observation,
  type Plugin,
  replay,
  resume,
  run,
  scriptedModel,
  type Tool,
  toArray,
  tool,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { resultsOf } from "../../../support/agent-events.js";
import {
  approvalIn,
  calls,
  familyOf,
  lineOf,
  type Member,
  pathOf,
  runIdIn,
  worker,
} from "../../../support/family.js";
import { beginOf, textOf } from "../../../support/tree-lines.js";

const CHILD = "tool/0/0/0";
/** The path of a run so deep in a line. */
const down = (depth: number) => pathOf(...Array<string>(depth).fill(CHILD));

/** A parent whose one child is this; what the parent's model reads of it. */
async function resultOf(child: Omit<Member, "name">, options: object = {}) {
  const { parent, model } = familyOf({
    name: "parent",
    says: [calls("child"), "done"],
    children: [{ name: "child", ...child }],
  });
  const journal = memoryJournal();
  const end = await run(parent, "go", { model, journal, runId: "r", ...options });
  expect(end.status).toBe("done");
  expect((await replay(parent, journal)).status).toBe("identical");
  const [record] = toArray((end.context as AgentContext).toolCalls);
  return { end, journal, parent, record, result: resultsOf(end.context as AgentContext)[0] };
}

describe("a line of agents", () => {
  for (const depth of [1, 2, 3]) {
    it(`${depth} deep: all in one journal, with ids that follow from the parent's`, async () => {
      const done: string[] = [];
      const { parent, model } = familyOf(lineOf(depth, [worker(done)]));
      const journal = textJournal("");
      const starts: string[] = [];
      const note = (each: Observation): void => {
        if (each.type === "child") note(each.observation);
        else if (each.type === "step" && each.event.type === "start") starts.push(each.state.runId);
      };
      const host = { model, journal, runId: "r", observers: [note] };
      const end = await run(parent, "go", host);
      expect(end).toMatchObject({ status: "done", output: "0 done" });
      expect(done).toEqual([pairKey(runIdIn("r", Array(depth).fill(CHILD)), "tool/0/0")]);
      expect(starts).toEqual(
        Array.from({ length: depth + 1 }, (_, i) => runIdIn("r", Array(i).fill(CHILD))),
      );
      for (let level = 1; level <= depth; level++) {
        expect(beginOf(journal.text, down(level))).toMatchObject({
          reasoner: { id: `level${level}` },
          input: `level${level}, go`,
        });
      }
      expect((await replay(parent, journal)).status).toBe("identical");
    });
  }

  it("ends at the limit of depth: the call fails, its run goes on", async () => {
    const { parent, model } = familyOf(lineOf(3));
    const journal = textJournal("");
    const end = await run(parent, "go", { model, journal, maxDepth: 2 });
    expect(end.status).toBe("done");
    const second = textOf(journal.text, down(2));
    expect(second).toContain('"code":"run.depth"');
    expect(second).toContain("raise maxDepth");
    expect(beginOf(journal.text, down(3))).toBeUndefined();
    expect((await replay(parent, journal)).status).toBe("identical");
    const none = textJournal("");
    await run(parent, "go", { model, journal: none, maxDepth: 0 });
    expect(textOf(none.text, "")).toContain('"code":"run.depth"');
  });

  it("goes as deep as 8 unless it is told otherwise", async () => {
    const { parent, model } = familyOf(lineOf(9));
    const journal = textJournal("");
    expect((await run(parent, "go", { model, journal })).status).toBe("done");
    expect(textOf(journal.text, down(8))).toContain("run.depth");
  });

  it.each([1, 2])("that has begun goes on, %i deep, under a lower limit", async (depth) => {
    const done: string[] = [];
    const { parent, model } = familyOf(
      lineOf(depth, [worker(done, "pay", { needsApproval: true })]),
    );
    const journal = textJournal("");
    expect((await run(parent, "go", { model, journal })).status).toBe("waiting");
    const approvals = { [approvalIn(Array(depth).fill(CHILD), "approval/0/0")]: { approve: true } };
    const end = await resume(parent, journal, { model, maxDepth: 0, approvals });
    expect(end).toMatchObject({ status: "done", output: "0 done" });
    expect(done).toHaveLength(1);
    expect((await replay(parent, journal)).status).toBe("identical");
  });
});

describe("what the parent reads of a child", () => {
  it("is its output, whatever JSON that is", async () => {
    const final = worker([], "answer", { final: true });
    const { result, record } = await resultOf({ says: [calls("answer")], tools: [final] });
    expect([result, record?.status]).toEqual(["answer done", "succeeded"]);
  });

  it("is that it failed, and why", async () => {
    const { result, record } = await resultOf({ says: [{ error: { message: "no credit" } }] });
    expect([result, record?.status]).toEqual(["Tool execution failed: no credit", "failed"]);
  });

  it("is its output as JSON, where its final tool gave what is none", async () => {
    const odd = tool({ name: "odd", final: true, execute: () => ({ when: new Date(0) }) });
    const { result } = await resultOf({ says: [calls("odd"), "so be it"], tools: [odd] });
    expect(result).toEqual({ when: "1970-01-01T00:00:00.000Z" });
  });

  it("is that its output is too large for the parent's journal", async () => {
    const output = "x".repeat(5 * 1024 * 1024 - 10);
    const final = tool({ name: "final", final: true, execute: () => output });
    const { result } = await resultOf({ says: [calls("final")], tools: [final] });
    expect(result).toMatch(/^The tool ran, and its result is lost: .* larger than 5 MiB/);
  });

  for (let depth = MAX_DEPTH - 3; depth <= MAX_DEPTH + 1; depth++) {
    it(`an output ${depth} deep is a result or a failure, and never the end of the parent`, async () => {
      let deep: unknown = 1;
      for (let i = 0; i < depth; i++) deep = [deep];
      const say = tool({ name: "say", final: true, reduce: () => deep });
      await resultOf({ says: [{ calls: [{ name: "say" }] }, "too deep"], tools: [say] });
    });
  }

  it("is the last answer of a conversation, which nobody else could go on with", async () => {
    const { result } = await resultOf({ says: ["an answer"], is: { conversation: true } });
    expect(result).toBe("an answer");
  });

  it("is why the turn of a conversation failed", async () => {
    const says = [{ error: { message: "no credit" } }];
    const { result, record } = await resultOf({ says, is: { conversation: true } });
    expect([result, record?.status]).toEqual(["Tool execution failed: no credit", "failed"]);
  });

  it("adds its usage to the parent's, also where it failed", async () => {
    const usage = { inputTokens: 100, outputTokens: 1, totalTokens: 101 };
    const { end } = await resultOf({ says: [{ text: "hm", usage }] });
    // The parent's two answers cost 15 each.
    expect((end.context as AgentContext).usage).toMatchObject({ requests: 3, totalTokens: 131 });
    const { end: failed, result } = await resultOf({
      says: [{ ...(calls("none") as object), usage }, { error: { message: "no credit" } }],
    });
    expect(result).toContain("no credit");
    // The request that failed counts too.
    expect((failed.context as AgentContext).usage).toMatchObject({ requests: 4, totalTokens: 131 });
  });
});

describe("a child that cannot be", () => {
  const failing = (more: Partial<Tool>) =>
    agent({
      name: "parent",
      tools: [{ ...agentTool(familyOf(lineOf(0)).parent, { name: "child" }), ...more }],
    });

  it("has no reasoner, or one by a name that every object has", async () => {
    for (const reasoner of ["nobody", "constructor", "toString"]) {
      const issue = () => [{ type: "run" as const, reasoner, input: 1 }];
      const end = await run(failing({ issue }), "go", { model: said });
      expect(end.status).toBe("done");
      expect(resultsOf(end.context)[0]).toBe(
        `Tool execution failed: The run has no reasoner ${reasoner}.`,
      );
    }
  });

  it("has the name of another", () => {
    const as = (name: string, child: object) => ({
      ...agentTool(child as never, { name }),
      children: { child: child as never },
    });
    const [one, other] = [lineOf(0), lineOf(1)].map((each) => familyOf(each).parent);
    const both = () => agent({ name: "p", tools: [as("a", one ?? {}), as("b", other ?? {})] });
    expect(both).toThrow(/Two children of p are named child; rename one/);
    agent({ name: "p", tools: [as("a", one ?? {}), as("b", one ?? {})] });
  });

  it("starts from what its machine cannot take", async () => {
    const issue = () => [{ type: "run" as const, reasoner: "child", input: null }];
    const end = await run(failing({ issue }), "go", { model: said });
    expect(resultsOf(end.context)[0]).toMatch(/^Tool execution failed: The machine failed at/);
  });
});

describe("children side by side", () => {
  it("run at once, and come to the same whatever order they end in", async () => {
    const order: string[] = [];
    const slow = (name: string, turns: number): Member => ({
      name,
      tools: [worker(order)],
      says: [...Array(turns).fill({ calls: [{ name: "work" }] }), `${name} done`],
    });
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("a", "b", "a"), "done"],
      children: [slow("a", 3), slow("b", 1)],
    });
    const end = await run(parent, "go", { model, runId: "r" });
    expect(resultsOf(end.context)).toEqual(["a done", "b done", "a done"]);
    // b, which has less to do, worked before a was through.
    expect(order.indexOf(pairKey(runIdIn("r", ["tool/0/1/0"]), "tool/0/0"))).toBeLessThan(
      order.indexOf(pairKey(runIdIn("r", ["tool/0/0/0"]), "tool/2/0")),
    );
    expect(new Set(order).size).toBe(7);
  });
});

const said = scriptedModel([calls("child"), "done"]);

const scout = familyOf({
  name: "scout",
  tools: [worker([], "look", { needsApproval: true })],
  says: [{ calls: [{ name: "look" }] }, "all is quiet"],
});
const scouting: Plugin = {
  name: "scouting",
  children: { scout: scout.parent },
  issue: ({ iteration }) =>
    iteration === 0 ? [{ type: "run", reasoner: "scout", input: "go" }] : [],
  settle: (_context, _state, [settled]) =>
    settled?.type === "run.succeeded" ? { prompt: `scout: ${settled.output}` } : {},
};

it("a plug-in's child waits, is decided through its parent, and its usage is added up", async () => {
  const parent = agent({ name: "parent", system: "parent", plugins: [scouting] });
  const model = {
    ...scout.model,
    generate: (...[request, call]: Parameters<typeof scout.model.generate>) =>
      request.system?.startsWith("parent") === true
        ? Promise.resolve({
            content: [{ type: "text" as const, text: request.system }],
            finishReason: "stop" as const,
            usage: { totalTokens: 15 },
          })
        : scout.model.generate(request, call),
  };
  const journal = memoryJournal();
  const waiting = await run(parent, "go", { model, journal });
  const id = "plugin/0/0/0:approval/0/0";
  expect(waiting).toMatchObject({ status: "waiting", approvals: [{ id }] });
  const end = await resume(parent, journal, { model, approvals: { [id]: { approve: true } } });
  expect(end).toMatchObject({ status: "done", output: "parent\n\nscout: all is quiet" });
  expect(end.context.usage).toMatchObject({ requests: 3, totalTokens: 45 });
  expect((await replay(parent, journal)).status).toBe("identical");
});
