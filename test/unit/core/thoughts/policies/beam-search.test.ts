// Exploring: rounds that branch, score, keep, refine, connect and merge, and where they end.
import { describe, expect, it } from "vitest";
import { owedBy } from "../../../../../src/core/kernel/machine/index.js";
import type { LlmDirective } from "../../../../../src/index.js";
import { beamSearch, thoughtGraph, thoughts } from "../../../../../src/thoughts.js";
import { type Answers, answer, drive, promptOf } from "../drive.js";

const { listThoughts } = thoughtGraph;

describe("beamSearch", () => {
  const scores: Answers = ({ id }) => {
    const [, operation = "", ...path] = id.split("/");
    if (operation.endsWith("score")) return `Score: ${(path[0]?.charCodeAt(0) ?? 0) % 10}`;
    return id;
  };
  it("branches, keeps the best, connects, and merges the leaves", () => {
    const { state, output } = drive(thoughts({ policy: beamSearch() }), "why?", scores);
    const kinds = listThoughts(state.context.graph).map(({ kind, depth }) => [kind, depth]);
    expect(kinds).toEqual([
      ["root", 0],
      ...Array(3).fill(["thought", 1]),
      ...Array(3).fill(["thought", 2]),
      ["aggregation", 3],
    ]);
    // Two rounds of three thoughts and their scores, one look for relations, one scored merge.
    expect(output).toMatchObject({ reason: "success", modelCalls: 15 });
  });

  it("asks for no score where it is told so", () => {
    const policy = beamSearch({ score: false });
    const { calls, output } = drive(thoughts({ policy }), "why?", ({ id }) => id);
    expect(calls.filter(({ id }) => id.includes("score"))).toEqual([]);
    expect(output).toMatchObject({ reason: "success", score: null });
  });

  it("merges two leaves, and leaves one as it is", () => {
    const asked = (branching: number) => {
      const policy = beamSearch({ rounds: 1, branching, score: false });
      const { calls } = drive(thoughts({ policy }), "why?", ({ id }) => id);
      return calls.filter(({ id }) => id.includes("aggregate")).length;
    };
    expect([asked(1), asked(2), asked(3)]).toEqual([0, 1, 1]);
  });

  it("refines as it was told to", () => {
    const refine = { every: 1, prompt: () => "make it shorter" };
    const policy = beamSearch({ rounds: 1, score: false, refine });
    const { calls } = drive(thoughts({ policy }), "why?", ({ id }) => id);
    expect(calls.filter(({ id }) => id.includes("refine")).map(promptOf)).toEqual([
      "make it shorter",
    ]);
  });

  it("ends when a score is good enough", () => {
    const policy = beamSearch({ rounds: 9, until: 7, aggregate: false });
    const { output } = drive(thoughts({ policy, maxDepth: 20 }), "why?", ({ id }) =>
      id.includes("score") ? (id.includes("/2.") ? "Score: 7" : "Score: 3") : id,
    );
    expect(output).toMatchObject({ reason: "success", thoughts: 7, score: 7 });
  });

  it("ends with the best so far at the seed's 20 thoughts", () => {
    const policy = beamSearch({ rounds: 100, branching: 4 });
    const { output } = drive(thoughts({ policy, maxDepth: 99 }), "why?", scores);
    expect(output).toMatchObject({ reason: "maxNodes", thoughts: 20 });
  });

  it.each([{ rounds: 0 }, { branching: -1 }, { beam: 1.5 }])("refuses %j", (wrong) => {
    expect(() => beamSearch(wrong)).toThrow(expect.objectContaining({ code: "thoughts.invalid" }));
  });

  it("is the same in any order, also where a call fails while others spend what there is", () => {
    const how = {
      rounds: 1,
      branching: 2,
      score: false,
      connect: false,
      aggregate: false,
    } as const;
    const settings = { maxOutputTokens: 5 };
    const prompts = { generate: () => "short" };
    const price = { inputPerMillion: 0.001, outputPerMillion: 0.001 };
    const usage = () => ({ inputTokens: 115, outputTokens: 5 });
    const dear: Answers = ({ id }) => (id.endsWith("/0") ? "dear" : { error: "down" });
    for (const budget of [{ tokens: 100 }, { costBudget: 1e-7, price }]) {
      const [one, other] = [0, 1].map((first) =>
        drive(thoughts({ policy: beamSearch(how), prompts, settings, ...budget }), "why?", dear, {
          pick: () => first,
          usage,
        }),
      );
      expect(one?.calls).toHaveLength(2);
      expect(other?.state.context).toEqual(one?.state.context);
      // What no budget was left for is no failure.
      expect(one?.output).toMatchObject({ result: "dear", failures: 0 });
      expect(one?.output?.reason).toBe("tokens" in budget ? "tokens" : "cost");
    }
  });

  it("whose time is up has the first of what was made last", () => {
    const policy = beamSearch({ rounds: 1, beam: 2, score: false, refine: { every: 1 } });
    const reasoner = thoughts({ policy, deadlineMs: 1_000 });
    let { state } = reasoner.start("why?", { at: 0, runId: "r" });
    for (const id of ["1.generate/0/0", "1.generate/0/1", "1.generate/0/2", "1.refine/0/0"]) {
      const [call] = owedBy(state).filter((each) => each.id === `llm/${id}`);
      ({ state } = reasoner.step(
        state,
        answer(call as LlmDirective, () => id, 5),
      ));
    }
    ({ state } = reasoner.step(state, { type: "timer.fired", id: "timer/deadline", at: 1_000 }));
    expect(reasoner.output(state)).toMatchObject({ reason: "deadline", result: "1.refine/0/0" });
  });
});
