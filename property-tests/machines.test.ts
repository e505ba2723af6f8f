// The laws on a machine of a user's own, and on generated machines.
import fc from "fast-check";
import { initialTransition, transition } from "xstate";
import { assign, defineReasoner, type Reasoner, setupReasoner } from "../src/core/kernel/index.js";
import { fastPathLaw, type LawOptions, laws, plannedReasoner } from "../src/testing/index.js";
import { holds } from "./setup.js";

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

const questions: LawOptions<string> = { input: fc.string(), confluent: true };
holds("a machine of two states", laws(oneShot, questions), 40);
holds("a machine of two states", [fastPathLaw(oneShot, xstate, questions)], 60);

const planned: LawOptions<number> = {
  input: fc.nat({ max: 2 }),
  rests: () => true,
  bound: 25,
  outside: (choose) => ({ type: choose(2) === 0 ? "A" : "B" }),
};
const generated = plannedReasoner();
// A plan may issue an effect on its way to its end, or never come to one: both are as they should be.
const exempt = [
  "nothing is issued in the end, or after it, but notify and cancel",
  "no machine throws, loops, or issues what is no directive",
  "a run ends when everything is settled",
];
holds(
  "generated machines",
  laws(generated, planned).filter(({ name }) => !exempt.includes(name)),
  40,
);
holds("generated machines", [fastPathLaw(generated, xstate, planned)], 150);
