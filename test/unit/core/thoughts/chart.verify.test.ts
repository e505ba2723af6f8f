// The chart says what a run does: a search through all that may happen takes each of its transitions, and a plan
// that never scores leaves what scores untaken.
import { explore } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import {
  aggregate,
  connect,
  generate,
  improve,
  plan,
  score,
  type Thoughts,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";

// biome-ignore lint/suspicious/noExplicitAny: settlers as they are written here: loosely.
type Any = any;

const failed = { type: "llm.failed", error: { code: "llm.failed", message: "no" } };
const said = {
  type: "llm.succeeded",
  content: [{ type: "text", text: "7, valid" }],
  finishReason: "stop",
};
const searched = (reasoner: Thoughts) =>
  explore(reasoner, {
    input: "why?",
    settlers: { llm: (_: Any, choose: Any) => (choose(2) === 0 ? said : failed) } as Any,
    states: 3_000,
  });
const missed = (all: readonly { readonly name: string; readonly count: number }[]) =>
  all.filter(({ count }) => count === 0).map(({ name }) => name);

describe("a search through all that may happen", () => {
  it("takes each transition of the chart, and enters each of its states", () => {
    const policy = plan([
      generate({ id: "a" }),
      score({ id: "b" }),
      improve({ id: "c", after: "a" }),
      connect({ id: "d", after: ["a", "c"] }),
      validateAndImprove({ id: "e", after: "a", tries: 1 }),
      aggregate({ id: "f", after: ["b", "c", "d", "e"], responses: 2 }),
    ]);
    const of = thoughts({ policy, retries: 0, modelCalls: 6, deadlineMs: 1_000 });
    const { ok, bounded, reached } = searched(of);
    expect([ok, bounded]).toEqual([true, undefined]);
    expect([missed(reached.transitions), missed(reached.states)]).toEqual([[], []]);
  });

  it("shows what no run of this plan can do", () => {
    const { ok, bounded, reached } = searched(thoughts({ policy: plan([generate()]) }));
    expect([ok, bounded]).toEqual([true, undefined]);
    expect(missed(reached.states)).toEqual([
      "scoring",
      "connecting",
      "refining",
      "validating",
      "aggregating",
    ]);
    const unreached = missed(reached.transitions).filter((name) =>
      /^(?:machine|deciding)/.test(name),
    );
    expect(unreached).toEqual([
      "machine: timer.fired -> deciding",
      "deciding: [budgetIsMet]",
      "deciding: [oldestScores] -> scoring",
      "deciding: [oldestConnects] -> connecting",
      "deciding: [oldestRefines] -> refining",
      "deciding: [oldestValidates] -> validating",
      "deciding: [oldestAggregates] -> aggregating",
    ]);
  });
});
