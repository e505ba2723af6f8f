// Pictures and trees of more thoughts than a call can take arguments, or a stack can hold: a chain, and
// one thought with all others below it.
import { type Picture, toMermaid, toSvg } from "reckoner/pictures";
import { type ThoughtGraph, thoughtGraph } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";

const COUNT = 130_000;
const { addThought, emptyGraph } = thoughtGraph;

/** A picture as thoughtsPicture makes it, without the graph, which takes longer to make. */
function pictureOf(rowOf: (at: number) => number): Picture {
  const nodes = Array.from({ length: COUNT }, (_, i) => {
    const row = rowOf(i);
    return { id: `t${i}`, label: `l${i}`, shape: "box", tone: "plain", row } as const;
  });
  const edges = nodes.slice(1).map(({ id, row }, i) => {
    const from = row === 1 ? "t0" : `t${i}`;
    return { from, to: id, line: "solid", tone: "blue" } as const;
  });
  return {
    kind: "thoughts",
    title: "t",
    nodes,
    edges,
    groups: [],
    rows: [],
    legend: [],
    notes: [],
  };
}

const chain = pictureOf((at) => at);
const hub = pictureOf((at) => Math.min(at, 1));

describe("a picture of very many thoughts", () => {
  it.each([
    ["a chain, as Mermaid", () => toMermaid(chain)],
    ["a chain, as SVG", () => toSvg(chain)],
    ["a hub, as SVG", () => toSvg(hub)],
  ])("is written: %s", (_what, write) => {
    expect(write()).toContain("more");
  });

  it("leaves no room for rows in which nothing is left", () => {
    const few = chain.nodes.filter((_, i) => i % 1_000 === 0).slice(0, 9);
    const gaps = toSvg({ ...chain, nodes: few, edges: [] });
    const close = few.map((node, row) => ({ ...node, row }));
    expect(gaps).toBe(toSvg({ ...chain, nodes: close, edges: [] }));
  });
});

it("printTree prints a chain that no stack holds, line by line", () => {
  let graph: ThoughtGraph<object> = addThought(emptyGraph, { id: "t0", content: "q" });
  for (let i = 1; i < 9_000; i++) {
    graph = addThought(
      graph as ThoughtGraph,
      { id: `t${i}`, content: "c" },
      { parents: [`t${i - 1}`] },
    );
  }
  expect(thoughtGraph.printTree(graph, { best: "t8999" }).split("\n")).toHaveLength(9_000);
});
