// Timers of `after` that begin with an upgrade: which number they have among those of their name.
import { expect, it } from "vitest";
import {
  defineReasoner,
  type Migrations,
  owedBy,
  type RunState,
  setupReasoner,
} from "../../../../../src/core/kernel/index.js";

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
