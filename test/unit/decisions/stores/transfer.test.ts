// Export and import: a graph with its history as JSON lines, checked, all or nothing.
import { Decisions, exportDecisions, importDecisions, memoryDecisions } from "reckoner/decisions";
import { describe, expect, test } from "vitest";
import { readExport } from "../../../../src/decisions/pure/index.js";
import { duckdbStore } from "../../../support/duckdb.js";

async function example(store = memoryDecisions()): Promise<Decisions> {
  let now = 0;
  const graph = new Decisions(store, { now: () => (now += 10) });
  const metadata = { z: 1, a: "}" };
  await graph.addNode({ id: "goal", type: "goal", label: 'quotes " and lines\n', metadata });
  await graph.addNode({ id: "old", type: "decision", label: "old", rationale: "at first" });
  await graph.addEdge({ fromId: "goal", toId: "old", edgeType: "leads_to" });
  for (const id of ["z", "a", "gone"]) {
    await graph.addNode({ id, type: "option", label: id, createdAt: 5 });
    await graph.addEdge({ fromId: "old", toId: id, edgeType: "leads_to" });
  }
  await graph.updateNode("old", { rationale: "on reflection", confidence: 0.5 });
  await graph.write([{ type: "decideOption", id: "a", outcome: "rejected", rationale: "no" }]);
  for (const [old, by] of [
    ["old", "b"],
    ["b", "c"],
    ["c", "early"],
  ] as const) {
    const createdAt = by === "early" ? 1 : 1_000;
    await graph.addNode({ id: by, type: "decision", label: by, createdAt });
    await graph.supersede(old, by, `${by} is better`);
  }
  await graph.deleteNode("gone");
  return graph;
}

async function linesOf(graph: Decisions): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportDecisions(graph)) lines.push(line);
  return lines;
}

/** Everything that can be seen of a graph, but for the numbers of its transactions. */
async function everything(graph: Decisions): Promise<unknown> {
  const { changes } = await graph.query({ type: "history" });
  const { edges } = await graph.query({ type: "edges" });
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    nodes: await graph.nodes(),
    edges: [...edges].sort(byId),
    changes: changes.map(({ seq: _, ...change }) => change),
    context: await graph.context(),
  };
}

describe("an export", () => {
  test("is JSON lines of operations, and comes back whole, with the history of each node", async () => {
    const graph = await example(duckdbStore());
    const lines = await linesOf(graph);
    expect(JSON.parse(lines[0] ?? "")).toEqual({ format: "reckoner-decisions/2" });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ operations: lines.length - 2 });
    for (const line of lines) expect(line).not.toContain("\n");
    const copy = new Decisions(memoryDecisions());
    expect(await importDecisions(copy, lines)).toMatchObject({ seq: 1 });
    expect(await everything(copy)).toEqual(await everything(graph));
    expect((await copy.history("old")).changes.map(({ set }) => set.rationale)).toEqual([
      "at first",
      "on reflection",
      "b is better",
    ]);
    const again = new Decisions(memoryDecisions());
    await importDecisions(again, await linesOf(copy));
    expect(await everything(again)).toEqual(await everything(graph));
  });

  test("of nothing is a header and an end, and imports nothing", async () => {
    const empty = new Decisions(memoryDecisions());
    const lines = await linesOf(empty);
    expect(lines).toHaveLength(2);
    expect(await importDecisions(empty, lines)).toBe(null);
    expect((await empty.stats()).seq).toBe(0);
  });

  test("is of one version, also if the graph is written to meanwhile", async () => {
    const store = memoryDecisions();
    const other = await example(store);
    let meanwhile = 1;
    const graph = new Decisions({
      ...store,
      async read(query, call) {
        const answer = await store.read(query, call);
        const { type } = query as { type: string };
        if (type === "nodes" && meanwhile-- > 0) {
          await other.addNode({ id: "late", type: "option", label: "late" });
          await other.addEdge({ fromId: "goal", toId: "late", edgeType: "leads_to" });
        }
        return answer;
      },
    });
    const copy = new Decisions(memoryDecisions());
    await importDecisions(copy, await linesOf(graph));
    expect(await everything(copy)).toEqual(await everything(other));
  });
});

describe("an import", () => {
  test("twice has no second effect; into a graph that has its nodes it is refused", async () => {
    const lines = await linesOf(await example());
    const copy = new Decisions(memoryDecisions());
    const first = await importDecisions(copy, lines);
    expect(await importDecisions(copy, ["", ...lines, " "])).toEqual(first);
    const other = new Decisions(memoryDecisions());
    await other.addNode({ id: "goal", type: "goal", label: "theirs" });
    await expect(importDecisions(other, lines)).rejects.toMatchObject({
      code: "decisions.duplicate",
    });
    expect((await other.stats()).nodes).toBe(1);
  });

  test("is refused if a line is damaged, missing, moved, doubled, or behind the end", async () => {
    const lines = await linesOf(await example());
    const at = (i: number) => lines[i] as string;
    const damaged: readonly (readonly [string, readonly string[]])[] = [
      ["line 1", lines.slice(1)],
      ["line 1", ["{", ...lines]],
      [`line ${lines.length - 1}`, lines.slice(0, -1)],
      [`line ${lines.length - 1}`, lines.filter((_, i) => i !== 2)],
      [`line ${lines.length + 1}`, [at(0), at(1), ...lines.slice(1)]],
      [`line ${lines.length}`, [at(0), at(2), at(1), ...lines.slice(3)]],
      [
        `line ${lines.length}`,
        [at(0), at(1).replace(/"label":"\w+"/, '"label":"y"'), ...lines.slice(2)],
      ],
      ["line 2", [at(0), at(1).replace("addNode", "addNodes"), ...lines.slice(2)]],
      ["line 2", [at(0), "null", ...lines.slice(2)]],
      [`line ${lines.length + 1}`, [...lines, at(1)]],
      ["line 0", []],
    ];
    for (const [place, given] of damaged) {
      const graph = new Decisions(memoryDecisions());
      await expect(importDecisions(graph, given), place).rejects.toMatchObject({
        code: "decisions.import",
        place,
      });
      expect((await graph.stats()).seq).toBe(0);
    }
    expect(readExport(lines).operations).toHaveLength(lines.length - 2);
  });

  test.each([["text"], [7], [null]])("of %j is refused", async (lines) => {
    const graph = new Decisions(memoryDecisions());
    await expect(importDecisions(graph, lines as never)).rejects.toMatchObject({
      code: "option.invalid",
    });
    await expect(importDecisions(graph, [5] as never)).rejects.toMatchObject({
      code: "decisions.import",
    });
  });
});
