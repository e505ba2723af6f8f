// A plan's outcome is that of a naive sequential interpreter of the paper's rules, whatever the order
// in which the model's answers come.
import fc from "fast-check";
import { expect, test } from "vitest";
import { tables, vectors } from "../src/kernel.js";
import { type Entry, type ThoughtsContext, thoughtGraph, thoughts } from "../src/thoughts.js";
import { drive } from "../test/unit/core/thoughts/drive.js";
import { times } from "./setup.js";
import { interpret, type Plain } from "./thoughts-oracle.js";
import { answers, planArbitrary, policyOf } from "./thoughts-plans.js";

/** What each operation handed on, in the oracle's words. */
function outputsOf({ operations, graph }: ThoughtsContext): Map<string, Plain[]> {
  const plain = ({ id, score, valid, solved }: Entry): Plain => {
    const v = thoughtGraph.getThought(graph, id)?.state.v as number;
    return { v, from: id, score, valid, solved };
  };
  return new Map(
    tables.values(operations).map(({ id, output }) => [id, vectors.items(output).map(plain)]),
  );
}

test("a plan's outcome is that of the naive interpreter", () => {
  let made = 0;
  fc.assert(
    fc.property(
      planArbitrary,
      fc.nat(50),
      fc.array(fc.nat(), { maxLength: 40 }),
      (operations, v, order) => {
        const expected = interpret(operations, v);
        const reasoner = thoughts({ policy: policyOf(operations) });
        let turn = 0;
        const pick = () => order[turn++ % Math.max(1, order.length)] ?? 0;
        const { state, calls } = drive(reasoner, { v }, answers, { pick });
        expect(state.fault).toBeUndefined();
        expect(calls).toHaveLength(expected.calls);
        const outputs = outputsOf(state.context);
        for (const [id, plain] of expected.outputs)
          expect([id, outputs.get(id)]).toEqual([id, plain]);
        const followed = new Set(operations.flatMap(({ after }) => after));
        const finals = operations
          .filter(({ id }) => !followed.has(id))
          .flatMap(({ id }) => expected.outputs.get(id) as readonly Plain[])
          .filter(({ from }) => from !== "root");
        expect(state.status).toBe(finals.length === 0 ? "failed" : "done");
        made += calls.length;
      },
    ),
    { numRuns: 500 * times },
  );
  // The plans are no empty ones.
  expect(made).toBeGreaterThan(2_000 * times);
});

test("the order of completion changes nothing: the same calls, the same outcome", () => {
  fc.assert(
    fc.property(
      planArbitrary,
      fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
      (operations, order) => {
        const reasoner = thoughts({ policy: policyOf(operations) });
        let turn = 0;
        const first = drive(reasoner, { v: 5 }, answers);
        const other = drive(reasoner, { v: 5 }, answers, {
          pick: () => order[turn++ % order.length] as number,
        });
        expect(other.calls).toEqual(first.calls);
        expect(other.state.context).toEqual(first.state.context);
      },
    ),
    { numRuns: 300 * times },
  );
});
