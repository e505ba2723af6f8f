// A decision graph as a tree for a terminal.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DecisionEdge,
  type DecisionNode,
  derivedId,
  type EdgeType,
  edgeTypes,
  nodeStatuses,
  nodeTypes,
  printDecisions,
} from "../../../../src/decisions.js";

const node = (id: string, more: Partial<DecisionNode> = {}): DecisionNode => ({
  id,
  type: "decision",
  label: id,
  status: "active",
  confidence: null,
  rationale: null,
  metadata: {},
  createdAt: 1,
  updatedAt: 1,
  ...more,
});
const edge = (fromId: string, toId: string, edgeType: EdgeType = "leads_to"): DecisionEdge => ({
  id: `${fromId} ${toId} ${edgeType}`,
  fromId,
  toId,
  edgeType,
  metadata: {},
  createdAt: 1,
});

describe("the tree", () => {
  it("is empty for an empty graph", () => {
    expect(printDecisions({ nodes: [], edges: [] })).toBe("");
  });

  it("has goals at the margin, and each node once, below its first parent", () => {
    const nodes = [
      node("g", { type: "goal", confidence: 0.5 }),
      node("sub", { type: "goal", status: "completed" }),
      node("a", { rationale: "since" }),
      node("b", { type: "option" }),
      node("c", { type: "outcome", status: "completed" }),
      node("loose", { type: "observation" }),
    ];
    const edges = [
      edge("g", "sub"),
      edge("g", "a"),
      edge("g", "b", "rejected"),
      edge("a", "b", "chosen"),
      edge("sub", "b", "chosen"),
      edge("a", "c"),
    ];
    expect(printDecisions({ nodes, edges }).split("\n")).toEqual([
      "◎ g  0.5",
      "├─ ◆ a: since",
      "│  └─ ✔ c",
      "└─ ◇ b  rejected",
      "◎ sub  completed",
      "· loose",
    ]);
  });

  it("says by what and why something was superseded", () => {
    const nodes = [
      node("g", { type: "goal" }),
      node("old", { status: "superseded", rationale: "wrong" }),
      node("new"),
    ];
    const edges = [edge("g", "old"), edge("g", "new"), edge("new", "old", "supersedes")];
    expect(printDecisions({ nodes, edges }).split("\n")).toEqual([
      "◎ g",
      '├─ ◆ old  superseded by "new": wrong',
      "└─ ◆ new",
    ]);
  });

  it("ends a branch at the last that is below it, also where another goes back up", () => {
    const nodes = ["a", "b", "c"].map((id) => node(id));
    const edges = [edge("a", "b"), edge("b", "c"), edge("b", "a")];
    expect(printDecisions({ nodes, edges }).split("\n")).toEqual(["◆ a", "└─ ◆ b", "   └─ ◆ c"]);
  });

  it("keeps a line to its width, and a label to its line", () => {
    const label = "a\n◎ b\u202e\u001b[31m c".repeat(20);
    const lines = printDecisions({ nodes: [node("g", { label })], edges: [] }, { width: 30 });
    expect(lines.split("\n")).toHaveLength(1);
    expect([...lines]).toHaveLength(30);
    expect(lines).toMatch(/…$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(lines).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it("of any graph, with cycles and loops, has each node in one line", () => {
    const graph = fc.integer({ min: 1, max: 12 }).chain((count) =>
      fc.record({
        nodes: fc.tuple(
          ...Array.from({ length: count }, (_, i) =>
            fc
              .record({
                type: fc.constantFrom(...nodeTypes),
                status: fc.constantFrom(...nodeStatuses),
              })
              .map((more) => node(`n${i}`, more)),
          ),
        ),
        edges: fc.array(
          fc
            .tuple(fc.nat(count), fc.nat(count), fc.constantFrom(...edgeTypes))
            .map(([from, to, type]) => edge(`n${from}`, `n${to}`, type)),
          { maxLength: 30 },
        ),
      }),
    );
    fc.assert(
      fc.property(graph, ({ nodes, edges }) => {
        const lines = printDecisions({ nodes, edges }).split("\n");
        const named = lines.map((line) => /n\d+/.exec(line)?.[0]);
        expect(named.sort()).toEqual(nodes.map(({ id }) => id).sort());
      }),
    );
  });

  it("has what nothing leads to at the margin, also where it came last, and circles behind it", () => {
    const nodes = ["n1", "n2", "n3", "n4"].map((id) => node(id));
    const edges = [edge("n1", "n2"), edge("n2", "n1"), edge("n4", "n3")];
    const lines = printDecisions({ nodes, edges }).split("\n");
    expect(lines.map((line) => /^[└├─ ]*/.exec(line)?.[0])).toEqual(["", "└─ ", "", "└─ "]);
    expect(lines.map((line) => /n\d/.exec(line)?.[0])).toEqual(["n4", "n3", "n1", "n2"]);
  });

  it("of a long chain costs its length", () => {
    const nodes = Array.from({ length: 20_000 }, (_, i) => node(`n${i}`));
    const edges = nodes.slice(1).map(({ id }, i) => edge(`n${i}`, id));
    expect(printDecisions({ nodes, edges }).split("\n")).toHaveLength(20_000);
  });
});

describe("derived ids", () => {
  it("are 32 hexadecimal digits that differ with each part, and never meet", () => {
    const parts = fc.tuple(fc.string(), fc.string(), fc.nat(3));
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const [first, second] = [a, b].map(([runId, id, index]) => derivedId({ runId, id }, index));
        expect(first).toMatch(/^[0-9a-f]{32}$/);
        expect(first === second).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
    expect(derivedId({ runId: "r", id: "tool/0/0/0" }, 0)).toBe(
      derivedId({ runId: "r", id: "tool/0/0/0" }, 0),
    );
  });
});
