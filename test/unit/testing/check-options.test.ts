// What a check is told is looked at first: with `laws` misspelt nothing would be judged, and all is well.
import { describe, expect, it } from "vitest";
import { agent } from "../../../src/index.js";
import { defineReasoner, type Parts, setupReasoner } from "../../../src/kernel.js";
import { optionParts } from "../../../src/testing/checking/check-options.js";
import {
  type CheckOptions,
  check,
  type ExploreOptions,
  explore,
  law,
} from "../../../src/testing/index.js";
import { refusal } from "../../support/thrown.js";

const told = (more: object) => ({ input: "x", runs: 1, depth: 1, ...more }) as never;

const threw = () => {
  throw new Error("no idea");
};
const { createMachine } = setupReasoner<{ n: number }, number>();
/** Asks a tool, and rests. */
const asker = defineReasoner<number, unknown, { n: number }>({
  id: "asker",
  machine: createMachine({
    context: { n: 0 },
    initial: "asking",
    states: {
      asking: {
        entry: { type: "issue", params: { type: "tool", id: "t", name: "t", input: null } },
        on: { "tool.succeeded": "resting", "tool.failed": "resting" },
      },
      resting: { on: { message: "ended" } },
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
    ["law is no part of it; input, laws,", { law: [] }],
    ["runs must be a whole number, 0 or more, not NaN", { runs: Number.NaN }],
    ["runs must be a whole number, 0 or more, not Infinity", { runs: Number.POSITIVE_INFINITY }],
    ["runs must be a whole number, 0 or more, not 1.5", { runs: 1.5 }],
    ["depth must be a whole number, 0 or more, not -1", { depth: -1 }],
    ['events must be a whole number, 0 or more, not "40"', { events: "40" }],
    ["seconds must be a number, 0 or more, not NaN", { seconds: Number.NaN }],
    ["bound must be a whole number, 0 or more, not null", { bound: null }],
    ["seed must be a whole number, not 1.5", { seed: 1.5 }],
    ["seed must be a whole number, not NaN", { seed: Number.NaN }],
    ['seed must be a whole number, not "monday"', { seed: "monday" }],
    ["seed must be a whole number, not 1", { seed: 1n }],
    ["confluent must be true or false, not 1", { confluent: 1 }],
    ['rests must be a function, not "ready"', { rests: "ready" }],
    ["outside must be a function, not an object", { outside: { type: "go" } }],
    ['stores must be a list of texts, not "s"', { stores: "s" }],
    ['values must be a list of JSON values, not "x"', { values: "x" }],
    ["is a function, which is not JSON", { values: [() => 1] }],
    ['without must be a list of texts, not "no answer is lost"', { without: "no answer is lost" }],
    [
      'without names "no answr is lost", which is no law of every',
      { without: ["no answr is lost"] },
    ],
    ["settlers: tol is no part of it; llm, tool,", { settlers: { tol: () => ({}) } }],
    ["settlers.tool must be a function, not an object", { settlers: { tool: {} } }],
    ["weights: anwser is no part of it; answer,", { weights: { anwser: 1 } }],
    ["weights.answer must be a whole number, 0 or more, not -1", { weights: { answer: -1 } }],
    ["alphabet must be an object, not null", { alphabet: null }],
    ["alphabet: cancell is no part of it", { alphabet: { cancell: false } }],
    ['alphabet.messages must be a list of texts, not "hi"', { alphabet: { messages: "hi" } }],
    ["alphabet.answers must be a whole number, 0 or more, not -1", { alphabet: { answers: -1 } }],
    ["beyond must be an object, not true", { beyond: true }],
    ["beyond: run is no part of it", { beyond: { run: 1 } }],
    ["beyond.runs must be a whole number, 0 or more, not NaN", { beyond: { runs: Number.NaN } }],
    ["laws must be a list of what law(name, holds) gives", { laws: null }],
    ['laws has two of the name "x"', { laws: [law("x", () => true), law("x", () => false)] }],
    [
      'laws has two of the name "no answer is lost"',
      { laws: [law("no answer is lost", () => true)] },
    ],
    ["laws must be a list of what law(name, holds) gives", { laws: [() => true] }],
    ["laws must be a list of what law(name, holds) gives", { laws: () => true }],
  ])("refuses: %s", (words, more) => {
    const { code, message } = refusal(() => judge(more));
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining(words)]);
  });

  it.each([null, 5, ["x"]])("refuses %j for options", (options) => {
    const { code, message } = refusal(() => of(asker, options));
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining("needs options")]);
  });

  it.each([undefined, {}, { machine: {} }])("refuses %j for a reasoner", (reasoner) => {
    const { code, message } = refusal(() => of(reasoner, { input: 0 }));
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining("a reasoner, as")]);
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
    ["rests threw: no idea.", { rests: threw }],
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

it("a law's memory that is no JSON is refused", () => {
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
  const all: Parts<CheckOptions<unknown, unknown> & ExploreOptions<unknown, unknown>> = optionParts;
  expect(Object.keys(all)).toContain("laws");
});
