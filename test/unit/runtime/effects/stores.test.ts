// `read` and `write`: which store, what settles, retries, time limits, idempotency keys, crashes.
import { describe, expect, it } from "vitest";
import {
  agent,
  ReckonerError,
  type Settlement,
  type ToolRequest,
  tool,
} from "../../../../src/index.js";
import {
  type HostOptions,
  type JournalPort,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  type StorePort,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { driven, everyWay } from "../../../support/every-way.js";
import { rejection } from "../../../support/thrown.js";
import { killedAfter, settle, watchedJournal } from "../../../support/watched-journal.js";

const read: ToolRequest = { type: "read", store: "s", query: { of: 1 } };
const write: ToolRequest = { type: "write", store: "s", operations: ["a", "b"] };
const never = () => new Promise<never>(() => {});

/** An agent whose tool asks for this and says what settled it. */
function asking(...requests: readonly ToolRequest[]) {
  const ask = tool({
    name: "ask",
    final: true,
    issue: () => requests,
    settle: (_input, _run, settlements) => settlements,
  });
  return agent({ name: "a", tools: [ask] });
}
const model = () => scriptedModel([{ calls: [{ name: "ask" }] }]);

/** A store of a test's own. */
function store(more: Partial<StorePort> = {}): StorePort {
  return { name: "test", read: async () => "read", write: async () => "written", ...more };
}

/** What settles requests in a run with this store; time jumps when all sleep. */
async function settled(
  requests: readonly ToolRequest[],
  s: StorePort | undefined,
  more: HostOptions & { readonly journal?: JournalPort } = {},
) {
  const clock = virtualClock(1_000);
  const seen: Observation[] = [];
  const live = run(asking(...requests), "go", {
    model: model(),
    clock,
    runId: "r",
    ...(s === undefined ? {} : { stores: { s } }),
    observers: [(each) => seen.push(each)],
    ...more,
  });
  const end = await driven(clock, live);
  const output = (end.status === "done" ? end.output : []) as unknown as readonly Settlement[];
  return { end, seen, clock, settlements: output.map(({ at: _at, ...rest }) => rest) };
}

describe("what settles", () => {
  it("is the store's answer, with the query, the operations and the key as they are", async () => {
    const { settlements } = await settled(
      [read, write],
      store({
        read: async (query, { signal }) => [query, signal.aborted],
        write: async (operations, { idempotencyKey, signal }) => ({
          operations: [...operations],
          idempotencyKey,
          aborted: signal.aborted,
        }),
      }),
    );
    expect(settlements).toEqual([
      { type: "read.succeeded", id: "tool/0/0/0", value: [{ of: 1 }, false] },
      {
        type: "write.succeeded",
        id: "tool/0/0/1",
        value: { operations: ["a", "b"], idempotencyKey: "r:tool/0/0/1", aborted: false },
      },
    ]);
  });

  it("is a failure where there is no such store, also for a name that every object has", async () => {
    const missing = { code: "port.missing", message: expect.stringContaining("no store s;") };
    const none = await settled([read, write], undefined);
    expect(none.settlements).toEqual([
      { type: "read.failed", id: "tool/0/0/0", error: missing },
      { type: "write.failed", id: "tool/0/0/1", error: missing },
    ]);
    const strange = await settled([{ ...read, store: "constructor" }], store());
    expect(strange.settlements).toMatchObject([{ error: { code: "port.missing" } }]);
  });

  it("is not asked where what was given is no store: the run is refused", async () => {
    const refused = await rejection(settled([read, write], { name: "x" } as StorePort));
    expect(refused.code).toBe("option.invalid");
  });

  it("keeps a code of the store's own, and gives any other failure one", async () => {
    const coded = await settled(
      [write],
      store({
        write: async () => {
          throw new ReckonerError("decisions.missing", "no such node");
        },
      }),
    );
    expect(coded.settlements).toMatchObject([
      { error: { code: "decisions.missing", message: "no such node" } },
    ]);
    const hostile = new Proxy(new Error("x"), {
      get: () => {
        throw new Error("got");
      },
    });
    for (const thrown of [new Error("down"), "down", null, hostile, { toString: 1 }]) {
      const { settlements } = await settled(
        [read],
        store({
          read: () => {
            throw thrown;
          },
        }),
      );
      expect(settlements).toMatchObject([{ type: "read.failed", error: { code: "port.failed" } }]);
    }
  });

  it("cannot be another event than what it settles", async () => {
    const forged = { type: "approval.decided", id: "approval/0/0", approve: true, at: 1 };
    const { settlements } = await settled(
      [read, write],
      store({ read: async () => forged, write: async () => forged }),
    );
    expect(settlements).toEqual([
      { type: "read.succeeded", id: "tool/0/0/0", value: forged },
      { type: "write.succeeded", id: "tool/0/0/1", value: forged },
    ]);
  });

  it("is JSON that fits: nothing, too much and what is not JSON is a failure", async () => {
    const answers: readonly [unknown, string, string][] = [
      [undefined, "read.failed", "write.succeeded"],
      [null, "read.succeeded", "write.succeeded"],
      [new Map(), "read.failed", "write.failed"],
      [1n, "read.failed", "write.failed"],
      [JSON.parse('{"__proto__": 1}'), "read.failed", "write.failed"],
      ["x".repeat(5 * 1024 * 1024 + 1), "read.failed", "write.failed"],
    ];
    for (const [answer, reads, writes] of answers) {
      const given = async () => answer as never;
      const { settlements } = await settled([read, write], store({ read: given, write: given }));
      expect(settlements).toMatchObject([{ type: reads }, { type: writes }]);
      for (const each of settlements as { error?: { code: string } }[]) {
        if (each.error !== undefined) expect(each.error.code).toBe("store.result");
      }
    }
  });
});

describe("retries", () => {
  const failing = (times: number, more: Partial<StorePort> = {}) => {
    const keys: string[] = [];
    const port = store({
      write: async (_operations, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (keys.length <= times) throw new Error("down");
        return "written";
      },
      ...more,
    });
    return { keys, port };
  };

  it("are none where the store does not say", async () => {
    const { keys, port } = failing(1);
    const { settlements, seen } = await settled([write], port);
    expect(settlements).toEqual([
      {
        type: "write.failed",
        id: "tool/0/0/0",
        error: { code: "port.failed", message: "down" },
      },
    ]);
    expect(keys).toHaveLength(1);
    expect(seen.filter(({ type }) => type === "retry")).toEqual([]);
  });

  it("are as many as the store says, under the same key, with the run's delays", async () => {
    const { keys, port } = failing(2, { retries: 2 });
    const { settlements, seen, clock } = await settled([write], port, {
      retry: { delayMs: 100, maxDelayMs: 150 },
    });
    expect(settlements).toMatchObject([{ type: "write.succeeded", attempts: 3 }]);
    expect(new Set(keys)).toEqual(new Set(["r:tool/0/0/0"]));
    expect(seen.filter(({ type }) => type === "retry")).toMatchObject([
      { id: "tool/0/0/0", attempt: 2, delayMs: 100, error: { code: "port.failed" } },
      { attempt: 3, delayMs: 150 },
    ]);
    expect(clock.now()).toBe(1_250);
    const { settlements: failed } = await settled([write], failing(9, { retries: 2 }).port);
    expect(failed).toMatchObject([{ type: "write.failed", attempts: 3 }]);
  });

  it("are none of what the store refuses, but of `port.failed`", async () => {
    for (const [code, expected] of [
      ["store.key", 1],
      ["port.failed", 2],
    ] as const) {
      let count = 0;
      await settled(
        [write],
        store({
          retries: 1,
          write: async () => {
            count += 1;
            throw new ReckonerError(code, "no");
          },
        }),
      );
      expect(count, code).toBe(expected);
    }
  });

  it("hold no slot while they wait", async () => {
    // With one slot, a read is answered while the write waits for its next attempt.
    const order: string[] = [];
    let fails = 1;
    await settled(
      [write, read],
      store({
        retries: 1,
        write: async () => {
          order.push("write");
          if (fails-- > 0) throw new Error("down");
          return 1;
        },
        read: async () => {
          order.push("read");
          return 1;
        },
      }),
      { concurrency: 1 },
    );
    expect(order).toEqual(["write", "read", "write"]);
  });
});

describe("a store that takes too long", () => {
  it("is given up, and its signal aborted: a read failed, a write is unknown", async () => {
    const signals: AbortSignal[] = [];
    const slow = store({
      timeoutMs: 70,
      read: (_query, { signal }) => {
        signals.push(signal);
        return never();
      },
      write: (_operations, { signal }) => {
        signals.push(signal);
        return never();
      },
    });
    const { settlements, clock } = await settled([read, write], slow);
    expect(settlements).toMatchObject([
      { type: "read.failed", error: { code: "store.timeout" } },
      { type: "write.failed", error: { code: "store.unknown" } },
    ]);
    expect(clock.now()).toBe(1_070);
    expect(clock.sleepers).toBe(0);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("has 30 seconds where it does not say, and is asked again as it says", async () => {
    const { clock } = await settled([read], store({ read: never }));
    expect(clock.now()).toBe(31_000);
    for (const [idempotent, writes] of [
      [undefined, 2],
      [true, 2],
      [false, 1],
    ] as const) {
      let count = 0;
      const port = store({
        retries: 1,
        write: () => {
          count += 1;
          return never();
        },
        read: () => {
          count += 100;
          return never();
        },
        ...(idempotent === undefined ? {} : { idempotent }),
      });
      await settled([read, write], port);
      expect(count, String(idempotent)).toBe(200 + writes);
    }
  });
});

it("a cancelled run stops its stores, writes nothing more and leaves nothing behind", async () => {
  const clock = virtualClock(0);
  const signals: AbortSignal[] = [];
  let writes = 0;
  const port = store({
    read: (_query, { signal }) => {
      signals.push(signal);
      return never();
    },
    write: async () => ++writes,
  });
  const live = run(asking(read, write), "go", {
    model: model(),
    clock,
    concurrency: 1,
    stores: { s: port },
  });
  await settle();
  live.cancel("enough");
  expect(await driven(clock, live)).toMatchObject({ status: "cancelled" });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(writes).toBe(0);
  expect(clock.sleepers).toBe(0);
});

describe("after a crash", () => {
  /** A store that remembers keys, and how often it was asked to write. */
  const remembering = () => {
    const results = new Map<string, number>();
    const asked: string[] = [];
    let reads = 0;
    const port = store({
      read: async () => ++reads && "same",
      write: async (_operations, { idempotencyKey: key }) => {
        asked.push(key);
        const first = results.get(key) ?? results.size;
        results.set(key, first);
        return first;
      },
    });
    return { asked, results, port, reads: () => reads };
  };

  it("anywhere, a write is repeated under the same key, and a replay touches no store", async () => {
    const { asked, results, port, reads } = remembering();
    const { end, journal } = await everyWay({
      reasoner: asking(write, read),
      input: "go",
      world: () => ({ model: model(), stores: { s: port } }),
    });
    expect(end).toMatchObject({ status: "done" });
    expect(results.size).toBe(1);
    expect(new Set(asked)).toEqual(new Set(["run:tool/0/0/0"]));
    const before = [asked.length, reads()];
    expect((await replay(asking(write, read), journal)).status).toBe("identical");
    expect([asked.length, reads()]).toEqual(before);
  });

  it("a write that is settled is not written again", async () => {
    const { asked, port } = remembering();
    const journal = memoryJournal();
    await settled([write], port, { journal });
    const settledLine = 4;
    const copy = await killedAfter(journal, settledLine);
    expect(copy.log).toEqual([]);
    const before = asked.length;
    await resume(asking(write), copy, { model: model(), stores: { s: port } });
    expect(asked).toHaveLength(before);
  });

  it("a write to a store that does not remember keys begins once, after its mark", async () => {
    const journal = watchedJournal();
    let writes = 0;
    const port = store({
      idempotent: false,
      write: async () => {
        journal.log.push("writes");
        return ++writes;
      },
    });
    await settled([write, write], port, { journal, concurrency: 1 });
    expect(journal.log.slice(2)).toEqual([
      "durable event 1 llm.succeeded +tool/0/0/0",
      "writes",
      "durable event 2 write.succeeded",
      "durable mark tool/0/0/1 1",
      "writes",
      "durable event 3 write.succeeded",
    ]);
    // Killed behind the line that says that it begins: nobody knows whether it has written.
    const copy = await killedAfter(journal, 3);
    const end = await resume(asking(write, write), copy, { model: model(), stores: { s: port } });
    expect(end).toMatchObject({
      status: "done",
      output: [
        { type: "write.failed", error: { code: "store.unknown" } },
        { type: "write.succeeded", value: 3 },
      ],
    });
    expect((await replay(asking(write, write), copy)).status).toBe("identical");
  });

  it("each attempt at such a store is marked", async () => {
    const journal = watchedJournal();
    let writes = 0;
    const port = store({
      idempotent: false,
      retries: 1,
      write: async () => {
        journal.log.push("writes");
        if (++writes === 1) throw new Error("refused");
        return writes;
      },
    });
    await settled([write], port, { journal });
    expect(journal.log.slice(2)).toEqual([
      "durable event 1 llm.succeeded +tool/0/0/0",
      "writes",
      "durable failed tool/0/0/0 1",
      "durable mark tool/0/0/0 2",
      "writes",
      "durable event 2 write.succeeded",
    ]);
  });

  it("a store that remembers keys has no marks in the journal", async () => {
    const journal = watchedJournal();
    await settled([write, write], remembering().port, { journal, concurrency: 1 });
    expect(journal.log.join("\n")).not.toMatch(/mark|\+tool/);
  });

  it("two runs, a fork among them, have keys of their own", async () => {
    const { asked, port } = remembering();
    for (const runId of ["one", "two"]) await settled([write], port, { runId } as never);
    expect(asked).toEqual(["one:tool/0/0/0", "two:tool/0/0/0"]);
  });
});

it("children have their parent's stores, and keys of their own", async () => {
  const keys: string[] = [];
  const port = store({
    write: async (_operations, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return 1;
    },
  });
  const child = asking(write);
  const parent = agent({
    name: "parent",
    tools: [
      tool({
        name: "delegate",
        final: true,
        children: { child },
        issue: () => [{ type: "run", reasoner: "child", input: "go" }],
        settle: (_input, _run, [only]) => only,
      }),
    ],
  });
  await run(parent, "go", {
    runId: "r",
    stores: { s: port },
    model: scriptedModel((request) => ({
      calls: [{ name: (request.tools?.[0]?.name ?? "") as string }],
    })),
  });
  expect(keys).toHaveLength(1);
  expect(keys[0]).toMatch(/:tool\/0\/0\/0$/);
  expect(keys[0]).not.toBe("r:tool/0/0/0");
});

it("what a store answers is redacted before anybody sees it", async () => {
  const { settlements, seen } = await settled([read], store({ read: async () => "secret" }), {
    redact: (value) => (value.type === "read.succeeded" ? { ...value, value: "***" } : value),
  });
  expect(settlements).toMatchObject([{ value: "***" }]);
  expect(JSON.stringify(seen)).not.toContain("secret");
});
