// A decision graph as a picture: goals on top, rejected grey, superseded dashed.
import {
  type DrawnEdge,
  type DrawnNode,
  decisionsPicture,
  toMermaid,
  toSvg,
} from "reckoner/pictures";
import { describe, expect, it } from "vitest";
import { checkMermaid, checkSvg, manyDecisions } from "./support.js";

const nodes: DrawnNode[] = [
  { id: "o1", type: "option", label: "sessions", status: "rejected" },
  { id: "d1", type: "decision", label: "tokens?", status: "superseded", confidence: 0.444 },
  { id: "g1", type: "goal", label: "log in", status: "active" },
  { id: "d2", type: "decision", label: "tokens!", rationale: "they expire" },
  { id: "o2", type: "option", label: "signed", status: "active" },
  { id: "x", type: "rumour", label: "who knows", status: "completed" },
];
const edges: DrawnEdge[] = [
  { fromId: "g1", toId: "d1", edgeType: "leads_to" },
  { fromId: "d1", toId: "o1", edgeType: "rejected" },
  { fromId: "d2", toId: "d1", edgeType: "supersedes" },
  { fromId: "d2", toId: "o2", edgeType: "chosen" },
  { fromId: "d2", toId: "x", edgeType: "enables" },
  // Up to the goal: it stays on top.
  { fromId: "x", toId: "g1", edgeType: "blocks" },
];

/** The middle of a node's first line. */
function heightOf(svg: string, label: string): number {
  const [, y] = new RegExp(` y="(-?[\\d.]+)" font-size="12">${label}<`).exec(svg) ?? [];
  return Number(y);
}

describe("decisions", () => {
  it("are Mermaid's flowchart", () => {
    expect(toMermaid(decisionsPicture({ nodes, edges }))).toMatchInlineSnapshot(`
      "---
      title: "Decisions"
      ---
      flowchart TD
        n2(["log in<br/>goal"])
        n0("sessions<br/>option, rejected")
        n1{{"tokens?<br/>decision, superseded, confidence 0.44"}}
        n3{{"tokens!<br/>decision"}}
        n4("signed<br/>option")
        n5["who knows<br/>rumour, completed"]
        n2 --> n1
        n1 -->|"rejected"| n0
        n3 -.->|"supersedes"| n1
        n3 ==>|"chosen"| n4
        n3 -->|"enables"| n5
        n5 -->|"blocks"| n2
        n1 ~~~ n3
        n2 ~~~ n5
        classDef look0 fill:#eaecef,stroke:#a8b0b8,color:#6a737d
        class n0 look0
        classDef look1 fill:#ddebfd,stroke:#2f6fcb,color:#10305c,stroke-dasharray:6 4
        class n1 look1
        classDef look2 fill:#ebe3fb,stroke:#7a4fc4,color:#331a63
        class n2 look2
        classDef look3 fill:#ddebfd,stroke:#2f6fcb,color:#10305c
        class n3 look3
        classDef look4 fill:#f6f8fa,stroke:#6e7781,color:#1f2328
        class n4 look4
        classDef look5 fill:#f6f8fa,stroke:#6e7781,color:#1f2328,stroke-width:3px
        class n5 look5
        linkStyle 1 stroke:#a8b0b8
        linkStyle 2 stroke:#7a4fc4
        linkStyle 3 stroke:#2a7d3b
        linkStyle 4 stroke:#1a7f7c
        linkStyle 5 stroke:#c0362c
      "
    `);
  });

  it("have their goals on top", () => {
    const svg = toSvg(decisionsPicture({ nodes, edges }));
    checkSvg(svg);
    const goal = heightOf(svg, "log in");
    for (const { label, type } of nodes) {
      if (type !== "goal")
        expect(heightOf(svg, label.replace("?", "\\?")), label).toBeGreaterThan(goal);
    }
    // What supersedes stands below what it took the place of.
    expect(heightOf(svg, "tokens!")).toBeGreaterThan(heightOf(svg, "tokens\\?"));
  });

  it("have all goals on top, however deep what they lead to", () => {
    const chain = Array.from({ length: 6 }, (_, i) => ({
      id: `c${i}`,
      type: "action",
      label: `c${i}`,
    }));
    const goals = ["g1", "g2", "g3"].map((id) => ({ id, type: "goal", label: id }));
    const edgeType = "leads_to" as const;
    const links = chain.slice(1).map(({ id }, i) => ({ fromId: `c${i}`, toId: id, edgeType }));
    const more = goals.map(({ id }, i) => ({ fromId: id, toId: `c${2 * i}`, edgeType }));
    const svg = toSvg(
      decisionsPicture({ nodes: [...chain, ...goals], edges: [...links, ...more] }),
    );
    const heights = new Set(goals.map(({ id }) => heightOf(svg, id)));
    expect(heights.size).toBe(1);
    for (const { id } of chain)
      expect(heightOf(svg, id)).toBeGreaterThan([...heights][0] as number);
  });

  it("look as their status says", () => {
    const looks = decisionsPicture({ nodes, edges }).nodes.map(({ id, tone, border, shape }) => [
      id,
      shape,
      tone,
      border,
    ]);
    expect(looks).toEqual([
      ["o1", "round", "grey", undefined],
      ["d1", "hexagon", "blue", "dashed"],
      ["g1", "pill", "purple", undefined],
      ["d2", "hexagon", "blue", undefined],
      ["o2", "round", "plain", undefined],
      ["x", "box", "plain", "thick"],
    ]);
    const svg = toSvg(decisionsPicture({ nodes, edges }));
    for (const text of ["goal", "decision", "rejected", "superseded", "chosen", "supersedes"]) {
      expect(svg).toContain(`font-size="11">${text}</text>`);
    }
    expect(svg).not.toContain('font-size="11">outcome</text>');
    expect(svg).toContain("d1: decision, superseded, confidence 0.44\ntokens?");
    expect(svg).toContain("they expire");
  });

  it("say how sure they are where that is known", () => {
    const details = [0.5, 1 / 3, null].map((confidence) => {
      const node = { id: "a", type: "goal", label: "x", confidence };
      return decisionsPicture({ nodes: [node], edges: [] }).nodes[0]?.details;
    });
    expect(details).toEqual([["goal, confidence 0.5"], ["goal, confidence 0.33"], ["goal"]]);
  });

  it("say what they leave out", () => {
    const odd = decisionsPicture({
      nodes,
      edges: [...edges, { fromId: "g1", toId: "nowhere", edgeType: "leads_to" }],
    });
    expect(odd.notes).toEqual(["Left out: 1 edges to what is not here."]);
    expect(toSvg(odd)).toContain("Left out: 1 edges to what is not here.");
  });

  it("up to some hundred are drawn whole, more are folded", () => {
    const whole = toSvg(decisionsPicture(manyDecisions(190)));
    expect(whole.match(/<g class="node"><title>d/g)).toHaveLength(190);
    expect(whole).not.toContain("Folded");
    const folded = decisionsPicture(manyDecisions(600));
    const svg = toSvg(folded);
    checkSvg(svg);
    expect((svg.match(/<g class="node">/g) ?? []).length).toBeLessThanOrEqual(201);
    expect(svg).toMatch(/Folded: 600 are drawn as 1\d\d\./);
    expect(svg).toMatch(/× rejected option/);
    checkMermaid(toMermaid(folded));
  });
});
