// A machine whose timer sets the next one for the same moment runs for ever, and keeps nobody else from their
// turn: a take is bounded, and the next one follows when its lines are durable.
import { expect, it } from "vitest";
import { assign } from "xstate";
import { memoryJournal, run } from "../../../../src/index.js";
import { virtualClock } from "../../../../src/runtime/index.js";
import { issue, type SmallContext, smallReasoner } from "../../../support/small-machine.js";
import { settle } from "../../../support/watched-journal.js";

it("a run that never ends is stopped by its signal, whatever clock it has", async () => {
  const timer = (n: unknown) => ({ type: "timer", id: `t/${n}`, until: 5 });
  const endless = smallReasoner({
    initial: "a",
    context: { n: 0 },
    states: {
      a: {
        entry: issue(timer(0)),
        on: {
          "timer.fired": {
            actions: [
              assign({ n: ({ context }) => Number(context.n) + 1 }),
              {
                type: "issue",
                params: ({ context }: { context: SmallContext }) => [timer(context.n)],
              },
            ],
          },
        },
      },
    },
  } as never);
  const clock = virtualClock(0);
  const journal = memoryJournal();
  let events = 0;
  const live = run(
    endless,
    {},
    {
      clock,
      journal,
      observers: [
        ({ type }) => {
          if (type === "step" && ++events === 500) live.cancel();
        },
      ],
    },
  );
  const started = live.catch((thrown) => thrown);
  for (let i = 0; i < 50; i++) {
    await settle();
    clock.jump();
  }
  expect(await started).toMatchObject({ status: "cancelled" });
  expect(events).toBeGreaterThanOrEqual(500);
});
