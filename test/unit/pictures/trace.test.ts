// What caused what as a picture.
import { agent, memoryJournal, run, scriptedModel } from "reckoner";
import { toMermaid, toSvg, tracePicture } from "reckoner/pictures";
import { journalTraces, queryEvents, Trace } from "reckoner/trace";
import { describe, expect, it } from "vitest";
import { event } from "../../support/traced.js";
import { checkMermaid, checkSvg } from "./support.js";

const trace = new Trace([
  event("r#@0", { type: "input", fields: { kind: "start", content: "hi" }, at: 1_000 }),
  event("r#llm/0", {
    type: "llm_call",
    fields: { model: "gpt-4o-mini", totalTokens: "5" },
    parentEvent: "r#@0",
    at: 1_010,
    durationMs: 900,
  }),
  event("r#tool/0/0", {
    fields: { toolName: "look" },
    parentEvent: "r#llm/0",
    at: 1_910,
    durationMs: 61_000,
  }),
  event("r#@2/error", {
    type: "error",
    fields: { error: "no map" },
    parentEvent: "r#llm/0",
    at: 1_910,
    durationMs: 1_250,
  }),
  event("r#llm/1", {
    type: "llm_call",
    fields: { model: "gpt-4o-mini" },
    parentEvent: "r#tool/0/0",
    causes: ["r#tool/0/0", "r#@2/error", "r#@2/error"],
    at: 7_300_000,
  }),
]);

describe("a trace", () => {
  it("is Mermaid's flowchart: parents solid, other causes dashed", () => {
    expect(toMermaid(tracePicture(trace))).toMatchInlineSnapshot(`
      "---
      title: "Trace"
      ---
      flowchart TD
        n0(["Input#58; start (hi)<br/>input, +0 ms"])
        n1("LLM call#58; gpt-4o-mini (5 tokens, 900ms)<br/>llm call, +10 ms, took 900 ms")
        n2["Tool call#58; look (61000ms)<br/>tool call, +910 ms, took 1 min 1 s"]
        n3["Error#58; no map<br/>error, +910 ms, took 1.3 s"]
        n4("LLM call#58; gpt-4o-mini (? tokens, 0ms)<br/>llm call, +2 h 1 min")
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
      "
    `);
  });

  it("says when each thing was, and how long it took", () => {
    const svg = toSvg(tracePicture(trace));
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
    const { nodes, edges } = tracePicture(trace, { explain: "tool/0" });
    const chain = nodes.filter(({ borderTone }) => borderTone === "blue").map(({ id }) => id);
    expect(chain).toEqual(["r#@0", "r#llm/0", "r#tool/0/0"]);
    expect(edges.filter(({ line }) => line === "thick")).toHaveLength(2);
  });

  it("is drawn where its events are damaged: circles, ids twice, causes that are gone, no date", () => {
    const odd = new Trace([
      event("a", { type: "input", parentEvent: "b", at: Number.MAX_VALUE }),
      event("b", { type: "input", parentEvent: "a", causes: ["gone", "b"], at: 0 }),
      event("b", { type: "error" }),
    ]);
    const picture = tracePicture(odd, { explain: "a" });
    expect(picture.notes).toEqual(["Left out: 1 edges from what is not here."]);
    const svg = toSvg(picture);
    expect(svg).toMatch(/<\/svg>\n$/);
    expect(svg).not.toContain("NaN");
    checkMermaid(toMermaid(picture));
  });

  it("of 10 000 events shows how it began, what is explained, and how it ended", () => {
    const long = Array.from({ length: 10_000 }, (_, i) =>
      event(`e${i}`, {
        at: i,
        seq: i,
        type: i % 100 === 99 ? "error" : "input",
        fields: { error: `event ${i}`, kind: `event ${i}` },
        ...(i === 0 ? {} : { parentEvent: `e${i - 1}` }),
      }),
    );
    const svg = toSvg(tracePicture(new Trace(long)));
    checkSvg(svg);
    expect(svg).toContain(">Input: event 0</text>");
    expect(svg).toContain(">Error: event 9999</text>");
    expect(svg).toContain(">… 9961 more</text>");
    expect(svg).toContain("9862 × input\n99 × error");
  });
});

it("events as queries give them are drawn as their trace is, without what was left out", async () => {
  expect(tracePicture(trace.events)).toEqual(tracePicture(trace));
  const calls = queryEvents(trace.events, { types: ["llm_call"] });
  const { nodes, edges, notes } = tracePicture(calls, { title: "Calls" });
  expect([nodes.map(({ id }) => id), edges]).toEqual([["r#llm/0", "r#llm/1"], []]);
  expect(notes).toEqual([expect.stringMatching(/^Left out: [1-9] edges/)]);
  const journal = memoryJournal();
  await run(agent({ name: "a" }), "x", { model: scriptedModel(["y"]), journal });
  const { trace: read } = await journalTraces([journal]).read();
  expect(tracePicture(read.events)).toEqual(tracePicture(read));
});
