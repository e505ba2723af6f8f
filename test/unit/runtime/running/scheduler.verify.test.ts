// Who runs, who waits, and what is left when all is over: nothing.
import "../../../support/work.js";

import { describe, expect, it } from "vitest";
import type { Effect } from "../../../../src/core/kernel/index.js";
import { virtualClock } from "../../../../src/runtime/running/clock.js";
import type { LazyAbort } from "../../../../src/runtime/running/lazy-abort.js";
import { Rest } from "../../../../src/runtime/running/rest.js";
import { Scheduler } from "../../../../src/runtime/running/scheduler.js";
import { Slots } from "../../../../src/runtime/running/slots.js";
import { expectFlat } from "../../../support/work.js";

const model = (id: string): Effect => ({ type: "llm", id, messages: [] }) as never;
const timer = (id: string): Effect => ({ type: "timer", id, until: 1 });
const STOPPED = new Error("stopped");

function scheduled(count: number, slots = new Slots(count)) {
  const begun: string[] = [];
  const stops = new Map<string, LazyAbort>();
  const scheduler = new Scheduler(slots, (effect, stop) => {
    begun.push(effect.id);
    stops.set(effect.id, stop);
  });
  const submit = (effect: Effect) => scheduler.submit(effect, scheduler.claim(effect));
  return { slots, scheduler, begun, stops, submit };
}

describe("slots", () => {
  it("are at least one, and whole", () => {
    for (const [count, free] of [
      [0, 1],
      [-3, 1],
      [Number.NaN, 1],
      [2.9, 2],
    ] as const) {
      expect(new Slots(count).left.free).toBe(free);
    }
  });

  it("are handed on in the order of asking, and not to who gave up waiting", () => {
    const slots = new Slots(1);
    const got: string[] = [];
    const ask = (name: string) => slots.wait(() => got.push(name));
    expect(slots.take()).toBe(true);
    expect(slots.take()).toBe(false);
    ask("a");
    const leave = ask("b");
    ask("c");
    leave();
    leave();
    expect(slots.left).toEqual({ free: 0, waiting: 2 });
    slots.release();
    expect([got, slots.take()]).toEqual([["a"], false]);
    slots.release();
    expect(got).toEqual(["a", "c"]);
    slots.release();
    expect(slots.left).toEqual({ free: 1, waiting: 0 });
  });

  it("cost the same for the ten thousandth who waits", () => {
    const waits = (count: number) => () => {
      const slots = new Slots(1);
      slots.take();
      for (let i = 0; i < count; i++) slots.wait(() => {});
      for (let i = 0; i <= count; i++) slots.release();
      expect(slots.left).toEqual({ free: 1, waiting: 0 });
    };
    return expectFlat(waits, 1_000, 10_000);
  });
});

describe("a scheduler", () => {
  it("takes a slot for models and tools, and none for what waits", () => {
    const { scheduler, begun, submit, slots } = scheduled(1);
    submit(model("a"));
    submit(model("b"));
    submit(timer("t"));
    submit({ type: "approval", id: "ask", question: "?" } as never);
    submit({ type: "run", id: "child", reasoner: "x", input: null } as never);
    expect(begun).toEqual(["a", "t", "ask", "child"]);
    expect([scheduler.busy, slots.left.free]).toEqual([true, 0]);
    expect(scheduler.active.map(({ id }) => id)).toEqual(["a", "t", "ask", "child", "b"]);
    scheduler.release("a");
    expect(begun.at(-1)).toBe("b");
    for (const id of ["b", "t", "ask", "child"]) scheduler.release(id);
    expect([scheduler.busy, scheduler.active, slots.left]).toEqual([
      false,
      [],
      { free: 1, waiting: 0 },
    ]);
  });

  it("is asked whether its run rests after each event: how many wait does not matter", () =>
    expectFlat(
      (count) => {
        const { scheduler, submit } = scheduled(8);
        for (let i = 0; i < count; i++) submit(model(`${i}`));
        const rest = new Rest({}, virtualClock(), {} as never);
        return () => {
          for (let i = 0; i < count; i++) rest.reached({} as never, scheduler);
          expect(rest.reached({} as never, scheduler)).toBe(false);
        };
      },
      300,
      3_000,
    ));

  it("hands the slot of what has settled on, once", () => {
    const { scheduler, slots } = scheduled(1);
    scheduler.submit(model("a"), scheduler.claim(model("a")));
    expect(scheduler.claim(model("b"), "a")).toBe(true);
    expect(scheduler.claim(model("c"), "a")).toBe(false);
    scheduler.release("a");
    expect(slots.left.free).toBe(0);
    scheduler.release("b");
    expect(slots.left.free).toBe(1);
  });

  it("is busy while one waits, though nobody of its own run runs", () => {
    const slots = new Slots(1);
    const one = scheduled(1, slots);
    const other = scheduled(1, slots);
    one.submit(model("a"));
    other.submit(model("b"));
    expect([other.begun, other.scheduler.busy]).toEqual([[], true]);
    one.scheduler.release("a");
    expect(other.begun).toEqual(["b"]);
  });

  it("lets nobody overtake the queue", () => {
    const { scheduler, submit, begun } = scheduled(1);
    submit(model("a"));
    submit(model("b"));
    expect(scheduler.claim(model("c"), "a")).toBe(false);
    scheduler.release("a");
    expect(begun).toEqual(["a", "b"]);
  });

  it("begins nothing that waits when all is stopped, and leaves nothing behind", () => {
    const { scheduler, submit, begun, stops, slots } = scheduled(2);
    for (let i = 0; i < 50; i++) submit(model(`${i}`));
    scheduler.cancelAll(STOPPED);
    expect(begun).toEqual(["0", "1"]);
    expect([...stops.values()].map(({ aborted, reason }) => [aborted, reason])).toEqual([
      [true, STOPPED],
      [true, STOPPED],
    ]);
    expect([scheduler.busy, scheduler.active, slots.left]).toEqual([
      false,
      [],
      { free: 2, waiting: 0 },
    ]);
  });

  it("that is stopped leaves the slots to the others at once", () => {
    const slots = new Slots(1);
    const one = scheduled(1, slots);
    const other = scheduled(1, slots);
    one.submit(model("a"));
    one.submit(model("b"));
    one.submit(model("c"));
    other.submit(model("d"));
    one.scheduler.cancel(["b", "c"], STOPPED);
    expect(slots.left.waiting).toBe(1);
    one.scheduler.cancel(["a"], STOPPED);
    expect([one.begun, other.begun]).toEqual([["a"], ["d"]]);
  });

  it("frees a slot while its holder waits to try again, and gives one back in turn", async () => {
    const { scheduler, submit, begun, slots } = scheduled(1);
    submit(model("a"));
    submit(model("b"));
    let over = () => {};
    const again = scheduler.withoutSlot(
      "a",
      () =>
        new Promise((resolve) => {
          over = resolve;
        }),
    );
    expect(begun).toEqual(["a", "b"]);
    over();
    await Promise.resolve();
    await Promise.resolve();
    expect(slots.left).toEqual({ free: 0, waiting: 1 });
    scheduler.release("b");
    await again;
    expect([scheduler.busy, slots.left]).toEqual([true, { free: 0, waiting: 0 }]);
    scheduler.release("a");
    expect(slots.left.free).toBe(1);
  });

  it("a holder that is stopped while it waits for its slot back waits no longer", async () => {
    const { scheduler, submit, stops, slots } = scheduled(1);
    submit(model("a"));
    submit(model("b"));
    const again = scheduler.withoutSlot("a", () => Promise.resolve());
    await Promise.resolve();
    await Promise.resolve();
    expect(slots.left.waiting).toBe(1);
    scheduler.cancel(["a"], STOPPED);
    await again;
    expect(slots.left).toEqual({ free: 0, waiting: 0 });
    expect(stops.get("a")?.listeners).toBe(0);
    scheduler.release("b");
    expect([slots.left.free, scheduler.busy]).toEqual([1, false]);
  });

  it("a holder that was stopped while it slept takes no slot", async () => {
    const { scheduler, submit, stops, slots } = scheduled(1);
    submit(model("a"));
    const again = scheduler.withoutSlot("a", async () => scheduler.cancel(["a"], STOPPED));
    await again;
    expect([slots.left, scheduler.busy]).toEqual([{ free: 1, waiting: 0 }, false]);
    expect(stops.get("a")?.listeners).toBe(0);
  });

  it("a holder that got its slot back listens to nothing more", async () => {
    const { scheduler, submit, stops } = scheduled(1);
    submit(model("a"));
    await scheduler.withoutSlot("a", () => Promise.resolve());
    expect([scheduler.busy, stops.get("a")?.listeners]).toEqual([true, 0]);
  });
});
