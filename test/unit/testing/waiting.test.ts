// Random runs of a machine that waits: beside a timer or a person its own events come, and many of them.
import { type ReasonerTypes, setupReasoner } from "reckoner/kernel";
import { check, law } from "reckoner/testing";
import { expect, it } from "vitest";

type Item = { readonly type: "item" };
interface Cart extends Record<string, unknown> {
  readonly items: number;
}

/** A cart that takes items until something ends it: the timer of a day, or a person. */
function cart(by: "timer" | "approval") {
  const { createReasoner } = setupReasoner({
    types: {} as ReasonerTypes<Cart, null, Item>,
    changes: {
      more: ({ context }: { readonly context: Cart }) => ({ items: context.items + 1 }),
    },
    issues: {
      wait: () =>
        by === "timer"
          ? { type: "timer", id: "day", until: 86_400_000 }
          : { type: "approval", id: "yes", title: "Close it?", subject: null },
    },
  });
  return createReasoner({
    id: "cart",
    machine: {
      context: () => ({ items: 0 }),
      initial: "open",
      states: {
        open: {
          entry: "wait",
          on: { item: { actions: "more" }, "timer.fired": "closed", "approval.decided": "closed" },
        },
        closed: { type: "final" },
      },
    },
  });
}

const few = law<Cart>("fewer than eight items", ({ state: { context } }) => context.items < 8);

it.each(["timer", "approval"] as const)("reach what comes late beside a %s", (by) => {
  const whole = check(cart(by), { input: null, runs: 100 });
  expect(whole.ok).toBe(true);
  expect(whole.events / whole.runs).toBeGreaterThan(5);
  const { counterexamples } = check(cart(by), { input: null, laws: [few], runs: 100 });
  expect(counterexamples.map(({ law, events }) => [law, events.length])).toEqual([
    ["fewer than eight items", 8],
  ]);
});

it("keep to weights that are given", () => {
  const weights = { answer: 3, outside: 3 };
  const { events, runs } = check(cart("timer"), { input: null, runs: 100, weights });
  expect(events / runs).toBeLessThan(4);
});
