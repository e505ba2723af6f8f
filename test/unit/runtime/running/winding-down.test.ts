// How a turn or a process's part in a run comes to its end: what is waited for, and how long.
import { expect, it } from "vitest";
import { virtualClock } from "../../../../src/runtime/index.js";
import { WindingDown } from "../../../../src/runtime/running/winding-down.js";

const tool = { type: "tool", id: "tool/0/0", name: "t", input: {} } as const;
const busy = { active: [tool] };
const idle = { active: [] };
const noChildren = { rests: () => false };

/** What winds down on a clock of its own, and how often it said that a time is up. */
function made() {
  const clock = virtualClock(1_000);
  let woken = 0;
  const winding = new WindingDown(clock, () => {
    woken += 1;
  });
  return {
    clock,
    winding,
    isOver: (of = busy) => winding.isOver(of, [], noChildren),
    woken: () => woken,
  };
}

it.each(["interrupt", "drain"] as const)(
  "an %s waits for what runs, as long as it was given",
  (how) => {
    const { clock, winding, isOver, woken } = made();
    expect([winding.holds, isOver()]).toEqual([false, false]);
    if (how === "interrupt") winding.interrupt("stop", 100);
    else winding.drain(100);
    expect([winding.holds, winding.interrupts, winding.drains]).toEqual([
      true,
      how === "interrupt",
      how === "drain",
    ]);
    expect([isOver(), isOver(idle as never)]).toEqual([false, true]);
    clock.advance(99);
    expect([isOver(), woken()]).toEqual([false, 0]);
    clock.advance(1);
    expect([isOver(), woken()]).toEqual([true, 1]);
  },
);

it("a second one gives no more time than the first, and may give less", () => {
  for (const [first, second, until] of [
    [100, 60_000, 100],
    [60_000, 100, 150],
    [100, 0, 50],
    [0, 60_000, 50],
  ] as const) {
    const { clock, winding, isOver } = made();
    winding.interrupt("first", first);
    clock.advance(50);
    winding.interrupt("second", second);
    clock.advance(until - 50 - (until > 50 ? 1 : 0));
    expect([first, second, isOver()]).toEqual([first, second, until === 50]);
    clock.advance(1);
    expect([isOver(), clock.sleepers]).toEqual([true, 0]);
    expect(winding.takeInterrupt()).toEqual({ type: "interrupt", reason: "first" });
    expect(winding.holds).toBe(false);
  }
});

it("nothing of it is left on the clock when the run is over", () => {
  const { clock, winding } = made();
  winding.interrupt(undefined, 100);
  winding.drain(100);
  expect(clock.sleepers).toBe(2);
  winding.end();
  expect([clock.sleepers, winding.takeInterrupt()]).toEqual([0, { type: "interrupt" }]);
});

it("what has settled, rests, or waits for somebody is not waited for", () => {
  const { winding } = made();
  winding.drain(100);
  expect(winding.isOver(busy, [{ type: "tool.succeeded", id: tool.id }], noChildren)).toBe(true);
  expect(winding.isOver(busy, [], { rests: (id) => id === tool.id })).toBe(true);
  const waiting = {
    active: [
      { type: "approval", id: "approval/0/0", title: "?", subject: null },
      { type: "timer", id: "timer/0", until: 5_000 },
    ],
  } as const;
  expect(winding.isOver(waiting, [], noChildren)).toBe(true);
});

it("what runs has settled where its settlement has arrived, and not where another event has its id", () => {
  const { winding } = made();
  winding.interrupt("stop", 100);
  const over = (type: string) => winding.isOver(busy, [{ type, id: tool.id }], noChildren);
  expect([over("note"), over("tool.succeeded")]).toEqual([false, true]);
});
