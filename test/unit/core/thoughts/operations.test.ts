// Each operation: what it asks, what it makes of the answers, and what it does with those it cannot read.
import { describe, expect, it } from "vitest";
import { vectors } from "../../../../src/kernel.js";
import {
  aggregate,
  connect,
  generate,
  groundTruth,
  improve,
  keepBest,
  keepValid,
  type OperationSpec,
  plan,
  plans,
  score,
  select,
  type Thought,
  type ThoughtsDefinition,
  thoughtGraph,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { type Answers, drive, promptOf } from "./drive.js";

const { incomingEdges, listEdges, listThoughts } = thoughtGraph;

const runOf = (
  operations: readonly OperationSpec[],
  answers: Answers,
  more: Partial<ThoughtsDefinition> = {},
) => drive(thoughts({ policy: plan(operations), ...more }), "why?", answers);
const failuresOf = ({ state }: ReturnType<typeof drive>) =>
  vectors.items(state.context.failures).map(({ code }) => code);
/** Answers in turn. */
const inTurn = (...said: string[]): Answers => {
  let turn = 0;
  return () => said[turn++ % said.length] as string;
};
const number = (text: string) => (/^\d+$/.test(text) ? { n: Number(text) } : undefined);
const n = ({ state }: Thought) => state.n as number;

describe("generate", () => {
  it("lays what is parsed over the state it came from", () => {
    const parse = (text: string) => ({ [text]: true });
    const operations = [generate({ id: "a", parse }), generate({ id: "b", parse })];
    const { output } = runOf(operations, ({ id }) => id.split("/")[1] as string);
    expect(output?.state).toEqual({ a: true, b: true });
  });

  it("makes several thoughts of an answer that holds several", () => {
    const parse = (text: string) => text.split(",").map((part) => ({ part }));
    const prompt = ({ branches }: { branches: number }) => `give ${branches}`;
    const { state, calls } = runOf([generate({ parse, prompt, branches: 2 })], () => "x,y");
    expect(promptOf(calls[0]!)).toBe("give 2");
    expect(listThoughts(state.context.graph).map(({ id }) => id)).toEqual([
      "root",
      "thought/0-generate/0/0.0",
      "thought/0-generate/0/0.1",
    ]);
  });

  it.each([
    ["answer.unreadable", () => undefined],
    ["answer.unreadable", () => []],
    ["answer.notJson", () => ({ when: new Date(0) as never })],
    [
      "parser.threw",
      () => {
        throw new TypeError("no");
      },
    ],
  ])("counts %s as a failure of the thought", (code, parse) => {
    const other = { parse: number };
    const run = runOf(
      [generate({ responses: 1, parse }), generate({ after: [], ...other })],
      () => "7",
    );
    expect(failuresOf(run)).toEqual([code]);
    expect(run.output).toMatchObject({ state: { n: 7 }, failures: 1 });
  });

  it("counts a prompt that throws, and says what it threw", () => {
    const prompt = () => {
      throw new Error("The list is empty.");
    };
    const run = runOf([generate({ prompt }), generate({ after: [] })], () => "x");
    expect(vectors.items(run.state.context.failures)).toEqual([
      expect.objectContaining({ code: "prompt.threw", message: "The list is empty." }),
    ]);
    expect(run.calls).toHaveLength(1);
  });

  it("says in the run's error what the last function threw, where no branch is left", () => {
    const parse = (_text: string): never => {
      throw new Error("No number in it.");
    };
    const errorOf = (...operations: readonly OperationSpec[]) =>
      runOf(operations, () => "x").state.context.error;
    expect(errorOf(generate({ parse }))).toEqual({
      code: "thoughts.nothingLeft",
      message:
        "Every branch was dropped; 1 failures were counted, the last of 0-generate, parser.threw: No number in it.",
    });
    expect(errorOf(generate({ parse: () => undefined }))?.message).toMatch(
      /, the last of 0-generate, answer\.unreadable\.$/,
    );
  });
});

describe("score", () => {
  const three = generate({ responses: 3, parse: number });
  it("by a function", () => {
    const byNumber = (thought: Thought) => n(thought);
    const { state, output } = runOf(
      [three, score({ by: byNumber }), keepBest()],
      inTurn("3", "9", "5"),
    );
    expect(output).toMatchObject({ score: 9, state: { n: 9 } });
    expect(listThoughts(state.context.graph)[1]).toMatchObject({ score: 3, scoredBy: "1-score" });
  });

  it("by the model, with samples of which the mean counts", () => {
    const answers: Answers = ({ id }) =>
      id.includes("score") ? ["Score: 4", "I would say 8/10.", "no idea"][Number(id.at(-1))]! : "x";
    const run = runOf([generate(), score({ samples: 3 })], answers);
    expect(run.calls).toHaveLength(4);
    expect(run.output).toMatchObject({ score: 6, failures: 1 });
    expect(failuresOf(run)).toEqual(["answer.unreadable"]);
  });

  it("of all thoughts in one call", () => {
    const answers: Answers = ({ id }) => (id.includes("score") ? "so: [2, 9, 4]" : "x");
    const run = runOf([generate({ responses: 3 }), score({ combined: true }), keepBest()], answers);
    expect(run.calls).toHaveLength(4);
    expect(run.output).toMatchObject({ score: 9, thought: "thought/0-generate/0/1" });
  });

  it.each([
    ["scorer.notANumber", (): number => Number.NaN],
    ["scorer.notANumber", () => "7" as never],
    [
      "scorer.threw",
      (): number => {
        throw new Error("no");
      },
    ],
  ])("counts %s, and ranks the thought last", (code, fault) => {
    const by = (thought: Thought) => (n(thought) === 9 ? fault() : n(thought));
    const run = runOf([three, score({ by }), keepBest()], inTurn("3", "9", "5"));
    expect(failuresOf(run)).toEqual([code]);
    expect(run.output).toMatchObject({ score: 5 });
    const failed = listThoughts(run.state.context.graph).find((each) => n(each) === 9);
    expect(failed).toMatchObject({ failures: 1, score: null });
  });
});

describe("keepBest, keepValid, groundTruth and select", () => {
  it("keeps the n best, low ones where low is good, and the first of equals", () => {
    const operations = (better: "higher" | "lower") => [
      generate({ responses: 4, parse: number }),
      score({ by: n }),
      keepBest({ id: "best", n: 2, better }),
      select({ where: (given) => given.slice(-1) }),
    ];
    const said = () => inTurn("3", "9", "3", "9");
    expect(runOf(operations("higher"), said()).output?.thought).toMatch(/\/3$/);
    expect(runOf(operations("lower"), said()).output?.thought).toMatch(/\/2$/);
  });

  it("keeps what is valid and what nobody validated", () => {
    const operations = [
      generate({ id: "a", parse: number, responses: 2 }),
      validateAndImprove({ improve: false, by: (thought) => n(thought) > 4 }),
      generate({ id: "b", after: [], parse: number }),
      keepValid({ after: ["1-validate", "b"] }),
      score({ by: (thought) => -n(thought) }),
    ];
    expect(runOf(operations, inTurn("3", "9", "5")).output).toMatchObject({ state: { n: 5 } });
  });

  it("compares with the truth; a comparison that throws says no", () => {
    const by = (thought: Thought) => {
      if (n(thought) === 3) throw new Error("no");
      return true;
    };
    const run = runOf(
      [generate({ parse: number, responses: 2 }), groundTruth({ by })],
      inTurn("3", "9"),
    );
    expect(listThoughts(run.state.context.graph).map(({ solved }) => solved)).toEqual([
      null,
      false,
      true,
    ]);
  });

  it("selects from the problem where there are no thoughts", () => {
    const operations = [
      generate({ id: "a", parse: () => undefined }),
      select({ where: (given) => given }),
      generate({ id: "b" }),
    ];
    expect(runOf(operations, () => "x").output?.thought).toBe("thought/b/0/0");
  });

  it("counts a selector that makes thoughts up", () => {
    const where = () => [{ id: "made up" } as Thought];
    const run = runOf([generate(), select({ where }), generate({ after: [] })], () => "x");
    expect(failuresOf(run)).toEqual(["selector.unknown"]);
    expect(run.output?.finals).toHaveLength(1);
    const failed = listThoughts(run.state.context.graph).filter(({ failures }) => failures > 0);
    expect(failed.map(({ id }) => id)).toEqual(["thought/0-generate/0/0"]);
  });
});

describe("improve and validateAndImprove", () => {
  it("refines each thought once", () => {
    const { state } = runOf([generate(), improve()], inTurn("x", "better"));
    expect(listThoughts(state.context.graph)[2]).toMatchObject({
      id: "thought/1-improve/0/0",
      kind: "refinement",
      content: "better",
      depth: 2,
    });
    expect(listEdges(state.context.graph)[1]?.type).toBe("refines");
  });

  it("makes one better version, whatever else the parser reads", () => {
    const parse = () => [{ n: 7 }, { n: 8 }];
    const by = (thought: Thought) => n(thought) === 7;
    for (const operation of [improve({ parse }), validateAndImprove({ by, improve: { parse } })]) {
      const run = runOf([generate({ parse: number }), operation], inTurn("1", "better"));
      expect(run.output).toMatchObject({ result: "better", state: { n: 7 }, thoughts: 3 });
      expect(run.output?.finals).toHaveLength(1);
    }
  });

  it("improves while a thought is invalid, so many times, and hands the last on", () => {
    const by = (thought: Thought) => n(thought) >= 5;
    const parse = number;
    const operations = (tries: number) => [
      generate({ parse }),
      validateAndImprove({ by, tries, improve: { parse } }),
    ];
    const said = () => inTurn("1", "2", "5", "9");
    expect(runOf(operations(3), said()).output).toMatchObject({
      state: { n: 5 },
      valid: true,
      modelCalls: 3,
      thought: "thought/1-validate/0/improve/2",
    });
    expect(runOf(operations(1), said()).output).toMatchObject({ state: { n: 2 }, valid: false });
    expect(runOf(operations(0), said()).output).toMatchObject({ modelCalls: 1, valid: false });
  });

  it("has the model validate, by the majority of its samples", () => {
    const answers: Answers = ({ id }) => {
      if (!id.includes("/check/")) return id;
      return id.includes("/check/0/")
        ? ["no", "yes", "invalid"][Number(id.at(-1))]!
        : "It is valid.";
    };
    const { output, calls } = runOf([generate(), validateAndImprove({ samples: 3 })], answers);
    expect(output).toMatchObject({ valid: true, thought: "thought/1-validate/0/improve/1" });
    expect(calls).toHaveLength(1 + 3 + 1 + 3);
  });

  it("takes a validator that throws for a no, and an improvement that fails for the end", () => {
    const by = () => {
      throw new Error("no");
    };
    const run = runOf([generate(), validateAndImprove({ by })], ({ id }) =>
      id.includes("improve") ? { error: "no" } : "x",
    );
    expect(failuresOf(run)).toEqual(["validator.threw", "model.failed"]);
    expect(run.output).toMatchObject({ result: "x", valid: false });
  });
});

describe("aggregate", () => {
  const answers = (...said: string[]) => inTurn(...said, "the model's synthesis");
  const operations = (strategy: "voting" | "weighted" | "synthesis") => [
    generate({ responses: 5, parse: (text: string) => ({ n: text.length }) }),
    score({ by: ({ content }: Thought) => (content.includes("C") ? 50 : content.length) }),
    aggregate({ strategy }),
  ];
  it("by votes, by weights and by the model: three different outcomes", () => {
    const said = ["a b", "A  b", "xyz", "C", "xyzw"];
    const results = (["voting", "weighted", "synthesis"] as const).map(
      (strategy) => runOf(operations(strategy), answers(...said)).output?.result,
    );
    expect(results).toEqual(["A  b", "C", "the model's synthesis"]);
  });

  it("decides a tie of votes by score, then by id", () => {
    expect(runOf(operations("voting"), answers("aa", "bbb", "c", "dd", "e")).output?.result).toBe(
      "bbb",
    );
    const equal = runOf(operations("voting"), answers("aa", "bb", "aa", "bb", "c"));
    expect(equal.output).toMatchObject({ result: "aa", thought: "thought/2-aggregate/0/0" });
  });

  it("has edges from exactly its sources, and is scored like any thought", () => {
    const run = runOf(
      [...operations("voting"), score({ by: () => 4 })],
      answers("a", "a", "b", "b", "b"),
    );
    const { graph } = run.state.context;
    const id = "thought/2-aggregate/0/0";
    expect(incomingEdges(graph, id).map(({ from, type }) => [from, type])).toEqual(
      [0, 1, 2, 3, 4].map((i) => [`thought/0-generate/0/${i}`, "aggregates"]),
    );
    expect(run.output).toMatchObject({ thought: id, score: 4 });
  });

  it("lays the states over each other with the best on top, also where low is good", () => {
    const parse = (text: string) => ({ [text]: true, from: text, n: Number(text) });
    const plan = [generate({ responses: 3, parse }), score({ by: n }), aggregate()];
    const best = (better: "higher" | "lower") =>
      runOf(plan, answers("3", "9", "5"), { better }).output?.state;
    expect(best("higher")).toMatchObject({ "3": true, "5": true, "9": true, from: "9" });
    expect(best("lower")).toMatchObject({ from: "3" });
  });

  it("lays the state of the last of equals on top, as the paper's code does; of equals the first is kept", () => {
    const said = () => inTurn("3", "5", "4");
    const drafts = generate({ responses: 2, parse: number });
    for (const scored of [[score({ by: () => 1 })], []]) {
      expect(runOf([drafts, ...scored, aggregate()], said()).output?.state).toEqual({ n: 5 });
    }
    expect(runOf([drafts, score({ by: () => 1 }), keepBest()], said()).output?.result).toBe("3");
  });

  it("shows a prompt a state that it cannot write into, as all others are", () => {
    const could: boolean[] = [];
    const prompt = ({ state }: { state: object }) => {
      could.push(Reflect.set(state, "n", 9));
      return "merge";
    };
    const { output } = runOf(
      [generate({ parse: number }), aggregate({ prompt })],
      inTurn("1", "m"),
    );
    expect([could, output?.state]).toEqual([[false], { n: 1 }]);
  });
});

describe("connect", () => {
  it("adds the relations that a model names, and drops those it makes up", () => {
    const said = [
      "CONNECTION: [thought/0-generate/0/0] -> [thought/0-generate/0/1] : [they agree]",
      "CONNECTION: [thought/0-generate/0/0] -> [thought/0-generate/0/1] : twice",
      "CONNECTION: [thought/0-generate/0/1] -> [nobody] : made up",
      "CONNECTION: [root] -> [root] : itself",
    ].join("\n");
    const answers: Answers = ({ id }) => (id.includes("connect") ? said : id);
    const run = runOf([generate({ responses: 2 }), connect()], answers);
    expect(listEdges(run.state.context.graph).filter(({ type }) => type === "connects")).toEqual([
      {
        from: "thought/0-generate/0/0",
        to: "thought/0-generate/0/1",
        type: "connects",
        description: "they agree",
      },
    ]);
    expect(run.output).toMatchObject({ thought: "thought/0-generate/0/0", failures: 0 });
  });
});

describe("one answer", () => {
  it("is asked for at once, or step by step where the task says how", () => {
    const task = {
      solve: { prompt: () => "at once" },
      stepByStep: { prompt: () => "step by step" },
      truth: ({ content }: { content: string }) => content === "42",
    };
    const { stepByStep: _, ...atOnce } = task;
    const asked = [plans.io(task), plans.cot(task), plans.cot(atOnce)].map((policy) => {
      const { calls, output } = drive(thoughts({ policy }), "6 × 7?", ({ id }) =>
        id.includes("score") ? "Score: 9" : "42",
      );
      expect(output).toMatchObject({ result: "42", score: 9, solved: true });
      return [policy.name, promptOf(calls[0]!)];
    });
    expect(asked).toEqual([
      ["io", "at once"],
      ["cot", "step by step"],
      ["cot", "at once"],
    ]);
  });
});

describe("self-consistency", () => {
  it("takes what most answers say", () => {
    const policy = plans.selfConsistency({ scorer: () => 1 }, { samples: 5 });
    const { output } = drive(
      thoughts({ policy }),
      "6 × 7?",
      inTurn("42", "41", " 42", "43", "42 "),
    );
    expect(output).toMatchObject({ result: "42", modelCalls: 5 });
  });
});
