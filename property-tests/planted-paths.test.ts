// The law of the fast path finds what is planted in the tables of generated machines.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialTransition, transition } from "xstate";
import { aftersOf } from "../src/core/kernel/machine/after.js";
import { compile } from "../src/core/kernel/machine/compiled/compile.js";
import { tablesPath } from "../src/core/kernel/machine/compiled/run-tables.js";
import type {
  Action,
  Candidate,
  Choice,
  Configuration,
  Move,
  Tables,
} from "../src/core/kernel/machine/compiled/table-types.js";
import { Steps } from "../src/core/kernel/machine/steps.js";
import { type PlanContext, type PlannedReasoner, reasonerOf } from "./arbitrary-machine.js";
import { fastPathLaw } from "./fast-path-law.js";
import { machinePlan, type StatePlan } from "./machine-plan.js";

const hasOutput = (plan: StatePlan) => plan.states.some(({ output }) => output !== undefined);

/** The reasoner of a plan whose tables were tampered with. */
function planted(plan: StatePlan, plant: (tables: Tables) => Tables): PlannedReasoner {
  const reasoner = reasonerOf(plan);
  const afters = aftersOf(reasoner.machine);
  const tables = compile(reasoner.machine, afters);
  const path = tablesPath(plant(tables));
  const output = hasOutput(plan) ? undefined : (context: PlanContext) => context.log;
  const { id, version } = reasoner;
  const steps = new Steps<number, PlanContext>({ id, version, path, afters, output });
  return {
    ...reasoner,
    start: (input, origin) => steps.start(input, origin),
    step: (state, event) => steps.step(state, event as never),
  };
}

/** What becomes of the configurations, choices and moves of planted tables. */
interface Plant {
  readonly configuration?: Partial<Pick<Configuration, "always" | "done" | "history" | "tags">>;
  readonly on?: (type: string, of: Choice) => Choice;
  readonly together?: (taken: readonly Candidate[]) => readonly Candidate[];
  readonly choice?: (of: Choice) => Partial<Choice>;
  readonly candidate?: (of: Candidate) => Partial<Candidate>;
  readonly move?: (of: Move) => Partial<Move>;
}

/** Tables that are others in some parts. Each configuration stays one and the same, as in the real ones. */
function tampered(plant: Plant): (tables: Tables) => Tables {
  const { configuration, choice, candidate, move, on, together = (taken) => taken } = plant;
  const known = new Map<Configuration, Configuration>();
  const own = new Map<Candidate, Candidate>();
  const candidateOf = (of: Candidate): Candidate => {
    const other = {
      test: of.test,
      get move() {
        return moveOf(of.move);
      },
      ...candidate?.(of),
    };
    own.set(other, of);
    return other;
  };
  const choiceOf = (of: Choice): Choice => {
    const { regions, candidates } = { ...of, ...choice?.(of) };
    return { regions: regions.map(choiceOf), candidates: candidates.map(candidateOf) };
  };
  const moveOf = (of: Move): Move => {
    const { to, ...rest } = { ...of, ...move?.(of) };
    return { ...rest, to: to && configurationOf(to) };
  };
  const configurationOf = (of: Configuration): Configuration => {
    const other = known.get(of);
    if (other !== undefined) return other;
    const { value, history, tags, done } = of;
    const made: Configuration = {
      ...{ value, history, tags, done },
      has: (node) => of.has(node),
      on: (type) => choiceOf(on === undefined ? of.on(type) : on(type, of.on(type))),
      together: (taken) =>
        moveOf(of.together(together(taken).map((each) => own.get(each) as Candidate))),
      get always() {
        return choiceOf(of.always);
      },
      get restored() {
        return configurationOf(of.restored);
      },
      ...configuration,
    };
    known.set(of, made);
    return made;
  };
  return (tables) => ({
    ...tables,
    start: moveOf(tables.start),
    configurationOf: (value, history) => configurationOf(tables.configurationOf(value, history)),
  });
}

const actions = (change: (all: readonly Action[]) => readonly Action[]) =>
  tampered({ move: (of) => ({ actions: change(of.actions) }) });
const without = (kind: Action["kind"]) =>
  actions((all) => all.filter((each) => each.kind !== kind));
const choices = (choice: NonNullable<Plant["choice"]>) => tampered({ choice });
const configurations = (configuration: NonNullable<Plant["configuration"]>) =>
  tampered({ configuration });
const NOTHING: Choice = { regions: [], candidates: [] };

const faults: readonly (readonly [string, (tables: Tables) => Tables])[] = [
  ["a guard that is not asked", tampered({ candidate: () => ({ test: undefined }) })],
  [
    "a guard that never holds",
    tampered({ candidate: ({ test }) => ({ test: test && (() => false) }) }),
  ],
  [
    "transitions in another order",
    choices(({ candidates }) => ({ candidates: [...candidates].reverse() })),
  ],
  [
    "an inner transition that is not there",
    choices(({ candidates }) => ({ candidates: candidates.slice(1) })),
  ],
  [
    "an outer transition that is not there",
    choices(({ candidates }) => ({ candidates: candidates.slice(0, 1) })),
  ],
  [
    "wildcards that stand for nothing",
    tampered({ on: (type, of) => (type === "message" ? NOTHING : of) }),
  ],
  ["eventless transitions that are not taken", configurations({ always: NOTHING })],
  ["actions in another order", actions((all) => [...all].reverse())],
  ["a first action that is left out", actions((all) => all.slice(1))],
  ["a last action that is left out", actions((all) => all.slice(0, -1))],
  ["an action that is done twice", actions((all) => all.flatMap((each) => [each, each]))],
  [
    "parts of a context that are taken for the whole",
    actions((all) => all.map((each) => (each.kind === "assign" ? { ...each, whole: true } : each))),
  ],
  ["no raised events", without("raise")],
  ["no events of states that are done", without("done")],
  ["no output of the machine", without("output")],
  ["no timers of `after`", without("afterStarts")],
  ["timers of `after` that are not cancelled", without("afterStops")],
  ["tags that are lost", configurations({ tags: new Set() })],
  ["an end that is none", configurations({ done: false })],
  ["history states that forget", configurations({ history: undefined })],
  [
    "moves that are taken for none",
    tampered({ move: ({ to }) => (to?.done ? {} : { moves: false }) }),
  ],
  ["regions in another order", choices(({ regions }) => ({ regions: [...regions].reverse() }))],
  ["a first region alone", choices(({ regions }) => ({ regions: regions.slice(0, 1) }))],
  [
    "a last region that is not asked",
    choices(({ regions }) => ({ regions: regions.slice(0, -1) })),
  ],
  [
    "what contains regions and takes an event before they do",
    choices(({ regions, candidates }) => (candidates.length > 0 ? { regions: [] } : { regions })),
  ],
  [
    "of transitions in several regions the first alone",
    tampered({ together: (taken) => taken.slice(0, 1) }),
  ],
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
  waits: () => true,
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
      machinePlan().map((plan) => planted(plan, tampered({}))),
      xstate,
      options,
    );
    fc.assert(law.property as fc.IProperty<unknown>, { seed: 7, numRuns: 60 });
  });

  for (const [name, plant] of faults) {
    it(`finds ${name}`, () => expect(failsWith(plant)).toBe(true));
  }
});
