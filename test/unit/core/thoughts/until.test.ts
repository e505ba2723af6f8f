// A score at which nothing more is asked: what is begun, what is left out, and what is handed on.
import { describe, expect, it } from "vitest";
import {
  connect,
  generate,
  improve,
  keepBest,
  plan,
  plans,
  policy,
  score,
  type Thought,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { type Answers, drive } from "./drive.js";

describe("a score at which nothing more is asked", () => {
  const length = ({ content }: { content: string }) => content.length;
  it("ends a tree of thoughts before its rounds are over, and what is free still runs", () => {
    const truth = ({ content }: { content: string }) => content === "long enough";
    const policy = plans.tot({ scorer: length, truth }, { branches: 3, rounds: 9, until: 10 });
    const answers: Answers = ({ id }) => (id.includes("round-3") ? "long enough" : "short");
    const { output } = drive(thoughts({ policy }), "why?", answers);
    expect(output).toMatchObject({
      reason: "success",
      modelCalls: 9,
      result: "long enough",
      solved: true,
    });
  });

  it("leaves out what is held back", () => {
    const policy = plan([generate({ responses: 3 }), score({ by: length }), keepBest()], {
      until: 1,
    });
    const other = generate({ id: "other", after: [], responses: 9, prompt: () => "other" });
    const both = plan([generate(), score({ by: length }), other], { until: 1 });
    expect(drive(thoughts({ policy }), "why?", () => "x").output?.modelCalls).toBe(3);
    const held = drive(thoughts({ policy: both, tokens: 1_000 }), "why?", () => "x");
    expect(held.output).toMatchObject({ reason: "success", modelCalls: 1 });
  });

  it("is not reached by a part", () => {
    const parse = () => [{ n: 1 }, { n: 2 }];
    const policy = plan(
      [
        generate({ id: "split", parse, splits: true }),
        score({ by: () => 10 }),
        generate({ id: "more" }),
      ],
      { until: 10 },
    );
    expect(drive(thoughts({ policy }), "why?", () => "x").output?.modelCalls).toBe(3);
  });
});

it("a policy of one's own begins nothing more where a score is good enough", () => {
  const rounds = (until?: number) =>
    policy({
      name: "rounds",
      operations: { draft: generate(), rate: score({ by: () => 7 }) },
      decide({ done, begun }) {
        const on = (done?.output ?? []).map(({ id }) => id);
        if (done?.use === "draft") return on.length === 0 ? [] : [{ use: "rate", on }];
        return begun < 6 ? [{ use: "draft", on: "root" }] : [];
      },
      ...(until === undefined ? {} : { until }),
    });
  const calls = (until?: number) =>
    drive(thoughts({ policy: rounds(until) }), "why?", ({ id }) => id).output?.modelCalls;
  expect([calls(7), calls(8), calls()]).toEqual([1, 3, 3]);
});

describe("where a thought is good enough", () => {
  it.each([generate({ id: "next" }), improve(), connect(), validateAndImprove()])(
    "an operation that would ask hands it on: %j",
    (operation) => {
      const by = ({ content }: Thought) => (content.endsWith("/1") ? 10 : 1);
      const policy = plan([generate({ responses: 2 }), score({ by }), operation], { until: 10 });
      const { output } = drive(thoughts({ policy }), "why?", ({ id }) => id);
      expect(output?.finals.map(({ content }) => content)).toEqual(["llm/0-generate/0/1"]);
      expect(output?.modelCalls).toBe(2);
    },
  );
});
