// What is an answer to the whole problem: scores of parts are not compared with scores of the whole.
import { describe, expect, it } from "vitest";
import {
  aggregate,
  beamSearch,
  generate,
  keepBest,
  type OperationSpec,
  plan,
  plans,
  score,
  select,
  type Thought,
  type ThoughtsDefinition,
  thoughtGraph,
  thoughts,
} from "../../../../src/thoughts.js";
import { type Answers, drive } from "./drive.js";

type Sum = { readonly list: number[]; readonly sum?: number };
const number = (text: string) => (/^-?\d+$/.test(text) ? { sum: Number(text) } : undefined);
/** Adds a list up by halves; the score counts by how much it is off. */
const adding = (marked: boolean): OperationSpec<Sum>[] => [
  generate<Sum>({
    id: "split",
    ...(marked ? { splits: true } : {}),
    parse: (_text, { problem: { list } }) => {
      const half = list.length / 2;
      return [{ list: list.slice(0, half) }, { list: list.slice(half) }];
    },
  }),
  ...[0, 1].flatMap((part): OperationSpec<Sum>[] => [
    select({ id: `half-${part}`, after: "split", where: (all) => all.slice(part, part + 1) }),
    generate({ id: `sum-${part}`, parse: number, responses: 2 }),
    score({ id: `scored-${part}`, by: off }),
    keepBest({ id: `best-${part}` }),
  ]),
  aggregate({
    id: "merge",
    after: ["best-0", "best-1"],
    responses: 2,
    parse: (text, { problem }) => ({ ...number(text), list: problem.list }),
  }),
  score({ by: off }),
  keepBest(),
  generate({ id: "again", parse: number, responses: 2 }),
  score({ by: off, id: "last" }),
];
function off({ state: { list, sum = 0 } }: Thought<Sum>): number {
  return Math.abs(list.reduce((all, n) => all + n, 0) - sum);
}
const answers: Answers = ({ id }) => {
  if (id.includes("sum-0")) return "3";
  if (id.includes("sum-1")) return "7";
  return id.includes("merge") ? "12" : "11";
};
const runOf = (marked: boolean, more: Partial<ThoughtsDefinition<Sum>>) =>
  drive(
    thoughts<Sum>({ policy: plan(adding(marked)), better: "lower", ...more }),
    { list: [1, 2, 3, 4] },
    answers,
  );

describe.each([true, false])("a run that is cut (parts marked: %s)", (marked) => {
  it("before there is an answer to the whole has none, however good the parts are", () => {
    for (const modelCalls of [1, 2, 3, 4, 5]) {
      const { output, state } = runOf(marked, { modelCalls });
      expect(output).toMatchObject({ result: null, reason: "modelCalls", whole: false });
      const scores = thoughtGraph.listThoughts(state.context.graph).map((each) => each.score);
      if (modelCalls > 2) expect(scores).toContain(0);
    }
  });

  it("later has the best of the whole, not a part that scores better", () => {
    expect(runOf(marked, { modelCalls: 7 }).output).toMatchObject({
      result: "12",
      score: 2,
      reason: "modelCalls",
      whole: true,
    });
  });

  it("not at all has the best of what the last operations hand on", () => {
    const { output } = runOf(marked, {});
    expect(output).toMatchObject({ result: "11", score: 1, reason: "success", whole: true });
    expect(output?.finals.map(({ content, score, whole }) => [content, score, whole])).toEqual([
      ["11", 1, true],
      ["11", 1, true],
    ]);
  });
});

describe("a merge", () => {
  it("that lacks what one of its operations should have handed on is not whole", () => {
    const policy = plan<Sum>([
      ...["a", "b"].map((id) => generate<Sum>({ id, after: [], parse: number })),
      aggregate({ after: ["a", "b"] }),
      score({ by: off }),
    ]);
    const lost: Answers = ({ id }) => (id.includes("/b/") ? "I cannot say" : "3");
    const { output } = drive(thoughts({ policy }), { list: [1, 2] }, lost);
    expect(output).toMatchObject({ result: "3", reason: "success", whole: false });
  });

  it("is none where something is made of what several operations handed on", () => {
    const policy = plan<Sum>([
      ...["a", "b"].map((id) => generate<Sum>({ id, after: [], parse: number })),
      generate({ after: ["a", "b"] }),
    ]);
    const lost: Answers = ({ id }) => (id.includes("/b/") ? "I cannot say" : "3");
    const { output } = drive(thoughts({ policy }), { list: [1, 2] }, lost);
    expect(output).toMatchObject({ result: "3", reason: "success", whole: true });
  });

  it("of one operation's thoughts is whole, and what it merges are parts where that splits", () => {
    const sums = (splits: boolean) =>
      plan<Sum>([
        generate({
          splits,
          parse: (_text, { problem: { list } }) => list.map((n) => ({ list: [n] })),
        }),
        generate({ id: "sum", parse: number }),
        aggregate({ id: "merge", parse: number }),
        generate({ id: "late" }),
      ]);
    const cut = (splits: boolean, modelCalls: number) =>
      drive(thoughts<Sum>({ policy: sums(splits), modelCalls }), { list: [1, 2] }, () => "3")
        .output;
    expect([cut(true, 3)?.result, cut(false, 3)?.result]).toEqual([null, "3"]);
    expect(cut(true, 4)).toMatchObject({ thought: "thought/merge/0/0", whole: true });
  });

  it("that lacks something is no result of a run that is cut, though it is scored", () => {
    const policy = plan<Sum>([
      ...["a", "b"].map((id) => generate<Sum>({ id, after: [], parse: number })),
      aggregate({ id: "merge", after: ["a", "b"] }),
      score({ by: off }),
      generate({ id: "late", after: "merge" }),
    ]);
    const lost: Answers = ({ id }) => (id.includes("/b/") ? "I cannot say" : "3");
    const reasoner = thoughts<Sum>({ policy, modelCalls: 3, better: "lower" });
    const { output } = drive(reasoner, { list: [1, 2] }, lost);
    expect(output).toMatchObject({ result: null, score: null, reason: "modelCalls" });
    expect(output?.finals).toMatchObject([{ content: "3", score: 0, whole: false }]);
  });

  it("is of what all its operations came from: that is whole, and they are parts", () => {
    const policy = plan([
      generate({ id: "idea" }),
      ...["a", "b"].map((id) => generate({ id, after: "idea" })),
      aggregate({ after: ["a", "b"] }),
    ]);
    for (const modelCalls of [1, 2, 3]) {
      const { output } = drive(thoughts({ policy, modelCalls }), "why?", ({ id }) => id);
      expect(output).toMatchObject({ result: "llm/idea/0/0", reason: "modelCalls", whole: true });
    }
  });

  it("of votes is of alternatives, each of them whole", () => {
    const policy = plan([
      generate({ id: "a", after: [] }),
      generate({ id: "b", after: [] }),
      aggregate({ strategy: "voting", after: ["a", "b"] }),
    ]);
    const { output } = drive(thoughts({ policy, modelCalls: 1 }), "why?", () => "so");
    expect(output).toMatchObject({ result: "so", reason: "modelCalls", whole: true });
  });
});

describe("what is whole", () => {
  it("is the task's own word, where it says so", () => {
    const isWhole = ({ state }: Thought<Sum>) => state.list.length === 4;
    const early = runOf(true, { whole: isWhole, modelCalls: 5 }).output;
    expect(early).toMatchObject({ result: null });
    const all = runOf(false, { whole: () => true, modelCalls: 5 }).output;
    expect(all).toMatchObject({ score: 0, whole: true });
  });

  it("is what is found on the way, where the end is not scored: a parent may be better", () => {
    const length = ({ content }: { content: string }) => content.length;
    const policy = plan([
      generate({ responses: 2 }),
      score({ by: length }),
      keepBest(),
      generate({ responses: 2 }),
      score({ by: length, id: "again" }),
      generate({ id: "last", responses: 3 }),
      score({ prompt: () => "how good?" }),
    ]);
    const said: Answers = ({ id }) => (id.startsWith("llm/0-") ? "the longest of all" : "short");
    const { output } = drive(thoughts({ policy, modelCalls: 6 }), "why?", said);
    expect(output).toMatchObject({ result: "the longest of all", reason: "modelCalls" });
  });

  it("is, of what two scorers scored, what the later one did", () => {
    const policy = plan([
      generate({ id: "idea" }),
      score({
        by: function beauty() {
          return 9;
        },
      }),
      generate({ id: "plan" }),
      score({
        id: "judged",
        by: function sense() {
          return 3;
        },
      }),
      generate({ id: "end" }),
    ]);
    const { output } = drive(thoughts({ policy, modelCalls: 2 }), "why?", ({ id }) => id);
    expect(output).toMatchObject({ result: "llm/plan/0/0", score: 3 });
  });
});

describe("scores of functions", () => {
  const long = ({ content }: Thought) => content.length * 100;
  const grown = [generate({ id: "one" }), generate({ id: "two" }), generate({ id: "end" })];
  const [one, two, end] = grown as [OperationSpec, OperationSpec, OperationSpec];
  const bestOf = (policy: ThoughtsDefinition["policy"], modelCalls: number) =>
    drive(thoughts({ policy, modelCalls }), "why?", ({ id }) =>
      id.includes("one") ? "the longer one" : "short",
    ).output;

  it.each<[string, OperationSpec, OperationSpec]>([
    ["by", score({ by: (thought) => long(thought) }), score({ by: () => 5 })],
    [
      "byAll",
      score({ byAll: (all) => all.map(long) }),
      score({ byAll: (all) => all.map(() => 5) }),
    ],
    [
      "prompt",
      score({ prompt: () => "first", parse: () => 1_000 }),
      score({ prompt: () => "then", parse: () => 5 }),
    ],
  ])("are not compared where two have the name %s", (name, first, other) => {
    const calls = name === "prompt" ? 4 : 2;
    const output = bestOf(plan([one, first, two, other, end]), calls);
    expect(output).toMatchObject({ thought: "thought/two/0/0", score: 5, reason: "modelCalls" });
  });

  it("are compared where one function is given to two operations", () => {
    const by = (thought: Thought) => long(thought);
    const output = bestOf(plan([one, score({ by }), two, score({ by }), end]), 2);
    expect(output).toMatchObject({ thought: "thought/one/0/0", score: 1_400 });
  });

  it("are compared in all rounds of a beam search", () => {
    const nameless = () => (thought: Thought) => long(thought);
    for (const by of [(thought: Thought) => long(thought), nameless()]) {
      const explored = beamSearch({
        rounds: 5,
        branching: 2,
        score: { by, every: 2 },
        connect: false,
      });
      // The fifth round is not scored, so the best on the way counts.
      const { output } = drive(thoughts({ policy: explored, modelCalls: 10 }), "why?", ({ id }) =>
        id.includes("2.generate") ? "the longer one" : "short",
      );
      expect(output).toMatchObject({ thought: "thought/2.generate/0/0", score: 1_400 });
    }
  });
});

describe("sorting 128 numbers in parts, cut after 100 of 151 calls", () => {
  const task = {
    split: {
      parse: () => Array.from({ length: 8 }, (_, i) => ({ part: i })),
    },
    scorer: () => 0,
    truth: () => true,
  };
  it("does not return an eighth as the solution", () => {
    const policy = plans.got(task, { parts: 8, solve: 5, merge: 10, polish: 5, refine: 10 });
    const { output } = drive(thoughts({ policy, modelCalls: 100 }), "sort", () => "[1]");
    expect(output).toMatchObject({
      result: null,
      solved: null,
      reason: "modelCalls",
      modelCalls: 100,
    });
    const all = drive(thoughts({ policy }), "sort", () => "[1]").output;
    expect(all).toMatchObject({ result: "[1]", solved: true, modelCalls: 151, whole: true });
  });
});
