// Traces as a store that a run reads from: what it answers, for whom, and what it refuses.
import { describe, expect, it } from "vitest";
import { traceStorePort } from "../../../../src/trace/agent/index.js";
import { Trace, type TraceEvent } from "../../../../src/trace/pure/index.js";
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
const events = [
  event("r#@0", { at: 0, type: "input", durationMs: 0 }),
  event("r#a", { at: 10, durationMs: 500, parentEvent: "r#@0" }),
  event("r#b", { at: 20, type: "llm_call", agentId: "b", durationMs: 900, parentEvent: "r#a" }),
  event("r#@2/error", {
    at: 30,
    type: "error",
    status: "failed",
    fields: { error: "boom" },
    parentEvent: "r#b",
    session: "other",
  }),
];

const traces = (given: readonly TraceEvent[] = events) => ({
  name: "journals",
  read: async () => ({ trace: new Trace(given, [info("r", "s"), info("q")]), unread: [] }),
});
const ids = (found: readonly TraceEvent[]) => found.map(({ id }) => id.replace("r#", ""));

describe("traces as a store that runs read from", () => {
  const { signal } = new AbortController();
  const many = Array.from({ length: 102 }, (_, i) =>
    event(`r#${i}`, { at: i, session: "s", ...(i > 0 && { parentEvent: "r#0" }) }),
  );
  const ask = async (query: unknown, given = events, everything = true) =>
    (await traceStorePort(traces(given), { everything }).read(query as never, {
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

  it("takes times as texts and as numbers, agents and types", async () => {
    const of = async (query: object) => ids((await ask({ type: "events", ...query })).events);
    expect(await of({ from: 20 })).toEqual(["b", "@2/error"]);
    expect(await of({ from: new Date(20).toISOString() })).toEqual(["b", "@2/error"]);
    expect(await of({ to: 10 })).toEqual(["@0", "a"]);
    expect(await of({ to: new Date(10).toISOString() })).toEqual(["@0", "a"]);
    expect(await of({ agentId: "b" })).toEqual(["b"]);
    expect(await of({ types: ["input", "error"] })).toEqual(["@0", "@2/error"]);
  });

  it("writes in the format that is asked for, and else gives values", async () => {
    for (const format of [undefined, "json"]) {
      expect(await ask({ type: "events", format })).not.toHaveProperty("text");
      expect(await ask({ type: "stats", format })).toMatchObject({ stats: { llmCalls: 1 } });
    }
    for (const format of ["terminal", "markdown"]) {
      const found = await ask({ type: "events", format });
      expect(found).not.toHaveProperty("events");
      expect(found.text.includes("|")).toBe(format === "markdown");
    }
    const { text, ...rest } = await ask({ type: "stats", format: "terminal" });
    expect([typeof text, rest]).toEqual(["string", {}]);
    expect((await ask({ type: "stats", agentId: "a" })).stats.llmCalls).toBe(0);
    expect((await ask({ type: "explain", eventId: "r#b" })).text).toContain("LLM call: unknown");
  });

  it("answers for the session of the run that asks alone, unless it may see everything", async () => {
    const mine = await ask({ type: "events", runId: "r" }, events, false);
    expect(ids(mine.events)).toEqual(["@0", "a", "b"]);
    // Whatever session is asked for, it is of the run's own.
    const other = await ask({ type: "events", runId: "r", session: "other" }, events, false);
    expect(other.events).toEqual([]);
    expect(ids((await ask({ type: "events", runId: "q" }, events, false)).events)).toEqual([]);
    expect(await rejection(ask({ type: "events", runId: "x" }, events, false))).toMatchObject({
      code: "trace.missing",
      message: expect.stringContaining("journals holds no run x:"),
    });
    const blind = traceStorePort(traces());
    expect(await rejection(blind.read("events", { signal }))).toMatchObject({
      code: "trace.missing",
    });
  });

  it("refuses what is no question, in words for the model, and every write", async () => {
    const refused = [
      [{ type: "who" }, "There is no query who."],
      [null, "There is no query undefined."],
      [{ type: "explain" }, "eventId is missing; trace_query lists the ids."],
      [{ type: "explain", eventId: 5 }, "eventId is missing; trace_query lists the ids."],
      [{ type: "events", agentId: 5 }, "agentId must be a string; it is 5."],
      [{ type: "events", types: "x" }, "types must be a list, each"],
      [{ type: "events", types: ["x"] }, "types[0] must be"],
      [{ type: "stats", from: "soon" }, "from soon is not a time"],
      [{ type: "stats", to: true }, "to must be a string or a number"],
      [{ type: "stats", since: "today" }, "since is not a part of it"],
      [{ type: "stats", format: "markdown" }, 'format must be "json" or "terminal"'],
      [{ type: "events", format: 5 }, 'format must be "json", "terminal" or "markdown"'],
    ] as const;
    for (const [query, message] of refused) {
      expect((await rejection(ask(query))).message).toContain(message);
    }
    const port = traceStorePort(traces());
    expect(port.name).toBe("journals");
    expect(refusal(() => port.write([], { signal, idempotencyKey: "k" }))).toMatchObject({
      code: "trace.query",
      message: "The traces in journals cannot be written to.",
    });
  });
});
