// An agent as a picture: which of its tools ask a person, may be repeated or run a child, its limits,
// its plug-ins, and the loop as one box.
import { agent, agentTool, type Plugin, tool } from "reckoner";
import { agentPicture, toMermaid, toSvg } from "reckoner/pictures";
import { thoughts } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { plans } from "../../../src/core/thoughts/index.js";
import { checkMermaid, checkSvg, hostile } from "./support.js";

const execute = () => null;
const clerk = agent({ name: "clerk" });
const clock: Plugin = { name: "clock", systemPrompt: () => "late", issue: () => [] };
const notes: Plugin = {
  name: "notes",
  tools: [tool({ name: "note", reduce: () => null })],
  children: { scribe: clerk },
};
const desk = agent({
  name: "desk",
  model: "small-1",
  tools: [
    tool({ name: "find", idempotent: true, execute }),
    tool({ name: "pay", description: "Pays.", needsApproval: true, execute }),
    tool({ name: "mail", needsApproval: () => true, idempotent: true, sequential: true, execute }),
    agentTool(clerk, { name: "clerk" }),
    agentTool(clerk, { name: "second" }),
    tool({ name: "close", final: true, execute }),
  ],
  plugins: [clock, notes, { name: "judge", beforeTool: () => undefined }],
  maxIterations: 4,
  tokenBudget: 20_000,
  costBudget: 0.05,
  settings: { maxOutputTokens: 100 },
  prices: { small: { inputPerMillion: 1, outputPerMillion: 2 } },
  deadlineMs: 90_000,
  onLimit: "answer",
  conversation: true,
});
const picture = agentPicture(desk);
const node = (id: string) => picture.nodes.find((each) => each.id === id);

describe("an agent's picture", () => {
  it("has the loop as one box, with the limits", () => {
    expect(picture).toMatchObject({ kind: "agent", title: "desk", groups: [], notes: [] });
    expect(node("loop")).toMatchObject({ label: "desk", shape: "double" });
    expect(node("loop")?.details).toEqual([
      "asks the model, calls tools, asks again",
      "model small-1",
      "stays open for the next message",
      "at most 4 model calls a turn",
      "at most 20000 tokens",
      "costs at most 0.05",
      "at most 90 s a turn",
      "at a limit: answers without tools",
    ]);
  });

  it("marks tools by approval, repetition and kind, and says which plug-in brings one", () => {
    const marks = (name: string) => {
      const { tone, border, details } = node(`tool ${name}`) ?? {};
      return [tone, border, details];
    };
    expect(marks("find")).toEqual(["plain", "thick", ["has effects", "idempotent"]]);
    expect(marks("pay")).toEqual(["amber", undefined, ["has effects", "needs approval"]]);
    expect(marks("mail")).toEqual([
      "amber",
      "thick",
      ["has effects", "may need approval", "idempotent", "runs alone"],
    ]);
    expect(marks("note")).toEqual(["plain", undefined, ["pure", "of notes"]]);
    expect(marks("close")).toEqual(["plain", undefined, ["has effects", "ends the run"]]);
    expect(node("tool clerk")?.shape).toBe("hexagon");
    expect(node("tool pay")?.title).toBe("pay: has effects, needs approval\nPays.");
  });

  it("leads from plug-ins to the loop, to each tool, and to the children that they run", () => {
    const child = `child ${clerk.fingerprint}`;
    expect(picture.nodes.filter(({ id }) => id.startsWith("child"))).toMatchObject([
      { id: child, label: "clerk", details: ["child run, version 1"], row: 4 },
    ]);
    expect(picture.edges.map(({ from, to, labels }) => [from, to, ...(labels ?? [])])).toEqual([
      ["plug-in clock", "loop"],
      ["plug-in notes", "loop"],
      ["plug-in notes", child, "scribe"],
      ["plug-in judge", "loop"],
      ["loop", "tool find"],
      ["loop", "tool pay"],
      ["loop", "tool mail"],
      ["loop", "tool clerk"],
      ["tool clerk", child],
      ["loop", "tool second"],
      ["tool second", child, "second"],
      ["loop", "tool close"],
      ["loop", "tool note"],
    ]);
    expect(node("plug-in judge")?.details).toEqual(["judges: beforeTool"]);
    expect(node("plug-in clock")?.details).toEqual([
      "adds to the system prompt",
      "reads, writes or runs before each request",
    ]);
    expect(node("plug-in notes")?.details).toEqual(["brings 1 tool"]);
    expect(picture.rows).toEqual([
      { row: 0, label: "plug-ins" },
      { row: 1, label: "loop" },
      { row: 2, label: "tools" },
      { row: 4, label: "children" },
    ]);
  });

  it("says which tool gives the output", () => {
    const typed = agent({ name: "typed", output: { schema: z.object({}), via: "tool" } });
    const { nodes } = agentPicture(typed, { title: "Typed" });
    expect(nodes[1]?.details).toEqual(["pure", "ends the run", "gives the output"]);
    expect(nodes[0]?.details?.[1]).toBe("its output is validated");
    expect(nodes[0]?.details?.at(-1)).toBe("at a limit: fails");
  });

  it("is written as SVG and Mermaid, whatever its texts are", () => {
    const odd = agent({
      name: "odd",
      tools: hostile.map((text, i) => tool({ name: `t${i}`, description: text, execute })),
    });
    for (const each of [picture, agentPicture(odd, { title: hostile.join(" ") })]) {
      checkSvg(toSvg(each));
      checkMermaid(toMermaid(each));
    }
    expect(toSvg(picture)).toContain(">needs approval</text>");
  });

  it("of a reasoner that is no agent is refused", () => {
    const other = thoughts({ policy: plans.io({}) });
    expect(() => agentPicture(other as never)).toThrow(
      "agent must be an agent, as agent() makes it",
    );
  });
});
