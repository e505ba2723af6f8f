// The laws of every reasoner on reasoners of thoughts, and the laws of thoughts: budgets, depth, roots,
// edges. Plans and beam searches are drawn at random, with functions that throw and give nonsense.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { initialTransition, transition } from "xstate";
import { tableGet, vectorItem, vectorSize } from "../src/core/kernel/values/index.js";
import type { LlmDirective, Step } from "../src/index.js";
import { laws } from "../src/testing/index.js";
import {
  aggregate,
  beamSearch,
  generate,
  improve,
  keepBest,
  type OperationState,
  plan,
  policy,
  score,
  type Thoughts,
  type ThoughtsContext,
  type ThoughtsDefinition,
  thoughtGraph,
  thoughts,
} from "../src/thoughts.js";
import { type Answers, drive, hashOf } from "../test/unit/core/thoughts/drive.js";
import {
  anyThoughts,
  beamSearchArbitrary,
  defined,
  drawn,
  input,
  make,
  options,
  rarely,
  said,
} from "./any-thoughts.js";
import { fastPathLaw } from "./fast-path-law.js";
import { holds, times } from "./setup.js";
import { planArbitrary, policyOf as planPolicyOf } from "./thoughts-plans.js";

const { ancestors, getThought, hasCycle, incomingEdges, listEdges, listThoughts, parents } =
  thoughtGraph;

holds("thoughts", laws(anyThoughts, options), 100);
holds("thoughts", [fastPathLaw(anyThoughts, { initialTransition, transition }, options)], 100);

const answers: Answers = ({ id }) => {
  const kind = hashOf(id) % (said.length + 1);
  return kind === said.length ? { error: "no" } : (said[kind] as string);
};
const order = fc.array(fc.nat(), { minLength: 1, maxLength: 30 });

/** Checks something at each step of runs of all kinds. */
function always(what: (step: Step<ThoughtsContext>, reasoner: Thoughts) => void): void {
  fc.assert(
    fc.property(drawn, input, order, (of, start, turns) => {
      const reasoner = make(of);
      let turn = 0;
      drive(reasoner, start, answers, {
        pick: () => turns[turn++ % turns.length] as number,
        watch: (step) => what(step, reasoner),
      });
    }),
    { numRuns: 300 * times },
  );
}

describe("thoughts", () => {
  test("end always, without a fault", () => {
    fc.assert(
      fc.property(drawn, input, (of, start) => {
        const { state } = drive(make(of), start, answers, { bound: 2_000 });
        expect(state.status).not.toBe("active");
        expect(state.fault).toBeUndefined();
      }),
      { numRuns: 300 * times },
    );
  });

  test("pass no budget", () => {
    always(({ state, directives }) => {
      const { graph, budgets, modelCalls, usage } = state.context;
      const nodes = thoughtGraph.thoughtCount(graph);
      const depth = Math.max(...listThoughts(graph).map((thought) => thought.depth));
      expect(nodes).toBeLessThanOrEqual(budgets.maxNodes ?? Number.POSITIVE_INFINITY);
      expect(depth).toBeLessThanOrEqual(budgets.maxDepth ?? Number.POSITIVE_INFINITY);
      expect(modelCalls).toBeLessThanOrEqual(budgets.modelCalls ?? Number.POSITIVE_INFINITY);
      if (directives.some(({ type }) => type === "llm") && budgets.tokens !== null) {
        expect(usage.totalTokens).toBeLessThan(budgets.tokens);
      }
      if (state.status === "active" && budgets.deadline !== null) {
        expect(state.at).toBeLessThanOrEqual(budgets.deadline);
      }
    });
  });

  test("are all reachable from the root, as deep as the longest way, and in no circle", () => {
    always(({ state }) => {
      const { graph } = state.context;
      expect(hasCycle(graph)).toBe(false);
      for (const { id, depth } of listThoughts(graph)) {
        const above = parents(graph, id);
        expect(depth).toBe(above.reduce((most, parent) => Math.max(most, parent.depth + 1), 0));
        if (id !== "root") expect(ancestors(graph, id).map((each) => each.id)).toContain("root");
      }
    });
  });

  test("have edges of their kind, from thoughts that are there", () => {
    always(({ state }) => {
      const { graph } = state.context;
      for (const { id, kind } of listThoughts(graph)) {
        const types = new Set(
          incomingEdges(graph, id).flatMap(({ type }) => (type === "connects" ? [] : [type])),
        );
        const expected = {
          root: [],
          thought: ["generates"],
          refinement: ["refines"],
          aggregation: ["aggregates"],
        }[kind];
        expect([...types]).toEqual(expected);
      }
      for (const { from, to } of listEdges(graph)) {
        expect(from).not.toBe(to);
        expect(getThought(graph, from) && getThought(graph, to)).toBeDefined();
      }
    });
  });

  test("keep nothing in the outbox, and nothing of the budgets for calls that are over", () => {
    always(({ state }) => {
      const { outbox, running, rooms, reserved, held, asked, heard } = state.context;
      expect(outbox).toEqual([]);
      if (state.status === "active") return;
      expect([running, rooms, reserved]).toEqual([0, 0, { tokens: 0, cost: 0 }]);
      expect([held, asked, heard].map(({ items }) => vectorSize(items))).toEqual([0, 0, 0]);
    });
  });

  test("are in the state of the oldest open question, which is never one that is answered", () => {
    always(({ state }) => {
      if (state.status !== "active") return;
      const { asked, operations } = state.context;
      const [, id = "", ...path] = (vectorItem(asked.items, asked.first) as string).split("/");
      const { manner, asks } = tableGet(operations, id) as OperationState;
      expect(STATES[manner.split(",")[0] as keyof typeof STATES]).toBe(state.value);
      expect(tableGet(asks, path.join("/").replace(/\/again\/\d+$/, ""))?.status).toBe("asked");
    });
  });
});

const STATES = {
  generate: "generating",
  score: "scoring",
  connect: "connecting",
  improve: "refining",
  validate: "validating",
  aggregate: "aggregating",
};

describe("a beam search", () => {
  const prices = { price: { inputPerMillion: 3, outputPerMillion: 15 } };
  const spending = fc.record({
    maxNodes: rarely(fc.integer({ min: 2, max: 25 })),
    maxDepth: rarely(fc.integer({ min: 1, max: 6 })),
    // A few calls' worth, or many.
    tokens: rarely(fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 5_000 }))),
    costBudget: rarely(fc.integer({ min: 0, max: 300 }).map((n) => n * 100_000)),
    modelCalls: rarely(fc.integer({ min: 1, max: 40 })),
    retries: rarely(fc.integer({ min: 0, max: 2 })),
    // Less than many answers are long: a budget may be passed while calls are out.
    settings: rarely(fc.constant({ maxOutputTokens: 5 })),
    better: rarely(fc.constantFrom("higher" as const, "lower" as const)),
  });
  /** Ties, failures, several thoughts in an answer, answers of all lengths. */
  const parse = (text: string) =>
    text === ""
      ? undefined
      : text
          .split(" ")
          .slice(0, 3)
          .map((word) => ({ word }));

  test("does not depend on the order in which answers arrive: ids, ties, merges, failures, budgets", () => {
    let calls = 0;
    let cut = 0;
    fc.assert(
      fc.property(beamSearchArbitrary, spending, order, (how, limits, turns) => {
        const policy = () => beamSearch({ ...how, generate: { branches: 2, parse } });
        const reasoner = () =>
          thoughts({ policy: policy(), ...prices, ...defined(limits) } as ThoughtsDefinition);
        let turn = 0;
        const pick = () => turns[turn++ % turns.length] as number;
        const first = drive(reasoner(), "why?", answers, { usage: usageOf });
        const other = drive(reasoner(), "why?", answers, { usage: usageOf, pick });
        // All of it, the order of the thoughts in the graph and of the failures included.
        expect(other.state.context).toEqual(first.state.context);
        expect(other.state.value).toBe(first.state.value);
        expect(other.calls).toEqual(first.calls);
        calls += first.calls.length;
        cut += first.state.context.cut === null ? 0 : 1;
      }),
      { numRuns: 400 * times },
    );
    expect(calls).toBeGreaterThan(700 * times);
    expect(cut).toBeGreaterThan(50 * times);
  });
});

/** Best first, three at a time: what it begins next depends on all that it has heard so far. */
const pool = () =>
  policy<object, { readonly next: number; readonly open: readonly string[] }>({
    name: "pool",
    operations: {
      grow: generate({ prompt: ({ thought }) => `go on ${thought.content}` }),
      rate: score({ samples: 2, prompt: ({ thought }) => `rate ${thought.content}` }),
    },
    memory: { next: 0, open: ["root", "root", "root"] },
    decide({ done, memory, cut, graph }) {
      if (cut !== null) return [];
      const made = done?.output.map(({ id }) => id) ?? [];
      if (done?.use === "grow") return made.length === 0 ? [] : [{ use: "rate", on: made }];
      const scoreOf = (id: string) => getThought(graph, id)?.score ?? 0;
      const open = [...memory.open, ...made].sort((a, b) => scoreOf(b) - scoreOf(a));
      const count = Math.min(done === null ? 3 : 1, 12 - memory.next, open.length);
      const begin = open.slice(0, count).map((on) => ({ use: "grow", on }));
      return { begin, memory: { next: memory.next + count, open: open.slice(count) } };
    },
  });

describe("the order of arrival", () => {
  const length = ({ content }: { content: string }) => content.length;
  /** Two branches of two operations each, and what is made of both. */
  const twoBranches = () =>
    plan([
      generate({ id: "a", responses: 3 }),
      score({ id: "rate-a", samples: 2 }),
      generate({ id: "b", after: [], responses: 4 }),
      score({ id: "by-b", by: length }),
      keepBest({ id: "best-b", n: 2 }),
      improve({ id: "better-b" }),
      aggregate({ after: ["rate-a", "better-b"], responses: 2 }),
    ]);
  const policies = { "a plan": twoBranches, "a beam search": beamSearch, "a policy": pool };
  /** All that a run asks, in order, and its whole context in the end. */
  const runs = (of: () => Thoughts, turns: readonly number[]) => {
    let turn = 0;
    const pick = () => turns[turn++ % turns.length] as number;
    const { calls, state } = drive(of(), "why?", answers, { usage: usageOf, pick });
    return { calls, value: state.value, context: state.context };
  };

  test.each(Object.entries(policies))(
    "changes nothing: %s, under 128 budgets of tokens",
    (_what, policyOf) => {
      const ends = new Set<string>();
      for (let budget = 0; budget < 128; budget++) {
        const of = () =>
          thoughts({ policy: policyOf() as never, tokens: 20 + budget * 12, retries: 1 });
        const first = runs(of, [0]);
        for (const turns of [[1], [2, 0, 5], [budget, 7, 3, 1]]) {
          expect(runs(of, turns)).toEqual(first);
        }
        ends.add(`${first.calls.length} ${first.context.cut}`);
      }
      expect(ends.size).toBeGreaterThan(5);
    },
  );

  test("changes nothing: plans and policies without a budget, or with one of calls", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          planArbitrary.map((each) => () => planPolicyOf(each)),
          fc.constant(pool),
        ),
        rarely(fc.nat(20)),
        order,
        (policyOf, modelCalls, turns) => {
          const of = () => thoughts({ policy: policyOf() as never, ...defined({ modelCalls }) });
          expect(runs(of, turns)).toEqual(runs(of, [0]));
        },
      ),
      { numRuns: 300 * times },
    );
  });
});

/** Usage that differs from call to call, and follows from the call, whether it is answered or fails. */
function usageOf({ id, system = "", messages }: LlmDirective) {
  const inputTokens = Math.ceil((system.length + JSON.stringify(messages).length) / 4);
  const outputTokens = 1 + (hashOf(id) % 40);
  return { requests: 1, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
