// Timers of `after` that begin with an upgrade: which number they have among those of their name.
import { expect, it } from "vitest";
import {
  defineReasoner,
  type Migrations,
  owedBy,
  type RunState,
  setupReasoner,
} from "../../../../../src/core/kernel/machine/index.js";

type Context = { readonly [key: string]: unknown };
const { createMachine } = setupReasoner<Context, null, { type: "go" }>();

const order = (version: number, states: object, migrations: Migrations = {}) =>
  defineReasoner<null, unknown, Context>({
    id: "order",
    version,
    machine: createMachine({ context: {}, initial: "a", states } as never),
    migrations,
  });
const over = (at: number) => ({ at, differs: () => true, input: null, budget: undefined });

/** A state after so many goes, one each millisecond. */
function after(reasoner: ReturnType<typeof order>, goes: number): RunState<Context> {
  let { state } = reasoner.start(null, { at: 0, runId: "r" });
  for (let at = 1; at <= goes; at++) ({ state } = reasoner.step(state, { type: "go", at }));
  return state;
}

it("one of a state that the run had left before is the next of its name", () => {
  const states = { a: { on: { go: "b" } }, b: { on: { go: "a" }, after: { 5: "a" } } };
  const before = after(order(1, states), 2);
  expect([before.value, owedBy(before)]).toEqual(["a", []]);
  const there: Migrations = { 2: ({ context }) => ({ value: "b", context }) };
  const carried = order(2, states, there).migrate(before as never, over(9));
  expect(owedBy(carried)).toEqual([{ type: "timer", id: "after/b/5/1", until: 14 }]);
});

it("one that has begun so is counted when its state is entered again", () => {
  const states = (more: object) => ({ a: { on: { go: "b" }, ...more }, b: { on: { go: "a" } } });
  const now = order(2, states({ after: { 5: "b" } }));
  let state = now.migrate(after(order(1, states({})), 0) as never, over(9));
  expect(owedBy(state)).toMatchObject([{ id: "after/a/5/0" }]);
  for (const at of [10, 11]) ({ state } = now.step(state, { type: "go", at }));
  expect(owedBy(state)).toEqual([{ type: "timer", id: "after/a/5/1", until: 16 }]);
});

it("one that an upgrade took away begins again with the upgrade that brings it back", () => {
  const of = (version: number, delay: number) =>
    order(version, { a: { after: { [delay]: "b" } }, b: {} });
  let state = after(of(1, 5), 0);
  const upgrade = (version: number, delay: number) => {
    state = of(version, delay).migrate(state as never, over(version));
    return owedBy(state);
  };
  expect(owedBy(state)).toEqual([{ type: "timer", id: "after/a/5/0", until: 5 }]);
  expect(upgrade(2, 9)).toEqual([{ type: "timer", id: "after/a/9/0", until: 11 }]);
  expect(upgrade(3, 5)).toEqual([{ type: "timer", id: "after/a/5/1", until: 8 }]);
  expect(upgrade(4, 9)).toEqual([{ type: "timer", id: "after/a/9/1", until: 13 }]);
  expect(upgrade(5, 5)).toEqual([{ type: "timer", id: "after/a/5/2", until: 10 }]);
  expect(upgrade(6, 5)).toEqual([{ type: "timer", id: "after/a/5/2", until: 10 }]);
});

it("one of a state that was entered while it had none begins with the upgrade that brings it back", () => {
  const of = (version: number, more: object) =>
    order(version, { a: { on: { go: "b" } }, b: { on: { go: "a" }, ...more } });
  const timed = { after: { 5: "a" } };
  const before = after(of(1, timed), 2);
  const without = of(2, {});
  const left = without.migrate(before as never, over(3));
  const { state } = without.step(left, { type: "go", at: 4 });
  const back = of(3, timed).migrate(state as never, over(9));
  expect(owedBy(back)).toEqual([{ type: "timer", id: "after/b/5/1", until: 14 }]);
});

it("one that fired without an effect does not begin again with an upgrade", () => {
  const never = { after: { 5: { target: "b", guard: { type: "never" } } } };
  const of = (version: number) =>
    defineReasoner<null, unknown, Context>({
      id: "order",
      version,
      machine: setupReasoner<Context, null, { type: "go" }>({
        guards: { never: () => false },
      } as never).createMachine({
        context: {},
        initial: "a",
        states: { a: never, b: {} },
      } as never),
    });
  const fired = { type: "timer.fired", id: "after/a/5/0", at: 5 } as const;
  const { state } = of(1).step(after(of(1), 0), fired);
  expect([state.value, owedBy(state)]).toEqual(["a", []]);
  expect(owedBy(of(2).migrate(state as never, over(9)))).toEqual([]);
});
