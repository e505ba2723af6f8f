// A machine whose timer sets the next one for the same moment runs for ever, and keeps nobody else from their
// turn: a take is bounded, and the next one follows when its lines are durable.
import { expect, it } from "vitest";
import { assign } from "xstate";
import { memoryJournal, run } from "../../../../src/index.js";
import { virtualClock } from "../../../../src/runtime/index.js";
import { issue, type SmallContext, smallReasoner } from "../../../support/small-machine.js";
import { settle } from "../../../support/watched-journal.js";

const timer = (n: unknown) => ({ type: "timer", id: `t/${n}`, until: 5 });
const approval = (n: unknown) => ({ type: "approval", id: `ok/${n}`, title: "?", subject: null });

/** A machine whose timer sets the next one; and at each step issues more. */
function endless(more: (n: unknown) => readonly object[]) {
  const next = ({ context: { n } }: { context: SmallContext }) => [timer(n), ...more(n)];
  return smallReasoner({
    initial: "a",
    context: { n: 0 },
    states: {
      a: {
        entry: issue(timer(0)),
        on: {
          "approval.decided": {},
          "timer.fired": {
            actions: [
              assign({ n: ({ context }) => Number(context.n) + 1 }),
              { type: "issue", params: next },
            ],
          },
        },
      },
    },
  } as never);
}

it.each([
  ["a run that never ends", () => []],
  // Each answer would make as many steps follow as a take may have.
  ["one that asks at each step, and is answered at once", (n: unknown) => [approval(n)]],
])("%s is stopped from outside, and takes no more steps than it has turns", async (_name, more) => {
  const clock = virtualClock(0);
  let events = 0;
  const live = run(
    endless(more),
    {},
    {
      clock,
      journal: memoryJournal(),
      approve: () => ({ approve: true }),
      observers: [
        ({ type }) => {
          if (type === "step" && ++events === 300) live.cancel();
        },
      ],
    },
  );
  const ended = live.catch((thrown) => thrown);
  for (let i = 0; i < 50; i++) {
    await settle();
    clock.jump();
  }
  expect(await ended).toMatchObject({ status: "cancelled" });
  expect(events).toBeLessThan(1_000);
});
