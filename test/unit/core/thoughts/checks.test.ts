// What is wrong with a definition is said by name when it is defined; what a task's function returns
// that cannot be is a counted failure, and says so.
import { describe, expect, it } from "vitest";
import { vectors } from "../../../../src/kernel.js";
import {
  aggregate,
  type BeamSearch,
  beamSearch,
  connect,
  generate,
  groundTruth,
  improve,
  keepBest,
  type OperationSpec,
  PREVIOUS,
  plan,
  plans,
  score,
  select,
  type Task,
  type ThoughtsDefinition,
  thoughtGraph,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { drive } from "./drive.js";

/** What a wrong program would pass. */
const wrong = <T>(value: unknown): T => value as T;
const refusal = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) });

describe("an operation's parameter that cannot be is refused when the plan is made", () => {
  const cases: [string, OperationSpec][] = [
    ["tries must be a whole number", validateAndImprove({ tries: Number.NaN })],
    [
      "tries must be a whole number, 0 or more (at most 100000); it is -1.",
      validateAndImprove({ tries: -1 }),
    ],
    ["settings must be an object; it is null.", generate({ settings: wrong(null) })],
    [
      "prompt must be a function that answers at once, without async; it is another object.",
      generate({ prompt: wrong({}) }),
    ],
    ["parse must be a function that answers at once", generate({ parse: wrong(async () => ({})) })],
    ["where must be a function that answers at once", select({ where: wrong(function* () {}) })],
    ["responses must be a whole number", generate({ responses: 0 })],
    ["responses must be a whole number", generate({ responses: Number.POSITIVE_INFINITY })],
    ["responses must be a whole number", generate({ responses: wrong("3") })],
    ["branches must be a whole number", generate({ branches: 1.5 })],
    ["samples must be a whole number", score({ samples: Number.NaN })],
    ["combined must be true or false", score({ combined: wrong("no") })],
    ["splits must be true or false", generate({ splits: wrong(1) })],
    ["samples must be a whole number", validateAndImprove({ samples: 0 })],
    ["n must be a whole number", keepBest({ n: 0 })],
    ["better must be", keepBest({ better: wrong("best") })],
    ["limit must be a whole number", connect({ limit: Number.NaN })],
    ["strategy must be", aggregate({ strategy: wrong("vote") })],
    ["prompt must be a function", generate({ prompt: wrong("write") })],
    ["parse must be a function", improve({ parse: wrong({}) })],
    ["by must be a function", score({ by: wrong(7) })],
    ["where must be a function", select({ where: wrong([]) })],
    ["by is missing", groundTruth(wrong({}))],
    ["where is missing", select(wrong({}))],
    ["normalise must be a function", aggregate({ strategy: "voting", normalise: wrong("x") })],
    ["improve must be false or an object", validateAndImprove({ improve: wrong(true) })],
    ["improve.parse must be a function", validateAndImprove({ improve: { parse: wrong(1) } })],
    ["after must be the id of an operation, or several", generate({ after: wrong(5) })],
    ["id must be up to 60 letters, digits, dots", generate({ id: wrong(5) })],
    ["id must be up to 60 letters, digits, dots", generate({ id: wrong(["a"]) })],
    [
      "responses must be a whole number, 1 or more (at most 100000); it is a function.",
      generate({ responses: wrong(function many() {}) }),
    ],
    ["settings.topP must be a number; it is NaN", generate({ settings: { topP: Number.NaN } })],
    ["settings must be an object", generate({ settings: wrong(5) })],
    [
      "settings.topP must be a number; it is a string.",
      generate({ settings: wrong({ topP: "1" }) }),
    ],
    [
      "settings.temprature is not a part of it; maxOutputTokens, temperature,",
      generate({ settings: wrong({ temprature: 0 }) }),
    ],
    ["settings must be an object", generate({ settings: wrong([]) })],
    ["schema must be a Standard Schema", generate({ schema: wrong({}) })],
    ["responces is not a part of it", generate(wrong({ responces: 3 }))],
    ["by and byAll exclude each other", score(wrong({ by: () => 1, byAll: () => [1] }))],
    [
      "parse and parseAll exclude each other",
      generate(wrong({ parse: () => undefined, parseAll: () => undefined })),
    ],
    ['kind must be "generate", "score", ', wrong({ kind: "ask" })],
    ["it must be an operation, as generate()", wrong(undefined)],
  ];
  it.each(cases)("%s", (text, operation) => {
    const operations = [generate({ id: "first" }), score({ id: "scored", by: () => 1 }), operation];
    expect(() => plan(operations)).toThrow(refusal("thoughts.plan", text));
  });
});

describe("what cannot be is refused when it is defined", () => {
  it.each([
    ["rounds must be a whole number", { rounds: Number.NaN }],
    // Each would be begun, or gone through, before anything else is looked at.
    ["branching must be a whole number, 1 or more (at most 100000)", { branching: 1e9 }],
    ["rounds must be a whole number, 1 or more (at most 100000)", { rounds: 1e9 }],
    ["until must be a number", { until: Number.NaN }],
    ["refine: every must be a whole number", { refine: { every: 0 } }],
    ["depth is not a part of it", { depth: 3 }],
    ["connect must be false or an object", { connect: 5 }],
    ["refine must be false or an object", { refine: null }],
  ])("beamSearch: %s", (text, search) => {
    expect(() => beamSearch(wrong<BeamSearch>(search))).toThrow(refusal("thoughts.invalid", text));
  });

  it.each([
    ["score: samples must be a whole number", { score: { samples: 0 } }],
    ["generate: responces is not a part of it", { generate: { responces: 2 } }],
  ])("beamSearch, as any policy's operation: %s", (text, search) => {
    expect(() => beamSearch(wrong<BeamSearch>(search))).toThrow(
      refusal("thoughts.policy", `The policy beamSearch: ${text}`),
    );
  });

  it.each([
    ["branches must be a whole number", () => plans.tot({}, { branches: Number.NaN, rounds: 1 })],
    ["rounds must be a whole number", () => plans.tot({}, { branches: 1, rounds: 0 })],
    ["branches must be a whole number", () => plans.tot({}, { branches: 1e9, rounds: 1 })],
    ["samples must be a whole number", () => plans.selfConsistency({}, { samples: 1e9 })],
    ["parts must be a whole number", () => plans.got({}, { parts: 0, solve: 1, merge: 1 })],
    ["samples must be a whole number", () => plans.selfConsistency({}, { samples: 0 })],
    ["until must be a number", () => plan([generate()], { until: Number.NaN })],
    ["there is no operation (previous)", () => plan([generate({ after: PREVIOUS })])],
    ["untill is not a part of it", () => plan([generate()], wrong({ untill: 3 }))],
    ["plan, behind its operations, takes an object", () => plan([generate()], wrong("best"))],
    ["plan, behind its operations, takes an object", () => plan([generate()], wrong(null))],
    ["plans.io: the task: sovle is not a part", () => plans.io(wrong<Task>({ sovle: {} }))],
    ["plans.cot: the task takes an object", () => plans.cot(wrong<Task>(undefined))],
    [
      "plans.selfConsistency: its shape: sample is not a part",
      () => plans.selfConsistency({}, wrong({ samples: 3, sample: 5 })),
    ],
    ["plans.selfConsistency: its shape takes", () => plans.selfConsistency({}, wrong(3))],
    [
      "plans.tot: its shape: branch is not a part",
      () => plans.tot({}, wrong({ branches: 1, rounds: 1, branch: 2 })),
    ],
    [
      "plans.got: its shape: polished is not a part",
      () => plans.got({}, wrong({ parts: 1, solve: 1, merge: 1, polished: 1 })),
    ],
    ["plans.tot: the task: spilt is", () => plans.tot(wrong<Task>({ spilt: {} }), wrong({}))],
    ["plans.got: the task: spilt is", () => plans.got(wrong<Task>({ spilt: {} }), wrong({}))],
    [
      "plans.selfConsistency: the task: a",
      () => plans.selfConsistency(wrong<Task>({ a: 1 }), wrong({})),
    ],
  ])("a plan: %s", (text, make) => {
    expect(make).toThrow(refusal("thoughts.plan", text));
  });

  it.each<[string, object]>([
    ["maxNodes must be a whole number", { maxNodes: Number.NaN }],
    ["tokens must be a whole number", { tokens: Number.POSITIVE_INFINITY }],
    ["retries must be a whole number", { retries: -1 }],
    ["costBudget must be a number", { costBudget: Number.NaN }],
    ["price.outputPerMillion is missing", { price: { inputPerMillion: 1 } }],
    ["prices.mini must be an object; it is 3", { prices: { mini: 3 } }],
    ['better must be "higher" or "lower"', { better: "best" }],
    ["whole must be a function that answers at once", { whole: async () => true }],
    ["score must be a function that answers at once", { prompts: { score: async () => "" } }],
    ["whole must be a function", { whole: true }],
    ["generate must be a function", { prompts: { generate: "write" } }],
    ["prompts.write is not a part of it", { prompts: { write: () => "x" } }],
    [
      "settings.providerOptions must be an object of JSON",
      { settings: { providerOptions: { p: () => {} } } },
    ],
    ["settings must be an object", { settings: 5 }],
    ["settings.topP must be a number; it is a string", { settings: { topP: "1" } }],
    ["settings.temprature is not a part of it; maxOutputTokens,", { settings: { temprature: 0 } }],
    ["prompts must be an object", { prompts: 5 }],
    ["settings must be an object", { settings: [] }],
    ["settings must be an object", { settings: null }],
    ["structured must be true or false", { structured: "no" }],
    ["model must be a string, not empty; it is 5", { model: 5 }],
    ["model must be a string, not empty; it is an empty", { model: "" }],
    ["name must be a string", { name: "" }],
    ["name must be a string", { name: 5 }],
    ["tokenBudget is not a part of it", { tokenBudget: 3 }],
    ["policy is missing", { policy: undefined }],
    ["policy must be a policy: beamSearch(), plan([…])", { policy: [] }],
    ["policy must be a policy: beamSearch()", { policy: { name: "x", decide: () => [] } }],
  ])("thoughts: %s", (text, more) => {
    expect(() => thoughts({ policy: beamSearch(), ...more } as ThoughtsDefinition)).toThrow(
      refusal("thoughts.invalid", text),
    );
  });
});

describe("a function of the task that answers with a promise is a counted failure that says async", () => {
  const later = <T>(value: T): T => wrong(Promise.resolve(value));
  const rejected = <T>(): T => wrong(Promise.reject(new Error("nobody waits for it")));
  const sure = generate({ id: "sure", after: [] });
  const cases: [string, OperationSpec[]][] = [
    ["prompt.async", [generate({ prompt: () => later("x") })]],
    ["parser.async", [generate({ parse: () => later({}) })]],
    ["parser.async", [generate({ parseAll: () => later({}) })]],
    ["parser.async", [generate(), score({ parse: () => later(3) })]],
    ["parser.async", [generate(), validateAndImprove({ parse: () => rejected() })]],
    ["scorer.async", [generate(), score({ by: () => later(3) })]],
    ["scorer.async", [generate(), score({ by: () => rejected() })]],
    ["scorer.async", [generate(), score({ byAll: () => later([3]) })]],
    [
      "validator.async",
      [generate(), validateAndImprove({ by: () => later(true), improve: false })],
    ],
    ["groundTruth.async", [generate(), groundTruth({ by: () => later(true) })]],
    [
      "normaliser.async",
      [generate(), aggregate({ strategy: "voting", normalise: () => later("x") })],
    ],
    ["selector.async", [generate(), select({ where: () => later([]) })]],
  ];
  it.each(cases)("%s", (code, operations) => {
    const reasoner = thoughts({ policy: plan([...operations, sure]) });
    const { state } = drive(reasoner, "why?", () => "x");
    expect(state.status).toBe("done");
    const [failure, ...more] = vectors.items(state.context.failures);
    expect(failure).toMatchObject({ code, message: expect.stringContaining("async") });
    expect(more).toEqual([]);
  });
});

describe("a function of the task that answers with nonsense is a counted failure", () => {
  const cases: [string, OperationSpec[]][] = [
    ["prompt.notText", [generate({ prompt: () => wrong(7) })]],
    ["prompt.notText", [generate({ prompt: () => wrong(undefined) })]],
    ["prompt.notText", [generate({ prompt: () => wrong({ system: "only" }) })]],
    ["prompt.notText", [generate({ prompt: () => "\ud800" })]],
    ["answer.notJson", [generate({ parse: () => wrong({ f: () => {} }) })]],
    ["answer.notJson", [generate({ parse: () => ({ n: Number.NaN }) })]],
    ["scorer.notANumber", [generate(), score({ by: () => wrong("7") })]],
    ["scorer.notAScoreForEach", [generate(), score({ byAll: () => [1, 2] })]],
    ["scorer.notAScoreForEach", [generate(), score({ byAll: () => wrong(7) })]],
    ["validator.notABoolean", [generate(), validateAndImprove({ by: () => wrong(1), tries: 0 })]],
    ["groundTruth.notABoolean", [generate(), groundTruth({ by: () => wrong("yes") })]],
    [
      "normaliser.notText",
      [generate(), aggregate({ strategy: "voting", normalise: () => wrong(undefined) })],
    ],
    ["selector.notAList", [generate(), select({ where: () => wrong(undefined) })]],
    ["answer.unreadable", [generate(), score({ parse: () => wrong("7") })]],
  ];
  it.each(cases)("%s", (code, operations) => {
    const sure = generate({ id: "sure", after: [] });
    const { state } = drive(thoughts({ policy: plan([...operations, sure]) }), "why?", () => "x");
    expect(state.status).toBe("done");
    expect(vectors.items(state.context.failures).map((each) => each.code)).toEqual([code]);
  });

  it("each state of a parser that is not JSON, and the others are thoughts all the same", () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    const trap = {
      get n(): number {
        throw new Error("no");
      },
    };
    const states = wrong<{ n: number }[]>([{ n: 1n }, { n: 1 }, circle, trap, { toJSON() {} }]);
    const read = [
      generate({ parse: () => states }),
      generate({ responses: 2, parseAll: () => states }),
      generate({ parse: () => states, splits: true }),
      aggregate({ parseAll: () => states }),
    ];
    for (const operation of read) {
      const policy = plan([generate({ id: "first" }), operation]);
      const { state, output } = drive(thoughts({ policy }), "why?", () => "x");
      expect(vectors.items(state.context.failures).map(({ code }) => code)).toEqual(
        Array(4).fill("answer.notJson"),
      );
      // What is lost of a problem that was divided is lacking still.
      expect(output).toMatchObject({ result: '{"n":1}', whole: operation !== read[2] });
    }
    for (const state of [states[0], circle, trap]) {
      const policy = plan([generate(), aggregate({ parse: () => wrong(state) })]);
      const { context, fault } = drive(thoughts({ policy }), "why?", () => "x").state;
      expect([fault, vectors.items(context.failures)[0]?.code]).toEqual([
        undefined,
        "answer.notJson",
      ]);
    }
  });

  it.each<[string, () => boolean]>([
    [
      "whole.threw",
      () => {
        throw new Error("no");
      },
    ],
    ["whole.notABoolean", () => wrong(1)],
  ])("the task's word on what is whole too, once for each thought: %s", (code, whole) => {
    const by = ({ content }: { content: string }) => content.length;
    const operations = [
      generate({ responses: 2, parse: (text) => (text === "x" ? {} : undefined) }),
      score({ by }),
      generate({ id: "last", responses: 2 }),
    ];
    const rate = score({ by });
    const runs: [Partial<ThoughtsDefinition>, number][] = [
      // Asked of what is handed on and of all, of the result, and where a score is good enough.
      [{ policy: plan([generate()]) }, 1],
      [{ policy: plan(operations), modelCalls: 4 }, 4],
      [{ policy: plan([...operations, rate], { until: 1 }) }, 6],
    ];
    for (const [definition, count] of runs) {
      const reasoner = thoughts({ policy: plan([generate()]), ...definition, whole });
      const { state, output } = drive(reasoner, "why?", () => "x");
      expect(output).toMatchObject({ whole: false, failures: count });
      const failures = vectors.items(state.context.failures);
      expect(failures.map((each) => each.code)).toEqual(Array(count).fill(code));
      expect(new Set(failures.map(({ thought }) => thought)).size).toBe(count);
      const all = thoughtGraph.listThoughts(state.context.graph);
      expect(all.reduce((sum, thought) => sum + thought.failures, 0)).toBe(count);
    }
  });

  it("what is whole, beside what had failed of the same thought before", () => {
    const policy = plan([generate(), score({ by: () => Number.NaN })]);
    const whole = () => wrong<boolean>("yes");
    const { state } = drive(thoughts({ policy, whole }), "why?", () => "x");
    expect(vectors.items(state.context.failures).map(({ code }) => code)).toEqual([
      "scorer.notANumber",
      "whole.notABoolean",
    ]);
  });
});

it("a plan that validates what is scored, and keeps the best of what is valid, can run", () => {
  const policy = plan([
    generate({ responses: 3 }),
    score({ by: ({ content }) => content.length }),
    validateAndImprove({ by: ({ content }) => content !== "the longest", improve: false }),
    { kind: "keepValid" },
    keepBest(),
  ]);
  const said = ["short", "the longest", "longer"];
  const { output } = drive(thoughts({ policy }), "why?", ({ id }) => said[Number(id.at(-1))] ?? "");
  expect(output).toMatchObject({ result: "longer", score: 6, valid: true });
});

it("a plan that improves what is scored has to score it again", () => {
  const operations = [generate(), score({ by: () => 1 }), validateAndImprove(), keepBest()];
  expect(() => plan(operations)).toThrow(refusal("thoughts.plan", "which are not scored"));
});
