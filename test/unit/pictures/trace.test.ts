// What caused what as a picture.
import { toMermaid, toSvg, tracePicture } from "reckoner/pictures";
import { describe, expect, it } from "vitest";
import { checkMermaid, checkSvg } from "./support.js";

const events = [
  { id: "r#0", kind: "input", label: "what is the weather?", at: 1_000 },
  {
    id: "r#llm/0",
    kind: "llm_call",
    label: "gpt-4o-mini",
    parent: "r#0",
    at: 1_010,
    durationMs: 900,
  },
  {
    id: "r#tool/0/0",
    kind: "tool_call",
    label: "look",
    parent: "r#llm/0",
    at: 1_910,
    durationMs: 61_000,
  },
  {
    id: "r#tool/0/1",
    kind: "error",
    label: "no map",
    parent: "r#llm/0",
    at: 1_910,
    durationMs: 1_250,
  },
  {
    id: "r#llm/1",
    kind: "llm_call",
    label: "gpt-4o-mini",
    parent: "r#tool/0/0",
    causes: ["r#tool/0/0", "r#tool/0/1", "r#tool/0/1"],
    at: 7_300_000,
  },
  { id: "r#x", kind: "constructor", label: "odd", parent: null },
];

describe("a trace", () => {
  it("is Mermaid's flowchart: parents solid, other causes dashed", () => {
    expect(toMermaid(tracePicture(events))).toMatchInlineSnapshot(`
      "---
      title: "Trace"
      ---
      flowchart TD
        n0(["what is the weather?<br/>input, +0 ms"])
        n1("gpt-4o-mini<br/>llm call, +10 ms, took 900 ms")
        n2["look<br/>tool call, +910 ms, took 1 min 1 s"]
        n3["no map<br/>error, +910 ms, took 1.3 s"]
        n4("gpt-4o-mini<br/>llm call, +2 h 1 min")
        n5["odd<br/>constructor"]
        n0 --> n1
        n1 --> n2
        n1 --> n3
        n2 --> n4
        n3 -.-> n4
        classDef look0 fill:#ebe3fb,stroke:#7a4fc4,color:#331a63
        class n0 look0
        classDef look1 fill:#ddebfd,stroke:#2f6fcb,color:#10305c
        class n1,n4 look1
        classDef look2 fill:#fdf0cf,stroke:#a86d00,color:#4a3000
        class n2 look2
        classDef look3 fill:#fde2e1,stroke:#c0362c,color:#5c120d
        class n3 look3
        classDef look4 fill:#f6f8fa,stroke:#6e7781,color:#1f2328
        class n5 look4
      "
    `);
  });

  it("says when each thing was, and how long it took", () => {
    const svg = toSvg(tracePicture(events));
    checkSvg(svg);
    for (const text of [
      "input, +0 ms",
      "llm call, +10 ms, took 900 ms",
      "tool call, +910 ms, took 1 min 1 s",
      "error, +910 ms, took 1.3 s",
      "llm call, +2 h 1 min",
    ]) {
      expect(svg).toContain(`>${text}</text>`);
    }
    expect(svg).toContain("1970-01-01T00:00:01.000Z");
    expect(svg).toContain(">waited for</text>");
  });

  it("shows what led to an event", () => {
    const { nodes, edges } = tracePicture(events, { explain: "r#tool/0/0" });
    const chain = nodes.filter(({ borderTone }) => borderTone === "blue").map(({ id }) => id);
    expect(chain).toEqual(["r#0", "r#llm/0", "r#tool/0/0"]);
    expect(edges.filter(({ line }) => line === "thick")).toHaveLength(2);
  });

  it("is drawn where its events are damaged: circles, ids twice, causes that are gone, no date", () => {
    const odd = [
      { id: "a", kind: "input", label: "a", parent: "b", at: Number.MAX_VALUE },
      { id: "b", kind: "input", label: "b", parent: "a", causes: ["gone", "b"], at: Number.NaN },
      { id: "b", kind: "error", label: "b", durationMs: Number.NaN },
    ];
    const picture = tracePicture(odd, { explain: "a" });
    expect(picture.notes).toEqual([
      "Left out: 1 with an id that another one has.",
      "Left out: 1 edges to what is not here.",
    ]);
    const svg = toSvg(picture);
    expect(svg).toMatch(/<\/svg>\n$/);
    expect(svg).not.toContain("NaN");
    checkMermaid(toMermaid(picture));
  });

  it("of 10 000 events shows how it began, what is explained, and how it ended", () => {
    const long = Array.from({ length: 10_000 }, (_, i) => ({
      id: `e${i}`,
      kind: i % 100 === 99 ? "error" : "llm_call",
      label: `event ${i}`,
      ...(i === 0 ? {} : { parent: `e${i - 1}` }),
    }));
    const svg = toSvg(tracePicture(long));
    checkSvg(svg);
    expect(svg).toContain(">event 0</text>");
    expect(svg).toContain(">event 9999</text>");
    expect(svg).toContain(">… 9961 more</text>");
    expect(svg).toContain("9862 × llm call\n99 × error");
  });
});
