/**
 * A reasoner of one's own in thirty lines: it asks a model once, and once more where that failed.
 * It is run with a journal and replayed: `npx jiti examples/two-states.ts`.
 */
import { memoryJournal, replay, run, scriptedModel, textOf } from "reckoner";
import { assign, setupReasoner } from "reckoner/kernel";

interface Asker {
  question: string;
  attempt: number;
  answer: string;
}

const { createReasoner } = setupReasoner<Asker, string>();

/** A state in which it asks, and one for each way to end. */
export const asker = createReasoner({
  id: "asker",
  machine: {
    context: ({ input: { input } }) => ({ question: input, attempt: 0, answer: "" }),
    initial: "asking",
    states: {
      asking: {
        entry: {
          type: "issue",
          params: ({ context }) => ({
            type: "llm",
            id: `llm/${context.attempt}`,
            messages: [{ role: "user", content: context.question }],
          }),
        },
        on: {
          "llm.succeeded": {
            target: "answered",
            actions: assign(({ event }) => ({
              answer: textOf({ role: "assistant", content: event.content }),
            })),
          },
          "llm.failed": [
            {
              guard: ({ context }) => context.attempt === 0,
              target: "asking",
              reenter: true,
              actions: assign(({ context }) => ({ attempt: context.attempt + 1 })),
            },
            { target: "gaveUp" },
          ],
        },
      },
      answered: { type: "final" },
      gaveUp: { type: "final", tags: ["failed"] },
    },
  },
  output: ({ answer }) => answer,
});

// A model that is overloaded when it is asked first.
let asked = 0;
const model = scriptedModel(() =>
  asked++ === 0 ? { error: { message: "overloaded" } } : "About eleven kilometres.",
);
const journal = memoryJournal();
const end = await run(asker, "How deep is the Mariana Trench?", { model, journal });
console.log(`${end.status} after ${end.events} events: ${end.context.answer}`);
console.log((await replay(asker, journal)).status);
