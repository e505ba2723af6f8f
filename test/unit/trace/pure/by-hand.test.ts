// Traces of lines that were written by hand: what few runs come to, one step at a time.
import { describe, expect, it } from "vitest";
import type { Line } from "../../../../src/core/journal/index.js";
import {
  assemble,
  buildFromSession,
  criticalPath,
  findErrors,
  RunTrace,
  type RunTraceOptions,
  Trace,
  type TraceEvent,
} from "../../../../src/trace/pure/index.js";
import { event, traceOf } from "../../../support/traced.js";

const header = {
  type: "header",
  runId: "r",
  reasoner: { id: "a", version: 1 },
  at: 0,
  input: "go",
};
const at = (seq: number, settled: object, more: object = {}): object => ({
  seq,
  event: { at: 10 * seq, ...settled },
  value: "v",
  ...more,
});
const lines = (...own: readonly object[]) => [header, ...own] as unknown as readonly Line[];
/** The start of an agent's run, by the fields that it notes. */
const AGENT = { agentName: "a", batch: "-", iteration: 0, toolCalls: "-" };
const llm = { type: "llm", id: "llm/0", model: "m" };
const told = (toolName: string, type: string, value: unknown) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "c", toolName, output: { type, value } }],
});
const call = (toolName: string, input: unknown, more: object = {}) => ({
  type: "tool-call",
  toolCallId: "c",
  toolName,
  input,
  ...more,
});
const answer = (...content: object[]) => ({
  type: "llm.succeeded",
  id: "llm/0",
  content,
  finishReason: "stop",
  usage: {},
});
const shows = (content: readonly object[], result: object) => ({
  do: [{ type: "llm", id: "llm/1", messages: [{ role: "assistant", content }, result] }],
});

/** An agent's inline call: its answer, and the next request, which shows the result. */
function inline(asked: object, result: object, options?: RunTraceOptions): readonly TraceEvent[] {
  return traceOf(
    lines(
      at(0, { type: "start" }, { do: [llm], set: AGENT }),
      at(1, answer(asked), shows([asked], result)),
    ),
    options,
  ).events();
}
const of = (events: readonly TraceEvent[], type: string) =>
  events.filter((each) => each.type === type);

describe("an effect", () => {
  it("that is open when the run ends was cancelled then", () => {
    const events = traceOf(
      lines(
        at(0, { type: "start" }, { do: [llm, { type: "timer", id: "t", until: 9 }] }),
        at(2, answer({ type: "text", text: "x" }), { end: { status: "done" } }),
      ),
    ).events();
    expect(
      events.map(({ id, status, durationMs, endSeq }) => [id, status, durationMs, endSeq]),
    ).toEqual([
      ["r#@0", "succeeded", undefined, 0],
      ["r#llm/0", "succeeded", 20, 2],
      ["r#t", "cancelled", 20, 2],
    ]);
  });

  it("that had started and of which nobody knows is unknown, and an error as well", () => {
    const failed = { type: "tool.failed", id: "x", reason: "unknown" };
    const events = traceOf(
      lines(
        at(0, { type: "start" }, { do: [{ type: "tool", id: "x", name: "n", input: 1 }] }),
        at(1, { ...failed, error: { code: "tool.unknown", message: "who knows" } }),
      ),
    ).events();
    expect(events.map(({ type, status }) => [type, status])).toEqual([
      ["input", "succeeded"],
      ["tool_call", "unknown"],
      ["error", "failed"],
    ]);
  });

  it("took no time where the clock ran back", () => {
    const events = traceOf(
      lines(at(0, { type: "start", at: 50 }, { do: [llm] }), at(1, { ...answer(), at: 20 })),
    ).events();
    expect(of(events, "llm_call")[0]).toMatchObject({ durationMs: 0, at: 50 });
  });

  it("is for what the user said once, in the first request that shows it", () => {
    const said = { role: "user", content: "and this" };
    const ask = (id: string) => ({ type: "llm", id, messages: [said] });
    const events = traceOf(
      lines(
        at(0, { type: "start" }, { do: [llm] }),
        at(1, { type: "message", content: "and this" }),
        at(2, answer({ type: "text", text: "x" }), { do: [ask("llm/1")] }),
        at(3, { ...answer({ type: "text", text: "y" }), id: "llm/1" }, { do: [ask("llm/2")] }),
      ),
    ).events();
    expect(of(events, "llm_call").map(({ causes }) => causes)).toEqual([
      ["r#@0"],
      ["r#llm/0", "r#@1"],
      ["r#llm/1"],
    ]);
  });
});

describe("an inline call", () => {
  it("is what the next request shows of it, and nothing where that is of another tool", () => {
    const look = call("look", 1);
    const [seen] = of(inline(look, told("look", "json", 7)), "tool_call");
    expect(seen).toMatchObject({ id: "r#tool/0/0", status: "succeeded", fields: { output: "7" } });
    const [other] = of(inline(look, told("burn", "json", 7)), "tool_call");
    expect(other).toMatchObject({ status: "unrecorded" });
    expect(other?.fields).not.toHaveProperty("output");
  });

  it("that the provider carried out is part of the answer, and no call", () => {
    const asked = call("search", 1, { providerExecuted: true });
    expect(of(inline(asked, told("search", "json", 7)), "tool_call")).toEqual([]);
  });

  it("is a decision where a decision tool succeeded, and said so", () => {
    const decide = (input: object, type: string, value: unknown) =>
      of(inline(call("record_decision", input), told("record_decision", type, value)), "decision");
    const input = { label: "tea", alternatives: ["coffee"], rationale: "late" };
    expect(decide(input, "json", { status: "ok" })).toMatchObject([
      {
        parentEvent: "r#tool/0/0",
        fields: {
          description: "tea",
          chosen: "tea",
          alternatives: '["coffee"]',
          reasoning: "late",
        },
      },
    ]);
    expect(decide({ ...input, edge_type: "rejected" }, "json", {})[0]?.fields.chosen).toBe("");
    expect(decide(input, "json", { status: "error" })).toEqual([]);
    expect(decide(input, "error-text", "no")).toEqual([]);
  });

  it("is a decision, or none, however short its fields are cut", () => {
    const long = "because ".repeat(100);
    const asked = call("record_decision", { label: "tea", rationale: long });
    const said = { note: long, status: "error" };
    const cut = { maxFieldLength: 40 };
    const decided = (result: object) => of(inline(asked, result, cut), "decision");
    expect(decided(told("record_decision", "json", {}))).toMatchObject([
      { fields: { description: "tea", reasoning: `${long.slice(0, 40)}… (800 characters)` } },
    ]);
    expect(decided(told("record_decision", "json", said))).toEqual([]);
    const direct = (output: object) => {
      const tool = { type: "tool", id: "t", name: "record_decision", input: asked.input };
      const settled = at(1, { type: "tool.succeeded", id: "t", output });
      return of(
        traceOf(lines(at(0, { type: "start" }, { do: [tool] }), settled), cut).events(),
        "decision",
      );
    };
    expect(direct({})).toMatchObject([{ parentEvent: "r#t", fields: { description: "tea" } }]);
    expect(direct(said)).toEqual([]);
  });

  it("has an event where its run ends before any request shows it", () => {
    const events = traceOf(
      lines(
        at(0, { type: "start" }, { do: [llm] }),
        at(1, answer(call("look", 1), call("note", 2)), { end: { status: "done" } }),
      ),
    ).events();
    expect(of(events, "tool_call").map(({ id, status }) => [id, status])).toEqual([
      ["r#@1/call/0", "unrecorded"],
      ["r#@1/call/1", "unrecorded"],
    ]);
  });
});

describe("a field", () => {
  it("is whole at its greatest length, and cut and counted beyond", () => {
    const said = (text: string) => {
      const trace = new RunTrace({ maxFieldLength: 5 });
      const start = at(0, { type: "start" });
      for (const line of lines(start, at(1, { type: "message", content: text }))) trace.take(line);
      return trace.events()[1]?.fields.content;
    };
    expect([said("12345"), said("123456")]).toEqual(["12345", "12345… (6 characters)"]);
  });
});

describe("several runs", () => {
  const start = (runId: string, more: Partial<TraceEvent> = {}) =>
    event(`${runId}#@0`, { type: "input", runId, session: runId, seq: 0, endSeq: 0, ...more });

  it("at one time stand behind those that they came from, and each in its own order", () => {
    const child = [
      start("c", { at: 5, parentEvent: "p#x" }),
      event("c#y", { runId: "c", at: 5, seq: 1 }),
    ];
    const parent = [
      start("p", { at: 5 }),
      event("p#x", { runId: "p", at: 5, seq: 1 }),
      // A clock that ran back changes nothing of a run's order.
      event("p#z", { runId: "p", at: 1, seq: 2 }),
    ];
    const ids = new Trace([...child, ...parent]).events.map(({ id }) => id);
    expect(ids).toEqual(["p#@0", "p#x", "p#z", "c#@0", "c#y"]);
  });

  it("that are children come from their directive, whatever they go on from", () => {
    const link = { journal: "j", runId: "before", seq: 0, hash: "h" };
    const run = (runId: string, more: object, events: readonly TraceEvent[], parent?: string) => ({
      header: { runId, at: 0, reasoner: { id: "a", version: 1 }, ...more },
      ...(parent === undefined ? {} : { parent }),
      events,
      ended: true,
    });
    const trace = assemble([
      run("before", {}, [start("before")]),
      run("p", {}, [start("p")]),
      run("c", { from: link }, [start("c", { causes: ["p#x"], parentEvent: "p#x" })], "p"),
    ]);
    expect(trace.get("c#@0")).toMatchObject({
      session: "p",
      parentEvent: "p#x",
      causes: ["p#x"],
    });
  });

  it("have each its own critical path, which follows no parent into another run", () => {
    const asked = event("p#x", {
      type: "delegation",
      runId: "p",
      seq: 1,
      endSeq: 2,
      durationMs: 9,
    });
    const child = [
      start("c", { parentEvent: "p#x", causes: ["p#x"], at: 1 }),
      event("c#y", { runId: "c", at: 1, seq: 1, endSeq: 1, durationMs: 4, parentEvent: "p#x" }),
    ];
    const path = criticalPath(new Trace([start("p"), asked, ...child]), "c");
    expect(path?.segments.map((each) => each.event.id)).toEqual(["c#y"]);
    // A child that says it is its own parent's parent is looked into once.
    const round = event("c#z", {
      type: "delegation",
      runId: "c",
      seq: 2,
      endSeq: 3,
      fields: { runId: "c" },
    });
    const own = criticalPath(new Trace([start("c"), round]), "c");
    expect(own?.segments.map(({ within }) => within)).toEqual([undefined]);
  });

  it("of which a circle leads through one are told of in its tree", () => {
    const trace = new Trace([
      event("a", { parentEvent: "b" }),
      event("b", { at: 1, parentEvent: "a", session: "other" }),
    ]);
    for (const session of ["s", "other"]) {
      expect(buildFromSession(trace, session)?.defects).toMatchObject([{ kind: "cycle" }]);
    }
  });
});

it("of errors at one time the last one says whose they are", () => {
  const error = (id: string, agentId: string) =>
    event(id, { type: "error", at: 3, agentId, fields: { error: "x" } });
  expect(findErrors([error("1", "a"), error("2", "b")])).toMatchObject([
    { agentId: "b", count: 2 },
  ]);
});
