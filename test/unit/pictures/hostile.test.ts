// Texts of models, tools and files: whatever they say, a picture shows it as text.
import {
  decisionsPicture,
  type Picture,
  thoughtsPicture,
  toJson,
  toMermaid,
  toSvg,
  tracePicture,
} from "reckoner/pictures";
import { thoughtGraph } from "reckoner/thoughts";
import { Trace } from "reckoner/trace";
import { describe, expect, it } from "vitest";
import { event } from "../../support/traced.js";
import { checkMermaid, checkSvg, hostile } from "./support.js";

const title = hostile.slice(0, 8).join(" ");

function decisions(): Picture {
  const nodes = hostile.map((text, i) => ({
    id: `${text.slice(0, 30)}${i % 2 === 0 ? i : ""}`,
    type: i % 3 === 0 ? "decision" : text.slice(0, 30),
    label: text,
    rationale: text,
  }));
  const edges = nodes.slice(1).map(({ id }, i) => ({
    fromId: nodes[i >> 1]?.id as string,
    toId: id,
    edgeType: "chosen" as const,
  }));
  return decisionsPicture({ nodes, edges }, { title });
}

function thoughts(): Picture {
  let graph = thoughtGraph.addThought(thoughtGraph.emptyGraph, { id: "root", content: title });
  for (const [i, content] of hostile.entries()) {
    const operation = content.slice(0, 30).replace(/\p{Surrogate}/gu, "");
    const thought = { id: `${i}`, content: content.replace(/\p{Surrogate}/gu, ""), operation };
    graph = thoughtGraph.addThought(graph, thought, { parents: ["root"] });
    if (i === 0) continue;
    const edge = { from: `${i}`, to: `${i - 1}`, type: "connects" as const };
    const description = content.replace(/\p{Surrogate}/gu, "");
    graph = thoughtGraph.addEdge(graph, { ...edge, description });
  }
  return thoughtsPicture(graph, { title });
}

function trace(): Picture {
  const events = hostile.map((text, i) =>
    event(`${i}`, {
      type: "error",
      fields: { error: text },
      ...(i === 0 ? {} : { parentEvent: `${i - 1}` }),
    }),
  );
  return tracePicture(new Trace(events), { title });
}

/** Every text as a group, as a state may be named. */
function groups(): Picture {
  const { nodes, ...rest } = decisions();
  return {
    ...rest,
    kind: "chart",
    nodes: nodes.map((node, i) => ({ ...node, group: `g${i}` })),
    groups: hostile.map((label, i) => ({
      id: `g${i}`,
      label,
      details: [label],
      line: "solid",
      tone: "plain",
      ...(i % 3 === 0 ? {} : { parent: `g${i - 1}` }),
    })),
  };
}

describe.each([
  ["decisions", decisions],
  ["thoughts", thoughts],
  ["a trace", trace],
  ["groups", groups],
])("hostile texts in %s", (_name, picture) => {
  it("are texts in SVG", () => {
    const svg = toSvg(picture());
    checkSvg(svg);
    expect(svg).not.toContain("<script");
  });

  it("are texts in Mermaid", () => {
    checkMermaid(toMermaid(picture()));
  });

  it("come back from JSON as they were", () => {
    const text = toJson(picture());
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(picture())));
    expect(text).not.toMatch(/(?![\n\t])\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069]/u);
  });
});

describe("what an eye does not see", () => {
  it("is written out", () => {
    const svg = toSvg(trace());
    for (const text of [
      "⟨U+202E⟩abc⟨U+202C⟩",
      "a⟨U+0000⟩b⟨U+0007⟩",
      "⟨U+D800⟩ lone ⟨U+FFFE⟩",
      "a⟨U+3164⟩b⟨U+2800⟩c",
    ]) {
      expect(svg).toContain(`Error: ${text}`);
    }
    expect(svg).toContain(">Error: line break tab</text>");
    expect(svg).toContain(">Error: 👨‍👩‍👧‍👦 family</text>");
    expect(svg).toContain(`>Error: Z${"\u0351\u036B\u0343"}</text>`);
  });
});

/** Mermaid makes Markdown of every label, and says "Unsupported markdown: list" of what is none. */
describe("a label that would be Markdown", () => {
  const labels = (label: string, ...details: string[]) => {
    const picture: Picture = {
      kind: "chart",
      title: "",
      nodes: [{ id: "a", label, details, shape: "box", tone: "plain" }],
      edges: [],
      groups: [],
      rows: [],
      legend: [],
      notes: [],
    };
    return /\["(.*)"\]/.exec(toMermaid(picture))?.[1];
  };

  it.each([
    ["1. Sort the list", "1#46; Sort the list"],
    ["2) Merge", "2#41; Merge"],
    ["- one", "#45; one"],
    ["+ one", "#43; one"],
    ["* one", "#42; one"],
    ["**bold** and *slanted*", "#42;#42;bold#42;#42; and #42;slanted#42;"],
    ["# head", "#35; head"],
    ["`code` _and_ ~~gone~~", "#96;code#96; #95;and#95; #126;#126;gone#126;#126;"],
    ["[a](javascript:b)", "[a]#40;javascript#58;b)"],
    ["see www.example.com", "see www#46;example.com"],
    ["---", "#45;#45;#45;"],
    ["1.", "1#46;"],
  ])("%s is text", (label, text) => {
    expect(labels(label)).toBe(text);
    expect(labels("first", label)).toBe(`first<br/>${text}`);
  });

  it.each(["-5 of 12.5 (at least)", "+0 ms, took 12.5 ms", "a - b = c", "go [open] / act, 1.5"])(
    "%s stays as it is to whoever reads the source",
    (label) => {
      expect(labels(label)).toBe(label);
    },
  );

  it("is no underline of the line before it", () => {
    expect(labels("first", "===")).toBe("first<br/>#61;#61;#61;");
  });
});
