// The graph: every function of the seed's machine, on an immutable value.
import "../../../../support/work.js";

import { describe, expect, it } from "vitest";
import { compareIds } from "../../../../../src/core/thoughts/graph/walk.js";
import { type ThoughtGraph as Graph, thoughtGraph } from "../../../../../src/thoughts.js";
import { refusal } from "../../../../support/thrown.js";
import { expectFlat, workOf } from "../../../../support/work.js";

const {
  addEdge,
  addThought,
  ancestors,
  bestLeaf,
  children,
  descendants,
  edgeCount,
  emptyGraph,
  getThought,
  hasCycle,
  incomingEdges,
  leaves,
  listEdges,
  listThoughts,
  outgoingEdges,
  parents,
  thoughtCount,
  tracePath,
  updateThought,
} = thoughtGraph;

const ids = (thoughts: readonly { readonly id: string }[]) => thoughts.map(({ id }) => id);

/** root → a → b, root → c, {b, c} → d, and a connection from a to c. */
function sample(): Graph {
  let graph = addThought(emptyGraph, { id: "root", content: "why?" });
  graph = addThought(graph, { id: "a", content: "A" }, { parents: ["root"] });
  graph = addThought(graph, { id: "b", content: "B" }, { parents: ["a"], type: "refines" });
  graph = addThought(graph, { id: "c", content: "C" }, { parents: ["root"] });
  graph = addThought(graph, { id: "d", content: "D" }, { parents: ["b", "c"], type: "aggregates" });
  return addEdge(graph, { from: "a", to: "c", type: "connects", description: "alike" });
}

it.each<[string, unknown, unknown?]>([
  ["scor is not a part of it; id, kind,", { id: "a", content: "x", scor: 5 }],
  ["parent is not a part of it; parents, type are", { id: "a", content: "x" }, { parent: ["r"] }],
  ["addThought takes an object that defines it, not nothing", undefined],
  ["behind the thought, takes an object", { id: "a", content: "x" }, "r"],
])("a thought is not added: %s", (what, thought, from) => {
  const { code, message } = refusal(() =>
    thoughtGraph.addThought(thoughtGraph.emptyGraph, thought as never, from as never),
  );
  expect([code, message]).toEqual(["thoughts.invalid", expect.stringContaining(what)]);
});

describe("a part of a thought that is there and undefined says nothing", () => {
  const nothing = { score: undefined, calls: undefined, kind: undefined } as never;
  it("when it is added, and when it is changed", () => {
    const thought = { id: "a", content: "A" };
    const graph = addThought(emptyGraph as Graph, thought);
    expect(addThought(emptyGraph as Graph, { ...thought, ...(nothing as object) })).toEqual(graph);
    const scored = updateThought(graph, "a", { score: 7 });
    expect(updateThought(scored, "a", nothing)).toEqual(scored);
  });
});

describe("ids in order", () => {
  const long = (digit: string, length: number) => `x/${digit.repeat(length)}`;
  it.each<[string, readonly string[]]>([
    ["numbers in them as numbers", ["a/2", "a/10", "a/10/1", "b/1"]],
    ["numbers before letters, and what looks like none too", ["5", "a", "\u00a0"]],
    ["numbers of any length", ["x/5", long("9", 400), long("1", 401), long("2", 401)]],
    [
      "zeros before a number as if they were not there",
      ["x/7/a", "x/007/b", "x/7/b", "x/08", "x/10"],
    ],
  ])("have %s", (_, ordered) => {
    for (const a of ordered) {
      for (const b of ordered) {
        expect(Math.sign(compareIds(a, b))).toBe(
          Math.sign(ordered.indexOf(a) - ordered.indexOf(b)),
        );
      }
    }
  });

  it("decide among the best leaves, whatever came first", () => {
    const best = (...ids: string[]) =>
      bestLeaf(
        ids.reduce((of, id) => addThought(of, { id, content: id, score: 1 }), emptyGraph as Graph),
      )?.id;
    expect(best("a", "5", "\u00a0")).toBe("5");
    expect(best("\u00a0", "a", "5")).toBe("5");
  });
});

describe("a graph of thoughts", () => {
  it("knows children, parents, ancestors nearest first, and descendants", () => {
    const graph = sample();
    expect(ids(children(graph, "root"))).toEqual(["a", "c"]);
    expect(ids(parents(graph, "d"))).toEqual(["b", "c"]);
    expect(ids(ancestors(graph, "d"))).toEqual(["b", "c", "a", "root"]);
    expect(ids(ancestors(graph, "root"))).toEqual([]);
    expect(ids(descendants(graph, "root"))).toEqual(["a", "c", "b", "d"]);
  });

  it("knows the edges at a thought, of all types or of one", () => {
    const graph = sample();
    expect(outgoingEdges(graph, "a").map(({ to }) => to)).toEqual(["b", "c"]);
    expect(outgoingEdges(graph, "a", "connects")).toEqual([
      { from: "a", to: "c", type: "connects", description: "alike" },
    ]);
    expect(incomingEdges(graph, "c").map(({ type }) => type)).toEqual(["generates", "connects"]);
    expect(incomingEdges(graph, "nobody")).toEqual([]);
  });

  it("takes a connection for no parenthood: leaves, depth and paths leave it out", () => {
    const graph = sample();
    expect(ids(leaves(graph))).toEqual(["d"]);
    expect(listThoughts(graph).map(({ depth }) => depth)).toEqual([0, 1, 2, 1, 3]);
    expect(ids(children(graph, "a"))).toEqual(["b"]);
    const round = addEdge(graph, { from: "d", to: "root", type: "connects" });
    expect(hasCycle(round)).toBe(false);
  });

  it("traces the path by first parents", () => {
    expect(ids(tracePath(sample(), "d"))).toEqual(["root", "a", "b", "d"]);
    expect(ids(tracePath(sample(), "root"))).toEqual(["root"]);
    expect(tracePath(sample(), "nobody")).toEqual([]);
  });

  it("finds the best leaf: max or min among the scored, none where none is; ties by id", () => {
    let graph = addThought(emptyGraph, { id: "root", content: "" });
    for (const id of ["z", "x", "y"]) {
      graph = addThought(graph, { id, content: id }, { parents: ["root"] });
    }
    expect(bestLeaf(graph)).toBeUndefined();
    graph = updateThought(updateThought(graph, "z", { score: 0.9 }), "y", { score: 0.5 });
    expect(bestLeaf(graph)?.id).toBe("z");
    expect(bestLeaf(graph, "lower")?.id).toBe("y");
    expect(bestLeaf(updateThought(graph, "x", { score: 0.9 }))?.id).toBe("x");
  });

  it("is not changed by what is added to it", () => {
    const graph = sample();
    const text = JSON.stringify(graph);
    addThought(graph, { id: "e", content: "E" }, { parents: ["d"] });
    updateThought(graph, "d", { score: 1 });
    expect(JSON.stringify(graph)).toBe(text);
    expect(getThought(graph, "e")).toBeUndefined();
  });

  it("goes through JSON and on", () => {
    const again: Graph = JSON.parse(JSON.stringify(sample()));
    const grown = addThought(again, { id: "e", content: "E" }, { parents: ["d"] });
    expect(ids(tracePath(grown, "e"))).toEqual(["root", "a", "b", "d", "e"]);
    expect([thoughtCount(grown), edgeCount(grown)]).toEqual([6, 7]);
  });

  it.each([
    ["thoughts.selfLoop", () => addEdge(sample(), { from: "a", to: "a", type: "connects" })],
    ["thoughts.duplicate", () => addEdge(sample(), { from: "root", to: "a", type: "generates" })],
    ["thoughts.duplicate", () => addThought(sample(), { id: "a", content: "" })],
    ["thoughts.missing", () => addEdge(sample(), { from: "a", to: "x", type: "connects" })],
    ["thoughts.missing", () => addThought(sample(), { id: "e", content: "" }, { parents: ["x"] })],
    ["thoughts.missing", () => updateThought(sample(), "x", { score: 1 })],
    ["thoughts.invalid", () => addEdge(sample(), { from: "a", to: "d", type: "likes" as never })],
    ["thoughts.invalid", () => addThought(sample(), { id: "", content: "" })],
    [
      "json.refused",
      () => addThought(sample(), { id: "e", content: "", state: { at: new Date(0) } as never }),
    ],
    ["thoughts.invalid", () => addThought(sample(), { id: "e", content: "", score: Number.NaN })],
    ["thoughts.invalid", () => addThought(sample(), { id: "e" } as never)],
    ["thoughts.invalid", () => addThought(sample(), { id: "e", content: 5 as never })],
    ["thoughts.invalid", () => addThought(sample(), { id: "e", content: "", depth: -1 })],
    [
      "thoughts.invalid",
      () => addThought(sample(), { id: "e", content: "" }, { type: "connects" as never }),
    ],
    ["thoughts.invalid", () => updateThought(sample(), "a", { valid: "yes" as never })],
    ["thoughts.invalid", () => updateThought(sample(), "a", { scor: 1 } as never)],
    ["thoughts.invalid", () => updateThought(sample(), "a", undefined as never)],
  ])("refuses with %s", (code, refused) => {
    expect(refused).toThrow(expect.objectContaining({ code }));
  });

  it("takes any text for an id, also those that mean something to JavaScript", () => {
    let graph = addThought(emptyGraph, { id: "root", content: "" });
    for (const id of ["__proto__", "constructor", "7", "0", "toString"]) {
      graph = addThought(graph, { id, content: id }, { parents: ["root"] });
    }
    expect(ids(children(graph, "root"))).toEqual([
      "__proto__",
      "constructor",
      "7",
      "0",
      "toString",
    ]);
    expect(getThought(JSON.parse(JSON.stringify(graph)), "__proto__")?.content).toBe("__proto__");
  });

  it("sees circles, and walks them to an end", () => {
    const graph = addEdge(sample(), { from: "d", to: "a", type: "generates" });
    expect(hasCycle(graph)).toBe(true);
    expect(hasCycle(sample())).toBe(false);
    expect(ids(descendants(graph, "a"))).toEqual(["b", "d"]);
    expect(ids(ancestors(graph, "a"))).toEqual(["root", "d", "b", "c"]);
    expect(
      tracePath(addEdge(graph, { from: "b", to: "root", type: "generates" }), "d").length,
    ).toBe(4);
  });

  it("is linear where the seed is exponential: 400 diamonds", () => {
    let graph = addThought(emptyGraph, { id: "0", content: "" });
    for (let i = 1; i <= 400; i++) {
      graph = addThought(graph, { id: `${i}a`, content: "" }, { parents: [`${i - 1}`] });
      graph = addThought(graph, { id: `${i}b`, content: "" }, { parents: [`${i - 1}`] });
      graph = addThought(graph, { id: `${i}`, content: "" }, { parents: [`${i}a`, `${i}b`] });
    }
    expect(hasCycle(graph)).toBe(false);
    expect(ancestors(graph, "400")).toHaveLength(1_200);
    expect(getThought(graph, "400")?.depth).toBe(800);
  });

  it("costs each of 1 600 thoughts in a chain and 1 600 at one the same, built and queried", () => {
    const build = (count: number) => () => {
      let graph = addThought(emptyGraph, { id: "0", content: "" });
      for (let i = 1; i <= count; i++) {
        graph = addThought(graph, { id: `${i}`, content: "" }, { parents: [`${i - 1}`] });
        graph = addThought(graph, { id: `leaf ${i}`, content: "" }, { parents: ["0"] });
      }
      expect(leaves(graph)).toHaveLength(count + 1);
      expect(ancestors(graph, `${count}`)).toHaveLength(count);
      expect(descendants(graph, "0")).toHaveLength(2 * count);
      expect(tracePath(graph, `${count}`)).toHaveLength(count + 1);
      expect(hasCycle(graph)).toBe(false);
      expect(listEdges(graph)).toHaveLength(2 * count);
    };
    return expectFlat(build, 200, 1_600);
  });

  it("takes in a thought of many at the cost of each", () => {
    const build = (count: number) => {
      let graph = emptyGraph as Graph;
      const all = Array.from({ length: count }, (_, i) => `t${i}`);
      for (const id of all) graph = addThought(graph, { id, content: "" });
      return () => void addThought(graph, { id: "m", content: "" }, { parents: all });
    };
    return expectFlat(build, 200, 1_600, 2);
  });

  it("leaves a graph that came from JSON as it was given", () => {
    const graph = (): Graph => JSON.parse(JSON.stringify(sample()));
    const frozen = (value: unknown): boolean =>
      typeof value === "object" &&
      value !== null &&
      (Object.isFrozen(value) || Object.values(value).some(frozen));
    for (const change of [
      (of: Graph) => addThought(of, { id: "e", content: "" }, { parents: ["root", "d"] }),
      (of: Graph) => addEdge(of, { from: "a", to: "d", type: "connects" }),
      (of: Graph) => updateThought(of, "d", { score: 1 }),
    ]) {
      const given = graph();
      change(given);
      expect(frozen(given)).toBe(false);
      expect(given).toEqual(graph());
    }
  });

  it("lists its edges so that who adds them again gets the same, whatever came first", () => {
    const names = ["a", "b", "c", "d", "e"];
    const pairs = names.flatMap((from) =>
      names.filter((to) => to !== from).map((to) => ({ from, to, type: "connects" as const })),
    );
    const bare = names.reduce((of, id) => addThought(of, { id, content: "" }), emptyGraph as Graph);
    const grown = (edges: readonly (typeof pairs)[number][]) => edges.reduce(addEdge, bare);
    // Steps that are prime to how many there are go through all of them.
    for (const [step, count] of [1, 3, 7, 9, 11, 13, 17, 19].flatMap((step) =>
      [2, 7, 13, pairs.length].map((count) => [step, count] as const),
    )) {
      const edges = Array.from({ length: count }, (_, i) => pairs[(i * step) % pairs.length]);
      const graph = grown(edges as typeof pairs);
      const listed = listEdges(graph);
      expect(new Set(listed)).toEqual(new Set(edges));
      expect(grown(listed as typeof pairs)).toEqual(graph);
      expect(listEdges(JSON.parse(JSON.stringify(graph)))).toEqual(listed);
    }
  });

  it("is asked for one thought's path as often as it likes at the price of one", async () => {
    const deep = (times: number) => {
      let graph = addThought(emptyGraph, { id: "t0", content: "" });
      for (let i = 1; i < 200; i++) {
        graph = addThought(graph, { id: `t${i}`, content: "" }, { parents: [`t${i - 1}`] });
      }
      return () => {
        for (let i = 0; i < times; i++) {
          const path = tracePath(graph, "t199");
          expect(path).toHaveLength(200);
          // It is the caller's own.
          path.length = 0;
        }
      };
    };
    const [once, often] = [await workOf(deep(1)), await workOf(deep(50))];
    expect(often.blocks).toBeLessThan(2 * once.blocks);
    expect(tracePath(emptyGraph, "t199")).toEqual([]);
  });
});
