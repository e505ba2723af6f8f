// What a check is told is looked at first: with `laws` misspelt nothing would be judged, and all is well.
import { describe, expect, it } from "vitest";
import { defineReasoner, setupReasoner } from "../../../../src/core/kernel/machine/index.js";
import { agent } from "../../../../src/index.js";
import { optionShapes } from "../../../../src/testing/checking/check-options.js";
import { defaultWeights } from "../../../../src/testing/checking/what-may-happen.js";
import {
  type CheckOptions,
  check,
  type ExploreOptions,
  explore,
  law,
} from "../../../../src/testing/index.js";
import { refusal } from "../../../support/thrown.js";

const told = (more: object) => ({ input: "x", runs: 1, depth: 1, ...more }) as never;

const noWeights = Object.fromEntries(Object.keys(defaultWeights).map((name) => [name, 0]));

const threw = () => {
  throw new Error("no idea");
};
const { createMachine } = setupReasoner<{ n: number }, number>();
/** Asks a tool, and waits. */
const asker = defineReasoner<number, unknown, { n: number }>({
  id: "asker",
  machine: createMachine({
    context: { n: 0 },
    initial: "asking",
    states: {
      asking: {
        entry: { type: "issue", params: { type: "tool", id: "t", name: "t", input: null } },
        on: { "tool.succeeded": "waiting", "tool.failed": "waiting" },
      },
      waiting: { on: { message: "ended" } },
      ended: { type: "final" },
    },
  }),
});

describe.each([
  ["check", check],
  ["explore", explore],
])("%s", (_, by) => {
  const of = by as (reasoner: unknown, options: unknown) => unknown;
  const judge = (more: object) => of(agent({ name: "a" }), told(more));

  it.each([
    ["law is not an option of the check; input, laws,", { law: [] }],
    ["runs of the check must be a whole number, 0 or more; it is NaN.", { runs: Number.NaN }],
    [
      "runs of the check must be a whole number, 0 or more; it is Infinity.",
      { runs: Number.POSITIVE_INFINITY },
    ],
    ["runs of the check must be a whole number, 0 or more; it is 1.5.", { runs: 1.5 }],
    ["depth of the check must be a whole number, 0 or more; it is -1.", { depth: -1 }],
    ["events of the check must be a whole number, 0 or more; it is a string.", { events: "40" }],
    ["seconds of the check must be a number, 0 or more; it is NaN.", { seconds: Number.NaN }],
    ["bound of the check must be a whole number, 0 or more; it is null.", { bound: null }],
    ["seed of the check must be a whole number; it is 1.5.", { seed: 1.5 }],
    ["seed of the check must be a whole number; it is NaN.", { seed: Number.NaN }],
    ["seed of the check must be a whole number; it is a string.", { seed: "monday" }],
    ["seed of the check must be a whole number; it is a bigint.", { seed: 1n }],
    ["confluent of the check must be true or false; it is 1.", { confluent: 1 }],
    ["waits of the check must be a function; it is a string.", { waits: "ready" }],
    ["outside of the check must be a function; it is another object.", { outside: { type: "go" } }],
    ["stores of the check must be a list of strings; it is a string.", { stores: "s" }],
    ["values of the check must be a list of JSON values; it is a string.", { values: "x" }],
    ["the check's values[0] is a function, which is not JSON", { values: [() => 1] }],
    [
      "without of the check must be a list of strings; it is a string.",
      { without: "no answer is lost" },
    ],
    [
      'without of the check names "no answr is lost", which is not a law of every',
      { without: ["no answr is lost"] },
    ],
    [
      "tol of settlers of the check is not a part of it; llm, tool,",
      { settlers: { tol: () => ({}) } },
    ],
    [
      "tool of settlers of the check must be a function; it is another object.",
      { settlers: { tool: {} } },
    ],
    ["anwser of weights of the check is not a part of it; answer,", { weights: { anwser: 1 } }],
    [
      "answer of weights of the check must be a whole number, 0 or more; it is -1.",
      { weights: { answer: -1 } },
    ],
    ["weights of the check leave nothing that may happen; ", { weights: noWeights }],
    ["failures of the check must be a whole number, 1 or more; it is 0.", { failures: 0 }],
    ["alphabet of the check must be an object; it is null.", { alphabet: null }],
    ["cancell of alphabet of the check is not a part of it; ", { alphabet: { cancell: false } }],
    [
      "messages of alphabet of the check must be a list of strings; it is a string.",
      { alphabet: { messages: "hi" } },
    ],
    [
      "answers of alphabet of the check must be a whole number, 0 or more; it is -1.",
      { alphabet: { answers: -1 } },
    ],
    ["beyond of the check must be an object; it is true.", { beyond: true }],
    ["run of beyond of the check is not a part of it; ", { beyond: { run: 1 } }],
    [
      "runs of beyond of the check must be a whole number, 0 or more; it is NaN.",
      { beyond: { runs: Number.NaN } },
    ],
    [
      "bugDepth of beyond of the check must be a whole number, 1 or more; it is 0.",
      { beyond: { bugDepth: 0 } },
    ],
    ["laws of the check must be a list of what law(name, holds) gives; it is ", { laws: null }],
    [
      'laws of the check has two of the name "x"',
      { laws: [law("x", () => true), law("x", () => false)] },
    ],
    [
      'laws of the check has two of the name "no answer is lost"',
      { laws: [law("no answer is lost", () => true)] },
    ],
    [
      "laws of the check must be a list of what law(name, holds) gives; it is ",
      { laws: [() => true] },
    ],
    [
      "laws of the check must be a list of what law(name, holds) gives; it is ",
      { laws: () => true },
    ],
  ])("refuses: %s", (words, more) => {
    const { code, message } = refusal(() => judge(more));
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining(words)]);
  });

  it.each([null, 5, ["x"]])("refuses %j for options", (options) => {
    const { code, message } = refusal(() => of(asker, options));
    expect([code, message]).toEqual([
      "option.invalid",
      expect.stringContaining("The options of the check must be an object"),
    ]);
  });

  it.each([undefined, {}, { machine: {} }])("refuses %j for a reasoner", (reasoner) => {
    const { code, message } = refusal(() => of(reasoner, { input: 0 }));
    expect([code, message]).toEqual([
      "option.invalid",
      expect.stringContaining("The reasoner must be one that"),
    ]);
  });

  it.each([
    ["the settler of tool threw: no idea.", { settlers: { tool: threw } }],
    [
      'the settler of tool gave "llm.failed"; it must give an answer of type tool.succeeded or',
      {
        settlers: { tool: () => ({ type: "llm.failed" }) },
      },
    ],
    ["the settler of tool gave undefined;", { settlers: { tool: () => undefined } }],
    ["the settler of tool gave a promise;", { settlers: { tool: async () => ({}) } }],
    ["outside threw: no idea.", { outside: threw }],
    ["outside gave null; it must give an event", { outside: () => null }],
    ["outside gave a string;", { outside: () => "go" }],
    ["outside gave a promise;", { outside: async () => ({ type: "go" }) }],
    ["waits threw: no idea.", { waits: threw }],
    ["waits gave a promise; it must give true or false, at once.", { waits: async () => true }],
    ["waits gave a string; it must give true", { waits: () => "waiting" }],
    ["input threw: no idea.", { input: threw }],
  ])("says which function of the caller's is to blame: %s", (words, more) => {
    const options = { input: 0, runs: 20, depth: 3, ...more };
    const { code, message } = refusal(() => of(asker, options));
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining(words)]);
  });

  it("takes what is for the other as well, as reckoner check gives it", () => {
    expect(judge({ seconds: 5, seed: 2, runs: 1, states: 2 })).toBeDefined();
  });
});

it.each([5, "x", null, undefined, {}])("a law that is %j is refused", (holds) => {
  const { code, message } = refusal(() => law("all is well", holds as never));
  expect([code, message]).toEqual(["option.invalid", expect.stringContaining('"all is well"')]);
});

it("a law's memory that is not JSON is refused", () => {
  const formula = { memory: new Map(), next: () => ({ memory: null, applies: true }) };
  const { code, message } = refusal(() => law("it remembers", formula as never));
  expect([code, message]).toEqual([
    "json.refused",
    expect.stringContaining('the memory of the law "it remembers" is a Map'),
  ]);
});

it.each([undefined, "", "  ", {}])("a law of the name %j is refused", (name) => {
  const { code } = refusal(() => law(name as never, () => true));
  expect(code).toBe("option.invalid");
});

it("every option is known", () => {
  const all: {
    readonly [Name in keyof (CheckOptions<unknown, unknown> &
      ExploreOptions<unknown, unknown>)]-?: true;
  } = {
    input: true,
    laws: true,
    without: true,
    mayLose: true,
    values: true,
    config: true,
    tree: true,
    waits: true,
    upgrade: true,
    settlers: true,
    outside: true,
    stores: true,
    weights: true,
    bound: true,
    answersOnly: true,
    runs: true,
    seed: true,
    events: true,
    failures: true,
    progress: true,
    alphabet: true,
    depth: true,
    states: true,
    seconds: true,
    reduce: true,
    confluent: true,
    beyond: true,
  };
  expect(Object.keys(optionShapes)).toEqual(Object.keys(all));
});
