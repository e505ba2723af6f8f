// Questions to a store of traces by themselves: what the store is asked, and what is made of its answer.
import { describe, expect, it } from "vitest";
import { ReckonerError } from "../../../../src/core/kernel/index.js";
import { type TraceStore, Traces, traceStorePort } from "../../../../src/trace/live/index.js";
import { askTraces } from "../../../../src/trace/live/trace-store.js";
import type { TraceEvent, TraceFilter } from "../../../../src/trace/pure/index.js";
import { refusal, rejection } from "../../../support/thrown.js";
import { event } from "../../../support/traced.js";

const info = (runId: string, session = runId) => ({
  runId,
  agentId: "a",
  session,
  startedAt: 0,
  events: 1,
  ended: true,
});
const error = (id: string, at: number, text: string, more: Partial<TraceEvent> = {}) =>
  event(id, { at, type: "error", status: "failed", fields: { error: text }, ...more });
const events = [
  event("r#@0", { at: 0, type: "input", durationMs: 0 }),
  event("r#a", { at: 10, durationMs: 500, parentEvent: "r#@0" }),
  event("r#b", { at: 20, type: "llm_call", agentId: "b", durationMs: 900, parentEvent: "r#a" }),
  error("r#@2/error", 30, "boom", { parentEvent: "r#b", session: "other" }),
];

function store(given: readonly TraceEvent[] = events, thrown?: unknown) {
  const asked: [TraceFilter, object][] = [];
  const port: TraceStore = {
    name: "a store",
    async read(filter, call) {
      asked.push([filter, call]);
      if (thrown !== undefined) throw thrown;
      return { events: given, runs: [info("r", "s"), info("q")], unread: [] };
    },
  };
  return { port, asked };
}
const ids = (found: readonly TraceEvent[]) => found.map(({ id }) => id.replace("r#", ""));

describe("a question", () => {
  it("is asked of the store with its filter and what is given beside it", async () => {
    const { port, asked } = store();
    const { signal } = new AbortController();
    const traces = new Traces(port, { signal });
    await traces.query({ agentId: "a" });
    await traces.contents();
    expect(asked).toEqual([
      [{ agentId: "a" }, { signal }],
      [{}, { signal }],
    ]);
    expect((await traces.runs()).map(({ runId }) => runId)).toEqual(["r", "q"]);
    expect((await traces.trace()).events).toHaveLength(4);
    await new Traces(port).queryEvents("a", 1, 2, ["error"]);
    expect(asked.at(-1)).toEqual([{ agentId: "a", from: 1, to: 2, types: ["error"] }, {}]);
    await new Traces(port).queryEvents(undefined);
    expect(asked.at(-1)).toStrictEqual([{}, {}]);
  });

  it("that is misspelt, or none, is refused before the store is asked", async () => {
    const { port, asked } = store();
    const traces = new Traces(port);
    for (const [ask, what] of [
      [() => traces.query({ runid: "r" } as never), "runid is not a part of it; agentId, session,"],
      [() => traces.query({ types: "input" as never }), "types is not a list"],
      [() => traces.query({ limit: 1.5 }), "limit 1.5 is not a number of events"],
      [() => traces.query({ limit: -1 }), "limit -1 is not a number of events"],
      [() => traces.query(5 as never), "A question to a trace takes an object"],
      [() => traces.query([] as never), "A question to a trace takes an object"],
      [() => traces.findSlowOps(5, { agent: "a" } as never), "agent is not a part of it"],
    ] as const) {
      const { code, message } = await rejection(ask());
      expect([code, message]).toEqual(["trace.query", expect.stringContaining(what)]);
    }
    expect(asked).toEqual([]);
    for (const [ask, what] of [
      [() => traces.findSlowOps("abc" as never), "thresholdMs abc is not a number of milliseconds"],
      [() => traces.findSlowOps(-1), "thresholdMs -1 is not a number of milliseconds"],
      [() => traces.findSlowOps(Number.NaN), "thresholdMs NaN is not a number of milliseconds"],
      [() => traces.findErrors(-1), "limit -1 is not a number of errors"],
      [() => traces.findErrors("1" as never), "limit 1 is not a number of errors"],
    ] as const) {
      const { code, message } = await rejection(ask());
      expect([code, message]).toEqual(["trace.query", expect.stringContaining(what)]);
    }
    expect(await rejection(traces.waits("nope"))).toMatchObject({ code: "trace.missing" });
    expect(await traces.waits("r")).toEqual([]);
    expect(await traces.findErrors(0)).toEqual([]);
    expect(await traces.findSlowOps(0)).toHaveLength(2);
  });

  it("about a run is answered for one that is there, and refused for any other", async () => {
    const over = events.map((each) => ({ ...each, endSeq: each.at }));
    const traces = new Traces(store(over).port);
    expect((await traces.criticalPath("r")).ms).toBe(1_400);
    expect(await rejection(traces.criticalPath("x"))).toMatchObject({
      code: "trace.missing",
      place: "x",
      message: "a store holds no run x; reckoner observe status lists the runs.",
    });
  });

  it("is answered with what fits, though the store gives more", async () => {
    const traces = new Traces(store().port);
    expect(ids(await traces.queryEvents("b"))).toEqual(["b"]);
    expect(ids(await traces.queryEvents(undefined, 20))).toEqual(["b", "@2/error"]);
    expect(ids(await traces.queryEvents(undefined, undefined, 10))).toEqual(["@0", "a"]);
    expect(ids(await traces.queryEvents(undefined, undefined, undefined, ["input"]))).toEqual([
      "@0",
    ]);
    expect(ids(await traces.findSlowOps(400))).toEqual(["b", "a"]);
    expect(ids(await traces.findSlowOps(400, { agentId: "a" }))).toEqual(["a"]);
    expect(await traces.findErrors()).toMatchObject([{ count: 1 }]);
    expect(await traces.findErrors(0)).toEqual([]);
    expect(await traces.findErrors(20, { agentId: "b" })).toEqual([]);
  });

  it("counts the events of an agent, or of all", async () => {
    const traces = new Traces(store().port);
    expect(await traces.stats()).toMatchObject({ llmCalls: 1, toolCalls: 1, errors: 1 });
    expect(await traces.stats("a")).toMatchObject({ llmCalls: 0, toolCalls: 1 });
    expect(await traces.stats(undefined, 20, 25)).toMatchObject({
      llmCalls: 1,
      toolCalls: 0,
      errors: 0,
    });
    expect(await traces.statsOf({ agentId: "b" })).toMatchObject({ llmCalls: 1, toolCalls: 0 });
  });

  it("of how it came to something goes back to its root", async () => {
    const traces = new Traces(store().port);
    const { chain } = await traces.explainAction("r#b");
    expect(chain.map(({ eventId }) => eventId)).toEqual(["r#@0", "r#a", "r#b"]);
    expect((await traces.explainAction("none")).chain).toEqual([]);
    expect(ids((await traces.explain("r#a")).followed)).toEqual(["b", "@2/error"]);
    expect(await rejection(traces.explain("none"))).toMatchObject({ code: "trace.missing" });
    expect(await traces.buildFromSession("s")).toBeDefined();
    expect(await traces.buildFromSession("q")).toBeDefined();
    expect(await traces.buildFromSession("nobody")).toBeUndefined();
  });

  it("of a run's time is refused where there is no such run", async () => {
    const traces = new Traces(store().port);
    expect(await traces.waits("r")).toEqual(expect.any(Array));
    expect(await rejection(traces.criticalPath("x"))).toMatchObject({
      code: "trace.missing",
      place: "x",
      message: "a store holds no run x; reckoner observe status lists the runs.",
    });
  });

  it("that the store cannot answer says so", async () => {
    const own = new ReckonerError("trace.query", "no");
    expect(await rejection(askTraces(store([], own).port, {}, {}))).toBe(own);
    const cause = new Error("connection lost");
    expect(await rejection(new Traces(store([], cause).port).contents())).toMatchObject({
      code: "trace.unreachable",
      place: "a store",
      cause,
      message: expect.stringMatching(/^The traces in a store cannot be read: connection lost\./),
    });
  });
});

describe("a store of traces that is none", () => {
  it("is refused where it is given", () => {
    const read = async () => ({ events, runs: [], unread: [] });
    for (const given of [undefined, 5, {}, { name: "a" }, { read }, { name: 5, read }]) {
      const { code, message } = refusal(() => new Traces(given as never));
      expect([given, code]).toEqual([given, "option.invalid"]);
      expect(message).toContain("must be a store of traces, with a name and read()");
    }
  });

  it("or answers with what are no events: nothing is known, and that is said", async () => {
    const runs: unknown[] = [];
    const answers: readonly unknown[] = [
      undefined,
      null,
      5,
      {},
      { events: [], runs },
      { events: {}, runs, unread: [] },
      { events: [null], runs, unread: [] },
      { events: [{ id: "r#a", type: "tool_call" }], runs, unread: [] },
      { events: [...events, 5], runs, unread: [] },
    ];
    for (const answer of answers) {
      const traces = new Traces({ name: "mine", read: async () => answer as never });
      for (const asked of [traces.query({}), traces.stats(), traces.explain("r#a")]) {
        expect([answer, await rejection(asked)]).toMatchObject([
          answer,
          { code: "trace.unreachable", place: "mine" },
        ]);
      }
    }
  });
});

describe("traces as a store that runs read from", () => {
  const { signal } = new AbortController();
  const many = Array.from({ length: 102 }, (_, i) =>
    event(`r#${i}`, { at: i, session: i === 0 ? "s" : "s", ...(i > 0 && { parentEvent: "r#0" }) }),
  );
  const ask = async (query: unknown, given = events, everything = true) =>
    (await traceStorePort(store(given).port, { everything }).read(query as never, {
      signal,
    })) as never as {
      readonly count: number;
      readonly truncated: boolean;
      readonly events: readonly TraceEvent[];
      readonly text: string;
      readonly stats: { readonly llmCalls: number };
      readonly followed: readonly { readonly eventId: string }[];
      readonly ledHere: readonly { readonly eventId: string }[];
      readonly event: TraceEvent;
      readonly missing: unknown;
      readonly chain: readonly { readonly eventId: string }[];
    };

  it("hands on by what it may be stopped", async () => {
    const { port, asked } = store();
    await traceStorePort(port, { everything: true }).read({ type: "events" }, { signal });
    expect(asked[0]?.[1]).toEqual({ signal });
  });

  it("gives the last hundred events, and says whether there are more", async () => {
    const all = await ask({ type: "events" }, many.slice(0, 100));
    expect([all.count, all.truncated, all.events.length]).toEqual([100, false, 100]);
    const more = await ask({ type: "events" }, many.slice(0, 101));
    expect([more.count, more.truncated, more.events.length]).toEqual([101, true, 100]);
    expect(more.events[0]?.id).toBe("r#1");
    const {
      followed,
      ledHere,
      event: itself,
      chain,
      missing,
    } = await ask({ type: "explain", eventId: "r#0" }, many);
    expect([followed.length, followed[0]?.eventId, followed.at(-1)?.eventId]).toEqual([
      100,
      "r#2",
      "r#101",
    ]);
    expect([ledHere, itself.id, chain.length, missing]).toEqual([[], "r#0", 1, []]);
    const behind = await ask({ type: "explain", eventId: "r#5" }, many);
    expect(behind.ledHere.map(({ eventId }) => eventId)).toEqual(["r#0"]);
  });

  it("takes times as texts and as numbers, agents and types, and nothing else of them", async () => {
    const of = async (query: object) => ids((await ask({ type: "events", ...query })).events);
    expect(await of({ from: 20 })).toEqual(["b", "@2/error"]);
    expect(await of({ from: new Date(20).toISOString() })).toEqual(["b", "@2/error"]);
    expect(await of({ to: 10 })).toEqual(["@0", "a"]);
    expect(await of({ to: new Date(10).toISOString() })).toEqual(["@0", "a"]);
    expect(await of({ agentId: "b" })).toEqual(["b"]);
    expect(await of({ types: ["input", "error"] })).toEqual(["@0", "@2/error"]);
    expect(await of({ from: null, to: true, agentId: 5, types: "input" })).toHaveLength(4);
  });

  it("writes in the format that is asked for, and else gives values", async () => {
    for (const format of [undefined, "json", "other", 5]) {
      expect(await ask({ type: "events", format })).not.toHaveProperty("text");
      expect(await ask({ type: "stats", format })).toMatchObject({ stats: { llmCalls: 1 } });
    }
    for (const format of ["terminal", "markdown"]) {
      const found = await ask({ type: "events", format });
      expect(found).not.toHaveProperty("events");
      expect(found.text.includes("|")).toBe(format === "markdown");
      const { text, ...rest } = await ask({ type: "stats", format });
      expect([typeof text, rest]).toEqual(["string", {}]);
    }
    expect((await ask({ type: "stats", agentId: "a" })).stats.llmCalls).toBe(0);
    expect((await ask({ type: "explain", eventId: "r#b" })).text).toContain("LLM call: unknown");
  });

  it("answers for the session of the run that asks alone, unless it may see everything", async () => {
    const mine = await ask({ type: "events", runId: "r" }, events, false);
    expect(ids(mine.events)).toEqual(["@0", "a", "b"]);
    expect(ids((await ask({ type: "events", runId: "q" }, events, false)).events)).toEqual([]);
    expect(await rejection(ask({ type: "events", runId: "x" }, events, false))).toMatchObject({
      code: "trace.missing",
      message: expect.stringContaining("a store holds no run x:"),
    });
    const blind = traceStorePort(store().port);
    expect(await rejection(blind.read("events", { signal }))).toMatchObject({
      code: "trace.missing",
    });
  });

  it("refuses what is no question, and every write", async () => {
    expect(await rejection(ask({ type: "who" }))).toMatchObject({
      code: "trace.query",
      message: "There is no query who.",
    });
    expect(await rejection(ask(null))).toMatchObject({
      message: "There is no query undefined.",
    });
    const port = traceStorePort(store().port);
    expect(port.name).toBe("a store");
    expect(refusal(() => port.write([], { signal, idempotencyKey: "k" }))).toMatchObject({
      code: "trace.query",
      message: "The traces in a store cannot be written to.",
    });
  });
});
