// What a machine raises: an event of its own, with the time that its guards and changes may read.
import { expectTypeOf, it } from "vitest";
import { assign, enqueueActions, raise, setupReasoner } from "../../src/kernel.js";

const { createMachine } = setupReasoner<
  { at: number },
  null,
  { type: "go" } | { type: "next"; n: number }
>();

it("is an event with its time", () => {
  createMachine({
    context: { at: 0 },
    initial: "a",
    states: {
      a: {
        on: {
          go: { actions: raise(({ event }) => ({ type: "next", n: 1, at: event.at })) },
          next: {
            actions: assign(({ event }) => {
              expectTypeOf(event.at).toEqualTypeOf<number>();
              return { at: event.at };
            }),
          },
        },
        entry: enqueueActions(({ enqueue, event }) => {
          enqueue.raise({ type: "next", n: 1, at: event.at });
        }),
      },
    },
  });
  createMachine({
    context: { at: 0 },
    // @ts-expect-error an event without a time: `event.at` would be none
    entry: raise({ type: "go" }),
  });
});
