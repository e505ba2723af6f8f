// The kinds of operations at their edges: what is asked, what is counted, what is handed on.
import { describe, expect, it } from "vitest";
import { winnerOf } from "../../../../src/core/thoughts/operations/vote.js";
import { vectors } from "../../../../src/kernel.js";
import {
  aggregate,
  connect,
  generate,
  improve,
  keepBest,
  type OperationSpec,
  plan,
  score,
  select,
  type Thought,
  type ThoughtsDefinition,
  thoughtGraph,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { type Answers, drive, promptOf } from "./drive.js";

const runOf = (
  operations: readonly OperationSpec[],
  answers: Answers = ({ id }) => id,
  more: Partial<ThoughtsDefinition> = {},
) => drive(thoughts({ policy: plan(operations), ...more }), "why?", answers);
const listed = ({ state }: ReturnType<typeof runOf>) =>
  thoughtGraph.listThoughts(state.context.graph);
const failuresOf = ({ state }: ReturnType<typeof runOf>) =>
  vectors.items(state.context.failures).map(({ code }) => code);

describe("votes by weight", () => {
  const vote = (id: string, answer: string, score: number) => ({
    answer,
    thought: { id, score } as Thought,
  });

  it("weigh less the higher the score, where low is good", () => {
    const votes = [vote("t1", "a", 1), vote("t2", "b", 9), vote("t3", "b", 9)];
    expect(winnerOf(votes, "weighted", "lower")?.id).toBe("t1");
    expect(winnerOf(votes, "weighted", "higher")?.id).toBe("t2");
  });

  it("weigh nothing without a score, also where low is good", () => {
    const votes = [vote("t1", "a", null as never), vote("t2", "b", 9)];
    for (const better of ["higher", "lower"] as const) {
      expect(winnerOf(votes, "weighted", better)?.id).toBe("t2");
    }
  });

  it("that are equal are decided by the first that was asked, the second before the tenth", () => {
    const votes = [vote("t/2", "a", 1), vote("t/10", "b", 1)];
    for (const each of [votes, [...votes].reverse()]) {
      expect(winnerOf(each, "voting", "higher")?.id).toBe("t/2");
    }
  });

  it("are added up in the order of their ids, whatever the order of their arrival", () => {
    // 0.1 + 0.2 + 0.3 is more than 0.6, and 0.3 + 0.2 + 0.1 is not.
    const votes = [
      vote("t1", "a", 0.1),
      vote("t2", "a", 0.2),
      vote("t3", "a", 0.3),
      vote("t4", "b", 0.6),
    ];
    for (const each of [votes, [...votes].reverse()]) {
      expect(winnerOf(each, "weighted", "higher")?.id).toBe("t3");
    }
  });
});

describe("votes", () => {
  it("are those of the thoughts that the normaliser can take", () => {
    const normalise = ({ content }: Thought) => {
      if (content.endsWith("/0")) throw new Error("no");
      return content.endsWith("/1") ? (7 as never) : "same";
    };
    const run = runOf([generate({ responses: 4 }), aggregate({ strategy: "voting", normalise })]);
    expect(run.output?.result).toBe("llm/0-generate/0/2");
    expect(failuresOf(run)).toEqual(["normaliser.threw", "normaliser.notText"]);
  });
});

describe("an operation that is handed nothing", () => {
  it.each([aggregate(), score({ combined: true }), connect(), improve()])(
    "asks nobody: %j",
    (own) => {
      const run = runOf([generate({ parse: () => undefined }), own]);
      expect([run.calls.length, failuresOf(run)]).toEqual([1, ["answer.unreadable"]]);
    },
  );
});

describe("connect", () => {
  it("asks nobody about one thought alone", () => {
    expect(runOf([generate(), connect()]).calls).toHaveLength(1);
    expect(runOf([generate({ responses: 2 }), connect()]).calls).toHaveLength(3);
  });
});

describe("what a thought says", () => {
  it("is asked for in the number that an answer may hold", () => {
    const asked = (branches: number) => promptOf(runOf([generate({ branches })]).calls[0]!);
    expect(asked(1)).toContain("Propose the next thought.");
    expect(asked(2)).toContain("Propose 2 different next thoughts.");
  });

  it("is the answer where one thought comes of it, else each thought's own state", () => {
    const one = runOf([generate({ parse: () => [{ n: 1 }] as never })]);
    expect(listed(one)[1]).toMatchObject({ content: "llm/0-generate/0/0", state: { n: 1 } });
    const two = runOf([generate({ branches: 2, parse: () => [{ n: 1 }, { n: 2 }] as never })]);
    expect(listed(two).map(({ content }) => content)).toEqual(["why?", '{"n":1}', '{"n":2}']);
  });

  it("is the answer where several are merged by one answer that all parsers see", () => {
    const merged = (responses: number) =>
      runOf([
        generate({ responses: 2 }),
        aggregate({ responses, parseAll: (texts) => ({ of: texts.length }) }),
      ]).output;
    expect(merged(1)).toMatchObject({ result: "llm/1-aggregate/0/0", state: { of: 1 } });
    expect(merged(2)).toMatchObject({ result: '{"of":2}', state: { of: 2 } });
  });

  it("is improved at the first attempt", () => {
    const attempts: unknown[] = [];
    runOf([
      generate(),
      improve({
        parse: (_text, { attempt }) => {
          attempts.push(attempt);
          return {};
        },
      }),
    ]);
    expect(attempts).toEqual([1]);
  });
});

describe("a selection", () => {
  it("takes a copy of a thought for the thought", () => {
    const drafts = [
      generate({ responses: 2, parse: (text) => ({ n: Number(text) }) }),
      score({ by: ({ state }) => state.n as number }),
    ];
    const where = (given: readonly Thought[]) => given.slice(1).map(({ id }) => ({ id }));
    const run = runOf([...drafts, select({ where })], ({ id }) => (id.endsWith("1") ? "5" : "3"));
    expect(failuresOf(run)).toEqual([]);
    expect(run.output?.finals).toMatchObject([{ content: "5", score: 5 }]);
  });

  it("knows the ways of a thought that comes in two, and takes a copy for the first", () => {
    const rated = (id: string, points: number) => score({ id, after: "draft", by: () => points });
    const picked = (where: (given: readonly Thought[]) => readonly Pick<Thought, "id">[]) =>
      runOf(
        [
          generate({ id: "draft" }),
          rated("low", 1),
          rated("high", 9),
          select({ after: ["low", "high"], where }),
        ],
        () => "x",
      ).output?.score;
    expect(picked((given) => given.slice(1))).toBe(9);
    expect(picked((given) => given.slice(1).map(({ id }) => ({ id })))).toBe(1);
  });
});

it("a score says which operation gave it", () => {
  const scored = listed(runOf([generate(), score({ id: "rate" })], () => "7"));
  expect(scored.map(({ scoredBy }) => scoredBy)).toEqual([null, "rate"]);
});

describe("a thought without a score", () => {
  it.each(["higher", "lower"] as const)("is the last of all where %s is better", (better) => {
    for (const missing of ["0", "1"]) {
      const by = ({ id }: Thought) => (id.endsWith(missing) ? Number.NaN : -3);
      const operations = [generate({ responses: 2 }), score({ by }), keepBest({ better, n: 2 })];
      expect(runOf(operations).output?.finals.map((each) => each.score)).toEqual([-3, null]);
    }
  });
});

describe("a validation", () => {
  const valid = (run: ReturnType<typeof runOf>) => listed(run).map((each) => each.valid);

  it("of which no answer came decides nothing, and asks no parser", () => {
    const seen: unknown[] = [];
    const run = runOf(
      [
        generate(),
        validateAndImprove({
          samples: 2,
          improve: false,
          parseAll: (texts) => {
            seen.push(texts);
            return true;
          },
        }),
      ],
      ({ id }) => (id.includes("validate") ? { error: "down" } : id),
    );
    expect([valid(run), seen]).toEqual([[null, null], []]);
    expect(new Set(failuresOf(run))).toEqual(new Set(["model.failed"]));
  });

  it("whose parser says nothing of use decides nothing", () => {
    const run = runOf([
      generate(),
      validateAndImprove({ improve: false, parseAll: () => "yes" as never }),
    ]);
    expect([valid(run), failuresOf(run)]).toEqual([[null, null], ["answer.unreadable"]]);
  });

  it("goes by the majority, and asks as often as it was told to", () => {
    const says = (...verdicts: string[]) =>
      runOf(
        [generate(), validateAndImprove({ id: "v", samples: verdicts.length, improve: false })],
        ({ id }) => (id.includes("/v/") ? (verdicts[Number(id.at(-1))] as string) : id),
      );
    expect(valid(says("valid", "valid", "invalid"))[1]).toBe(true);
    expect(valid(says("valid", "invalid", "invalid"))[1]).toBe(false);
    expect(valid(says("valid", "invalid"))[1]).toBe(false);
    expect(says("valid", "valid", "valid").calls).toHaveLength(4);
  });

  it("goes by the other samples where one is lost, whichever comes last", () => {
    const operations = [generate(), validateAndImprove({ id: "v", samples: 3, improve: false })];
    const lost = (sample: number) =>
      runOf(operations, ({ id }) =>
        id.includes(`/check/0/${sample}`) ? { error: "down" } : id.includes("/v/") ? "valid" : id,
      );
    for (const sample of [0, 2]) expect(valid(lost(sample))).toEqual([null, true]);
  });

  it("goes by the samples that could be asked for", () => {
    const operations = [generate(), validateAndImprove({ samples: 3, improve: false })];
    const answers: Answers = ({ id }) => (id.includes("/check/") ? "valid" : id);
    const run = runOf(operations, answers, { modelCalls: 3 });
    expect(valid(run)).toEqual([null, true]);
    expect(run.output).toMatchObject({ reason: "modelCalls", modelCalls: 3 });
  });

  it("whose improvement fails leaves the verdict on the thought as it came", () => {
    const run = runOf([generate(), validateAndImprove({ id: "v", tries: 1 })], ({ id }) =>
      id.includes("/improve/") ? { error: "down" } : id.includes("/check/") ? "invalid" : id,
    );
    expect(valid(run)).toEqual([null, false]);
    expect(run.output).toMatchObject({ valid: false });
  });
});
