// The law of the fast path finds what is planted in the tables of generated machines.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialTransition, transition } from "xstate";
import { aftersOf } from "../src/core/kernel/machine/after.js";
import { compile } from "../src/core/kernel/machine/compile.js";
import { tablesPath } from "../src/core/kernel/machine/run-tables.js";
import { Steps } from "../src/core/kernel/machine/steps.js";
import type { Action, Leaf, Move, Tables } from "../src/core/kernel/machine/tables.js";
import { xstatePath } from "../src/core/kernel/machine/xstate-path.js";
import {
  fastPathLaw,
  machinePlan,
  type PlanContext,
  type PlannedReasoner,
  reasonerOf,
  type StatePlan,
} from "../src/testing/index.js";

const hasOutput = (plan: StatePlan) => plan.states.some(({ output }) => output !== undefined);

/** The reasoner of a plan whose tables were tampered with. */
function planted(plan: StatePlan, plant: (tables: Tables) => Tables): PlannedReasoner {
  const reasoner = reasonerOf(plan);
  const afters = aftersOf(reasoner.machine);
  const tables = compile(reasoner.machine, afters);
  if (typeof tables === "string") return reasoner;
  const path = tablesPath(plant(tables), xstatePath(reasoner.machine, afters));
  const output = hasOutput(plan) ? undefined : (context: PlanContext) => context.log;
  const { id, version } = reasoner;
  const steps = new Steps<number, PlanContext>({ id, version, path, afters, output });
  return {
    ...reasoner,
    start: (input, origin) => steps.start(input, origin),
    step: (state, event) => steps.step(state, event as never),
  };
}

/** Tables whose leaves are others. Each leaf stays one and the same, as in the real ones. */
const leaves =
  (change: (leaf: Leaf) => Partial<Leaf>) =>
  (tables: Tables): Tables => {
    const known = new Map<Leaf, Leaf>();
    const changed = (leaf: Leaf): Leaf => {
      let other = known.get(leaf);
      if (other === undefined) {
        const moved = (moves: readonly Move[]) =>
          moves.map((move) => ({ ...move, to: changed(move.to) }));
        const { value, tags, done } = leaf;
        const { on = leaf.on.bind(leaf), always, ...rest } = change(leaf);
        other = {
          ...{ value, tags, done, ...rest },
          on: (type) => moved(on(type)),
          get always() {
            return moved(always ?? leaf.always);
          },
        };
        known.set(leaf, other);
      }
      return other;
    };
    return {
      ...tables,
      start: { ...tables.start, to: changed(tables.start.to) },
      leafOf: (value) => {
        const leaf = tables.leafOf(value);
        return leaf === undefined ? undefined : changed(leaf);
      },
    };
  };
/** Tables whose moves are others, the first one too. */
const moves = (change: (move: Move) => Partial<Move>) => {
  const one = (move: Move) => ({ ...move, ...change(move) });
  const all = (of: readonly Move[]) => of.map(one);
  const within = leaves((leaf) => ({ on: (type) => all(leaf.on(type)), always: all(leaf.always) }));
  return (tables: Tables): Tables => {
    const planted = within(tables);
    return { ...planted, start: one(planted.start) };
  };
};
const actions = (change: (all: readonly Action[]) => readonly Action[]) =>
  moves((move) => ({ actions: change(move.actions) }));
const without = (kind: Action["kind"]) =>
  actions((all) => all.filter((each) => each.kind !== kind));

const faults: readonly (readonly [string, (tables: Tables) => Tables])[] = [
  ["a guard that is not asked", moves(() => ({ test: undefined }))],
  ["a guard that never holds", moves(({ test }) => ({ test: test && (() => false) }))],
  [
    "transitions in another order",
    leaves((leaf) => ({ on: (type) => [...leaf.on(type)].reverse() })),
  ],
  [
    "an inner transition that is not there",
    leaves((leaf) => ({ on: (type) => leaf.on(type).slice(1) })),
  ],
  [
    "an outer transition that is not there",
    leaves((leaf) => ({ on: (type) => leaf.on(type).slice(0, 1) })),
  ],
  [
    "wildcards that stand for nothing",
    leaves((leaf) => ({ on: (type) => (type === "message" ? [] : leaf.on(type)) })),
  ],
  ["eventless transitions that are not taken", leaves(() => ({ always: [] }))],
  ["actions in another order", actions((all) => [...all].reverse())],
  ["a first action that is left out", actions((all) => all.slice(1))],
  ["a last action that is left out", actions((all) => all.slice(0, -1))],
  ["an action that is done twice", actions((all) => all.flatMap((each) => [each, each]))],
  [
    "parts of a context that are taken for the whole",
    actions((all) => all.map((each) => (each.kind === "assign" ? { ...each, whole: true } : each))),
  ],
  ["no raised events", without("raise")],
  ["no events of final states", without("final")],
  ["no timers of `after`", without("afterStarts")],
  ["timers of `after` that are not cancelled", without("afterStops")],
  ["tags that are lost", leaves(() => ({ tags: new Set() }))],
  ["an end that is none", leaves(() => ({ done: false }))],
  [
    "a start without its actions",
    (tables) => ({ ...tables, start: { ...tables.start, actions: [] } }),
  ],
  ["a start without a context", (tables) => ({ ...tables, contextOf: () => ({}) })],
  ["a bound that is too low", (tables) => ({ ...tables, limit: 3 })],
];

const xstate = { initialTransition, transition };
const options = {
  input: fc.nat({ max: 2 }),
  rests: () => true,
  bound: 25,
  outside: (choose: (n: number) => number) => ({ type: choose(2) === 0 ? "A" : "B" }),
};
const failsWith = (plant: (tables: Tables) => Tables): boolean => {
  const law = fastPathLaw(
    machinePlan().map((plan) => planted(plan, plant)),
    xstate,
    options,
  );
  return fc.check(law.property as fc.IProperty<unknown>, {
    seed: 7,
    numRuns: 1_500,
    endOnFailure: true,
  }).failed;
};

describe("the law of the fast path", () => {
  it("holds where nothing is planted", () => {
    const law = fastPathLaw(
      machinePlan().map((plan) =>
        planted(
          plan,
          leaves(() => ({})),
        ),
      ),
      xstate,
      options,
    );
    fc.assert(law.property as fc.IProperty<unknown>, { seed: 7, numRuns: 60 });
  });

  for (const [name, plant] of faults) {
    it(`finds ${name}`, () => expect(failsWith(plant)).toBe(true));
  }
});
