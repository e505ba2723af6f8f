// Shipping: everything that is over, in order, in batches, at least once, whatever fails on the way.
import { describe, expect, it } from "vitest";
import type { TraceEvent } from "../../../../src/core/trace/index.js";
import { agent, memoryJournal, scriptedModel, tool } from "../../../../src/index.js";
import {
  dueEvents,
  httpSink,
  type JournalPort,
  memoryTextStore,
  type ShipOptions,
  type Shipping,
  ship,
  storeSink,
  type TraceSink,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { event, lived, traceOf } from "../../../support/traced.js";

const count = tool({ name: "count", jsonSchema: { type: "object" }, reduce: () => "done" });
const counter = agent({ name: "counter", tools: [count] });

async function journalOf(runId: string, turns: number): Promise<JournalPort> {
  const model = scriptedModel([
    ...Array.from({ length: turns }, () => ({ calls: [{ name: "count", input: {} }] })),
    "Done.",
  ]);
  const journal = memoryJournal(runId);
  await lived(counter as never, "go", { journal, model, runId });
  return journal;
}

/** Everything that is over in a journal, in its order. */
async function overIn(journal: JournalPort): Promise<readonly string[]> {
  const lines = (await textIn(journal)).split("\n").slice(0, -1);
  return traceOf(lines.map((line) => JSON.parse(line))).finished.map(({ id }) => id);
}

const settled = async () => {
  for (let i = 0; i < 30; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** A sink that keeps what it took, and fails as often as it is told. */
function keeping(failures = 0) {
  const kept: { batches: string[][]; keys: string[]; left: number; sink: TraceSink } = {
    batches: [],
    keys: [],
    left: failures,
    sink: (events: readonly TraceEvent[], { key }) => {
      if (kept.left > 0) {
        kept.left -= 1;
        throw new Error("no room");
      }
      kept.batches.push(events.map(({ id }) => id));
      kept.keys.push(key);
    },
  };
  return kept;
}

describe("what is delivered", () => {
  it("is all that is over, once, in order, in batches", async () => {
    const journal = await journalOf("r", 8);
    const { batches, sink } = keeping();
    const shipping = ship(journal, sink, { follow: false, batchSize: 7, clock: virtualClock() });
    await shipping.done;
    const all = await overIn(journal);
    expect(batches.flat()).toEqual(all);
    expect(batches.slice(0, -1).every((batch) => batch.length === 7)).toBe(true);
    expect(shipping.delivered).toBe(all.length);
  });

  it("of several runs comes by the time at which it was over, as far as each run's order allows", () => {
    const over = (id: string, runId: string, at: number, endSeq: number, durationMs = 0) =>
      event(id, { runId, at, endSeq, durationMs });
    const events = [
      over("a1", "a", 10, 1, 5),
      // Its clock ran back: it was over behind the one before, and comes behind it.
      over("a2", "a", 2, 2),
      over("b1", "b", 12, 1),
      over("b2", "b", 1, 2, 19),
    ];
    const due = dueEvents(events, new Map());
    expect(due.map(({ event: { id }, count }) => [id, count])).toEqual([
      ["b1", 1],
      ["a1", 1],
      ["a2", 2],
      ["b2", 2],
    ]);
    const later = dueEvents(events, new Map([["a", 1]]));
    expect(later.map(({ event: { id } }) => id)).toEqual(["b1", "a2", "b2"]);
  });

  it("of several runs comes by time, and of each run in its order", async () => {
    const journals = [await journalOf("a", 3), await journalOf("b", 2)];
    const { batches, sink } = keeping();
    await ship(journals, sink, { follow: false }).done;
    const delivered = batches.flat();
    for (const journal of journals) {
      const own = await overIn(journal);
      expect(delivered.filter((id) => own.includes(id))).toEqual(own);
    }
    expect(delivered).toHaveLength(
      (await Promise.all(journals.map(overIn))).reduce((sum, each) => sum + each.length, 0),
    );
  });

  it("goes on where a cursor left off, in another process and as journals grow", async () => {
    const whole = await textIn(await journalOf("r", 6));
    const lines = whole.split("\n");
    const cursor = memoryTextStore();
    const { batches, sink } = keeping();
    for (let n = 1; n <= lines.length; n++) {
      const journal = textJournal(
        lines
          .slice(0, n)
          .map((line) => `${line}\n`)
          .join("")
          .replace(/\n\n$/, "\n"),
      );
      await ship(journal, sink, { cursor, follow: false }).done;
    }
    expect(batches.flat()).toEqual(await overIn(textJournal(whole)));
  });

  it("is a run once, whatever copies of its journal come and go", async () => {
    const whole = await textIn(await journalOf("r", 6));
    const begun = (lines: number) =>
      textJournal(`${whole.split("\n").slice(0, lines).join("\n")}\n`);
    const cursor = memoryTextStore();
    const { batches, sink } = keeping();
    for (const journals of [[begun(5)], [begun(7), begun(5)], [begun(9)], [textJournal(whole)]]) {
      await ship(journals, sink, { cursor, follow: false }).done;
    }
    expect(batches.flat()).toEqual(await overIn(textJournal(whole)));
  });

  it("is the same whenever it is derived, so that a repeated event is known", async () => {
    const journal = await journalOf("r", 2);
    const seen: TraceEvent[][] = [];
    for (const _ of [1, 2]) {
      await ship(journal, (events) => void seen.push([...events]), { follow: false }).done;
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

describe("failures", () => {
  /** Steps through the waits of a shipping. @returns how long each was */
  async function waits(options: ShipOptions, sink: TraceSink, rounds: number) {
    const clock = virtualClock(0);
    const times: number[] = [];
    const shipping = ship(await journalOf("r", 1), sink, { ...options, clock });
    for (let i = 0; i < rounds; i++) {
      await settled();
      const before = clock.now();
      if (!clock.jump()) break;
      times.push(clock.now() - before);
    }
    return { shipping, times, clock };
  }

  it("double the wait from 5 s to 60 s, and a success resets it", async () => {
    const kept = keeping(6);
    const told: number[] = [];
    const onFailure = (_error: unknown, retryInMs: number) => void told.push(retryInMs);
    const { shipping, times, clock } = await waits({ onFailure }, kept.sink, 8);
    expect(told).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    expect(times).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 5_000, 5_000]);
    expect(await shipping.stop()).toBe(0);
    expect(clock.sleepers).toBe(0);
    expect(kept.batches).toHaveLength(1);
  });

  it("behind a batch that was delivered wait from 5 s on again", async () => {
    let calls = 0;
    const sink: TraceSink = () => {
      calls += 1;
      // The first two fail; then each round delivers one batch, and the next one fails.
      if (calls <= 2 || calls % 2 === 0) throw new Error("no room");
    };
    const told: number[] = [];
    const onFailure = (_error: unknown, retryInMs: number) => void told.push(retryInMs);
    await waits({ onFailure, batchSize: 1 }, sink, 4);
    expect(told.slice(0, 4)).toEqual([10_000, 20_000, 10_000, 10_000]);
  });

  it("of the cursor are made up for before anything else is delivered", async () => {
    const journal = await journalOf("r", 1);
    const cursor = memoryTextStore();
    let saves = 0;
    const failing = {
      load: cursor.load,
      async save(text: string) {
        saves += 1;
        if (saves === 1) throw new Error("full");
        await cursor.save(text);
      },
    };
    const { batches, sink } = keeping();
    const clock = virtualClock(0);
    const shipping = ship(journal, sink, { cursor: failing, clock });
    await settled();
    expect(await cursor.load()).toBeUndefined();
    clock.jump();
    await settled();
    const all = await overIn(journal);
    expect(JSON.parse((await cursor.load()) as string).runs).toEqual([["r", all.length]]);
    expect(batches.flat()).toEqual(all);
    await shipping.stop();
  });

  it("have the same batch delivered again under the same key, and lose nothing", async () => {
    const journal = await journalOf("r", 5);
    const keys: string[] = [];
    const got: string[] = [];
    let calls = 0;
    const sink: TraceSink = (events, { key }) => {
      keys.push(key);
      calls += 1;
      if (calls % 2 === 1) throw new Error("lost on the way");
      got.push(...events.map(({ id }) => id));
    };
    const clock = virtualClock(0);
    const shipping = ship(journal, sink, { batchSize: 4, clock, follow: false });
    for (let i = 0; i < 20; i++) {
      await settled();
      clock.jump();
    }
    await shipping.done;
    expect(got).toEqual(await overIn(journal));
    for (let i = 0; i < keys.length; i += 2) expect(keys[i]).toBe(keys[i + 1]);
  });

  it("of the cursor deliver twice rather than not at all", async () => {
    const journal = await journalOf("r", 1);
    const failing = { load: async () => undefined, save: () => Promise.reject(new Error("full")) };
    const { batches, sink } = keeping();
    const clock = virtualClock(0);
    const said: string[] = [];
    const shipping = ship(journal, sink, {
      cursor: failing,
      clock,
      onFailure: (error) => void said.push(error.message),
    });
    await settled();
    clock.jump();
    await settled();
    await shipping.stop();
    expect(batches.flat()).toEqual(await overIn(journal));
    expect(said[0]).toContain("full");
    const damaged = memoryTextStore("{");
    await ship(journal, sink, { cursor: damaged, follow: false, onFailure: () => {} }).done;
    expect(batches.flat()).toHaveLength(2 * (await overIn(journal)).length);
  });

  it("of one journal are told of once, and do not hold up the others", async () => {
    const good = await journalOf("good", 1);
    const bad = textJournal((await textIn(await journalOf("bad", 1))).replace("Done", "DONE"));
    const { batches, sink } = keeping();
    const codes: string[] = [];
    const clock = virtualClock(0);
    const shipping = ship([bad, good], sink, {
      clock,
      onFailure: (error) => void codes.push(error.code),
    });
    for (let i = 0; i < 3; i++) {
      await settled();
      clock.jump();
    }
    await shipping.stop();
    expect(batches.flat()).toEqual(await overIn(good));
    expect(codes).toEqual(["journal.chain"]);
  });
});

describe("stopping", () => {
  it("delivers what is there, says what is left, and leaves no timer", async () => {
    const clock = virtualClock(0);
    const journal = await journalOf("r", 2);
    const never = keeping(Number.POSITIVE_INFINITY);
    const shipping: Shipping = ship(journal, never.sink, { clock });
    await settled();
    expect(clock.sleepers).toBe(1);
    expect(await shipping.stop()).toBe((await overIn(journal)).length);
    expect(clock.sleepers).toBe(0);
    await shipping.done;
  });

  it("delivers what has come to be there while the last round ran", async () => {
    const whole = await textIn(await journalOf("r", 2));
    const cut = whole.split("\n").slice(0, 3).join("\n").length + 1;
    let text = whole.slice(0, cut);
    const growing: JournalPort = {
      ...textJournal(whole),
      async *read(from = 0) {
        yield new TextEncoder().encode(text).subarray(from);
      },
    };
    const got: string[] = [];
    let stopped: Promise<number> | undefined;
    const sink: TraceSink = (events) => {
      got.push(...events.map(({ id }) => id));
      stopped ??= shipping.stop();
      text = whole;
    };
    const shipping = ship(growing, sink, { clock: virtualClock(0) });
    await shipping.done;
    expect(await stopped).toBe(0);
    expect(got).toEqual(await overIn(textJournal(whole)));
  });

  it("by a signal delivers no other batch", async () => {
    const stop = new AbortController();
    const got: string[] = [];
    const sink: TraceSink = (events) => {
      got.push(...events.map(({ id }) => id));
      stop.abort();
    };
    await ship(await journalOf("r", 3), sink, { signal: stop.signal, batchSize: 2 }).done;
    expect(got).toHaveLength(2);
  });

  it("by a signal ends at once, in the middle of a delivery too", async () => {
    const stop = new AbortController();
    let aborted = false;
    const sink: TraceSink = (_events, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(new Error("stopped"));
        });
      });
    const shipping = ship(await journalOf("r", 1), sink, { signal: stop.signal });
    await settled();
    stop.abort();
    await shipping.done;
    expect(aborted).toBe(true);
    await ship(await journalOf("r", 1), sink, { signal: stop.signal }).done;
  });
});

describe("sinks", () => {
  const delivery = { signal: new AbortController().signal, key: "k" };
  const events = [{ id: "r#@0" }] as unknown as TraceEvent[];

  it("over HTTP post batches with their key, and whatever is not 2xx is a failure", async () => {
    const asked: { url: string; init: RequestInit }[] = [];
    let status = 204;
    const fetcher = (async (url: string, init: RequestInit) => {
      asked.push({ url, init });
      return new Response(status === 204 ? null : "no", { status });
    }) as unknown as typeof fetch;
    const sink = httpSink("http://localhost:1/in", { fetch: fetcher, headers: { "x-a": "b" } });
    await sink(events, delivery);
    expect(asked[0]).toMatchObject({ url: "http://localhost:1/in", init: { method: "POST" } });
    expect(asked[0]?.init.headers).toMatchObject({ "idempotency-key": "k", "x-a": "b" });
    expect(JSON.parse(String(asked[0]?.init.body))).toEqual({ events });
    // A redirect that is followed comes as a GET, whose answer says nothing of what was sent.
    expect(asked[0]?.init.redirect).toBe("manual");
    for (status of [302, 307, 404, 503]) {
      expect(await rejection(sink(events, delivery))).toMatchObject({ code: "trace.sink" });
    }
  });

  it("over a store write each event under the batch's key", async () => {
    const written: unknown[] = [];
    const sink = storeSink({
      name: "s",
      read: async () => null,
      write: async (operations, { idempotencyKey }) => {
        written.push(operations, idempotencyKey);
        return null;
      },
    });
    await sink(events, delivery);
    expect(written).toEqual([[{ op: "append", event: { id: "r#@0" } }], "k"]);
  });
});
