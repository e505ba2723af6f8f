// Export and import: the whole history as JSON lines, checked, resumable, all or nothing.
import { createHash } from "node:crypto";
import {
  Decisions,
  type ExportPosition,
  ExportReader,
  exportDecisions,
  importDecisions,
  memoryDecisions,
  readExport,
} from "reckoner/decisions";
import { describe, expect, test } from "vitest";

async function example(count = 3): Promise<Decisions> {
  let now = 0;
  let ids = 0;
  const graph = new Decisions(memoryDecisions(), {
    now: () => {
      now += 10;
      return now;
    },
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  });
  await graph.addNode({
    id: "goal",
    type: "goal",
    label: 'quotes " and lines\n',
    metadata: { z: 1, a: "}" },
  });
  await graph.addNode({ id: "old", type: "decision", label: "old", rationale: "at first" });
  await graph.addEdge({ fromId: "go", toId: "ol", edgeType: "leads_to" });
  for (let i = 0; i < count; i++) {
    await graph.addNode({ id: `n${i}`, type: "option", label: `option ${i}`, createdAt: 5 });
  }
  await graph.supersede("old", "n0", "better");
  await graph.deleteNode("n1");
  return graph;
}

async function linesOf(graph: Decisions, after?: ExportPosition): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportDecisions(graph, after === undefined ? {} : { after }))
    lines.push(line);
  return lines;
}

/** Everything that can be seen of a graph, now and at each of its times. */
async function everything(graph: Decisions): Promise<unknown> {
  const { at } = await graph.stats();
  const times = Array.from({ length: (at ?? 0) / 10 + 1 }, (_, i) => i * 10);
  const views = [graph, ...times.map((time) => graph.asOf(time))];
  return Promise.all(
    views.map(async (view) => [
      await view.nodes(),
      await view.query({ type: "edges" }),
      (await view.history("old")).entries.map(({ rationales, ...entry }) => ({
        ...entry,
        rationales: rationales.map(({ at, rationale }) => ({ at, rationale })),
      })),
    ]),
  );
}

describe("an export", () => {
  test("is JSON lines that say what happened, and comes back whole, its past included", async () => {
    const graph = await example();
    const lines = await linesOf(graph);
    expect(lines).toHaveLength(10);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ format: "reckoner-decisions/1" });
    expect(JSON.parse(lines[3] ?? "")).toMatchObject({
      seq: 3,
      operations: [{ type: "addEdge", edge: { fromId: "goal", toId: "old" } }],
    });
    expect(JSON.parse(lines[9] ?? "")).toMatchObject({ changes: 8, nodes: 4, edges: 2 });
    for (const line of lines) expect(line).not.toContain("\n");

    const copy = new Decisions(memoryDecisions());
    const result = await importDecisions(copy, lines);
    expect(result).toMatchObject({ seq: 1, operations: 8 });
    expect(await everything(copy)).toEqual(await everything(graph));
  });

  test("of more changes than are read at a time", async () => {
    const graph = await example(250);
    const lines = await linesOf(graph);
    expect(lines).toHaveLength(257);
    expect(readExport(lines).graph.stats).toMatchObject({ seq: 255, nodes: 251 });
  });

  test("of nothing is a header and an end, and imports nothing", async () => {
    const empty = new Decisions(memoryDecisions());
    const lines = await linesOf(empty);
    expect(lines).toHaveLength(2);
    expect(await importDecisions(empty, lines)).toBe(null);
    expect((await empty.stats()).seq).toBe(0);
  });

  test("that broke off goes on where it was, with what was written since", async () => {
    const graph = await example();
    const whole = await linesOf(graph);
    for (let kept = 1; kept < whole.length; kept++) {
      const reader = new ExportReader();
      for (const line of whole.slice(0, kept)) reader.take(line);
      const rest = await linesOf(graph, reader.position);
      expect([...whole.slice(0, kept), ...rest]).toEqual(whole);
    }
    const reader = new ExportReader();
    expect(reader.position).toBe(undefined);
    for (const line of whole.slice(0, 5)) reader.take(line);
    await graph.addNode({ id: "later", type: "goal", label: "later" });
    for (const line of await linesOf(graph, reader.position)) reader.take(line);
    expect(reader.end().graph.node("later")?.label).toBe("later");
  });
});

describe("an export is refused, before its first line,", () => {
  const hash = "a".repeat(43);
  test.each([
    ["an empty position", {}],
    ["a position of no number", { hash, seq: "x" }],
    ["a position of half a change", { hash, seq: 0.5 }],
    ["a position without a line", { hash: "", seq: 1 }],
    ["a position with more to it", { hash, seq: 1, more: true }],
    ["a position past the end", { hash, seq: 9 }],
  ])("behind %s", async (_, after) => {
    const graph = await example();
    await expect(linesOf(graph, after as never)).rejects.toMatchObject({
      code: "option.invalid",
      message: expect.stringContaining("after"),
    });
  });

  test("of the past, which has no log of its own", async () => {
    const past = (await example()).asOf(20);
    // @ts-expect-error: no view is exported
    const lines = exportDecisions(past);
    await expect(lines.next()).rejects.toMatchObject({
      code: "option.invalid",
      message: expect.stringContaining("no view of the past"),
    });
  });
});

describe("an import", () => {
  test("is one write: a second one has no second effect", async () => {
    const lines = await linesOf(await example());
    const store = memoryDecisions();
    const first = await importDecisions(new Decisions(store), lines);
    const again = await importDecisions(new Decisions(store), [...lines, "", "  "]);
    expect(again).toEqual(first);
    expect((await new Decisions(store).stats()).seq).toBe(1);
  });

  test("into a scope", async () => {
    const lines = await linesOf(await example());
    const store = memoryDecisions({ scoped: true });
    await importDecisions(new Decisions(store, { scope: "one" }), lines);
    expect((await new Decisions(store, { scope: "one" }).stats()).nodes).toBe(4);
    expect((await new Decisions(store, { scope: "two" }).stats()).nodes).toBe(0);
  });

  test("into a store that holds one of its ids writes nothing", async () => {
    const lines = await linesOf(await example());
    const graph = new Decisions(memoryDecisions());
    await graph.addNode({ id: "n2", type: "goal", label: "in the way" });
    await expect(importDecisions(graph, lines)).rejects.toMatchObject({
      code: "decisions.duplicate",
    });
    expect((await graph.stats()).nodes).toBe(1);
  });

  test("says of a change that cannot be carried out why not, and writes nothing", async () => {
    const lines = await linesOf(await example());
    const reader = new ExportReader();
    reader.take(lines[0] ?? "");
    const { hash: _, ...change } = JSON.parse(lines[1] ?? "");
    const operations = [{ type: "deleteNode", at: 1, id: "nobody" }];
    const text = JSON.stringify({ ...change, operations });
    // Whoever forges a line forges its hash as well.
    const sealed = `${JSON.parse(lines[0] ?? "").hash}\n${text}`;
    const hash = createHash("sha256").update(sealed).digest("base64url");
    expect(() => reader.take(`${text.slice(0, -1)},"hash":"${hash}"}`)).toThrow(
      /line 2 holds what cannot be carried out \(.*no node has that id/,
    );
  });

  test("refuses every damaged byte, missing, repeated and exchanged line, and writes nothing", async () => {
    const lines = await linesOf(await example(2));
    const text = lines.join("\n");
    const store = memoryDecisions();
    const graph = new Decisions(store);
    const damaged: string[] = [];
    for (let i = 0; i < text.length; i += 1) {
      const other = text[i] === "x" ? "y" : "x";
      // White space and newlines between lines are all that may be anything.
      damaged.push(text.slice(0, i) + other + text.slice(i + 1));
    }
    for (let i = 0; i < lines.length; i += 1) {
      damaged.push(lines.filter((_, n) => n !== i).join("\n"));
      damaged.push([...lines.slice(0, i + 1), ...lines.slice(i)].join("\n"));
      if (i > 0)
        damaged.push(
          [...lines.slice(0, i - 1), lines[i], lines[i - 1], ...lines.slice(i + 1)].join("\n"),
        );
      damaged.push(lines.slice(0, i).join("\n"));
    }
    damaged.push(`${text}\n${lines[1]}`, "{}", "null", "x");
    for (const one of damaged) {
      await expect(importDecisions(graph, one.split("\n"))).rejects.toMatchObject({
        code: "decisions.import",
        place: expect.stringMatching(/^line \d+$/),
      });
    }
    expect((await graph.stats()).seq).toBe(0);
  });

  test("refuses what was put together by hand and cannot be carried out", async () => {
    const { exportChange, exportEnd, exportHeader } = await import("reckoner/decisions");
    const made = (operations: unknown, end: object = { seq: 1, at: 0, nodes: 1, edges: 0 }) => {
      const header = exportHeader();
      const change = { seq: 1, at: 0, key: null, operations, result: {} };
      const next = exportChange(change as never, header.position);
      return [header.line, next.line, exportEnd(end as never, next.position)];
    };
    const add = { type: "addNode", at: 0, node: { id: "a", type: "goal", label: "x" } };
    expect(readExport(made([add])).graph.stats.nodes).toBe(1);
    for (const lines of [
      made([{ ...add, node: { ...add.node, status: "superseded" } }]),
      made([{ ...add, node: { ...add.node, label: "" } }]),
      made([add, add]),
      made([]),
      made("x"),
      made([
        JSON.parse(
          '{"type":"addNode","at":0,"node":{"id":"a","type":"goal","label":"x","metadata":{"__proto__":{}}}}',
        ),
      ]),
      made([add], { nodes: 2, edges: 0 }),
      made([add], { nodes: 1, edges: 1 }),
    ]) {
      expect(() => readExport(lines)).toThrow(
        expect.objectContaining({ code: "decisions.import" }),
      );
    }
  });

  test("and an export are of decisions, and of no store", async () => {
    for (const given of [memoryDecisions(), undefined, 5, {}] as readonly unknown[]) {
      const message = expect.stringMatching(/must be decisions of a store: new Decisions\(store\)/);
      const refused = { code: "option.invalid", message };
      await expect(exportDecisions(given as never).next()).rejects.toMatchObject(refused);
      await expect(importDecisions(given as never, [])).rejects.toMatchObject(refused);
    }
  });
});
