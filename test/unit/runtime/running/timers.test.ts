// Timers, ports that are missing, and runs that wait until somebody says something.
import { describe, expect, it } from "vitest";
import { memoryJournal, resume, run, virtualClock } from "../../../../src/runtime/index.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { settle } from "../../../support/watched-journal.js";

const alarm = smallReasoner({
  initial: "asleep",
  entry: issue(timer("t", 5_000)),
  states: { asleep: { on: { "timer.fired": "awake", go: "awake" } }, awake: { type: "final" } },
});

describe("a run that waits for a time", () => {
  it("sleeps until then, and no longer", async () => {
    const clock = virtualClock(1_000);
    const live = run(alarm, null, { clock });
    await settle();
    clock.advance(3_999);
    await settle();
    expect(clock.sleepers).toBe(1);
    clock.advance(1);
    expect(await live).toMatchObject({ status: "done", state: { at: 5_000 } });
  });

  it("returns where it is told to, and says when it is to be woken", async () => {
    const journal = memoryJournal();
    const end = await run(alarm, null, { clock: virtualClock(1_000), timers: "return", journal });
    expect(end).toMatchObject({ status: "waiting", wakeAt: 5_000, approvals: [] });
    const clock = virtualClock(9_000);
    expect((await resume(alarm, journal, { clock })).status).toBe("done");
  });

  it("that has passed already fires at once", async () => {
    expect((await run(alarm, null, { clock: virtualClock(9_000) })).status).toBe("done");
  });

  it("is woken by an event before it, and the timer is stopped", async () => {
    const clock = virtualClock(0);
    const live = run(alarm, null, { clock });
    await settle();
    live.send({ type: "go" });
    expect((await live).status).toBe("done");
    expect(clock.sleepers).toBe(0);
  });

  it("waits where somebody has to decide anyway", async () => {
    const both = smallReasoner({
      entry: issue(timer("t", 50), { type: "approval", id: "a", title: "?", subject: null }),
    });
    const end = await run(both, null, { clock: virtualClock(), journal: memoryJournal() });
    expect(end).toMatchObject({ status: "waiting", wakeAt: 50, approvals: [{ id: "a" }] });
  });
});

describe("time", () => {
  it("never goes back in a run, though the clock does", async () => {
    const clock = virtualClock(1_000);
    let now = 1_000;
    const back = { ...clock, now: () => now };
    const live = run(alarm, null, { clock: back, journal: memoryJournal() });
    await settle();
    now = 5;
    live.send({ type: "go" });
    expect((await live).state.at).toBe(1_000);
  });
});

describe("what the run was given no port for", () => {
  const effects: readonly (readonly [string, object])[] = [
    ["read.failed", { type: "read", id: "e", store: "s", query: 1 }],
    ["write.failed", { type: "write", id: "e", store: "s", operations: [] }],
    ["run.failed", { type: "run", id: "e", reasoner: "r", input: 1 }],
    ["llm.failed", { type: "llm", id: "e", messages: [] }],
  ];
  for (const [type, effect] of effects) {
    it(`settles as ${type} with a code`, async () => {
      const live = run(smallReasoner({ entry: issue(effect) }), null);
      const events: unknown[] = [];
      for await (const seen of live) if (seen.type === "step") events.push(seen.event);
      expect(events[1]).toMatchObject({ type, id: "e", error: { code: "port.missing" } });
      expect((await live).status).toBe("waiting");
    });
  }
});

describe("a run that waits for nothing of its own", () => {
  it("waits, and takes what was sent before it did", async () => {
    const two = smallReasoner({
      initial: "off",
      states: {
        off: { on: { go: "on" } },
        on: { on: { go: "off", stop: "over" } },
        over: { type: "final" },
      },
    });
    expect(await run(two, null)).toMatchObject({ status: "waiting", reason: "off", events: 1 });
    const live = run(two, null);
    live.send({ type: "go" });
    live.send({ type: "stop" });
    expect(await live).toMatchObject({ status: "done", events: 3 });
  });
});
