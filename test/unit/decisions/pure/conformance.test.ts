// The seed's own test cases of the graph, as its quick start uses it, and the defects that it had.
import { Decisions, decisions, memoryDecisions } from "reckoner/decisions";
import { beforeEach, describe, expect, test } from "vitest";
import { validateConfig } from "../../../../src/decisions/pure/index.js";

let time = 0;
let graph: Decisions;
beforeEach(() => {
  time = 1_000;
  graph = new Decisions(memoryDecisions(), { now: () => (time += 1) });
});

const ids = (found: { nodes: readonly { id: string }[] }) => found.nodes.map(({ id }) => id);
const decide = (id: string, createdAt?: number) =>
  graph.addNode({ id, type: "decision", label: `decision ${id}`, createdAt: createdAt as number });
const link = (fromId: string, toId: string) =>
  graph.addEdge({ fromId, toId, edgeType: "leads_to" });

describe("the seed's cases", () => {
  test("1 a node is fetched with its id, label and type, and is active", async () => {
    const { id } = await graph.addNode({ type: "goal", label: "Implement auth" });
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await graph.getNode(id)).toMatchObject({
      id,
      label: "Implement auth",
      type: "goal",
      status: "active",
    });
  });

  test("2, 4 an unknown id is missing", async () => {
    await expect(graph.getNode("nobody")).rejects.toMatchObject({ code: "decisions.missing" });
    await expect(graph.updateNode("nobody", { label: "x" })).rejects.toMatchObject({
      code: "decisions.missing",
    });
  });

  test("3 a patch changes the node, and its time of update", async () => {
    const { id, updatedAt } = await graph.addNode({ type: "goal", label: "x" });
    const changed = await graph.updateNode(id, { status: "completed" });
    expect(changed.status).toBe("completed");
    expect(changed.updatedAt).toBeGreaterThan(updatedAt);
  });

  test("5 with a node go its edges", async () => {
    await decide("a");
    await decide("b");
    await link("a", "b");
    await graph.deleteNode("a");
    await expect(graph.getNode("a")).rejects.toMatchObject({ code: "decisions.missing" });
    expect((await graph.getEdges("b", "both")).edges).toEqual([]);
  });

  test("6, 7 an edge is found from both ends", async () => {
    await decide("a");
    await decide("b");
    const edge = await link("a", "b");
    expect(edge).toMatchObject({ fromId: "a", toId: "b", edgeType: "leads_to", metadata: {} });
    expect((await graph.getEdges("a")).edges).toEqual([edge]);
    expect((await graph.getEdges("b", "incoming")).edges).toEqual([edge]);
    expect((await graph.getEdges("b")).edges).toEqual([]);
  });

  test("9 active goals are neither completed ones nor decisions", async () => {
    const goal = await graph.addNode({ type: "goal", label: "first" });
    await graph.addNode({ type: "goal", label: "second", status: "completed" });
    await decide("c");
    expect(await graph.activeGoals()).toEqual({ nodes: [goal], truncated: false });
  });

  test("10 recent decisions, newest first", async () => {
    for (const [id, month] of [
      ["jan", 0],
      ["jun", 5],
      ["dec", 11],
    ] as const) {
      await decide(id, Date.UTC(2026, month));
    }
    expect(ids(await graph.recentDecisions({ limit: 2 }))).toEqual(["dec", "jun"]);
  });

  test("11, 12, 13 descendants, ancestors, path", async () => {
    for (const id of ["a", "b", "c", "d"]) await decide(id);
    await link("a", "b");
    await link("b", "c");
    await link("b", "d");
    expect(ids(await graph.descendants("a"))).toEqual(["b", "c", "d"]);
    expect(ids(await graph.ancestors("c"))).toEqual(["b", "a"]);
    await link("c", "d");
    await graph.deleteNode("d");
    await decide("d");
    await link("c", "d");
    expect(ids(await graph.pathBetween("a", "d"))).toEqual(["a", "b", "c", "d"]);
  });

  test("16 a superseded node, its reason and its edge", async () => {
    await decide("old");
    await decide("new");
    await graph.supersede("old", "new", "Better approach found");
    expect(await graph.getNode("old")).toMatchObject({
      status: "superseded",
      rationale: "Better approach found",
    });
    expect((await graph.getEdges("new")).edges).toMatchObject([
      { toId: "old", edgeType: "supersedes", metadata: { rationale: "Better approach found" } },
    ]);
  });

  test("18, 19 the configuration's defaults, and its one required key", () => {
    expect(validateConfig({ store: "decisions" })).toEqual({
      store: "decisions",
      autoInject: true,
      injectStrategy: "first_only",
      decisionLimit: 5,
      budget: 8000,
    });
    expect(() => decisions({}).init?.({} as never)).toThrow(
      expect.objectContaining({
        code: "decisions.config",
        message: expect.stringContaining("store is required"),
      }),
    );
  });

  test("21 a cycle ends, and the start is left out", async () => {
    for (const id of ["a", "b", "c"]) await decide(id);
    await link("a", "b");
    await link("b", "c");
    await link("c", "a");
    expect(ids(await graph.descendants("a"))).toEqual(["b", "c"]);
  });
});

describe("the seed's defects", () => {
  test("4 a supersession keeps the first rationale, and refuses what makes no sense", async () => {
    await graph.addNode({ id: "old", type: "decision", label: "x", rationale: "at first" });
    await decide("new");
    await graph.supersede("old", "new");
    expect(await graph.getNode("old")).toMatchObject({ rationale: "at first" });
    for (const [by, code] of [
      ["old", "decisions.selfLoop"],
      ["nobody", "decisions.missing"],
    ]) {
      await expect(graph.supersede("old", by as string)).rejects.toMatchObject({ code });
    }
    await expect(graph.supersede("new", "old")).rejects.toMatchObject({
      code: "decisions.superseded",
    });
    expect((await graph.stats()).edges).toBe(1);
  });

  test("5 a path from a node to itself is that node", async () => {
    await decide("a");
    expect(ids(await graph.pathBetween("a", "a"))).toEqual(["a"]);
  });

  test("6 a duplicate id is refused", async () => {
    await decide("a");
    await expect(decide("a")).rejects.toMatchObject({ code: "decisions.duplicate" });
  });

  test("7 dangling edges are refused; what was given up is no recent decision", async () => {
    await decide("a");
    await decide("b");
    await expect(link("a", "nobody")).rejects.toMatchObject({ code: "decisions.missing" });
    await graph.supersede("a", "b");
    await graph.addNode({ type: "decision", label: "c", status: "rejected" });
    expect(ids(await graph.recentDecisions())).toEqual(["b"]);
  });

  test("8 the ids that are shown are ids that are taken", async () => {
    const first = await graph.addNode({ type: "goal", label: "one" });
    const text = (await graph.context()) ?? "";
    const shown = /\[(\w{32})\]/.exec(text)?.[1] ?? "";
    expect(shown).toBe(first.id);
    expect(await graph.updateNode(shown, { status: "completed" })).toMatchObject({
      id: first.id,
      status: "completed",
    });
  });
});
