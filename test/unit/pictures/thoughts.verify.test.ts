// A graph of thoughts as a picture: rows by depth, colours by score, the way to the result.

import { thoughtsPicture, toMermaid, toSvg } from "reckoner/pictures";
import { thoughtGraph } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";
import { checkMermaid, checkSvg, manyThoughts } from "./support.js";

const { addEdge, addThought, emptyGraph, updateThought } = thoughtGraph;

function sample() {
  let graph = addThought(emptyGraph, { id: "root", content: "why <b>?\nwhy" });
  for (const [i, id] of ["a", "b", "c", "d"].entries()) {
    const thought = { id, operation: "0-generate", content: `thought "${id}"` };
    graph = addThought(graph, thought, { parents: ["root"] });
    graph = updateThought(graph, id, { score: [9.333, 5, 5, null][i] as number | null });
  }
  const merged = { id: "m", operation: "1-aggregate", content: "both" };
  graph = addThought(graph, merged, { parents: ["a", "b"], type: "aggregates" });
  graph = updateThought(graph, "m", { solved: true });
  graph = updateThought(graph, "d", { valid: false });
  return addEdge(graph, { from: "c", to: "d", type: "connects", description: "same | idea" });
}

/** The colours of thoughts with these scores, in order. */
function tones(scores: readonly number[], better: "higher" | "lower" = "higher"): string[] {
  let graph = addThought(emptyGraph, { id: "root", content: "?" });
  for (const [i, score] of scores.entries()) {
    graph = addThought(graph, { id: `${i}`, content: "x", score }, { parents: ["root"] });
  }
  return thoughtsPicture(graph, { better })
    .nodes.slice(1)
    .map(({ tone }) => tone);
}

describe("thoughts", () => {
  it("are Mermaid's flowchart, with the texts of connections", () => {
    expect(toMermaid(thoughtsPicture(sample(), { best: "m" }))).toMatchInlineSnapshot(`
      "---
      title: "Graph of thoughts"
      ---
      flowchart TD
        n0(["why #60;b#62;? why"])
        n1("thought #34;a#34;<br/>9.33")
        n2("thought #34;b#34;<br/>5")
        n3("thought #34;c#34;<br/>5")
        n4("thought #34;d#34;<br/>invalid")
        n5{{"both<br/>solved"}}
        n0 ==> n1
        n0 ==> n2
        n0 --> n3
        n0 --> n4
        n1 ==> n5
        n2 ==> n5
        n3 -.->|"same #124; idea"| n4
        classDef look0 fill:#f6f8fa,stroke:#2f6fcb,color:#1f2328,stroke-width:3px
        class n0 look0
        classDef look1 fill:#c6ecc9,stroke:#2f6fcb,color:#0f3d1a,stroke-width:3px
        class n1 look1
        classDef look2 fill:#f9d3cf,stroke:#2f6fcb,color:#5c120d,stroke-width:3px
        class n2 look2
        classDef look3 fill:#f9d3cf,stroke:#b9473d,color:#5c120d
        class n3 look3
        classDef look4 fill:#f6f8fa,stroke:#c0362c,color:#1f2328,stroke-dasharray:6 4
        class n4 look4
        classDef look5 fill:#f6f8fa,stroke:#2a7d3b,color:#1f2328,stroke-width:3px
        class n5 look5
        linkStyle 0,1,4,5 stroke:#2f6fcb
        linkStyle 6 stroke:#1a7f7c
      "
    `);
  });

  it("are boxes in rows that are named after the operations that made them", () => {
    const svg = toSvg(thoughtsPicture(sample(), { best: "m", title: "<script>" }));
    checkSvg(svg);
    for (const row of ["problem", "0-generate", "1-aggregate"]) {
      expect(svg).toContain(`font-size="10">${row}</text>`);
    }
    const heightOf = (label: string) =>
      Number(new RegExp(`y="(-?[\\d.]+)" font-size="10">${label}<`).exec(svg)?.[1]);
    const heights = ["thought &#34;a&#34;", "thought &#34;c&#34;", "both"].map(heightOf);
    expect(Math.abs((heights[0] as number) - (heights[1] as number))).toBeLessThan(10);
    expect(heights[2]).toBeGreaterThan(heights[1] as number);
    expect(svg).toContain(">same | idea</text>");
  });

  it("have a legend of what occurs, and of nothing else", () => {
    const svg = toSvg(thoughtsPicture(sample(), { best: "m" }));
    const there = ["score 5, worst", "score 9.33, best", "solved", "invalid", "generates"];
    for (const text of there) expect(svg).toContain(`>${text}</text>`);
    for (const text of ["refines", "aggregates", "several, drawn as one"])
      expect(svg).not.toContain(`>${text}<`);
  });

  it("show what led to the result, solved before kept", () => {
    const { nodes, edges } = thoughtsPicture(sample(), { best: "m" });
    const bordered = nodes.filter(({ border }) => border !== undefined);
    expect(bordered.map(({ id, borderTone }) => [id, borderTone])).toEqual([
      ["root", "blue"],
      ["a", "blue"],
      ["b", "blue"],
      ["d", "red"],
      ["m", "green"],
    ]);
    expect(edges.filter(({ line }) => line === "thick")).toHaveLength(4);
    const unknown = thoughtsPicture(sample(), { best: "nobody" });
    expect(unknown.nodes.some(({ borderTone }) => borderTone === "blue")).toBe(false);
  });

  it("of equal score have one colour", () => {
    expect(tones([3, 1, 3, 2, 1])).toEqual(["rank5", "rank1", "rank5", "rank3", "rank1"]);
    expect(tones([3, 1, 3, 2, 1], "lower")).toEqual(["rank1", "rank5", "rank1", "rank3", "rank5"]);
    expect(tones([0, 0, 0])).toEqual(["rank5", "rank5", "rank5"]);
    const many = tones(Array.from({ length: 100 }, (_, i) => i % 50));
    expect(many.slice(0, 50)).toEqual(many.slice(50));
    expect(new Set(many).size).toBe(5);
  });

  it("that are the largest numbers are shown as such", () => {
    const graph = addThought(emptyGraph, { id: "root", content: "?", score: 1e307 });
    const [node] = thoughtsPicture(graph).nodes;
    expect(node).toMatchObject({ details: ["1e+307"], tally: "(1e+307)" });
  });

  it("without any are a picture too", () => {
    const picture = thoughtsPicture(emptyGraph);
    checkSvg(toSvg(picture));
    checkMermaid(toMermaid(picture));
  });
});

describe("500 thoughts", () => {
  it.each([5, 25, 60, 125, 499])("in rows of %i are readable on one screen", (width) => {
    const { graph, best } = manyThoughts(500, width);
    const svg = toSvg(thoughtsPicture(graph, { best }));
    checkSvg(svg);
    const wide = Number(/width="([\d.]+)"/.exec(svg)?.[1]);
    expect(wide).toBeLessThanOrEqual(2200);
    expect((svg.match(/<g class="node">/g) ?? []).length).toBeLessThanOrEqual(220);
    expect(svg).toContain(">several, drawn as one</text>");
    expect(svg).toContain("Folded: 500 are drawn as");
    // What led to the result is there.
    const way = thoughtGraph
      .ancestors(graph, best)
      .concat(thoughtGraph.getThought(graph, best) ?? []);
    const kept = way.filter(
      ({ id }) => svg.includes(`<title>${id}, `) || svg.includes(`<title>${id}\n`),
    );
    if (width >= 25) expect(kept).toHaveLength(way.length);
  });
});
