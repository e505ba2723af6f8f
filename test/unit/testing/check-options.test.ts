// What a check is told is looked at first: with `laws` misspelt nothing would be judged, and all is well.
import { describe, expect, it } from "vitest";
import { agent } from "../../../src/index.js";
import type { Parts } from "../../../src/kernel.js";
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

describe.each([
  ["check", (more: object) => check(agent({ name: "a" }), told(more))],
  ["explore", (more: object) => explore(agent({ name: "a" }), told(more))],
])("%s", (_, judge) => {
  it.each([
    ["law is no part of it; input, laws,", { law: [] }],
    ["runs must be a number, 0 or more, not NaN", { runs: Number.NaN }],
    ["depth must be a number, 0 or more, not -1", { depth: -1 }],
    ["events must be a number, 0 or more, not 40", { events: "40" }],
    ["laws must be a list of what law(name, holds) gives", { laws: [() => true] }],
    ["laws must be a list of what law(name, holds) gives", { laws: () => true }],
  ])("refuses: %s", (words, more) => {
    const { code, message } = refusal(() => judge(more));
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

it("every option is known", () => {
  const all: Parts<CheckOptions<unknown, unknown> & ExploreOptions<unknown, unknown>> = optionParts;
  expect(Object.keys(all)).toContain("laws");
});
