// Plans: what is refused when a plan is made, what runs side by side, and a plan of one's own.
import { describe, expect, it } from "vitest";
import {
  aggregate,
  generate,
  keepBest,
  type OperationSpec,
  PREVIOUS,
  plan,
  plans,
  score,
  thoughts,
} from "../../../../../src/thoughts.js";
import { drive } from "../drive.js";

describe("a plan is refused when it is made", () => {
  const by = () => 1;
  it.each<[string, OperationSpec[]]>([
    ["it has no operations", []],
    [
      "the plan has a cycle",
      [generate({ id: "a" }), generate({ id: "b", after: ["a", "c"] }), generate({ id: "c" })],
    ],
    ["the plan has a cycle", [generate({ id: "a", after: "a" })]],
    ["there is no operation x to come after", [generate({ after: "x" })]],
    ["it comes after the same one twice", [generate({ id: "a" }), generate({ after: ["a", "a"] })]],
    [
      "it comes after the same one twice",
      [generate({ id: "a" }), generate({ after: ["a", PREVIOUS] })],
    ],
    ["another operation has this id", [generate({ id: "a" }), generate({ id: "a" })]],
    ["id must be up to 60 letters", [generate({ id: "a/b" })]],
    ["score needs thoughts, but comes after nothing", [score({ by })]],
    ["aggregate needs thoughts", [generate(), aggregate({ after: [] })]],
    ["which are not scored", [generate({ id: "a" }), keepBest()]],
    [
      "takes thoughts of b (generate)",
      [generate(), score({ id: "a", by }), generate({ id: "b" }), keepBest({ after: ["a", "b"] })],
    ],
  ])("%s", (why, operations) => {
    expect(() => plan(operations)).toThrow(
      expect.objectContaining({ code: "thoughts.plan", message: expect.stringContaining(why) }),
    );
  });
});

describe("a plan", () => {
  it("runs what is ready side by side", () => {
    const policy = plan([
      generate({ id: "left", after: [], responses: 2 }),
      generate({ id: "right", after: [], responses: 2 }),
      aggregate({ after: ["left", "right"] }),
    ]);
    const { directives } = thoughts({ policy }).start("why?", { at: 0, runId: "r" });
    expect(directives.map((each) => "id" in each && each.id)).toEqual([
      "llm/left/0/0",
      "llm/left/0/1",
      "llm/right/0/0",
      "llm/right/0/1",
    ]);
  });

  it("has the same fingerprint as one that is made the same, and another than one that is not", () => {
    const of = (responses: number) =>
      thoughts({ policy: plan([generate({ responses })]) }).fingerprint;
    expect(of(2)).toBe(of(2));
    expect(of(2)).not.toBe(of(3));
    const by = (scorer: () => number) =>
      thoughts({ policy: plan([generate(), score({ by: scorer })]) }).fingerprint;
    const long = () => 1;
    const short = () => 1;
    expect(by(long)).not.toBe(by(short));
  });

  it("of the usual ones asks for as many scores of a thought as its task says", () => {
    const shape = { branches: 2, rounds: 1 };
    const { calls } = drive(
      thoughts({ policy: plans.tot({ samples: 3 }, shape) }),
      "why?",
      () => "7",
    );
    expect(calls).toHaveLength(2 + 2 * 3);
  });

  it("of one's own fits in twenty lines: a debate", () => {
    const words = ({ content }: { content: string }) => content.split(" ").length;
    const debate = plan([
      generate({ id: "for", prompt: ({ prompt }) => `Argue for: ${prompt}`, responses: 3 }),
      score({ by: words }),
      keepBest({ id: "best-for" }),
      generate({ id: "against", after: [], prompt: ({ prompt }) => `Argue against: ${prompt}` }),
      score({ id: "against-scored", by: words }),
      aggregate({
        after: ["best-for", "against-scored"],
        prompt: ({ prompt, thoughts }) =>
          `Judge "${prompt}":\n${thoughts.map(({ content }) => content).join("\n")}`,
      }),
    ]);
    const { output } = drive(thoughts({ policy: debate }), "tea is better", ({ id }) =>
      id.startsWith("llm/5-") ? "a draw" : `${"so ".repeat(Number(id.at(-1)))}there`,
    );
    expect(output).toMatchObject({ result: "a draw", modelCalls: 5, thoughts: 6 });
  });
});
