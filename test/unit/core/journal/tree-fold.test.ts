// A fold over each run of a tree: each line is taken once, by its own run, and what a line stores is there
// for all of them.
import { describe, expect, it } from "vitest";
import {
  type DecodedLine,
  isEventLine,
  type Line,
  RecordedValues,
  TreeFold,
} from "../../../../src/core/journal/index.js";
import { memoryJournal, run } from "../../../../src/index.js";
import { RunView, viewOf } from "../../../../src/runtime/journals/view.js";
import { RunRecord } from "../../../../src/time-travel/pure/index.js";
import { calls, familyOf } from "../../../support/family.js";

/** The lines of each run. */
class Lines {
  readonly taken: Line[] = [];
  take(line: Line): void {
    this.taken.push(line);
  }
}

const decoded = (line: object): DecodedLine => ({
  text: "",
  number: 1,
  hash: "h",
  glance: undefined,
  line: line as Line,
});

async function aTree() {
  const system = `You are told at length: ${"be kind. ".repeat(60)}`;
  const { parent, model } = familyOf({
    name: "parent",
    says: [calls("one", "two"), "Done."],
    children: ["one", "two"].map((name) => ({
      name,
      says: [calls("inner"), `${name} did`],
      children: [{ name: "inner", says: ["Well."], is: { system } }],
    })),
  });
  const spoken: typeof model = {
    name: "spoken",
    generate: (request, call) =>
      model.generate(request.system === system ? { ...request, system: "inner" } : request, call),
  };
  const journal = memoryJournal("tree");
  const end = await run(parent, "go", { model: spoken, journal, runId: "r" });
  expect(end.status).toBe("done");
  return { journal, system };
}

describe("a tree", () => {
  it("has of each run its header, its events and its marks, as a view of that run has", async () => {
    const { journal } = await aTree();
    const tree = new TreeFold(() => new Lines());
    await viewOf(journal).readTree(tree);
    expect([...tree.runs.keys()]).toHaveLength(5);
    const isOwn = (line: Line) => !("more" in line);
    for (const [path, { fold }] of tree.runs) {
      const own: Line[] = [];
      for await (const { line } of new RunView(journal, path).lines())
        if (isOwn(line)) own.push(line);
      expect(fold.taken).toEqual(own);
    }
    const counts = [...tree.runs.values()].map(({ fold }) => fold.taken.filter(isEventLine).length);
    let events = 0;
    for await (const { line } of viewOf(journal).treeLines()) events += isEventLine(line) ? 1 : 0;
    expect(counts.reduce((sum, each) => sum + each)).toBe(events);
  });

  it("finds in a run the values that another one's line stores", async () => {
    const { journal, system } = await aTree();
    const values = new RecordedValues();
    const tree = new TreeFold(() => new RunRecord(values.ofOtherRun()));
    await viewOf(journal).readTree(tree);
    const inner = [...tree.runs].filter(([path]) => path.split(":").length === 2);
    expect(inner).toHaveLength(2);
    for (const [, { fold }] of inner) {
      const node = fold.effects.get("llm/0")?.parts.get("system");
      expect(node).toMatch(/^#/);
      expect(fold.values.value(node as string)).toBe(system);
    }
  });
});

it("what would make a line too long is of the run of the next event", () => {
  const tree = new TreeFold(() => new Lines());
  const begin = { reasoner: { id: "c", version: 1 }, fingerprint: "f", input: null };
  const start = { type: "start", at: 1 };
  const more = { items: [{ list: "@1#x", add: ["x"] }], more: true };
  for (const line of [
    {
      type: "header",
      format: "f",
      runId: "r",
      reasoner: { id: "p", version: 1 },
      at: 0,
      input: null,
    },
    { seq: 0, event: { type: "start", at: 0 } },
    more,
    { run: "c", begin, seq: 1, event: start },
    { run: "nobody", seq: 2, event: { type: "message", at: 1 } },
  ]) {
    tree.take(decoded(line));
  }
  expect([...tree.runs.keys()]).toEqual(["", "c"]);
  expect(tree.root.taken).toHaveLength(2);
  expect(tree.of("c")?.taken).toEqual([
    more,
    expect.objectContaining({ type: "header", runId: "r:c" }),
    expect.objectContaining({ seq: 1 }),
  ]);
  tree.drop("c");
  expect(tree.of("c")).toBeUndefined();
});
