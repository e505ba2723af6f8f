// How answers are asked for and read: all at once, by a schema, by other models, scored together.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { vectors } from "../../../../src/kernel.js";
import {
  aggregate,
  generate,
  improve,
  keepBest,
  type OperationSpec,
  plan,
  plans,
  score,
  type ThoughtsDefinition,
  thoughtGraph,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { type Answers, drive, promptOf } from "./drive.js";

const runOf = (
  operations: readonly OperationSpec[],
  answers: Answers,
  more: Partial<ThoughtsDefinition> = {},
) => drive(thoughts({ policy: plan(operations), ...more }), "why?", answers);
const failuresOf = ({ state }: ReturnType<typeof drive>) =>
  vectors.items(state.context.failures).map(({ code }) => code);

describe("a parser that sees all answers at once", () => {
  it("makes thoughts of those about one thought, in the order of asking", () => {
    const seen: (readonly string[])[] = [];
    const operations = [
      generate({ id: "two", responses: 2 }),
      generate({
        id: "all",
        responses: 3,
        parseAll: (texts, { thought }) => {
          seen.push(texts);
          return [{ of: thought.id, most: texts[0] ?? "" }, { count: texts.length }];
        },
      }),
    ];
    const { state, calls } = drive(
      thoughts({ policy: plan(operations) }),
      "why?",
      ({ id }) => (id.includes("all/1/2") ? { error: "no" } : id),
      { pick: (count) => count - 1 },
    );
    expect(calls.filter(({ id }) => !id.includes("again"))).toHaveLength(2 + 6);
    expect(seen).toEqual([
      ["llm/all/0/0", "llm/all/0/1", "llm/all/0/2"],
      ["llm/all/1/0", "llm/all/1/1"],
    ]);
    const made = thoughtGraph.listThoughts(state.context.graph).slice(3);
    expect(made.map(({ id }) => id)).toEqual([
      "thought/all/0/all.0",
      "thought/all/0/all.1",
      "thought/all/1/all.0",
      "thought/all/1/all.1",
    ]);
    expect(made[3]).toMatchObject({ state: { count: 2 }, content: '{"count":2}' });
    expect(thoughtGraph.parents(state.context.graph, "thought/all/1/all.0")[0]?.id).toBe(
      "thought/two/0/1",
    );
  });

  it("keeps the text where there is one answer and one thought", () => {
    const { output } = runOf([generate({ parseAll: () => ({ n: 1 }) })], () => "so");
    expect(output).toMatchObject({
      result: "so",
      state: { n: 1 },
      thought: "thought/0-generate/0/all.0",
    });
  });

  it("merges", () => {
    const operations = [
      generate({ responses: 2 }),
      aggregate({ responses: 3, parseAll: (texts) => ({ all: texts.join("+") }) }),
    ];
    const { output } = runOf(operations, ({ id }) => id.at(-1) ?? "");
    expect(output).toMatchObject({
      state: { all: "0+1+2" },
      thought: "thought/1-aggregate/0/all.0",
    });
  });

  it("merges to several, of which none is the text", () => {
    const operations = [generate(), aggregate({ parseAll: () => [{ n: 1 }, { n: 2 }] })];
    const { output } = runOf(operations, () => "so");
    expect(output?.finals.map(({ content }) => content)).toEqual(['{"n":1}', '{"n":2}']);
  });

  it("scores, one thought or all together", () => {
    const answers: Answers = ({ id }) => (id.includes("score") ? (id.at(-1) ?? "") : id);
    const each = [
      generate({ responses: 2 }),
      score({ samples: 3, parseAll: (texts) => Math.max(...texts.map(Number)) }),
    ];
    expect(runOf(each, answers).output).toMatchObject({ score: 2 });
    const together = [
      generate({ responses: 2 }),
      score({
        samples: 3,
        combined: true,
        parseAll: (texts, { thoughts }) => thoughts.map((_, i) => i + texts.length),
      }),
      keepBest(),
    ];
    expect(runOf(together, answers).output).toMatchObject({
      score: 4,
      thought: "thought/0-generate/0/1",
    });
    const nonsense = [generate(), score({ parseAll: () => [1, 2] })];
    expect(failuresOf(runOf(nonsense, answers))).toEqual(["answer.unreadable"]);
  });

  it("validates", () => {
    const validated = (verdict: (texts: readonly string[]) => boolean | undefined) =>
      runOf(
        [generate(), validateAndImprove({ samples: 3, parseAll: verdict, improve: false })],
        ({ id }) => (id.includes("/check/") ? "no" : "x"),
      );
    expect(validated((texts) => texts.every((text) => text === "no")).output?.valid).toBe(true);
    expect(validated(() => false).output?.valid).toBe(false);
    const none = validated(() => undefined);
    expect(none.output?.valid).toBeNull();
    expect(failuresOf(none)).toEqual(["answer.unreadable"]);
    const unheard = runOf(
      [generate(), validateAndImprove({ parseAll: () => true, improve: false })],
      ({ id }) => (id.includes("/check/") ? { error: "down" } : "x"),
    );
    expect(unheard.output?.valid).toBeNull();
  });

  it.each([
    score({ samples: 2, parseAll: () => 3 }),
    aggregate({ responses: 2, parseAll: () => ({ n: 1 }) }),
  ])("is asked for nothing where every call failed: %j", (operation) => {
    const run = runOf([generate(), operation], ({ id }) =>
      id.includes("0-generate") ? "x" : { error: "down" },
    );
    expect(failuresOf(run)).toEqual(["model.failed", "model.failed"]);
    const [, first, ...more] = thoughtGraph.listThoughts(run.state.context.graph);
    expect([first?.score, more]).toEqual([null, []]);
  });

  it("is not asked where there was no answer; an empty one is a failure of its own", () => {
    const operations = [
      generate({ responses: 2, parseAll: () => ({ n: 1 }) }),
      generate({ id: "sure", after: [] }),
    ];
    const run = runOf(operations, ({ id }) => (id.includes("sure") ? "x" : ""));
    expect(failuresOf(run)).toEqual(["answer.empty", "answer.empty"]);
    expect(run.output?.result).toBe("x");
  });
});

describe("scoring together by a function", () => {
  it("compares the thoughts with each other", () => {
    const rank = (all: readonly { readonly content: string }[]) => {
      const sorted = [...all].sort((a, b) => a.content.length - b.content.length);
      return all.map((each) => sorted.indexOf(each));
    };
    const operations = [generate({ responses: 3 }), score({ byAll: rank }), keepBest()];
    const said = ["middle", "the longest", "short"];
    const { output, state } = runOf(operations, ({ id }) => said[Number(id.at(-1))] ?? "");
    expect(output).toMatchObject({ result: "the longest", score: 2 });
    const [, first] = thoughtGraph.listThoughts(state.context.graph);
    expect(first).toMatchObject({ score: 1, scoredBy: "1-score" });
  });

  it("ranks a thought last whose score is not a number", () => {
    const byAll = () => [1, Number.NaN, 3];
    const run = runOf([generate({ responses: 3 }), score({ byAll })], () => "x");
    expect(run.output?.finals.map(({ score }) => score)).toEqual([3, 1, null]);
    expect(failuresOf(run)).toEqual(["scorer.notANumber"]);
  });
});

describe("a schema", () => {
  const schema = z.object({ sorted: z.array(z.number()) });
  it("is asked for, and what it reads lies over the state", () => {
    const { calls, output } = runOf([generate({ schema })], () => 'Here: {"sorted": [1, 2]}');
    expect(calls[0]?.responseFormat).toMatchObject({
      type: "json",
      name: "generate",
      schema: { type: "object", properties: { sorted: { type: "array" } } },
    });
    expect(output?.state).toEqual({ sorted: [1, 2] });
  });

  it("that does not fit is a counted failure with what is wrong", () => {
    const operations = [improveAfter(schema), generate({ id: "sure", after: [] })];
    const run = runOf([generate({ id: "a" }), ...operations], ({ id }) =>
      id.includes("improve") ? '{"sorted": ["x"]}' : "a",
    );
    const [failure] = vectors.items(run.state.context.failures);
    expect(failure).toMatchObject({
      code: "answer.notOfSchema",
      message: expect.stringContaining("sorted.0"),
    });
    const none = runOf([generate({ schema })], () => "no JSON");
    expect(failuresOf(none)).toEqual(["answer.unreadable"]);
  });

  it("that makes nothing of it is a counted failure", () => {
    const nothing = z.object({}).transform(() => null);
    const run = runOf([generate({ schema: nothing as never })], () => '{"sorted": []}');
    expect(failuresOf(run)).toEqual(["answer.unreadable"]);
  });

  it("that validates asynchronously is a counted failure", () => {
    const later = schema.refine(async () => true);
    const run = runOf([generate({ schema: later })], () => '{"sorted": []}');
    expect(failuresOf(run)).toEqual(["schema.threw"]);
  });

  it("is part of the fingerprint", () => {
    const of = (schema: z.ZodType<{ readonly sorted?: number[] }>) =>
      thoughts({ policy: plan([generate({ schema })]) }).fingerprint;
    expect(of(schema)).toBe(of(z.object({ sorted: z.array(z.number()) })));
    expect(of(schema)).not.toBe(of(z.object({ sorted: z.array(z.number()).min(1) })));
  });

  function improveAfter(of: typeof schema): OperationSpec {
    return improve({ schema: of });
  }
});

describe("a score and a verdict", () => {
  const judged = [generate({ responses: 2 }), score(), validateAndImprove({ id: "checked" })];
  const answers: Answers = ({ id }) =>
    id.includes("score")
      ? '{"reasoning": "3 of 9 hold", "score": 6}'
      : id.includes("/check/")
        ? '{"reasoning": "no mistake", "valid": true}'
        : "x";
  it("are asked for as JSON of a schema, where nobody brings a prompt or a parser", () => {
    const { calls, output } = runOf(judged, answers);
    const formats = new Map(calls.map(({ id, responseFormat }) => [id, responseFormat]));
    expect(formats.get("llm/0-generate/0/0")).toBeUndefined();
    expect(formats.get("llm/1-score/0/0")).toMatchObject({ type: "json", name: "score" });
    expect(formats.get("llm/checked/0/check/0/0")).toMatchObject({ type: "json", name: "verdict" });
    expect(promptOf(calls[2] as never)).toContain('Answer with JSON: {"reasoning"');
    expect(output).toMatchObject({ score: 6, valid: true, failures: 0 });
  });

  it("of several thoughts too", () => {
    const operations = [generate({ responses: 2 }), score({ combined: true }), keepBest()];
    const { calls, output } = runOf(operations, ({ id }) =>
      id.includes("score") ? '{"reasoning": "so", "scores": [3, 8]}' : "x",
    );
    expect(calls.at(-1)?.responseFormat).toMatchObject({
      schema: { required: ["reasoning", "scores"] },
    });
    expect(output).toMatchObject({ score: 8 });
  });

  it.each<[string, Partial<ThoughtsDefinition>, object]>([
    ["a prompt of one's own", {}, { prompt: () => "how good?" }],
    ["a parser of one's own", {}, { parse: () => 3 }],
    ["a prompt for all", { prompts: { score: () => "how good?" } }, {}],
    ["structured: false", { structured: false }, {}],
  ])("are asked for as a string with %s", (_, more, own) => {
    const { calls } = runOf([generate(), score(own)], () => "Score: 5", more);
    expect(calls[1]?.responseFormat).toBeUndefined();
    expect(promptOf(calls[1] as never)).not.toContain("JSON");
  });

  it("are asked for in their form again after what has passed", () => {
    const busy: Answers = (call) =>
      call.id.includes("score/0") && !call.id.includes("again")
        ? { error: "busy", transient: true }
        : answers(call);
    const { calls } = runOf(judged, busy);
    const asked = calls.filter(({ id }) => id.includes("score") || id.includes("/check/"));
    expect(asked.map(({ responseFormat }) => responseFormat?.type)).toEqual(Array(5).fill("json"));
  });

  it("are asked for as a string once a model has failed for the form alone", () => {
    const strict: Answers = ({ id, responseFormat }) =>
      responseFormat === undefined
        ? `${id.includes("score") ? "Score: 7" : "valid"}`
        : { error: "400" };
    const { calls, output } = runOf(judged, strict);
    const scores = calls.filter(({ id }) => id.includes("score"));
    expect(scores.map(({ responseFormat }) => responseFormat !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const checks = calls.filter(({ id }) => id.includes("/check/"));
    expect(checks.map(({ responseFormat }) => responseFormat)).toEqual([undefined, undefined]);
    expect(output).toMatchObject({ score: 7, valid: true, failures: 0 });
    // That is no repetition of the same, so it needs no retries; nothing else is asked for again.
    const once = runOf(judged, strict, { retries: 0 });
    expect(once.calls).toEqual(calls);
    for (const transient of [false, true]) {
      const lost: Answers = ({ id, responseFormat }) =>
        id.includes("generate") ? id : { error: "no", transient: transient && !!responseFormat };
      const run = runOf([generate(), score()], lost, { retries: 0 });
      expect(run.calls).toHaveLength(transient ? 2 : 3);
      expect(failuresOf(run)).toEqual(["model.failed"]);
    }
  });
});

describe("each operation", () => {
  it("has its own model and settings, laid over the reasoner's", () => {
    const operations = [
      generate({ id: "a", model: "big", settings: { temperature: 1, topP: 0.5 } }),
      score({ id: "b", model: "judge", settings: { temperature: 0 } }),
      improve({ id: "c" }),
    ];
    const { calls } = runOf(operations, () => "Score: 5", {
      model: "small",
      settings: { temperature: 0.3, topK: 7 },
    });
    expect(calls.map(({ model, settings }) => [model, settings])).toEqual([
      ["big", { temperature: 1, topK: 7, topP: 0.5 }],
      ["judge", { temperature: 0, topK: 7 }],
      ["small", { temperature: 0.3, topK: 7 }],
    ]);
  });
});

describe("self-consistency", () => {
  const asked = (samples: number, said: readonly string[], more = {}) =>
    drive(
      thoughts({ policy: plans.selfConsistency(more, { samples }) }),
      "6 × 7?",
      ({ id }) => said[Number(id.at(-1)) % said.length] ?? "",
    );
  it("asks five times for five samples, without a scorer too", () => {
    const { calls, output } = asked(5, ["42", "41", "42", "43", "42"]);
    expect(calls).toHaveLength(5);
    expect(output).toMatchObject({ result: "42", score: null });
  });

  it("compares what is concluded, not how it is said", () => {
    const said = [
      "6 × 7 is 6 × 6 + 6. The answer is 42.",
      "I guess 41",
      "Answer: **42**",
      "41, I guess",
      "Six sevens. #### 42",
    ];
    expect(asked(5, said).output?.result).toContain("42");
  });

  it("compares what the parser made of it, where there is one", () => {
    const parse = (text: string) => ({ n: Number(/\d+/.exec(text)?.[0]) });
    const said = ["41!", "forty-two, 42", "it is 42"];
    const { output } = asked(3, said, { solve: { parse } });
    expect(output?.state).toEqual({ n: 42 });
  });

  it("compares by the task's own normaliser", () => {
    const normalise = ({ content }: { readonly content: string }) => content.slice(0, 1);
    expect(asked(3, ["x1", "y2", "x3"], { normalise }).output?.result).toBe("x1");
  });
});
