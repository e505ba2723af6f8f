// A run of thoughts as a tree for a terminal, and as a plain map.

import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { plans, thoughtGraph, thoughts, thoughtsView } from "../../../../src/thoughts.js";
import { refusal } from "../../../support/thrown.js";
import { drive } from "./drive.js";

const { addEdge, addThought, emptyGraph, updateThought } = thoughtGraph;

function sample() {
  let graph = addThought(emptyGraph, { id: "root", content: "why <b>?\nwhy" });
  for (const [i, id] of ["a", "b", "c", "d"].entries()) {
    graph = addThought(graph, { id, content: `thought "${id}"` }, { parents: ["root"] });
    graph = updateThought(graph, id, { score: i === 0 ? 9.333 : 5 });
  }
  graph = addThought(
    graph,
    { id: "m", content: "both" },
    { parents: ["a", "b"], type: "aggregates" },
  );
  graph = updateThought(graph, "m", { solved: true });
  return addEdge(graph, { from: "c", to: "d", type: "connects" });
}

describe("a tree for a terminal", () => {
  it("shows scores, what was merged, and the way to the result", () => {
    expect(thoughtGraph.printTree(sample(), { best: "m" })).toBe(`★ why <b>? why
├─ ★ (9.33) thought "a"
│  └─ ★ [and 1 more] ⋈ (solved) both
├─ ★ (5) thought "b"
├─ (5) thought "c"
└─ (5) thought "d"`);
  });

  it("folds what led nowhere", () => {
    expect(thoughtGraph.printTree(sample(), { best: "m", fold: true })).toBe(`★ why <b>? why
├─ … 2 more: 2 × (5)
├─ ★ (9.33) thought "a"
│  └─ ★ [and 1 more] ⋈ (solved) both
└─ ★ (5) thought "b"`);
  });

  it("folds leaves alone, and never the result", () => {
    let graph = addThought(emptyGraph, { id: "root", content: "why" });
    for (const id of ["a", "b", "c", "d"]) {
      graph = addThought(graph, { id, content: id }, { parents: ["root"] });
    }
    graph = addThought(graph, { id: "m", content: "m" }, { parents: ["b"] });
    expect(thoughtGraph.printTree(graph, { best: "a", fold: true })).toBe(`★ why
├─ … 2 more: 2 × not scored
├─ ★ a
└─ b
   └─ m`);
  });

  it("is as wide as it may be, and takes labels", () => {
    const tree = thoughtGraph.printTree(sample(), {
      width: 12,
      label: ({ id }) => `thought ${id}`,
    });
    expect(tree.split("\n")[1]).toBe("├─ thought a");
    expect(thoughtGraph.printTree(sample(), { width: 12 }).split("\n")[1]).toBe("├─ (9.33) t…");
  });

  it("writes out what a terminal would obey, in one line", () => {
    const content = "a\u001b[2Jb\r\nc\u202ed\u0007 \u{e0041}😀";
    const graph = addThought(emptyGraph, { id: "root", content });
    expect(thoughtGraph.printTree(graph)).toBe("a\\x1b[2Jb c\\u{202e}d\\x07 \\u{e0041}😀");
  });

  it("loses no thought of a circle, and says where it closes", () => {
    let graph = addThought(emptyGraph, { id: "root", content: "root" });
    // Added first, it is the first that no top leads to, and the circle refers to it.
    for (const id of ["below", "a", "b", "c", "x", "y"]) {
      graph = addThought(graph, { id, content: id });
    }
    const made = (from: string, to: string) => {
      graph = addEdge(graph, { from, to, type: "generates" });
    };
    made("b", "below");
    made("c", "a");
    made("a", "b");
    made("b", "c");
    made("y", "x");
    made("x", "y");
    made("root", "c");
    expect(thoughtGraph.printTree(graph)).toBe(`root
below
a
└─ b
   ├─ [see above] below
   └─ [and 1 more] c
      └─ [see above] a
x
└─ y
   └─ [see above] x`);
    expect(thoughtGraph.printTree(graph, { best: "b", fold: true })).toContain("★ [see above] a");
  });

  it("draws a long circle, and many of them", () => {
    let graph = emptyGraph;
    for (let i = 0; i < 4_000; i++) graph = addThought(graph, { id: `${i}`, content: `${i}` });
    for (let i = 0; i < 2_000; i++) {
      graph = addEdge(graph, { from: `${i}`, to: `${(i + 1) % 2_000}`, type: "generates" });
      // The other half in twos: 2000 and 2001, 2002 and 2003, …
      graph = addEdge(graph, { from: `${i + 2_000}`, to: `${(i ^ 1) + 2_000}`, type: "generates" });
    }
    expect(thoughtGraph.printTree(graph, { width: 40 }).split("\n")).toHaveLength(
      2_001 + 3 * 1_000,
    );
  });

  it("draws a thought with 10 000 children", () => {
    let graph = addThought(emptyGraph, { id: "0", content: "" });
    for (let i = 1; i <= 10_000; i++) {
      graph = addThought(graph, { id: `${i}`, content: "x" }, { parents: ["0"] });
    }
    expect(thoughtGraph.printTree(graph, { best: "7", fold: true }).split("\n")).toHaveLength(3);
    expect(thoughtGraph.descendants(graph, "0")).toHaveLength(10_000);
  });

  it("draws a chain of 20 000 without running out of stack", () => {
    let graph = addThought(emptyGraph, { id: "0", content: "" });
    for (let i = 1; i <= 20_000; i++) {
      graph = addThought(graph, { id: `${i}`, content: "x" }, { parents: [`${i - 1}`] });
    }
    expect(thoughtGraph.printTree(graph, { width: 20 }).split("\n")).toHaveLength(20_001);
  });
});

describe("a run as a map", () => {
  const policy = plans.tot({ scorer: ({ content }) => content.length }, { branches: 2, rounds: 2 });
  const reasoner = thoughts({ policy, maxNodes: 9, maxDepth: 8 });
  const { state } = drive(reasoner, "why?", ({ id }) => id);
  it("goes there and back, through JSON", () => {
    const map = thoughtsView.toMap(state);
    expect(map).toMatchObject({
      status: "completed",
      prompt: "why?",
      rootId: "root",
      result: "llm/round-1/0/0",
      terminationReason: "success",
      usage: { totalTokens: 60 },
      maxNodes: 9,
      maxDepth: 8,
    });
    expect(Object.keys(map.nodes)).toHaveLength(5);
    const again = thoughtsView.fromMap(JSON.parse(JSON.stringify(map)));
    const { nodes, edges, ...rest } = map;
    const { graph, ...also } = again;
    expect(also).toEqual(rest);
    expect(thoughtGraph.listThoughts(graph)).toEqual(Object.values(nodes));
    expect(thoughtGraph.listEdges(graph)).toEqual(edges);
    expect(thoughtGraph.leaves(again.graph)).toEqual(thoughtGraph.leaves(state.context.graph));
  });

  it("says of one that was cancelled that it was", () => {
    const begun = reasoner.start("why?", { at: 0, runId: "r" }).state;
    const { state } = reasoner.step(begun, { type: "cancel", at: 1 });
    expect(thoughtsView.toMap(state)).toMatchObject({
      status: "cancelled",
      terminationReason: "cancelled",
    });
    expect(thoughtsView.toMap(begun)).toMatchObject({
      status: "generating",
      terminationReason: null,
    });
  });

  /** A map through JSON, with parts laid over it; one that is `undefined` is left out. */
  const changed = (more: object) =>
    JSON.parse(JSON.stringify({ ...thoughtsView.toMap(state), ...more }));
  const [first] = Object.values(thoughtsView.toMap(state).nodes);
  const nodes = (...ids: string[]) =>
    Object.fromEntries(ids.map((id) => [id, { ...first, id, content: id }]));

  it("keeps what connects two thoughts, with its words where there are some", () => {
    const edges = [
      { from: "a", to: "b", type: "connects", description: "so" },
      { from: "b", to: "a", type: "connects" },
    ] as const;
    const { graph } = thoughtsView.fromMap(changed({ nodes: nodes("a", "b"), edges }));
    expect(thoughtGraph.listEdges(graph)).toEqual(edges);
    expect(thoughtGraph.outgoingEdges(graph, "a")).toEqual([edges[0]]);
    expect(thoughtGraph.edgeCount(graph)).toBe(2);
  });

  it("keeps the money that was spent", () => {
    const usage = { ...thoughtsView.toMap(state).usage, cost: 7 };
    expect(thoughtsView.fromMap(changed({ usage })).usage).toEqual(usage);
  });

  it.each(Object.keys(thoughtsView.toMap(state)))("is refused without %s", (name) => {
    const { code, message } = refusal(() => thoughtsView.fromMap(changed({ [name]: undefined })));
    expect(code).toBe("thoughts.invalid");
    expect(message).toContain(`fromMap: the map: ${name} is missing; it must be `);
  });

  const edge = { from: "a", to: "b", type: "generates" };
  it.each<[unknown, string]>([
    [null, "the map takes an object that defines it, not nothing"],
    [[], "the map takes an object that defines it, not a list"],
    [changed({ secret: 1 }), "the map: secret is not a part of it"],
    [changed({ status: ":completed" }), 'the map: status must be "idle", '],
    [changed({ status: "Completed" }), 'the map: status must be "idle", '],
    [changed({ prompt: 5 }), "the map: prompt must be a string or null; it is 5"],
    [changed({ startedAt: "x" }), "the map: startedAt must be a number or null; it is a string"],
    [changed({ usage: "x" }), "the map: usage must be an object; it is a string"],
    [changed({ usage: {} }), "usage: requests is missing"],
    [
      changed({ usage: { ...thoughtsView.toMap(state).usage, tokens: 1 } }),
      "usage: tokens is not a part of it",
    ],
    [changed({ nodes: [] }), "the map: nodes must be an object; it is a list"],
    [changed({ nodes: { a: null } }), "the thought a takes an object that defines it"],
    [changed({ nodes: { a: { content: "A" } } }), "the thought a: id is missing"],
    [
      changed({ nodes: { a: { ...first, id: "b" } } }),
      'the thought a: id must be "a"; it is a string',
    ],
    [
      changed({ nodes: { a: { ...first, id: "a", metadata: {} } } }),
      "the thought a: metadata is not a part of it",
    ],
    [changed({ nodes: { a: { ...first, id: "a", content: 5 } } }), "content must be a string"],
    [changed({ nodes: { a: { ...first, id: "a", depth: "x" } } }), "depth must be a whole number"],
    [changed({ edges: {} }), "the map: edges must be a list"],
    [changed({ edges: [null] }), "addEdge, behind the graph, takes an object"],
    [changed({ edges: [{ from: "a", to: "b" }] }), "addEdge: type is missing"],
    [changed({ edges: [{ ...edge, weight: 1 }] }), "addEdge: weight is not a part of it"],
    [
      changed({ nodes: nodes("a", "b"), edges: [{ ...edge, type: "leads" }] }),
      'addEdge: type must be "generates", ',
    ],
  ])("is refused, and what is wrong is named: %#", (map, words) => {
    const { code, message } = refusal(() => thoughtsView.fromMap(map as never));
    expect([code, message]).toEqual(["thoughts.invalid", expect.stringContaining(words)]);
  });

  it("takes what comes from another realm as what it is", () => {
    const text = JSON.stringify(thoughtsView.toMap(state));
    expect(thoughtsView.fromMap(runInNewContext(`(${text})`))).toEqual(
      thoughtsView.fromMap(JSON.parse(text)),
    );
  });

  it.each([
    new Map(),
    new Date(0),
    { ...thoughtsView.toMap(state), nodes: new Map([["a", first]]) },
  ])("of what is not plain data is refused: %#", (map) => {
    expect(refusal(() => thoughtsView.fromMap(map as never)).code).toBe("json.refused");
  });

  it("refuses edges that make no graph", () => {
    const map = changed({ edges: [{ from: "root", to: "elsewhere", type: "generates" }] });
    expect(refusal(() => thoughtsView.fromMap(map)).code).toBe("thoughts.missing");
  });
});
