// Moments in which something comes that nobody waits for: each leaves the run as it should be.
import { describe, expect, it } from "vitest";
import {
  agent,
  ModelError,
  type ModelPort,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  tool,
  virtualClock,
} from "../../../../src/index.js";
import { ObservationStream } from "../../../../src/runtime/ports/observation.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { gate, killedAfter, settle, watchedJournal } from "../../../support/watched-journal.js";

const said = { content: [{ type: "text", text: "y" }], finishReason: "stop", usage: {} } as never;
const silent: ModelPort = { name: "m", generate: () => new Promise(() => {}) };

it("an interrupt in a back-off, of a call that goes on: the call that begins again is the run's", async () => {
  const asker = smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue({ type: "llm", id: "llm/0", messages: [] }),
        on: {
          interrupt: { actions: issue({ type: "notify", topic: "heard" }) },
          "llm.succeeded": "end",
        },
      },
      end: { type: "final" },
    },
  } as never);
  let asked = 0;
  let signal: AbortSignal | undefined;
  let answer = () => {};
  const model: ModelPort = {
    name: "m",
    generate(_request, call) {
      asked += 1;
      if (asked === 1) {
        throw new ModelError({ code: "llm.failed", message: "busy", transient: true });
      }
      signal = call.signal;
      return new Promise((resolve) => {
        answer = () => resolve(said);
      });
    },
  };
  const clock = virtualClock(0);
  let status = "running";
  const live = run(asker, null as never, { model, clock, journal: memoryJournal() });
  const over = live.then((end) => {
    status = end.status;
  });
  await settle();
  live.interrupt();
  await settle();
  // The interrupt ends no back-off.
  expect([asked, status]).toEqual([1, "running"]);
  clock.advance(500);
  await settle();
  expect([asked, signal?.aborted, status]).toEqual([2, false, "running"]);
  answer();
  await over;
  expect(status).toBe("done");
});

it("an abort while the clock fails ends what this process does for the run", async () => {
  let fails = false;
  const now = () => {
    if (fails) throw new Error("no time");
    return 1;
  };
  const stop = new AbortController();
  const world = { model: silent, clock: { ...virtualClock(1), now }, signal: stop.signal };
  const live = run(agent({ name: "a" }), "x", { ...world, journal: memoryJournal() });
  const refused = rejection(live);
  await settle();
  fails = true;
  stop.abort();
  expect(await refused).toMatchObject({ code: "port.failed" });
});

it("a write that had begun, resumed without its store, is unknown", async () => {
  const writer = smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue({ type: "write", id: "w", store: "s", operations: [{ pay: 1 }] }),
        on: { "write.succeeded": "end", "write.failed": "end" },
      },
      end: { type: "final" },
    },
  } as never);
  const journal = watchedJournal();
  const write = () => new Promise<never>(() => {});
  const s = { name: "s", idempotent: false, read: async () => 1, write };
  const live = run(writer, null as never, { journal, stores: { s } });
  await settle();
  const left = await killedAfter(journal, 2);
  await live.drain(0);
  await resume(writer, left, { stores: {} });
  expect((await left.lines()).at(-1)).toMatchObject({
    event: { error: { code: "store.unknown" } },
  });
});

describe("an interrupt while the line is written with which a tool begins", () => {
  const paying = (on: object) =>
    smallReasoner({
      initial: "a",
      states: {
        a: {
          entry: issue(
            { type: "tool", id: "pay", name: "pay", input: {} },
            { type: "tool", id: "other", name: "pay", input: {} },
          ),
          on: { interrupt: { actions: issue({ type: "notify", topic: "heard" }) }, ...on },
        },
        b: { on: { "tool.succeeded": "end", "tool.failed": "end" } },
        end: { type: "final" },
      },
    } as never);

  it.each([8, 1])("leaves it to begin afterwards, once, with %i slots", async (concurrency) => {
    const begun: string[] = [];
    const pay = tool({ name: "pay", execute: (_, { id }) => void begun.push(id) });
    const on = { "tool.succeeded": "b", "tool.failed": "b" };
    const journal = watchedJournal();
    const held = gate();
    journal.before = () => held.passed;
    const reasoner = { ...paying(on), tools: { pay } } as never;
    const live = run(reasoner, null as never, { journal, concurrency });
    await settle();
    live.interrupt();
    await settle();
    expect(begun).toEqual([]);
    held.open();
    const end = await live;
    const lines = await journal.lines();
    const settled = lines.flatMap(
      ({ event }) => (event as { type?: string } | undefined)?.type ?? [],
    );
    expect([end.status, begun, settled]).toEqual([
      "done",
      ["pay", "other"],
      ["start", "interrupt", "tool.succeeded", "tool.succeeded"],
    ]);
  });
});

describe("a stream of observations", () => {
  it("keeps its order, however many wait, and whatever comes while they are read", async () => {
    const stream = new ObservationStream<never>();
    const read: unknown[] = [];
    let pushed = 0;
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < round % 9; i++) stream.push({ type: "notify", topic: pushed++ } as never);
      const wanted = Math.min(round % 5, pushed - read.length);
      for (let i = 0; i < wanted; i++) read.push((await stream.next()).value.topic);
    }
    stream.end();
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
      read.push((next.value as { topic?: unknown }).topic);
    }
    expect(read).toEqual(Array.from({ length: pushed }, (_, i) => i));
  });

  it("that was left is told nothing any more", async () => {
    let delta: (text: string) => void = () => {};
    let done = () => {};
    const model: ModelPort = {
      name: "m",
      generate: (_request, { onDelta }) => {
        delta = (text) => onDelta?.({ type: "text", text } as never);
        return new Promise((resolve) => {
          done = () => resolve(said);
        });
      },
    };
    const live = run(agent({ name: "a" }), "x", { model, journal: memoryJournal() });
    await settle();
    const first = live[Symbol.asyncIterator]();
    delta("0");
    await first.return?.();
    const { push } = ObservationStream.prototype;
    let pushes = 0;
    for (let i = 0; i < 10; i++) for await (const _ of live) break;
    ObservationStream.prototype.push = function (observation) {
      pushes += 1;
      push.call(this, observation);
    };
    try {
      delta("1");
    } finally {
      ObservationStream.prototype.push = push;
    }
    expect(pushes).toBe(0);
    done();
    expect((await live).status).toBe("done");
  });

  it("of a run that has failed already ends with what it failed with", async () => {
    const open = async () => {
      throw new Error("no disk");
    };
    const journal = { ...memoryJournal(), open };
    const live = run(agent({ name: "a" }), "x", { model: silent, journal });
    expect(await rejection(live)).toMatchObject({ code: "journal.write" });
    const iterated = (async () => {
      for await (const _ of live);
    })();
    expect(await rejection(iterated)).toMatchObject({ code: "journal.write" });
  });
});

it("an approver's signal is not aborted by its own decision", async () => {
  const withdrawn: unknown[] = [];
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const end = await run(agent({ name: "a", tools: [pay] }), "x", {
    model: scriptedModel([{ calls: [{ name: "pay" }] }, "ok"]),
    approve(_approval, { signal }) {
      signal.addEventListener("abort", () => withdrawn.push(signal.reason));
      return { approve: true };
    },
  });
  expect([end.status, withdrawn]).toEqual(["done", []]);
});
