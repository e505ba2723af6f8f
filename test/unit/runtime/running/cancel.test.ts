// Cancelling a live run: at any moment, by hand or by a signal; late results change nothing.

import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { linesIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { gate, killedAfter, settle } from "../../../support/watched-journal.js";

/** An agent whose tool waits for its gate. */
function waiter() {
  const begun = gate();
  const done = gate();
  const signals: AbortSignal[] = [];
  const one = agent({
    name: "waiter",
    tools: [
      tool({
        name: "wait",
        execute: async (_input, ctx) => {
          signals.push(ctx.signal as AbortSignal);
          begun.open();
          await done.passed;
          return "late";
        },
      }),
    ],
  });
  const asked: number[] = [];
  const script = scriptedModel([{ calls: [{ name: "wait" }] }, "done"]);
  const model = {
    name: "m",
    generate: (...[request, call]: Parameters<typeof script.generate>) => {
      asked.push(request.messages.length);
      return script.generate(request, call);
    },
  };
  return { one, model, begun, done, signals, asked };
}

it("a run leaves nothing on its signal, however it ends: one signal may serve many", async () => {
  const { signal } = new AbortController();
  const options = { journal: memoryJournal(), signal };
  const asks = agent({
    name: "asks",
    tools: [tool({ name: "pay", needsApproval: true, execute: () => "paid" })],
  });
  const model = scriptedModel([{ calls: [{ name: "pay" }] }, "done"]);
  const waiting = await run(asks, "go", { ...options, model });
  expect([waiting.status, getEventListeners(signal, "abort")]).toEqual(["waiting", []]);
  const approvals = { "approval/0/0": { approve: true } };
  const done = await resume(asks, options.journal, { ...options, model, approvals });
  expect([done.status, getEventListeners(signal, "abort")]).toEqual(["done", []]);
  const failed = await run(asks, "go", { signal });
  expect([failed.status, getEventListeners(signal, "abort")]).toEqual(["failed", []]);
});

it("runs that share a signal have one listener on it, and all of them hear of it", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = Array.from({ length: 12 }, waiter);
  const runs = waiting.map(({ one, model }) => run(one, "go", { model, signal }));
  for (const { begun } of waiting) await begun.passed;
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  waiting[0]?.done.open();
  expect((await runs[0])?.status).toBe("done");
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  controller.abort("over");
  for (const { done } of waiting) done.open();
  const ends = await Promise.all(runs.slice(1));
  expect(ends.map(({ status }) => status)).toEqual(Array(11).fill("cancelled"));
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("cancelled before it started", () => {
  it("a signal that is aborted already: nobody is asked, and the journal replays", async () => {
    const { one, model, asked } = waiter();
    const journal = memoryJournal();
    const end = await run(one, "go", { model, journal, signal: AbortSignal.abort("no") });
    expect(end).toMatchObject({ status: "cancelled", context: { cancelReason: "no" } });
    expect(asked).toEqual([]);
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("a cancel right after the start", async () => {
    const { one, model, asked } = waiter();
    const live = run(one, "go", { model });
    live.cancel("at once");
    expect((await live).status).toBe("cancelled");
    expect(asked).toEqual([]);
  });

  it("a resume with a signal that is aborted already carries nothing out", async () => {
    const whole = waiter();
    whole.done.open();
    const journal = memoryJournal();
    await run(whole.one, "go", { model: whole.model, journal });
    const { one, model, asked, signals } = waiter();
    const rest = await killedAfter(journal, 2);
    const end = await resume(one, rest, { model, signal: AbortSignal.abort() });
    expect([end.status, asked, signals]).toEqual(["cancelled", [], []]);
  });
});

describe("cancelled while a tool runs", () => {
  it("the run ends at once; the tool's signal is aborted; its result is dropped", async () => {
    const { one, model, begun, done, signals } = waiter();
    const journal = memoryJournal();
    const live = run(one, "go", { model, journal });
    await begun.passed;
    live.cancel("enough");
    const end = await live;
    expect(end).toMatchObject({ status: "cancelled", reason: "cancelled" });
    expect(signals[0]?.aborted).toBe(true);
    const before = await textIn(journal);
    done.open();
    await settle();
    expect(await textIn(journal)).toBe(before);
    expect((await replay(one, journal)).status).toBe("identical");
    expect((await resume(one, journal)).status).toBe("cancelled");
  });

  it("by a signal that is aborted meanwhile", async () => {
    const { one, model, begun } = waiter();
    const controller = new AbortController();
    const live = run(one, "go", { model, signal: controller.signal });
    await begun.passed;
    controller.abort("closed");
    expect(await live).toMatchObject({ status: "cancelled", context: { cancelReason: "closed" } });
  });
});

describe("after the end", () => {
  it("a second cancel is nothing, and any other event is refused", async () => {
    const { one, model, done } = waiter();
    done.open();
    const live = run(one, "go", { model });
    await live;
    await live.cancel();
    await expect(live.message("hi")).rejects.toThrow(/has ended/);
    expect((await rejection(live.send({ type: "x" }))).code).toBe("run.ended");
  });

  it("the signal is let go", async () => {
    const { one, model, done } = waiter();
    done.open();
    const controller = new AbortController();
    const end = await run(one, "go", { model, signal: controller.signal });
    controller.abort();
    await settle();
    expect(end.status).toBe("done");
  });
});

describe("events from outside", () => {
  it("what is sent at once is taken in the order it was sent", async () => {
    const { one, model, done } = waiter();
    done.open();
    const live = run(one, "go", { model });
    live.message("one");
    live.message("two");
    const seen: Observation[] = [];
    for await (const each of live) if (each.type === "step") seen.push(each);
    const said = seen.flatMap((each) =>
      each.type === "step" && each.event.type === "message"
        ? [(each.event as { content?: unknown }).content]
        : [],
    );
    expect(said).toEqual(["one", "two"]);
  });

  it("what cannot be an event is refused at once, and the run goes on", async () => {
    const { one, model, done } = waiter();
    done.open();
    const live = run(one, "go", { model });
    await expect(live.send({ type: "xstate.stop" })).rejects.toThrow(/XState's own/);
    await expect(live.send({ type: "tool.succeeded" })).rejects.toThrow(/needs the directive's id/);
    await expect(live.send({ type: "x", when: new Date(0) })).rejects.toThrow(/is a Date/);
    expect((await live).status).toBe("done");
  });

  it("a time that the sender gives is not believed", async () => {
    const { one, model, done } = waiter();
    done.open();
    const journal = memoryJournal();
    const live = run(one, "go", { model, journal });
    live.send({ type: "note", at: 1e15 });
    const end = await live;
    expect(end.state.at).toBeLessThan(1e14);
  });
});

describe("an effect that is cancelled while the run goes on", () => {
  /** A run whose tool answers, and so many turns of the microtasks later is cancelled. */
  async function cancelledAfter(turns: number) {
    const answers = gate();
    const begun = gate();
    const wait = tool({
      name: "wait",
      jsonSchema: {},
      execute: async ({ of }: { readonly of: string }) => {
        if (of === "t") begun.open();
        await (of === "t" ? answers.passed : gate().passed);
        return "an answer";
      },
    } as never);
    const ask = (of: string) => ({ type: "tool", id: of, name: "wait", input: { of } });
    const machine = smallReasoner({
      initial: "a",
      states: {
        a: {
          entry: issue(ask("t"), ask("u")),
          on: { drop: { actions: issue({ type: "cancel", target: "t" }) }, over: { target: "b" } },
        },
        b: { type: "final" },
      },
    });
    const reasoner = { ...machine, tools: { wait } } as unknown as typeof machine;
    const journal = memoryJournal();
    const running = run(reasoner, null, { journal });
    const notices: string[] = [];
    const heard = (async () => {
      for await (const each of running) if (each.type === "notice") notices.push(each.message);
    })();
    await begun.passed;
    answers.open();
    for (let i = 0; i < turns; i++) await Promise.resolve();
    running.send({ type: "drop" });
    await settle();
    running.send({ type: "over" });
    expect((await running).status).toBe("done");
    await heard;
    const events = (await linesIn(journal)).flatMap((line) =>
      "event" in line
        ? [`${line.event.type}${line.ignored === undefined ? "" : ` (${line.ignored})`}`]
        : [],
    );
    return { notices, events };
  }

  it("has answered before, or too late for anything to come of it, whichever moment it is", async () => {
    const told: string[] = [];
    const ways = new Set<string>();
    for (let turns = 0; turns < 24; turns++) {
      const { notices, events } = await cancelledAfter(turns);
      told.push(...notices);
      ways.add(events.join(" "));
    }
    expect([...ways].sort()).toEqual([
      "start drop over",
      "start tool.succeeded (unhandled) drop over",
    ]);
    expect(new Set(told)).toEqual(
      new Set(["tool.succeeded t came after it was cancelled and was dropped."]),
    );
  });
});
