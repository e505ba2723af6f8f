// The laws on a machine of a user's own, and on generated machines.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialTransition, transition } from "xstate";
import {
  assign,
  defineReasoner,
  type Reasoner,
  setupReasoner,
} from "../src/core/kernel/machine/index.js";
import { drive, type LawOptions, laws, worldScript } from "../src/testing/index.js";
import { type PlannedReasoner, plannedReasoner, reasonerOf } from "./arbitrary-machine.js";
import { fastPathLaw, samePathsLaw } from "./fast-path-law.js";
import { machinePlan, type StatePlan } from "./machine-plan.js";
import { holds, seeds } from "./setup.js";

const xstate = { initialTransition, transition };

const { createMachine } = setupReasoner<{ question: string; answer: string }, string>();
const oneShot: Reasoner<string, string, { question: string; answer: string }> = defineReasoner({
  id: "one-shot",
  machine: createMachine({
    context: ({ input }) => ({ question: input.input, answer: "" }),
    initial: "asking",
    states: {
      asking: {
        entry: {
          type: "issue",
          params: ({ context }) => ({
            type: "llm",
            id: "ask",
            messages: [{ role: "user", content: context.question }],
          }),
        },
        on: {
          "llm.succeeded": {
            target: "answered",
            actions: assign(({ event }) => ({ answer: JSON.stringify(event.content) })),
          },
          "llm.failed": "failed",
        },
      },
      answered: { type: "final" },
      failed: { type: "final", tags: ["failed"] },
    },
  }),
  output: (context: { answer: string }) => context.answer,
});

/** How often 400 generated machines must come to each part of what a machine may be made of. */
const LEAST: { readonly [what: string]: number } = {
  "parallel regions": 40,
  "a history state remembers": 20,
  "a timer of `after` starts": 100,
  "a timer of `after` fires": 60,
  "a timer of `after` is cancelled": 50,
  "an event is raised": 8,
  "a nested state is done": 2,
  "an output of the machine's own": 4,
  "a loop without an end": 8,
};

function reach(seed: number): { readonly [what: string]: number } {
  const found: Record<string, number> = {};
  const count = (what: string, is: boolean) => {
    if (is) found[what] = (found[what] ?? 0) + 1;
  };
  const cases = fc.tuple(plannedReasoner(), fc.nat({ max: 2 }), worldScript());
  for (const [reasoner, input, script] of fc.sample(cases, { seed, numRuns: 400 })) {
    const { steps } = drive(reasoner, input, script, planned);
    const directives = steps.flatMap(({ step }) => step.directives);
    const states = steps.map(({ step }) => step.state);
    const isAfter = (id: unknown) => String(id).startsWith("after/");
    count(
      "parallel regions",
      states.some(({ value }) => typeof value === "object" && JSON.stringify(value).includes(",")),
    );
    count(
      "a history state remembers",
      states.some(({ history }) => history !== undefined),
    );
    count(
      "a timer of `after` starts",
      directives.some((each) => each.type === "timer" && isAfter(each.id)),
    );
    count(
      "a timer of `after` fires",
      steps.some(
        ({ event, step }) =>
          event.type === "timer.fired" && isAfter(event.id) && step.ignored === undefined,
      ),
    );
    count(
      "a timer of `after` is cancelled",
      directives.some((each) => each.type === "cancel" && isAfter(each.target)),
    );
    const logs = states.flatMap(({ context }) => context.log ?? []);
    count(
      "an event is raised",
      logs.some((place) => place.includes(".raised")),
    );
    count(
      "a nested state is done",
      logs.some((place) => place.includes(".done")),
    );
    count(
      "an output of the machine's own",
      states.some(({ output }) => output !== undefined),
    );
    count(
      "a loop without an end",
      states.some(({ fault }) => fault?.code === "machine.loop"),
    );
  }
  return found;
}

const questions: LawOptions<string> = { input: fc.string(), confluent: true };
holds("a machine of two states", laws(oneShot, questions), 40);
holds("a machine of two states", [fastPathLaw(oneShot, xstate, questions)], 60);

const planned: LawOptions<number> = {
  input: fc.nat({ max: 2 }),
  waits: () => true,
  bound: 25,
  outside: (choose) => ({ type: choose(2) === 0 ? "A" : "B" }),
};
const generated = plannedReasoner();
// A plan may issue an effect on its way to its end, or never come to one: both are as they should be.
const exempt = [
  "nothing is issued in the end, or after it, but notify and cancel",
  "no machine throws, loops, or issues something that is not a directive",
  "a run ends when everything is settled",
];
holds(
  "generated machines",
  laws(generated, planned).filter(({ name }) => !exempt.includes(name)),
  40,
);
holds("generated machines", [fastPathLaw(generated, xstate, planned)], 250);

const plans = new WeakMap<PlannedReasoner, StatePlan>();
const remembered = machinePlan().map((plan) => {
  const reasoner = reasonerOf(plan);
  plans.set(reasoner, plan);
  return reasoner;
});
const otherPaths = (reasoner: PlannedReasoner) => {
  const plan = plans.get(reasoner) as StatePlan;
  return [reasonerOf(plan, "transition")];
};
holds("generated machines", [samePathsLaw(remembered, otherPaths, planned)], 200);

describe("what generated machines reach", () => {
  for (const seed of seeds) {
    const reached = reach(seed);
    for (const [what, least] of Object.entries(LEAST)) {
      it(`${what}, ${least} times and more (seed ${seed})`, () => {
        expect(reached[what] ?? 0).toBeGreaterThanOrEqual(least);
      });
    }
  }
});
