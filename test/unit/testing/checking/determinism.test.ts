// A machine that asks chance, a clock, or a variable outside of itself is found out without a law: each
// step is taken again.
import { check, explore, law, never } from "reckoner/testing";
import { expect, it, vi } from "vitest";
import { assign } from "../../../../src/kernel.js";
import { SAME_AGAIN } from "../../../../src/testing/index.js";
import { call, done, failed, issue, machine } from "../../../support/planted/planted.js";

const rolling = (roll: () => number) =>
  machine("dice", {
    context: { rolled: 0 },
    initial: "idle",
    states: {
      idle: { on: { roll: { actions: assign(() => ({ rolled: roll() })) }, stop: "done" } },
      done,
    },
  });
const ways = [
  ["random runs", check],
  ["all runs", explore],
] as const;
const few = { input: null, runs: 100, depth: 3 } as never;

it.each(ways)("%s find chance in a change, with the shortest run", (_, find) => {
  const random = vi.spyOn(Math, "random");
  let drawn = 0;
  random.mockImplementation(() => (drawn += 0.001));
  const { counterexamples, ok } = find(rolling(Math.random), few);
  random.mockRestore();
  expect(ok).toBe(false);
  expect(counterexamples.map((each) => each.law)).toEqual([SAME_AGAIN]);
  expect(counterexamples[0]?.events.map(({ type }) => type)).toEqual(["roll"]);
  expect(counterexamples[0]?.what).toMatch(
    /^roll, taken again, gives 0\.\d+ at context\.rolled, not 0\.\d+; time is event\.at,/,
  );
});

it.each(ways)("%s find ids from a counter of the module", (_, find) => {
  let next = 0;
  const counter = machine("counter", {
    context: {},
    initial: "asking",
    states: {
      asking: {
        entry: issue(() => ({ type: "tool", id: `t/${next++}`, name: "t", input: null })),
        on: { "tool.succeeded": "done", "tool.failed": "failed" },
      },
      done,
      failed,
    },
  });
  const { counterexamples } = find(counter, few);
  expect(counterexamples).toMatchObject([{ law: SAME_AGAIN, events: [] }]);
});

it("random runs find a clock that has not moved on yet, when all of them are over", () => {
  let now = 0;
  const clock = rolling(() => now);
  const tick = ({ runs }: { readonly runs: number }) => {
    now = runs;
  };
  const { counterexamples } = check(clock, { input: null, runs: 51, progress: tick } as never);
  expect(counterexamples).toMatchObject([
    { law: SAME_AGAIN, what: expect.stringContaining("gives 50 at context.rolled, not 0") },
  ]);
});

it.each(ways)("%s leave it out where the caller does", (_, find) => {
  const options = { ...(few as object), without: [SAME_AGAIN] } as never;
  expect(find(rolling(Math.random), options).ok).toBe(true);
});

it.each(ways)("%s take every step of a pure machine for the same, whatever it does", (_, find) => {
  const pure = machine("pure", {
    context: ({ input }: { readonly input: { readonly at: number } }) => ({ at: input.at, n: 0 }),
    initial: "asking",
    states: {
      asking: {
        entry: call("t"),
        on: {
          "tool.succeeded": "waiting",
          "tool.failed": {
            target: "waiting",
            actions: assign(({ context }) => ({ n: context.n + 1 })),
          },
        },
      },
      waiting: { after: { 1000: "done" }, on: { message: "failed" } },
      done,
      failed,
    },
  });
  expect(find(pure, few)).toMatchObject({ ok: true, counterexamples: [] });
});

it("a search says that it went no further behind a broken law, and claims nothing of what lies there", () => {
  const line = machine("line", {
    context: {},
    initial: "a",
    states: { a: { on: { go: "b" } }, b: { on: { go: "c" } }, c: { on: { go: "done" } }, done },
  });
  const unseen = law(
    "b is never seen",
    never(({ state }) => state.value === "b"),
  );
  const broken = explore(line, { input: null, laws: [unseen] });
  expect(broken).toMatchObject({ halted: true, bounded: undefined, ok: false });
  expect(broken.text).toContain("3 states (all up to where a law is broken)");
  expect(broken.text).toContain("not reached where no law is broken: states c");
  expect(broken.text).not.toContain("can never be reached");
  expect(explore(line, { input: null })).toMatchObject({ halted: false, ok: true });
});
