// Policies of one's own: operations on the fly on any thought by its id, several per decision; and what
// is wrong in one is said by name.
import { describe, expect, it } from "vitest";
import {
  type LlmDirective,
  memoryJournal,
  replay,
  run,
  scriptedModel,
} from "../../../../../src/index.js";
import { owedBy, type Table, tables } from "../../../../../src/kernel.js";
import {
  generate,
  groundTruth,
  keepBest,
  policy,
  score,
  select,
  type ThoughtsDecided,
  type ThoughtsDone,
  type ThoughtsPolicy,
  type ThoughtsPolicyDefinition,
  thoughtGraph,
  thoughts,
} from "../../../../../src/thoughts.js";
import { drive } from "../drive.js";

const operations = {
  draft: generate({ prompt: ({ thought }) => `after ${thought.id}`, responses: 2 }),
  rate: score({ by: ({ content }) => content.length }),
  best: keepBest(),
};
type Definition = ThoughtsPolicyDefinition;
const made = (decide: Definition["decide"], more: Partial<Definition> = {}): ThoughtsPolicy =>
  policy({ name: "mine", operations, decide, ...more });
const runOf = (decide: Definition["decide"], more: Partial<Definition> = {}, limits: object = {}) =>
  drive(thoughts({ policy: made(decide, more), ...limits }), "why?", ({ id }) => id);

describe("a policy of one's own", () => {
  it("is shown the run's own graph, and cannot change it in its place", () => {
    const could: boolean[] = [];
    runOf(({ done, graph }) => {
      could.push(...Object.keys(graph).map((key) => Reflect.set(graph, key, 77)));
      return done === null ? [{ use: "draft", on: "root" }] : [];
    });
    expect(could).toContain(false);
    expect(could).not.toContain(true);
  });

  it("begins what it decides, on thoughts by their ids, and learns what came of it", () => {
    const seen: (ThoughtsDone | null)[] = [];
    const { output, calls, state } = runOf(({ done }) => {
      seen.push(done);
      if (done === null) return [{ use: "draft", on: "root" }];
      if (done.use === "draft") return [{ use: "rate", on: done.output.map(({ id }) => id) }];
      return [];
    });
    expect(calls.map(({ id }) => id)).toEqual(["llm/draft.1/0/0", "llm/draft.1/0/1"]);
    const drafts = ["thought/draft.1/0/0", "thought/draft.1/0/1"];
    expect(seen[1]).toMatchObject({
      id: "draft.1",
      use: "draft",
      inputs: [{ id: "root" }],
      output: drafts.map((id) => ({ id, score: null })),
    });
    expect(seen[2]).toMatchObject({
      id: "rate.2",
      inputs: drafts.map((id) => ({ id, score: null })),
      output: drafts.map((id) => ({ id, score: 15 })),
    });
    expect(output).toMatchObject({ result: "llm/draft.1/0/0", score: 15, reason: "success" });
    expect(thoughtGraph.listThoughts(state.context.graph)).toHaveLength(3);
  });

  it("begins several at once, under ids of its own", () => {
    const { calls, output } = runOf(({ done }) =>
      done === null
        ? [
            { use: "draft", on: "root", id: "left" },
            { use: "draft", on: ["root"], id: "right" },
          ]
        : [],
    );
    expect(calls.map(({ id }) => id)).toEqual([
      "llm/left/0/0",
      "llm/left/0/1",
      "llm/right/0/0",
      "llm/right/0/1",
    ]);
    expect(output?.thoughts).toBe(5);
  });

  it("hands thoughts on as an operation did, with the verdicts of that way", () => {
    const { output } = runOf(
      ({ done }) => {
        if (done === null) return [{ use: "draft", on: "root" }];
        if (done.use === "best") return [];
        const on = done.output.map((entry, i) => ({ ...entry, score: i }));
        return [{ use: "best", on }];
      },
      { finals: ({ output }) => output("best.2") },
    );
    expect(output).toMatchObject({ thought: "thought/draft.1/0/1", score: 1 });
  });

  it("comes back to any thought, at any time", () => {
    const order = ["root", "thought/draft.1/0/1", "root", "thought/draft.2/0/0"];
    const { state } = runOf(({ begun }) => {
      const on = order[begun];
      return on === undefined ? [] : [{ use: "draft", on }];
    });
    const parents = thoughtGraph
      .listThoughts(state.context.graph)
      .slice(1)
      .map(({ id }) => thoughtGraph.parents(state.context.graph, id)[0]?.id);
    expect(parents).toEqual(order.flatMap((id) => [id, id]));
  });

  it("hands a thought on with what is known of it, the problem's own too", () => {
    const inputs: unknown[] = [];
    runOf(({ done, begun }) => {
      if (done !== null) inputs.push(done.inputs);
      return begun < 2 ? [{ use: ["rate", "best"][begun] as string, on: "root" }] : [];
    });
    const root = { id: "root", score: null, valid: null, solved: null };
    expect(inputs).toEqual([[root], [{ ...root, score: "why?".length }]]);
  });

  it("remembers what it returns, also what grows", () => {
    type Memory = { readonly round: number; readonly seen: Table<number> };
    const sizes: number[] = [];
    const counting = policy<{ readonly n?: number }, Memory>({
      name: "counting",
      operations: { draft: generate() },
      memory: { round: 0, seen: tables.empty() },
      decide({ memory: { round, seen } }) {
        sizes.push(tables.size(seen));
        if (round === 3) return [];
        return {
          begin: [{ use: "draft", on: "root" }],
          memory: { round: round + 1, seen: tables.set(seen, `round ${round}`, round) },
        };
      },
    });
    drive(thoughts({ policy: counting }), "why?", () => "x");
    expect(sizes).toEqual([0, 1, 2, 3]);
  });

  it("remembers it still where a later decision says nothing of it", () => {
    const remembered: unknown[] = [];
    const { state } = runOf(
      ({ done, memory }) => {
        remembered.push(memory);
        const begin = [{ use: "draft", on: "root" }];
        if (done === null) return { begin, memory: "kept" };
        // A list, and what no type allows.
        return remembered.length === 2 ? begin : ({ begin: [] } as never);
      },
      { memory: "first" },
    );
    expect([...remembered, state.context.memory]).toEqual(["first", "kept", "kept", "kept"]);
  });

  it("is told what is spent, what runs, and chance that follows from the run's seed", () => {
    const seen: unknown[] = [];
    const drawn: number[] = [];
    const decide: Definition["decide"] = ({ done, running, begun, spent, random, better, cut }) => {
      seen.push([done?.id, running, begun, spent.modelCalls, spent.tokens, better, cut]);
      drawn.push(random(`at ${begun}`));
      return done === null
        ? [
            { use: "draft", on: "root" },
            { use: "draft", on: "root" },
          ]
        : [];
    };
    const reasoner = thoughts({ policy: made(decide), better: "lower" });
    drive(reasoner, "why?", () => "x", { seed: "s" });
    expect(seen).toEqual([
      [undefined, 0, 0, 0, 0, "lower", null],
      ["draft.1", 1, 2, 4, 30, "lower", null],
      ["draft.2", 0, 2, 4, 60, "lower", null],
    ]);
    const first = [...drawn];
    drawn.length = 0;
    drive(reasoner, "why?", () => "x", { seed: "s" });
    expect(drawn).toEqual(first);
    expect(drawn.every((n) => n >= 0 && n < 1)).toBe(true);
    drawn.length = 0;
    drive(reasoner, "why?", () => "x", { seed: "t" });
    expect(drawn).not.toEqual(first);
  });

  it("names its finals, by ids or as they were handed on", () => {
    const decide: Definition["decide"] = ({ done }) =>
      done === null ? [{ use: "draft", on: "root" }] : [];
    const finals = () => ["thought/draft.1/0/1", "root", "thought/draft.1/0/0"];
    const { output } = runOf(decide, { finals });
    expect(output?.thought).toBe("thought/draft.1/0/1");
    expect(output?.finals.map(({ thought }) => thought)).toEqual([
      "thought/draft.1/0/1",
      "thought/draft.1/0/0",
    ]);
  });

  it("is told of a budget that was met, and ends with the best so far", () => {
    const cuts: unknown[] = [];
    const { output } = runOf(
      ({ done, cut }) => {
        cuts.push(cut);
        if (cut !== null) return [];
        if (done?.use === "draft") return [{ use: "rate", on: done.output.map(({ id }) => id) }];
        return [{ use: "draft", on: "root" }];
      },
      {},
      { modelCalls: 5 },
    );
    expect(output).toMatchObject({ reason: "modelCalls", modelCalls: 5 });
    expect(cuts.at(-1)).toBe("modelCalls");
  });

  it("has budgets of its own, which the reasoner's go before", () => {
    const decide: Definition["decide"] = ({ cut }) =>
      cut === null ? [{ use: "draft", on: "root" }] : [];
    expect(runOf(decide, { maxNodes: 6 }).output?.thoughts).toBe(6);
    expect(runOf(decide, { maxNodes: 6 }, { maxNodes: 4 }).output?.thoughts).toBe(4);
  });

  it("survives a crash: a run replays, and its fingerprint knows the policy", async () => {
    const decide: Definition["decide"] = ({ begun }) =>
      begun < 4 ? [{ use: "draft", on: "root" }] : [];
    const reasoner = thoughts({ policy: made(decide) });
    const journal = memoryJournal();
    const model = scriptedModel(() => "so");
    await run(reasoner, "why?", { model, journal });
    expect((await replay(reasoner, journal)).status).toBe("identical");
    const other = made(decide, { configuration: { width: 3 } });
    expect(thoughts({ policy: other }).fingerprint).not.toBe(reasoner.fingerprint);
  });
});

describe("what is wrong in a policy is said by name", () => {
  const faultOf = (decided: unknown, more: Partial<Definition> = {}, at = 0): string => {
    const { state } = runOf(
      ({ begun }) => (begun < at ? [{ use: "draft", on: "root" }] : decided) as ThoughtsDecided,
      more,
    );
    expect(state).toMatchObject({ status: "failed", value: "error" });
    expect(owedBy(state)).toEqual([]);
    expect(state.context.error?.code).toBe("thoughts.policy");
    return state.context.error?.message ?? "";
  };
  const begin = (decision: object) => [{ use: "draft", on: "root", ...decision }];

  it.each<[string, unknown]>([
    ["at the start, returned undefined, which is not a list", undefined],
    ["at the start, returned an object, which is not a list", {}],
    ["at the start, returned a promise: it is async", Promise.resolve([])],
    // biome-ignore lint/suspicious/noThenProperty: a promise of anybody's
    ["at the start, returned a promise: it is async", { then: () => {} }],
    ["decision 1, at the start: it is 7, and not { use, on }", [7]],
    [
      "decision 2, at the start: it is null, and not { use, on }",
      [{ use: "draft", on: "root" }, null],
    ],
    [
      'decision 1, at the start: there is no operation "drft" to use (it has draft, rate, best)',
      begin({ use: "drft" }),
    ],
    ['decision 1, at the start: it is "draft", and not { use, on }', ["draft"]],
    [
      'decision 1, at the start: there is no thought "thought/x"',
      begin({ on: ["root", "thought/x"] }),
    ],
    ["there is no thought 7", begin({ on: [7] })],
    ["the verdicts on root are not JSON", begin({ on: [{ id: "root", score: Number.NaN }] })],
    ["draft takes no thoughts", begin({ on: undefined })],
    ['the id "a/b" must be up to 60 letters', begin({ id: "a/b" })],
    ["after is not a part of it", begin({ after: "x" })],
    ["with is not a part of it", begin({ with: { responses: 3 } })],
    [
      "an operation one was begun before",
      [
        { use: "draft", on: "root", id: "one" },
        { use: "draft", on: "root", id: "one" },
      ],
    ],
    ["the memory that decide returned, at the start, is not JSON", { begin: [], memory: () => {} }],
    ["decide, at the start: memry is not a part of it", { begin: [], memry: 1 }],
  ])("%s", (text, decided) => {
    const message = faultOf(decided);
    expect(message).toContain("The policy mine: ");
    expect(message).toContain(text);
  });

  it("with the operation after which it was decided", () => {
    expect(faultOf([7], {}, 2)).toContain("decision 1, after draft.2: it is 7");
    const again = [{ use: "draft", on: "root", id: "draft.1" }];
    expect(faultOf(again, {}, 1)).toContain("an operation draft.1 was begun before");
  });

  it("with what it threw, and of an engine's own error its name: engines word them differently", () => {
    const thrownBy = (thrown: unknown) =>
      runOf(() => {
        throw thrown;
      }).state.context.error?.message;
    const threw = "The policy mine: decide, at the start, threw:";
    expect(thrownBy(new TypeError("x is not a function"))).toBe(`${threw} TypeError.`);
    expect(thrownBy(new Error("No branch is open."))).toBe(`${threw} No branch is open.`);
    expect(thrownBy({})).toBe(`${threw} an unknown error.`);
    const missing = runOf(({ graph }) => {
      thoughtGraph.updateThought(graph, "nobody", { score: 1 });
      return [];
    });
    expect(missing.state.context.error?.message).toContain("threw: There is no thought nobody.");
  });

  it("where it goes round in a circle", () => {
    const { state } = runOf(() => [{ use: "best", on: "root" }]);
    expect(state.context.error?.message).toContain("it goes round in a circle");
  });

  it("where its finals are none", () => {
    const decide: Definition["decide"] = ({ done }) =>
      done === null ? [{ use: "draft", on: "root" }] : [];
    const of = (finals: unknown) =>
      runOf(decide, { finals: () => finals as string[] }).state.context.error?.message;
    expect(of(undefined)).toContain("finals returned no list");
    expect(of(["nobody"])).toContain('finals: there is no thought "nobody"');
  });

  it("and no call that it began stays", () => {
    const reasoner = thoughts({
      policy: made(() => [
        { use: "draft", on: "root" },
        { use: "nobody", on: "root" },
      ]),
    });
    const step = reasoner.start("why?", { at: 0, runId: "r" });
    expect(step.directives).toEqual([]);
    expect(step.state.context.modelCalls).toBe(0);
  });

  it.each<[string, object]>([
    ["name must be a string, not empty", { name: "" }],
    ["name must be a string, not empty", { name: 5 }],
    ["decide must be a function", { decide: [] }],
    ["finals must be a function", { finals: [] }],
    ["decide must be a function that answers at once", { decide: async () => [] }],
    ["finals must be a function that answers at once", { finals: async () => [] }],
    ["decide is missing", { decide: undefined }],
    ["it has no operations", { operations: {} }],
    [
      "draft: responses must be a whole number",
      { operations: { draft: generate({ responses: 0 }) } },
    ],
    ["draft: id and after are for plans", { operations: { draft: generate({ after: "x" }) } }],
    ["a/b is not a valid name", { operations: { "a/b": generate() } }],
    ["__proto__ is not a valid name", { operations: { ["__proto__"]: generate() } }],
    ["its memory is not JSON", { memory: () => {} }],
    ["maxNodes must be a whole number", { maxNodes: Number.NaN }],
    ["until must be a number", { until: Number.NaN }],
    ["first is not a part of it", { first: ["draft"] }],
  ])("when it is defined: %s", (text, more) => {
    expect(() => made(() => [], more)).toThrow(
      expect.objectContaining({ code: "thoughts.policy", message: expect.stringContaining(text) }),
    );
  });
});

it("of two verdicts of one operation on a thought the later one stands", () => {
  const twice = policy({
    name: "twice",
    operations: { draft: generate(), rate: score() },
    decide: ({ done }) =>
      done === null
        ? [{ use: "draft", on: "root" }]
        : done.id === "rate.3"
          ? []
          : [{ use: "rate", on: "thought/draft.1/0/0" }],
  });
  const { output } = drive(thoughts({ policy: twice }), "why?", ({ id }) =>
    id.includes("rate") ? `Score: ${/rate.(\d)/.exec(id)?.[1]}` : id,
  );
  expect(output).toMatchObject({ score: 3 });
});

it("operations of all kinds can be begun on any thoughts", () => {
  const all = policy({
    name: "all kinds",
    operations: {
      draft: generate({ responses: 3 }),
      best: keepBest({ n: 2 }),
      rate: score({ by: ({ id }) => Number(id.at(-1)) }),
      pick: select({ where: (given) => given.slice(-1) }),
      right: groundTruth({ by: () => true }),
    },
    decide({ done }) {
      const on = (done?.output ?? []).map(({ id }) => id);
      const next = { draft: "rate", rate: "best", best: "pick", pick: "right" } as const;
      if (done === null) return [{ use: "draft", on: "root" }];
      const use = next[done.use as keyof typeof next];
      return use === undefined ? [] : [{ use, on }];
    },
    finals: ({ graph }) =>
      thoughtGraph.listThoughts(graph).flatMap(({ id, solved }) => (solved === true ? [id] : [])),
  });
  const { output } = drive(thoughts({ policy: all }), "why?", ({ id }: LlmDirective) => id);
  expect(output).toMatchObject({ thought: "thought/draft.1/0/1", solved: true, score: 1 });
});
