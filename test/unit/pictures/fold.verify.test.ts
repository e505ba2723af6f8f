// Folding: what is within the limits stays as it is, what is not is drawn in stacks, nothing is lost.
import {
  decisionsPicture,
  type Picture,
  type PictureEdge,
  type PictureNode,
  thoughtsPicture,
  toJson,
  toMermaid,
  toSvg,
} from "reckoner/pictures";
import { describe, expect, it } from "vitest";
import { fold, type Limits, limitsOf } from "../../../src/pictures/collapse.js";
import { checkMermaid, checkSvg, manyDecisions, manyThoughts, numbers } from "./support.js";

function pictureOf(nodes: Partial<PictureNode>[], edges: Partial<PictureEdge>[] = []): Picture {
  return {
    kind: "decisions",
    title: "a picture",
    nodes: nodes.map((node, i) => ({
      id: `${i}`,
      label: "x",
      shape: "box",
      tone: "plain",
      ...node,
    })),
    edges: edges.map((edge) => ({ from: "0", to: "1", line: "solid", tone: "plain", ...edge })),
    groups: [],
    rows: [],
    legend: [],
    notes: [],
  };
}

const folded = (picture: Picture, limits: Partial<Limits> = {}) =>
  fold(picture, { ...limitsOf(picture), ...limits });

/** How many nodes a picture stands for. */
function standsFor({ nodes }: Picture): number {
  return nodes.reduce((sum, { label }) => sum + Number(/^… (\d+) more$/.exec(label)?.[1] ?? 1), 0);
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe("folding", () => {
  it("leaves alone what fits", () => {
    const picture = decisionsPicture(manyDecisions(150));
    expect(folded(picture)).toBe(picture);
  });

  it("leaves as many side by side as there may be, and stacks one more", () => {
    const fan = (children: number) =>
      pictureOf(
        times(children + 1, () => ({})),
        times(children, (i) => ({ to: `${i + 1}` })),
      );
    const four = fan(4);
    expect(folded(four, { columns: 4 })).toBe(four);
    const five = folded(fan(5), { columns: 4 });
    expect(five.nodes.map(({ label }) => label)).toEqual(["x", "x", "x", "x", "… 2 more"]);
  });

  it("counts in a closed group all that stands in groups within it", () => {
    const plain = { line: "solid", tone: "plain" } as const;
    const groups = [
      { id: "g", label: "g", ...plain },
      { id: "h", label: "h", parent: "g", ...plain },
      { id: "i", label: "i", parent: "h", ...plain },
    ];
    const nodes = [...times(5, () => ({ group: "i" })), { group: "h" }, { group: "g" }];
    const [closed] = folded({ ...pictureOf(nodes), groups }, { nodes: 1 }).nodes;
    expect(closed).toMatchObject({ id: "g", details: ["7 inside"] });
  });

  it("gives a stack an id that nothing else has", () => {
    const fan = pictureOf(
      [{ weight: 9 }, { id: "a" }, { id: "b" }, { id: "a…", weight: 5 }, { id: "a……", weight: 5 }],
      ["a", "b", "a…", "a……"].map((to) => ({ to })),
    );
    const ids = folded(fan, { columns: 3 }).nodes.map(({ id }) => id);
    expect(ids).toEqual(["0", "a………", "a…", "a……"]);
  });

  it("puts siblings that led nowhere in one stack, with their tallies", () => {
    const fan = pictureOf(
      times(12, (i) => ({ tally: i % 3 === 0 ? "(1)" : "(2)", weight: i === 5 ? 9 : 0 })),
      times(11, (i) => ({ to: `${i + 1}` })),
    );
    const { nodes, edges, legend, notes } = folded(fan, { columns: 4 });
    expect(nodes.map(({ id, label }) => [id, label])).toEqual([
      ["0", "x"],
      ["1", "x"],
      ["2", "x"],
      ["3…", "… 8 more"],
      ["5", "x"],
    ]);
    expect(nodes[3]).toMatchObject({ shape: "stack", details: ["5 × (2)", "3 × (1)"] });
    expect(edges.map(({ to }) => to)).toEqual(["1", "2", "3…", "5"]);
    expect(legend.map(({ text }) => text)).toEqual(["several, drawn as one"]);
    expect(notes).toEqual(["Folded: 12 are drawn as 5."]);
  });

  it("keeps the tree: what hangs on a stack becomes a stack below it", () => {
    const children = times(20, (i) => ({ from: "0", to: `${i + 1}` }));
    const leaves = times(20, (i) => ({ from: `${i + 1}`, to: `${i + 21}` }));
    const small = folded(
      pictureOf(
        times(41, () => ({})),
        [...children, ...leaves],
      ),
      {
        columns: 5,
      },
    );
    expect(small.nodes).toHaveLength(11);
    const stacks = small.nodes.filter(({ shape }) => shape === "stack");
    expect(stacks.map(({ label }) => label)).toEqual(["… 16 more", "… 16 more"]);
    expect(small.edges.filter(({ from }) => from === stacks[0]?.id)).toEqual([
      { from: "5…", to: "25…", line: "solid", tone: "plain" },
    ]);
  });

  it("folds what hangs on a stack, however much it weighs", () => {
    const children = times(20, (i) => ({ from: "0", to: `${i + 1}` }));
    const leaves = times(20, (i) => ({ from: `${i + 1}`, to: `${i + 21}` }));
    const nodes = times(41, (i) => ({ weight: i > 30 ? 99 : 0 }));
    const small = folded(pictureOf(nodes, [...children, ...leaves]), { columns: 5 });
    // Of the first row the first four stay, and of the second what hangs on those.
    const stay = ["0", "1", "2", "3", "4", "5…", "21", "22", "23", "24", "25…"];
    expect(small.nodes.map(({ id }) => id)).toEqual(stay);
  });

  it("keeps the beginning and the end of what is long", () => {
    const chain = pictureOf(
      times(500, () => ({})),
      times(499, (i) => ({ from: `${i}`, to: `${i + 1}` })),
    );
    const { nodes, edges } = folded(chain, { rows: 7 });
    expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
      "0 1",
      "1 2",
      "2 3…",
      "3… 497",
      "497 498",
      "498 499",
    ]);
    expect(nodes.map(({ id }) => id)).toEqual(["0", "1", "2", "3…", "497", "498", "499"]);
    expect(nodes[3]?.label).toBe("… 494 more");
  });

  it("says of edges that became one what they said", () => {
    const fan = pictureOf(
      times(10, () => ({})),
      times(9, (i) => ({ to: `${i + 1}`, labels: [`label ${i}`] })),
    );
    const { edges } = folded(fan, { columns: 1 });
    expect(edges).toEqual([
      {
        from: "0",
        to: "1…",
        line: "solid",
        tone: "plain",
        labels: ["label 0", "label 1", "label 2", "… 6 more"],
      },
    ]);
  });

  it.each([
    ["a fan", (n: number) => times(n - 1, (i) => ({ from: "0", to: `${i + 1}` }))],
    ["a chain", (n: number) => times(n - 1, (i) => ({ from: `${i}`, to: `${i + 1}` }))],
    ["dust", () => []],
    ["a tree", (n: number) => times(n - 1, (i) => ({ from: `${i >> 1}`, to: `${i + 1}` }))],
    ["a circle", (n: number) => times(n, (i) => ({ from: `${i}`, to: `${(i + 1) % n}` }))],
    [
      "a thicket",
      (n: number) => {
        const random = numbers(n);
        return times(4 * n, () => ({ from: `${random(n)}`, to: `${random(n)}` }));
      },
    ],
  ])("draws 5 000 nodes of %s", (_name, edgesOf) => {
    const picture = pictureOf(
      times(5_000, (i) => ({ top: i % 50 === 0, weight: i % 7 })),
      edgesOf(5_000),
    );
    const small = folded(picture);
    expect(small.nodes.length).toBeLessThanOrEqual(200);
    expect(small.edges.length).toBeLessThanOrEqual(480);
    expect(standsFor(small)).toBe(5_000);
    const svg = toSvg(picture);
    checkSvg(svg);
    expect(svg.length).toBeLessThan(500_000);
    checkMermaid(toMermaid(picture));
    // Programs get everything.
    expect(JSON.parse(toJson(picture)).nodes).toHaveLength(5_000);
  });

  it("draws 5 000 thoughts and 5 000 decisions", () => {
    const { graph, best } = manyThoughts(5_000, 700);
    for (const picture of [
      thoughtsPicture(graph, { best }),
      decisionsPicture(manyDecisions(5_000)),
    ]) {
      checkSvg(toSvg(picture));
      checkMermaid(toMermaid(picture));
      expect(standsFor(folded(picture))).toBe(5_000);
    }
  });
});

describe("Mermaid's limits", () => {
  const dense = pictureOf(
    times(60, (i) => ({ label: `<${i}>`.repeat(40) })),
    times(60 * 59, (i) => ({
      from: `${Math.floor(i / 59)}`,
      to: `${(i + 1 + Math.floor(i / 59)) % 60}`,
    })),
  );

  it("of edges are kept", () => {
    const text = toMermaid(dense);
    checkMermaid(text);
    expect(text).toContain("Folded: 60 are drawn as");
  });

  it("of edges are kept by links that are not seen as well", () => {
    const loose = pictureOf(
      times(39, (i) => ({ top: i === 0 })),
      [{ from: "1", to: "2" }],
    );
    expect(toMermaid(loose).match(/ (?:-->|~~~) /g)).toHaveLength(38);
    const turned = pictureOf(
      times(39, () => ({})),
      times(300, (i) => ({ from: `${i % 39}`, to: `${(i * 7) % 39}`, target: "above" as const })),
    );
    expect(toMermaid(turned).match(/ (?:-->|~~~) /g)?.length).toBeLessThanOrEqual(500);
  });

  it("of text are kept", () => {
    const long = pictureOf(
      times(190, () => ({ label: "<&>;".repeat(30), details: ["%".repeat(90)] })),
      times(152, (i) => ({ from: `${i}`, to: `${i + 38}` })),
    );
    const text = toMermaid(long);
    checkMermaid(text);
    expect(text).toContain("Folded: 190 are drawn as");
  });
});
