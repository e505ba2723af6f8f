// Clocks: the virtual one wakes in the order of the times; the system's can be aborted.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  type Clock,
  type ModelPort,
  memoryJournal,
  type Observation,
  resume,
  run,
  scriptedModel,
  systemClock,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { settle } from "../../../support/watched-journal.js";

describe("a virtual clock", () => {
  it("stands still until it is moved, and wakes in the order of the times", async () => {
    const clock = virtualClock(100);
    const woken: string[] = [];
    const sleep = (name: string, ms: number) =>
      clock.sleep(ms).then(() => woken.push(`${name}@${clock.now()}`));
    const all = [sleep("c", 30), sleep("a", 10), sleep("b", 10)];
    await Promise.resolve();
    expect([clock.now(), clock.sleepers, woken]).toEqual([100, 3, []]);
    clock.advance(10);
    await Promise.all(all.slice(1));
    expect(woken).toEqual(["a@110", "b@110"]);
    clock.advance(100);
    await all[0];
    expect(woken[2]).toBe("c@210");
  });

  it("moved over several times, tells each its own", () => {
    const clock = virtualClock(100);
    const woken: string[] = [];
    for (const ms of [30, 10, 20, 10]) {
      clock.setTimer(ms, () => woken.push(`${ms}@${clock.now()}`));
    }
    clock.setTimer(15, () => clock.setTimer(1, () => woken.push(`16@${clock.now()}`)));
    clock.advance(1_000);
    expect(woken).toEqual(["10@110", "10@110", "16@116", "20@120", "30@130"]);
    expect([clock.now(), clock.sleepers]).toEqual([1_100, 0]);
  });

  it("jumps to the next wake-up, and says where nobody sleeps", async () => {
    const clock = virtualClock();
    const sleeping = clock.sleep(70);
    void clock.sleep(90);
    expect(clock.jump()).toBe(true);
    await sleeping;
    expect([clock.now(), clock.sleepers]).toEqual([70, 1]);
    expect([clock.jump(), clock.jump()]).toEqual([true, false]);
  });

  it("lets go of a sleeper that is aborted, before or while it sleeps", async () => {
    const clock = virtualClock();
    await expect(clock.sleep(5, AbortSignal.abort("before"))).rejects.toBe("before");
    const controller = new AbortController();
    const sleeping = clock.sleep(5, controller.signal);
    controller.abort("meanwhile");
    await expect(sleeping).rejects.toBe("meanwhile");
    expect(clock.sleepers).toBe(0);
  });

  it("takes a time below 0 as now", () => {
    const clock = virtualClock(50);
    void clock.sleep(-10);
    clock.jump();
    expect(clock.now()).toBe(50);
  });
});

describe("the system's clock", () => {
  it("does not sleep for no time", async () => {
    for (const ms of [0, -1, Number.NaN]) await systemClock.sleep(ms);
  });

  it("wakes at its time, also where that is longer than a timer of the platform's may be", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let woken = 0;
    const most = 2 ** 31 - 1;
    systemClock.setTimer(2 * most + 5, () => {
      woken += 1;
    });
    vi.advanceTimersByTime(most);
    vi.advanceTimersByTime(most + 4);
    expect(woken).toBe(0);
    vi.advanceTimersByTime(1);
    expect(woken).toBe(1);
    const takeBack = systemClock.setTimer(most + 5, () => {
      woken += 1;
    });
    vi.advanceTimersByTime(most);
    takeBack();
    vi.advanceTimersByTime(most);
    expect([woken, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("can be aborted, however long it would sleep", async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(Number.MAX_SAFE_INTEGER, controller.signal);
    controller.abort("enough");
    await expect(sleeping).rejects.toBe("enough");
  });
});

describe("a clock that fails", () => {
  const slow = tool({ name: "slow", jsonSchema: { type: "object" }, execute: async () => 1 });
  const asked = () => agent({ name: "a", tools: [slow], deadlineMs: 60_000 });
  const model = () =>
    scriptedModel([
      { error: { message: "busy", transient: true } },
      { calls: [{ name: "slow" }] },
      "done",
    ]);
  /** The time, until it was asked so often. */
  const fails = (times: number, how: () => unknown) => {
    let left = times;
    return {
      now: () => {
        left -= 1;
        return left < 0 ? how() : 1_000_000;
      },
    };
  };
  const broken = () => {
    throw new Error("no time");
  };
  const clocks: readonly (readonly [string, object])[] = [
    ...[0, 1, 2].flatMap((times) =>
      (
        [
          ["throws", broken],
          ["is not a number", () => new Date(0)],
          ["is no finite one", () => Number.NaN],
        ] as const
      ).map(
        ([name, how]) => [`in its time, asked ${times} times: ${name}`, fails(times, how)] as const,
      ),
    ),
    ["in its timers", { setTimer: broken }],
    ["in its timers, which nobody can take back", { setTimer: () => 5 }],
  ];
  it.each(clocks)("%s: the run says so, and waits for nothing", async (_name, clock) => {
    const given = { ...systemClock, ...clock } as Clock;
    const error = await rejection(
      run(asked(), "go", { model: model(), clock: given, retry: { delayMs: 1 } }),
    );
    expect(error.code).toBe("port.failed");
    expect(error.message).toMatch(/^The clock failed: \S/);
  });

  it("before a second attempt: there is none", async () => {
    let attempts = 0;
    const one = model();
    const counting: ModelPort = {
      name: "m",
      generate: (request, call) => {
        attempts += 1;
        return one.generate(request, call);
      },
    };
    const setTimer: Clock["setTimer"] = (ms, wake) =>
      attempts > 0 ? broken() : systemClock.setTimer(ms, wake);
    const clock = { ...systemClock, setTimer } as Clock;
    await rejection(run(asked(), "go", { model: counting, clock }));
    expect(attempts).toBe(1);
  });
});

describe("a clock that was wrong for a moment", () => {
  const YEAR = 365 * 86_400_000;
  const waits = smallReasoner({
    initial: "a",
    states: {
      a: { on: { message: "b" } },
      b: { after: { 50: "late" }, on: { message: "a" } },
      late: { type: "final" },
    },
  } as never);
  const returns = { timers: "return" } as const;

  it("leaves timers their durations, and says where it stands", async () => {
    const journal = memoryJournal();
    await run(waits, null, { journal, clock: virtualClock(0), ...returns });
    const messages = ["x"];
    await resume(waits, journal, { clock: virtualClock(10 * YEAR), messages, ...returns });
    const clock = virtualClock(1_000);
    for (let i = 0; i < 2; i++) {
      const notices: Observation[] = [];
      const observers = [(each: Observation) => void notices.push(each)];
      const end = await resume(waits, journal, { clock, messages, observers, ...returns });
      expect(notices.filter(({ type }) => type === "notice")).toMatchObject([
        { code: "clock.behind", message: expect.stringContaining(" ms behind ") },
      ]);
      // In `a` nothing waits; in `b` the timer of 50 ms does, by this clock.
      expect(end).toMatchObject({ status: "waiting" });
      expect("wakeAt" in end ? end.wakeAt : undefined).toBe(i === 0 ? undefined : 1_050);
    }
    const last = resume(waits, journal, { clock });
    for (let i = 0; i < 5; i++) {
      await settle();
      clock.jump();
    }
    expect(await last).toMatchObject({ status: "done" });
    expect(clock.now()).toBe(1_050);
  });
});
