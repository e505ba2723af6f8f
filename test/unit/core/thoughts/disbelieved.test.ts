// Answers that are cut off, filtered, empty or faulty make no thoughts and no scores.
import { describe, expect, it } from "vitest";
import type { FinishReason } from "../../../../src/index.js";
import { vectors } from "../../../../src/kernel.js";
import { generate, keepBest, plan, score, thoughts } from "../../../../src/thoughts.js";
import { type Answers, drive } from "./drive.js";

const failuresOf = ({ state }: ReturnType<typeof drive>) => vectors.items(state.context.failures);

describe.each<[string, FinishReason, string]>([
  [
    "answer.truncated",
    "length",
    "A proof that is far longer than the other, and breaks off in the",
  ],
  ["answer.filtered", "content-filter", "A proof that is far longer than the other, and then"],
  ["answer.faulty", "error", "A proof that is far longer than the other, and then"],
  ["answer.empty", "stop", "<think>A proof that is far longer than the other.</think>"],
])("an answer that is %s", (code, finishReason, text) => {
  const answers: Answers = ({ id }) =>
    id.includes("/0/1") ? "A short proof." : { text, finishReason };
  const longest = (retries: number) =>
    thoughts({
      policy: plan([
        generate({ id: "g", responses: 2 }),
        score({ by: ({ content }) => content.length }),
        keepBest(),
      ]),
      retries,
    });

  it("is no thought: it is asked for again, and then counted as a failure with its reason", () => {
    const run = drive(longest(1), "Prove it.", answers);
    expect(run.calls.map(({ id }) => id)).toEqual(["llm/g/0/0", "llm/g/0/1", "llm/g/0/0/again/1"]);
    expect(run.output?.result).toBe("A short proof.");
    const message = `The model stopped for this reason: ${finishReason}.`;
    expect(failuresOf(run)).toEqual([{ operation: "g", thought: "root", code, message }]);
    // What it cost is counted.
    expect(run.state.context.usage.requests).toBe(3);
  });

  it("is a thought where it comes whole when it is asked for again", () => {
    const run = drive(longest(1), "Prove it.", (call) =>
      call.id.endsWith("again/1") ? "A proof that is longer, and whole." : answers(call),
    );
    expect(run.output?.result).toBe("A proof that is longer, and whole.");
    expect(failuresOf(run)).toEqual([]);
  });

  it("comes to the same whichever answer is there first", () => {
    const first = drive(longest(0), "Prove it.", answers);
    const last = drive(longest(0), "Prove it.", answers, { pick: (count) => count - 1 });
    expect(last.output).toEqual(first.output);
    expect(failuresOf(last)).toEqual(failuresOf(first));
  });
});

it("a score that was cut off is none", () => {
  const judge = thoughts({
    policy: plan([generate(), score({ id: "s" }), keepBest()]),
    retries: 0,
    structured: false,
  });
  const run = drive(judge, "Prove it.", ({ id }) =>
    id.startsWith("llm/s") ? { text: "Score: 1", finishReason: "length" } : "A proof.",
  );
  expect(failuresOf(run)).toMatchObject([{ code: "answer.truncated" }]);
});
