// The examples of decision graphs: with an agent, without one, from thoughts, and a store of one's own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryJournal, replay, resume, run, scriptedModel, toArray } from "reckoner";
import { Decisions, memoryDecisions } from "reckoner/decisions";
import { duckdbDecisions } from "reckoner/decisions/duckdb";
import { expect, onTestFinished, test } from "vitest";
import { direct } from "../../examples/decisions/direct.js";
import { keeper, notebook } from "../../examples/decisions/notebook.js";
import config, { planner, scriptedPlanner, task } from "../../examples/decisions/planner.js";
import { thinkAndRecord } from "../../examples/decisions/thoughts.js";
import { killedAfter } from "../support/watched-journal.js";

const linesOf = async (graph: Decisions) =>
  (await graph.nodes()).nodes.map(({ type, status, label }) => `${type}, ${status}: ${label}`);

test("the agent plans, and a second run goes on where the first left off", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-planner-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "plan.duckdb");
  const runs = [
    ["one", "The plan stands."],
    ["two", "It is implemented, and its tests pass."],
  ] as const;
  for (const [runId, output] of runs) {
    const store = duckdbDecisions({ path });
    const journal = memoryJournal();
    const world = { model: scriptedPlanner(), stores: { decisions: store }, journal, runId };
    expect(await run(planner, task, world)).toMatchObject({ status: "done", output });
    await store.close();
    expect((await replay(planner, journal)).status).toBe("identical");
  }
  const store = duckdbDecisions({ path });
  const graph = new Decisions(store);
  expect(await linesOf(graph)).toEqual([
    "goal, completed: Plan and implement user authentication",
    "decision, superseded: Use JWT tokens",
    "option, rejected: Log in through a third party only",
    "decision, active: Use sessions on the server",
    "option, completed: Keep sessions in Redis",
    "outcome, completed: Log-in works, 14 tests pass",
  ]);
  const { nodes } = await graph.nodes({ types: ["outcome"] });
  const { steps } = await graph.why(nodes[0]?.id ?? "");
  expect(steps.map(({ node }) => node.label)).toEqual([
    "Plan and implement user authentication",
    "Use sessions on the server",
    "Log-in works, 14 tests pass",
  ]);
  await store.close();
  expect(config).toMatchObject({ reasoner: planner, input: task });
});

test("a graph without an agent", async () => {
  const { shown, why } = await direct();
  expect(shown?.replace(/\[[0-9a-f]{32}\] /g, "").split("\n")).toEqual([
    "## Active Goals",
    "- Implement auth (status: active, confidence: 0.9)",
    "  └─ Use JWT tokens (superseded)",
    "  └─ [sessions] Use sessions (active)",
    "",
    "## Recent Decisions",
    "- [sessions] Use sessions",
  ]);
  expect(why).toBe("Implement auth > Use sessions > Keep them in Redis");
});

test("the best path of a run of thoughts, which answers why", async () => {
  const store = memoryDecisions();
  const best = await thinkAndRecord(store);
  const graph = new Decisions(store);
  const { steps } = await graph.why(best);
  expect(steps[0]?.node).toMatchObject({ type: "goal", label: "Sort 32 numbers" });
  expect(steps.length).toBeGreaterThan(1);
  expect(steps.slice(1).every(({ edgeType }) => edgeType === "chosen")).toBe(true);
  expect(steps.flatMap(({ rejected }) => rejected).length).toBeGreaterThan(0);
});

test("a notebook: written to and read from by tools, once for each write, and by no replay", async () => {
  const entries = new Map();
  const calls = [
    { name: "remember", input: { key: "user/name", value: "Anna" } },
    { name: "remember", input: { key: "user/city", value: "Ghent" } },
  ];
  const model = scriptedModel([
    { calls },
    { calls: [{ name: "recall", input: { prefix: "user/" } }] },
    "Hello Anna.",
  ]);
  let reads = 0;
  let writes = 0;
  const inner = notebook(entries);
  const notes = {
    ...inner,
    read: (...given: Parameters<typeof inner.read>) => {
      reads += 1;
      return inner.read(...given);
    },
    write: (...given: Parameters<typeof inner.write>) => {
      writes += 1;
      return inner.write(...given);
    },
  };
  const journal = memoryJournal();
  const host = { model, stores: { notes } };
  const end = await run(keeper, "Who am I?", { ...host, journal });
  expect(end).toMatchObject({ status: "done", output: "Hello Anna." });
  expect(toArray(end.context.toolCalls).map(({ output }) => output)).toEqual([
    "remembered: user/name",
    "remembered: user/city",
    [
      { key: "user/name", value: "Anna" },
      { key: "user/city", value: "Ghent" },
    ],
  ]);
  expect([reads, writes]).toEqual([1, 2]);
  expect((await replay(keeper, journal)).status).toBe("identical");
  expect([reads, writes]).toEqual([1, 2]);
  // Killed before it heard of its writes: they are repeated, and the notebook remembers the keys.
  entries.set("user/name", "somebody else");
  expect(await resume(keeper, await killedAfter(journal, 3), host)).toMatchObject({
    status: "done",
  });
  expect(writes).toBe(4);
  expect(entries.get("user/name")).toBe("somebody else");
  const { signal } = new AbortController();
  const call = { signal, idempotencyKey: `${end.runId}:tool/0/0/0` };
  await expect(inner.write([{ key: "a", value: 1 }], call)).rejects.toMatchObject({
    code: "store.key",
  });
  await inner.write([{ key: "user/name", value: null }], { signal, idempotencyKey: "other" });
  expect(entries.has("user/name")).toBe(false);
});
