// Laws and plans of faults that are misspelt are refused: they would hold, and nothing would have been tried.
import fc from "fast-check";
import { agentLaws, brokenUnderFaults, faultLaws, laws, surviving } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { agent } from "../../../src/index.js";
import { refusal } from "../../support/thrown.js";

const one = agent({ name: "a" });
const input = fc.constant("go");
const empty = { moves: [], answers: [], values: [] };

describe.each<[string, (subject: unknown, options: unknown) => unknown]>([
  ["laws", laws as never],
  ["faultLaws", faultLaws as never],
  ["agentLaws", agentLaws as never],
])("%s", (name, make) => {
  it.each<[string, unknown, unknown]>([
    [`What ${name} judges must be a reasoner`, undefined, { input }],
    [`What ${name} judges must be a reasoner`, {}, { input }],
    [`settler is not an option of ${name}; input,`, one, { input, settler: {} }],
    [`input of ${name} must be an arbitrary of fast-check`, one, { input: "go" }],
  ])("refuses: %s", (words, subject, options) => {
    const { code, message } = refusal(() => make(subject, options));
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining(words)]);
  });

  it("takes the options of a check among its own", () => {
    expect(make(one, { input, laws: [], runs: 5, script: undefined })).not.toEqual([]);
  });
});

it.each([laws, faultLaws])("laws without options are refused", (make) => {
  const { code, message } = refusal(() => make(one, undefined as never));
  expect([code, message]).toEqual([
    "option.invalid",
    expect.stringMatching(/options of \w+ must be an object/),
  ]);
});

it("surviving refuses options that are none, and takes those of laws and of a check", () => {
  for (const own of [{ input }, { input: 100, laws: [] }]) {
    expect(surviving(one, "go", empty, {}, own as never).processes).toHaveLength(1);
  }
  const { code, message } = refusal(() => surviving(one, "go", empty, {}, { waiting: 1 } as never));
  expect([code, message]).toEqual([
    "option.invalid",
    expect.stringContaining("waiting is not an option of surviving; "),
  ]);
});

describe("a plan", () => {
  it.each<[string, unknown]>([
    ["the plan of faults must be an object", undefined],
    ["the plan of faults must be an object", []],
    ["crashs of the plan of faults is not a part of it; crashes,", { crashs: [] }],
    ["crashes of the plan of faults must be a list, each an object", { crashes: 5 }],
    [
      'in of crashes[0] of the plan of faults must be "append", "call" or "observation"',
      { crashes: [{ in: "zzz", at: 0, reached: "all" }] },
    ],
    [
      "at of crashes[0] of the plan of faults must be",
      { crashes: [{ in: "append", at: -1, reached: "all" }] },
    ],
    [
      "reached of crashes[0] of the plan of faults must be",
      { crashes: [{ in: "append", at: 0, reached: "none" }] },
    ],
    [
      "more of crashes[0] of the plan of faults is not a part of it; in, at, reached are",
      { crashes: [{ in: "append", at: 0, reached: "all", more: 1 }] },
    ],
    ["plan of faults", { failure: { in: "append", at: 0 } }],
    ["takeover of the plan of faults must be", { takeover: "x" }],
    ["how of calls[0] of the plan of faults must be", { calls: [{ at: 0, how: "slow" }] }],
    ["ms of calls[0] of the plan of faults must be", { calls: [{ at: 0, how: "late", ms: "1" }] }],
    ["jumps[0] of the plan of faults must be", { jumps: [Number.NaN] }],
    ["stands of the plan of faults must be two", { stands: [1] }],
    ["decisions[0] of the plan of faults must be", { decisions: [-1] }],
    ["handovers of the plan of faults must be", { handovers: 1 }],
    ["upgrade of the plan of faults must be", { upgrade: 0.5 }],
  ])("is refused: %s", (words, plan) => {
    for (const lead of [surviving, brokenUnderFaults]) {
      const { code, message } = refusal(() =>
        lead(one, { prompt: "go" } as never, empty, plan as never, {} as never),
      );
      expect([code, message]).toEqual(["option.invalid", expect.stringContaining(words)]);
    }
  });

  it("of every fault there is, is taken", () => {
    const plan = {
      crashes: [{ in: "append", at: 0, reached: "part" }],
      calls: [{ at: 0, how: "late", ms: 1 }],
      jumps: [{ seq: 0, ms: -5 }],
      stands: [0, 1],
      decisions: [2],
      handovers: [1],
    } as const;
    const { last } = surviving(one, "go", empty, plan, {} as never);
    expect(last.status).toBeDefined();
  });
});
