// The paper's plan: split, solve the parts, merge them by pairs, refine.
import { describe, expect, it } from "vitest";
import { plans, thoughts } from "../../../../src/thoughts.js";
import { drive, promptOf } from "./drive.js";

describe("a graph of thoughts by the paper's plan", () => {
  it("solves each part, and validates what was merged where the task says how", () => {
    const policy = plans.got(
      {
        split: { parse: () => [{ part: 1 }, { part: 2 }] },
        scorer: () => 1,
        validate: { by: ({ content }) => content.includes("improve") },
      },
      { parts: 2, solve: 1, merge: 1 },
    );
    const { calls, output } = drive(thoughts({ policy }), "why?", ({ id }) => id);
    expect(calls.map(({ id }) => id.split("/")[1])).toEqual([
      "split",
      "solve-1",
      "solve-2",
      "merge-1-1",
      expect.stringMatching(/validate$/),
    ]);
    expect(output?.result).toContain("improve");
  });
});

describe("an odd number of parts", () => {
  it("is merged by pairs, and the last with all others", () => {
    const split = { parse: () => [{ part: 1 }, { part: 2 }, { part: 3 }] };
    const policy = plans.got({ split, scorer: () => 1 }, { parts: 3, solve: 1, merge: 1 });
    const { calls, output } = drive(thoughts({ policy }), "why?", ({ id }) => id);
    expect(calls.map(({ id }) => id.split("/")[1])).toEqual([
      "split",
      "solve-1",
      "solve-2",
      "solve-3",
      "merge-1-1",
      "merge-2-1",
    ]);
    expect(output).toMatchObject({ result: "llm/merge-2-1/0/0", whole: true });
  });
});

describe("what is refined", () => {
  const asked = (refine: object) => {
    const split = { parse: () => [{ part: 1 }, { part: 2 }] };
    const task = { split, solve: { prompt: () => "solve" }, ...refine, scorer: () => 1 };
    const policy = plans.got(task, { parts: 2, solve: 1, merge: 1, refine: 1 });
    const { calls } = drive(thoughts({ policy }), "why?", ({ id }) => id);
    return calls.filter(({ id }) => id.includes("refine")).map(promptOf);
  };

  it("is asked for as the task says, or as its solutions are", () => {
    expect(asked({ refine: { prompt: () => "refine" } })).toEqual(["refine"]);
    expect(asked({})).toEqual(["solve"]);
  });
});
