// A search that leaves out orders of answers finds what the full search finds.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assign,
  defineReasoner,
  type Reasoner,
  setupReasoner,
} from "../src/core/kernel/machine/index.js";
import { atMost, explore, issues, law } from "../src/testing/index.js";
import { reasonerOf } from "./arbitrary-machine.js";
import { machinePlan } from "./machine-plan.js";
import { seeds, times } from "./setup.js";

/** What an answer does: of some the order matters, of others not. */
type Effect = "adds" | "sets" | "asks" | "ends" | "nothing";
interface Batch {
  readonly tools: readonly Effect[];
  readonly failures: readonly Effect[];
}

const effect = fc.constantFrom<Effect>(
  "adds",
  "adds",
  "adds",
  "nothing",
  "nothing",
  "sets",
  "asks",
  "ends",
);
const batch: fc.Arbitrary<Batch> = fc
  .array(fc.tuple(effect, effect), { minLength: 2, maxLength: 4 })
  .map((tools) => ({ tools: tools.map(([of]) => of), failures: tools.map(([, of]) => of) }));

interface Sum {
  readonly sum: number;
  readonly last: number;
}

/** A machine that calls tools side by side, and takes what they answer in any order. */
function machineOf({ tools, failures }: Batch): Reasoner<null, unknown, Sum> {
  const { createMachine } = setupReasoner<Sum & { [key: string]: unknown }, null>();
  const on = (type: "tool.succeeded" | "tool.failed", effects: readonly Effect[]) =>
    effects.map((each, i) => ({
      guard: ({ event }: { event: { id: string } }) => event.id === `tool/${i}`,
      ...(each === "ends" ? { target: "over" } : {}),
      actions: [
        ...(each === "adds"
          ? [assign(({ context }: { context: Sum }) => ({ sum: context.sum + i + 1 }))]
          : []),
        ...(each === "sets" ? [assign(() => ({ last: i }))] : []),
        ...(each === "asks"
          ? [
              {
                type: "issue",
                params: { type: "tool", id: `more/${type}/${i}`, name: "more", input: i },
              },
            ]
          : []),
      ],
    }));
  return defineReasoner<null, unknown, Sum>({
    id: "batch",
    machine: createMachine({
      context: { sum: 0, last: -1 },
      initial: "open",
      states: {
        open: {
          entry: {
            type: "issue",
            params: tools.map((_, i) => ({
              type: "tool",
              id: `tool/${i}`,
              name: `t${i % 2}`,
              input: i,
            })),
          },
          on: {
            "tool.succeeded": on("tool.succeeded", tools),
            "tool.failed": on("tool.failed", failures),
          },
        },
        over: { type: "final" },
      },
    } as never) as never,
  });
}

/** Success and failure, and no kinds of failure: what is tried are orders. */
const settlers = {
  tool: (_directive: unknown, choose: (of: number) => number) =>
    choose(2) === 0
      ? { type: "tool.succeeded", output: null }
      : { type: "tool.failed", reason: "error", error: { code: "no", message: "No." } },
};

const found = (reasoner: Reasoner<never, unknown, never>, options: object) => {
  const search = (reduce: boolean) =>
    explore(reasoner, { reduce, states: 400, seconds: 60, failures: 99, ...options } as never);
  const [full, reduced] = [search(false), search(true)];
  // Where the number of states cuts off, the two have seen different ones.
  fc.pre(full.bounded !== "states" && reduced.bounded !== "states");
  expect(reduced.states).toBe(full.states);
  expect(reduced.unreached).toEqual(full.unreached);
  expect(reduced.counterexamples.map(({ law, events }) => [law, events.length])).toEqual(
    full.counterexamples.map(({ law, events }) => [law, events.length]),
  );
  return reduced.saved;
};

describe.each(seeds)("the reduced search finds what the full one finds (seed %i)", (seed) => {
  it("of machines that call tools side by side", () => {
    let saved = 0;
    const laws = [law("it asks for more once", atMost(1, issues("tool", "more")))];
    const property = fc.property(batch, (plan) => {
      const options = { input: null, laws, settlers, depth: 9, alphabet: { cancel: false } };
      saved += found(machineOf(plan) as never, options);
    });
    fc.assert(property, { seed, numRuns: Math.ceil(20 * times) });
    expect(saved).toBeGreaterThan(0);
  });

  it("of generated machines", () => {
    const outside = (choose: (of: number) => number) => ({ type: choose(2) === 0 ? "A" : "B" });
    const property = fc.property(machinePlan(), fc.nat({ max: 2 }), (plan, input) => {
      found(reasonerOf(plan) as never, { input, outside, depth: 4 });
    });
    fc.assert(property, { seed, numRuns: Math.ceil(4 * times) });
  });
});
