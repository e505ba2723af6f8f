// What a shipping leaves behind, and what its sinks say: no listener, no connection, and whose fault it was.
import { describe, expect, it } from "vitest";
import { ReckonerError } from "../../../../src/core/kernel/index.js";
import { agent, memoryJournal, run, scriptedModel } from "../../../../src/index.js";
import {
  httpSink,
  type JournalPort,
  journalTraces,
  memoryTextStore,
  ship,
  storeSink,
  type TraceSink,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { refusal, rejection } from "../../../support/thrown.js";
import { event } from "../../../support/traced.js";

async function journal(): Promise<JournalPort> {
  const port = memoryJournal("r");
  const model = scriptedModel(["Done."]);
  await run(agent({ name: "a" }), "go", { journal: port, model, runId: "r" });
  return port;
}
const settled = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** A signal that counts who listens. */
function counted() {
  const stop = new AbortController();
  let listeners = 0;
  const { signal } = stop;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, given);
  };
  return { signal, listeners: () => listeners };
}

describe("a shipping", () => {
  it("that is over listens to no signal any more", async () => {
    const { signal, listeners } = counted();
    const shipping = ship(await journal(), () => {}, { signal, follow: false });
    expect(listeners()).toBe(1);
    await shipping.done;
    expect(listeners()).toBe(0);
  });

  it("gives each batch a key of what is in it, the same whenever it is delivered", async () => {
    const keysOf = async (port: JournalPort, batchSize: number) => {
      const keys: string[] = [];
      const sink: TraceSink = (events, { key }) =>
        void keys.push(`${key} ${events.map(({ id }) => id).join(" ")}`);
      await ship(port, sink, { follow: false, batchSize }).done;
      return keys;
    };
    const port = await journal();
    const one = await keysOf(port, 1);
    expect(one.map((each) => each.slice(33))).toEqual(["r#@0", "r#llm/0"]);
    expect(new Set(one.map((each) => each.slice(0, 32))).size).toBe(2);
    expect(await keysOf(port, 1)).toEqual(one);
    expect((await keysOf(port, 2))[0]).not.toContain(one[0]?.slice(0, 32));
  });

  it("whose signal was aborted before does nothing, and says what is left", async () => {
    const stop = new AbortController();
    const { signal } = stop;
    stop.abort("before");
    const taken: unknown[] = [];
    const port = await journal();
    let looks = 0;
    const source = () => {
      looks += 1;
      return [port];
    };
    const shipping = ship(source, (events) => void taken.push(events), { signal });
    await shipping.done;
    expect([taken, shipping.delivered, looks]).toEqual([[], 0, 0]);
    expect(await shipping.stop()).toBe(2);
  });

  it("gives its sink the reason of an abort, and tells of no failure then", async () => {
    const stop = new AbortController();
    const said: string[] = [];
    let reason: unknown;
    const sink: TraceSink = (_events, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          reject(new Error("stopped"));
        });
      });
    const onFailure = ({ message }: ReckonerError) => void said.push(message);
    const shipping = ship(await journal(), sink, { signal: stop.signal, onFailure });
    await settled();
    stop.abort("enough");
    await shipping.done;
    expect([reason, said, shipping.delivered]).toEqual(["enough", [], 0]);
  });

  it("says of a failure what it was, and goes on though nobody hears it", async () => {
    const own = new ReckonerError("trace.sink", "full");
    const cause = new Error("no route");
    for (const [thrown, expected] of [
      [own, own],
      [
        cause,
        { code: "trace.sink", message: "The sink did not take the events: no route.", cause },
      ],
    ] as const) {
      const said: ReckonerError[] = [];
      let calls = 0;
      const sink = () => {
        calls += 1;
        if (calls === 1) throw thrown;
      };
      const clock = virtualClock();
      const onFailure = (error: ReckonerError) => {
        said.push(error);
        throw new Error("a hook's own");
      };
      const shipping = ship(await journal(), sink, { clock, onFailure, follow: false });
      await settled();
      expect(said).toHaveLength(1);
      expect(said[0]).toMatchObject(expected);
      clock.jump();
      await shipping.done;
      expect([calls, shipping.delivered]).toEqual([2, 2]);
      calls = 0;
      const silent = ship(await journal(), sink, { clock: virtualClock() });
      await settled();
      expect(await silent.stop()).toBe(0);
    }
  });

  it("tells of a damaged cursor once, and with no time to wait", async () => {
    const said: unknown[] = [];
    const onFailure = (error: ReckonerError, ms: number) => void said.push([error.message, ms]);
    const options = { cursor: memoryTextStore("none"), onFailure, follow: false };
    const shipping = ship(await journal(), () => {}, options);
    await shipping.done;
    expect(said).toEqual([["The cursor is damaged; everything is delivered once more.", 0]]);
    expect(shipping.delivered).toBe(2);
  });

  it("tells what it was that failed: its journals, its cursor, or one journal", async () => {
    const fails = () => Promise.reject(new Error("gone"));
    const cursor = { load: async () => undefined, save: async () => {} };
    const port = await journal();
    const missing = { ...port, name: "missing", read: () => memoryJournal().read() };
    for (const [source, options, expected] of [
      [fails, {}, ["trace.unreachable", "The journals cannot be had: gone.", 10_000]],
      [
        port,
        { cursor: { ...cursor, load: fails } },
        ["trace.sink", "The cursor cannot be read: gone.", 10_000],
      ],
      [
        port,
        { cursor: { ...cursor, save: fails } },
        ["trace.sink", "The cursor cannot be kept: gone.", 10_000],
      ],
      [missing, {}, ["journal.missing", expect.any(String), 5_000]],
      // Nobody looks again.
      [
        missing,
        { follow: false },
        ["journal.missing", expect.any(String), Number.POSITIVE_INFINITY],
      ],
    ] as const) {
      const told: unknown[] = [];
      const onFailure = ({ code, message }: ReckonerError, ms: number) =>
        void told.push([code, message, ms]);
      const stop = new AbortController();
      const { signal } = stop;
      const clock = virtualClock();
      const shipping = ship(source, () => {}, { ...options, clock, onFailure, signal });
      await settled();
      expect(told).toEqual([expected]);
      stop.abort();
      await shipping.done;
    }
  });

  it("waits as long as it is told, and no longer than that", async () => {
    const clock = virtualClock();
    const waits: number[] = [];
    const onFailure = (_error: unknown, ms: number) => void waits.push(ms);
    const sink = () => {
      throw new Error("no");
    };
    const options = { clock, onFailure, intervalMs: 7, maxIntervalMs: 20 };
    const shipping = ship(await journal(), sink, options);
    for (let i = 0; i < 4; i++) {
      await settled();
      clock.jump();
    }
    expect([waits, clock.now()]).toEqual([[14, 20, 20, 20], 74]);
    await shipping.stop();
    expect(refusal(() => ship([], sink, { batchSize: 0 }))).toMatchObject({
      code: "option.invalid",
    });
  });

  it("of what is no journal, or to what is no sink, is refused where it is given", async () => {
    const port = await journal();
    const journals = journalTraces(port) as never;
    for (const [source, sink, place] of [
      [journals, () => {}, "What is traced"],
      [[port, "r.jsonl"] as never, () => {}, "What is traced"],
      [Promise.resolve([port]) as never, () => {}, "What is traced"],
      [port, { write() {} } as never, "The sink of ship"],
    ] as const) {
      const { code, message } = refusal(() => ship(source, sink, { follow: false }));
      expect([code, message.startsWith(`${place} must be `)]).toEqual(["option.invalid", true]);
    }
    const wrong = [{ batchsize: 5 }, { cursor: {} }, { links: "no" }, { maxFieldLength: 0 }];
    for (const options of wrong as readonly object[]) {
      expect([options, refusal(() => ship(port, () => {}, options)).code]).toEqual([
        options,
        "option.invalid",
      ]);
    }
    const wrongTraces = [{ index: { read() {} } }, { name: 5 }, { link: true }, { links: 1 }];
    for (const options of wrongTraces as readonly object[]) {
      expect([options, refusal(() => journalTraces(port, options)).code]).toEqual([
        options,
        "option.invalid",
      ]);
    }
    const found = journalTraces(() => ["r.jsonl"] as never);
    expect((await rejection(found.read({}, {}))).code).toBe("option.invalid");
  });

  it("of a function that finds no journals is over, and what a sink refuses is tried again", async () => {
    for (const follow of [true, false]) {
      const told: (readonly [string, number])[] = [];
      const lost = ship(
        () => undefined as never,
        () => {},
        { follow, onFailure: ({ code }, wait) => void told.push([code, wait]) },
      );
      await settled();
      expect(told).toEqual([["option.invalid", Number.POSITIVE_INFINITY]]);
      expect(await rejection(lost.done)).toMatchObject({ code: "option.invalid" });
      expect(await rejection(lost.stop())).toMatchObject({ code: "option.invalid" });
    }
    const clock = virtualClock();
    let refusals = 2;
    const sink = () => {
      if (refusals-- > 0) throw new ReckonerError("option.invalid", "Not so.");
    };
    const shipping = ship(await journal(), sink, { clock, follow: false });
    for (let i = 0; i < 3; i++) {
      await settled();
      clock.jump();
    }
    await shipping.done;
    expect(refusals).toBe(-1);
  });
});

describe("a sink", () => {
  const events = [event("r#a"), event("r#b")];
  const delivery = { signal: new AbortController().signal, key: "k" };

  it("over HTTP says whose answer it was, and leaves no connection open", async () => {
    const sent: [string, RequestInit][] = [];
    let cancelled = 0;
    const answering = (status: number, statusText = "") =>
      httpSink("https://user:secret@example.test/take?token=t", {
        headers: { "x-own": "1" },
        fetch: (async (url: string, init: RequestInit) => {
          sent.push([url, init]);
          const body = {
            async cancel() {
              cancelled += 1;
            },
          };
          return { ok: status < 300, status, statusText, body };
        }) as never,
      });
    await answering(204)(events, delivery);
    expect(sent[0]?.[0]).toBe("https://user:secret@example.test/take?token=t");
    expect(sent[0]?.[1]).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "k", "x-own": "1" },
      body: JSON.stringify({ events }),
    });
    const refused = async (status: number, text?: string) =>
      rejection(answering(status, text)(events, delivery));
    expect(await refused(503, "Busy")).toMatchObject({
      code: "trace.sink",
      place: "https://example.test",
      message: "The sink answered 503 Busy",
    });
    expect((await refused(500)).message).toBe("The sink answered 500");
    expect(cancelled).toBe(3);
  });

  it("over HTTP is aborted with the delivery", async () => {
    const stop = new AbortController();
    let signal: AbortSignal | undefined;
    const sink = httpSink("https://example.test", {
      fetch: (async (_url: string, init: RequestInit) => {
        signal = init.signal as AbortSignal;
        return { ok: true, status: 200, statusText: "", body: null };
      }) as never,
    });
    await sink(events, { signal: stop.signal, key: "k" });
    expect(signal?.aborted).toBe(false);
    stop.abort("enough");
    expect([signal?.aborted, signal?.reason]).toEqual([true, "enough"]);
  });

  it("over a store appends each event, under the batch's key", async () => {
    const written: unknown[] = [];
    const write = async (...given: unknown[]) => void written.push(given);
    await storeSink({ name: "s", read: async () => null, write } as never)(events, delivery);
    expect(written).toEqual([
      [
        events.map((each) => ({ op: "append", event: each })),
        { signal: delivery.signal, idempotencyKey: "k" },
      ],
    ]);
  });
});
