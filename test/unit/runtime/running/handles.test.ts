// What a tool keeps of its attempt is in the journal: a crash does not make it unknown, and a run that waits for
// nothing but a task elsewhere is waiting.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel.js";
import { linesIn } from "../../../support/journal-text.js";
import { killedAfter } from "../../../support/watched-journal.js";

/** A service elsewhere, which counts the tasks that were begun. */
const service = { begun: 0, results: new Map<string, string>() };

const order = tool({
  name: "order",
  async execute(_input, { handle, keep, retry }) {
    let task = handle as string | undefined;
    if (task === undefined) {
      service.begun += 1;
      task = `task-${service.begun}`;
      await keep(task, { due: 60_000 });
    }
    const result = service.results.get(task);
    if (result !== undefined) return `${result}, retry ${retry}`;
    return new Promise(() => {});
  },
});
const buyer = agent({ name: "buyer", tools: [order] });
const model = () => scriptedModel([{ calls: [{ name: "order" }] }, "Ordered."]);

const recorded = async (journal: JournalPort) =>
  (await linesIn(journal)) as unknown as {
    readonly event?: {
      readonly type: string;
      readonly output?: unknown;
      readonly reason?: string;
      readonly at: number;
    };
    readonly mark?: { readonly handle?: unknown };
  }[];

function anew() {
  service.begun = 0;
  service.results.clear();
}

describe("a handle that a tool keeps", () => {
  it("leaves a run waiting until there is something to look for, and goes on with it", async () => {
    anew();
    const journal = memoryJournal();
    const clock = virtualClock(0);
    const end = await run(buyer, "Buy.", { model: model(), journal, clock, timers: "return" });
    expect(end).toMatchObject({ status: "waiting", wakeAt: 60_000, approvals: [] });
    expect(service.begun).toBe(1);
    service.results.set("task-1", "sent");
    const after = await resume(buyer, journal, {
      model: model(),
      clock: virtualClock(60_000),
    });
    expect(after).toMatchObject({ status: "done", output: "Ordered." });
    expect(service.begun).toBe(1);
    const settled = (await recorded(journal)).flatMap(({ event }) =>
      event?.type === "tool.succeeded" ? [event.output] : [],
    );
    expect(settled).toEqual(["sent, retry 0"]);
    expect((await replay(buyer, journal)).status).toBe("identical");
  });

  it("is asked for again after a crash behind its line, and begun anew by nobody", async () => {
    anew();
    const journal = memoryJournal();
    const clock = virtualClock(0);
    await run(buyer, "Buy.", { model: model(), journal, clock, timers: "return" });
    const kinds = (await recorded(journal)).map(({ mark }) => mark?.handle);
    const behind = kinds.indexOf("task-1") + 1;
    expect(behind).toBeGreaterThan(0);
    service.results.set("task-1", "sent");
    const torn = await killedAfter(journal, behind);
    const done = await resume(buyer, torn, { model: model() });
    expect(done.status).toBe("done");
    // Before its line nobody knows of the task.
    const shorter = await killedAfter(journal, behind - 1);
    await resume(buyer, shorter, { model: model() });
    const outcomes = (await recorded(shorter)).map(({ event }) => event?.reason);
    expect(outcomes).toContain("unknown");
    expect(service.begun).toBe(1);
  });

  it("puts the time limit off until there is something to look for", async () => {
    anew();
    const journal = memoryJournal();
    const clock = virtualClock(0);
    const going = run(buyer, "Buy.", { model: model(), journal, clock });
    // It sleeps until then, and nothing comes.
    const woken: number[] = [];
    for (let i = 0; i < 2; i++) {
      for (let turn = 0; turn < 20; turn++) await new Promise((then) => setImmediate(then));
      clock.jump();
      woken.push(clock.now());
    }
    expect(woken).toEqual([60_000, 90_000]);
    expect((await going).status).toBe("done");
    const failed = (await recorded(journal)).flatMap(({ event }) =>
      event?.type === "tool.failed" ? [[event.reason, event.at]] : [],
    );
    expect(failed).toEqual([["unknown", 60_000 + 30_000]]);
  });

  it("is not taken over by a fork: there the call is unknown", async () => {
    anew();
    const journal = memoryJournal();
    const options = { clock: virtualClock(0), timers: "return" } as const;
    await run(buyer, "Buy.", { model: model(), journal, ...options });
    service.results.set("task-1", "sent");
    const forked = memoryJournal();
    await fork(journal, { to: forked });
    await resume(buyer, forked, { model: model(), clock: virtualClock(60_000) });
    const outcomes = (await recorded(forked)).flatMap(({ event }) =>
      event?.type.startsWith("tool.") === true ? [event.reason] : [],
    );
    expect([outcomes, service.begun]).toEqual([["unknown"], 1]);
  });

  it("that is refused, and that nobody waits for, ends no process", async () => {
    const seen: unknown[] = [];
    const unheard = (thrown: unknown) => void seen.push(thrown);
    process.on("unhandledRejection", unheard);
    let late = () => {};
    const odd = tool({
      name: "odd",
      execute: (_input, { keep }) => {
        keep(1n as never);
        keep("x", null as never);
        late = () => void keep("late");
        return "done";
      },
    });
    const one = agent({ name: "one", tools: [odd] });
    const two = scriptedModel([{ calls: [{ name: "odd" }] }, "Done."]);
    expect((await run(one, "go", { model: two })).status).toBe("done");
    late();
    await new Promise((then) => setImmediate(then));
    process.off("unhandledRejection", unheard);
    expect(seen).toEqual([]);
  });

  it("is refused where it is no JSON, too long, or of an attempt that is over", async () => {
    const refusals: unknown[] = [];
    let late: Promise<void> | undefined;
    const odd = tool({
      name: "odd",
      async execute(_input, { keep }) {
        for (const handle of [() => 1, "x".repeat(65_535)]) {
          await keep(handle as never).catch((thrown) => refusals.push(thrown.message));
        }
        late = Promise.resolve().then(() => new Promise((then) => setImmediate(then)));
        late = late.then(() => keep("late")).catch((thrown) => void refusals.push(thrown.message));
        return 1;
      },
    });
    const asked = scriptedModel([{ calls: [{ name: "odd" }] }, "Done."]);
    const end = await run(agent({ name: "a", tools: [odd] }), "Go.", { model: asked });
    expect(end.status).toBe("done");
    await late;
    expect(refusals).toEqual([
      expect.stringContaining("is not JSON"),
      "A handle has 65537 characters; it may have 65536.",
      expect.stringContaining("its attempt is over"),
    ]);
  });
});
