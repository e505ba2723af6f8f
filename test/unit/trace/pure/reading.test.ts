// What is read from a journal's lines, piece by piece: fields, the calls of an answer, what was waited for.
import { describe, expect, it } from "vitest";
import type { EventLine } from "../../../../src/core/journal/index.js";
import {
  AnswerBatch,
  outcomeOfResult,
  resultsIn,
} from "../../../../src/trace/pure/reading/answer-batch.js";
import { decisionFields, isRecorded } from "../../../../src/trace/pure/reading/decision-of.js";
import {
  type PrecedingEvents,
  waitedFor,
} from "../../../../src/trace/pure/reading/directive-causes.js";
import {
  askedFields,
  cutAt,
  inputFields,
  settledFields,
} from "../../../../src/trace/pure/reading/fields.js";
import type { Draft, Effect } from "../../../../src/trace/pure/reading/open-event.js";
import { groupOf, kindOfStart, operationsIn } from "../../../../src/trace/pure/reading/run-kind.js";

const cut = cutAt(1_000);

describe("the fields of an input", () => {
  const of = (event: object, input: unknown = "") =>
    inputFields({ at: 0, ...event } as never, input as never, cut);
  const text = (words: string) => ({ type: "text", text: words });

  it.each([
    [{ type: "start" }, "go", { kind: "start", content: "go" }],
    [
      { type: "start" },
      { prompt: "go", n: 1 },
      { kind: "start", content: "go", input: '{"prompt":"go","n":1}' },
    ],
    [{ type: "start" }, { prompt: 5 }, { kind: "start", content: '{"prompt":5}' }],
    [{ type: "start" }, ["prompt"], { kind: "start", content: '["prompt"]' }],
    [{ type: "start" }, null, { kind: "start", content: "null" }],
    [{ type: "message", content: "hi" }, "", { kind: "message", content: "hi" }],
    [
      { type: "message", content: [text("hi"), text(" there")] },
      "",
      { kind: "message", content: "hi there" },
    ],
    [
      { type: "message", content: [text("hi"), { type: "file" }] },
      "",
      { kind: "message", content: '[{"type":"text","text":"hi"},{"type":"file"}]' },
    ],
    [{ type: "cancel", reason: "enough", n: 1 }, "", { kind: "cancel", content: "enough" }],
    [{ type: "ping", n: 1 }, "", { kind: "ping", content: '{"n":1}' }],
    [{ type: "ping" }, "", { kind: "ping", content: "" }],
  ])("%j, of input %j", (event, input, fields) => {
    expect(of(event, input)).toStrictEqual(fields);
  });
});

describe("the fields of what was asked for", () => {
  const child = { parentId: "a", runId: "r:x" };
  const of = (type: string, parts?: object) =>
    askedFields({ type, ...(parts && { parts: parts as never }) }, cut, child);

  it.each([
    ["llm", { model: "m", system: "s" }, { model: "m" }],
    ["llm", {}, {}],
    ["llm", undefined, {}],
    ["tool", { name: "n", input: { a: 1 } }, { toolName: "n", input: '{"a":1}' }],
    ["tool", { name: "n", input: "text" }, { toolName: "n", input: '"text"' }],
    ["tool", {}, { toolName: "null", input: "null" }],
    ["read", { store: "s", query: ["q"] }, { store: "s", query: '["q"]' }],
    ["write", { store: "s", operations: [1] }, { store: "s", operations: "[1]" }],
    ["approval", { title: "t", subject: "s" }, { title: "t", subject: '"s"' }],
    ["timer", { until: 5 }, { until: "5" }],
    [
      "run",
      { reasoner: "c", input: { prompt: "p" } },
      { parentId: "a", childId: "c", task: "p", runId: "r:x" },
    ],
    [
      "run",
      { reasoner: "c", input: { prompt: null } },
      { parentId: "a", childId: "c", task: '{"prompt":null}', runId: "r:x" },
    ],
    ["cancel", { target: "x" }, {}],
  ])("%s with %j", (type, parts, fields) => {
    expect(of(type, parts)).toStrictEqual(fields);
  });
});

describe("the fields of what settled it", () => {
  const of = (event: object) => settledFields({ at: 0, id: "x", ...event } as never, cut);
  const said = { type: "llm.succeeded", content: [{ type: "text", text: "yes" }] };
  const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 99 };

  it.each([
    [
      { ...said, model: "m", usage, finishReason: "stop", attempts: 2 },
      {
        model: "m",
        promptTokens: "3",
        completionTokens: "4",
        totalTokens: "7",
        finishReason: "stop",
        output: "yes",
        attempts: "2",
      },
    ],
    [{ ...said, content: [], usage: {} }, {}],
    [
      { ...said, usage: { inputTokens: 3 } },
      { promptTokens: "3", completionTokens: "0", totalTokens: "3", output: "yes" },
    ],
    [
      { ...said, usage: { outputTokens: 4 } },
      { promptTokens: "0", completionTokens: "4", totalTokens: "4", output: "yes" },
    ],
    [{ ...said, usage: { inputTokens: "3" } }, { output: "yes" }],
    [
      { type: "llm.failed", usage, attempts: 3 },
      { promptTokens: "3", completionTokens: "4", totalTokens: "7", attempts: "3" },
    ],
    [{ type: "llm.failed" }, {}],
    [
      { type: "tool.succeeded", output: "x", attempts: 1 },
      { output: '"x"', attempts: "1" },
    ],
    [{ type: "tool.succeeded", output: null }, { output: "null" }],
    [
      { type: "tool.failed", reason: "unknown", attempts: 1 },
      { reason: "unknown", attempts: "1" },
    ],
    [
      { type: "read.succeeded", value: [1], attempts: 1 },
      { value: "[1]", attempts: "1" },
    ],
    [{ type: "write.succeeded", value: "v" }, { value: '"v"' }],
    [{ type: "read.failed", attempts: 2, reason: "x" }, { attempts: "2" }],
    [{ type: "timer.fired" }, {}],
    [{ type: "approval.decided", approve: true }, { decision: "approved" }],
    [
      { type: "approval.decided", approve: false, reason: "no", by: "ada", input: { a: 1 } },
      { decision: "rejected", reason: "no", by: "ada", input: '{"a":1}' },
    ],
    [{ type: "run.succeeded", output: { a: 1 }, usage }, { output: '{"a":1}' }],
    [{ type: "run.failed", usage }, {}],
  ])("%j", (event, fields) => {
    expect(of(event)).toStrictEqual(fields);
  });
});

describe("the calls of an answer", () => {
  const draft = (more: object = {}) => ({ id: "r#llm/0", seq: 4, ...more }) as unknown as Draft;
  const call = (toolName: string, input: unknown) =>
    ({ type: "tool-call", toolCallId: "c", toolName, input }) as never;
  const calls = [call("a", { x: 1, y: 2 }), call("b", 1), call("a", { x: 1, y: 2 })];

  it("of an agent are known by the ids that it gives", () => {
    const batch = new AnswerBatch(draft(), "llm/3/1", calls, true);
    const at = (id: string, type = "tool") => batch.slotOf({ type, id })?.index;
    expect(
      [
        "tool/3/0",
        "approval/3/1",
        "tool/3/2/7",
        "tool/3/3",
        "tool/2/0",
        "x/3/0",
        "tool/3/0/1/2",
      ].map((id) => at(id)),
    ).toEqual([0, 1, 2, undefined, undefined, undefined, undefined]);
    expect(batch.idOf(batch.slots[1] as never, "r")).toBe("r#tool/3/1");
  });

  it("of another machine are the first of that tool with that input that have no event yet", () => {
    const batch = new AnswerBatch(draft({ endSeq: 6 }), "llm/3", calls, false);
    const at = (name: unknown, input: unknown, type = "tool") =>
      batch.slotOf({ type, id: "tool/3/1", parts: { name, input } as never })?.index;
    expect([at("a", { y: 2, x: 1 }), at("b", 1), at("b", 2), at("c", 1)]).toEqual([
      0,
      1,
      undefined,
      undefined,
    ]);
    expect(at("b", 1, "approval")).toBeUndefined();
    expect(batch.slotOf({ type: "tool", id: "tool/3/1" })).toBeUndefined();
    (batch.slots[0] as { event?: Draft }).event = draft();
    expect(at("a", { x: 1, y: 2 })).toBe(2);
    // By its place, at the answer's own event.
    expect(batch.idOf(batch.slots[2] as never, "r")).toBe("r#@6/call/2");
    const open = new AnswerBatch(draft(), "ask", calls, true);
    expect(open.idOf(open.slots[0] as never, "r")).toBe("r#@4/call/0");
  });

  const result = (toolName: unknown, output: unknown = 1) => ({
    type: "tool-result",
    toolName,
    output,
  });
  const told = (...content: unknown[]) => ({ role: "tool", content });
  const answered = (...content: unknown[]) => ({ role: "assistant", content });
  const asks = answered({ type: "tool-call" });

  it("have the results behind the last answer with calls, in their order", () => {
    const of = (...messages: unknown[]) =>
      resultsIn(messages as never).map(({ toolName }) => toolName);
    expect(
      of(asks, told(result("0")), asks, told(result("a"), result("b")), told(result("c"))),
    ).toEqual(["a", "b", "c"]);
    expect(of(told(result("a")), { role: "user", content: "hm" }, told(result("b")))).toEqual([
      "a",
      "b",
    ]);
    // An answer without a call is none of them, nor is what is not a message.
    expect(of(asks, told(result("a")), answered({ type: "text" }), answered("x"), null, 5)).toEqual(
      ["a"],
    );
    expect(of(asks, told(result(5), { type: "text", toolName: "x" }, "x", result("b")))).toEqual([
      "b",
    ]);
    expect(of({ role: "user", content: [result("a")] }, asks)).toEqual([]);
    expect(of()).toEqual([]);
  });

  it.each([
    [{ type: "text", value: "fine" }, "succeeded", "fine"],
    [{ type: "json" }, "succeeded", null],
    [{ type: "text", value: "Tool call was denied by hook" }, "succeeded", expect.anything()],
    [{ type: "error-text", value: "boom" }, "failed", "boom"],
    [{ type: "error-json", value: { a: 1 } }, "failed", { a: 1 }],
    [
      { type: "error-text", value: "Tool call was denied by hook: x" },
      "rejected",
      expect.anything(),
    ],
    [
      { type: "error-text", value: "Tool call was rejected by approval handler" },
      "rejected",
      expect.anything(),
    ],
    [
      { type: "error-text", value: "Tool call was interrupted and not executed" },
      "not-executed",
      expect.anything(),
    ],
    [
      { type: "error-text", value: "Tool call was not executed, since" },
      "not-executed",
      expect.anything(),
    ],
    [
      { type: "error-text", value: "Tool call was interrupted after it had started" },
      "unknown",
      expect.anything(),
    ],
    [
      { type: "error-content", value: [{ type: "text", text: "Tool call was denied by hook" }] },
      "rejected",
      expect.anything(),
    ],
    [{ type: "error-content", value: [{ type: "text", text: 5 }] }, "failed", expect.anything()],
    [{ type: "error-content", value: [] }, "failed", []],
    [
      { type: "error-content", value: { text: "Tool call was denied by hook" } },
      "failed",
      expect.anything(),
    ],
    ["text", "unrecorded", null],
    [null, "unrecorded", null],
  ])("that were told %j came to %s", (output, status, value) => {
    expect(outcomeOfResult({ toolName: "a", output: output as never })).toEqual({ status, value });
  });
});

describe("a decision", () => {
  const of = (value: unknown) => decisionFields(value as never, cut);

  it.each([
    [{ description: "d" }, { description: "d", alternatives: "[]", chosen: "d" }],
    [
      { description: null, label: "l", alternatives: ["a"], chosen: "c", reasoning: "r" },
      { description: "l", alternatives: '["a"]', chosen: "c", reasoning: "r" },
    ],
    [
      { decision: "d", rationale: "r" },
      { description: "d", alternatives: "[]", chosen: "d", reasoning: "r" },
    ],
    [
      { new_id: "n", edge_type: "rejected" },
      { description: "n", alternatives: "[]", chosen: "" },
    ],
    [
      { label: "n", edge_type: "rejected", chosen: "c" },
      { description: "n", alternatives: "[]", chosen: "c" },
    ],
    [{ description: 5, label: "l" }, undefined],
    [{}, undefined],
    ["d", undefined],
    [["d"], undefined],
    [undefined, undefined],
  ])("of %j", (value, fields) => {
    expect(of(value)).toStrictEqual(fields);
  });

  it("was recorded unless its result says that it was not", () => {
    expect(
      [{ status: "error" }, { status: "ok" }, {}, "error", null, undefined].map(isRecorded),
    ).toEqual([false, true, true, true, true, true]);
  });
});

describe("a machine", () => {
  const line = (...paths: string[]) =>
    ({ set: Object.fromEntries(paths.map((path) => [path, 1])) }) as unknown as EventLine;

  it("is known by the fields that its start notes", () => {
    const agent = ["agentName", "batch/a", "iteration", "toolCalls"];
    const thoughts = ["graph/x", "operations", "budgets"];
    expect(
      [line(...agent), line(...agent.slice(1)), line(...thoughts), line(...thoughts.slice(1))].map(
        kindOfStart,
      ),
    ).toEqual(["agent", "other", "thoughts", "other"]);
    expect(kindOfStart({} as EventLine)).toBe("other");
    expect([
      operationsIn(line("operations/a", "x/b", "operations/c/d")),
      operationsIn({} as never),
    ]).toEqual([["a", "c/d"], []]);
  });

  it("has groups by its ids", () => {
    expect([
      groupOf("thoughts", "llm/o1/2"),
      groupOf("thoughts", "x"),
      groupOf("other", "plugin/0/1/x"),
      groupOf("agent", "plugin/0/12/x/y"),
      groupOf("agent", "plugin/0/1"),
      groupOf("agent", "a/plugin/0/1/x"),
      groupOf("agent", "tool/0/1"),
    ]).toEqual(["o1", undefined, undefined, "plugin/0/12", undefined, undefined, undefined]);
  });
});

describe("what a directive waited for", () => {
  const draft = (id: string, more: object = {}) =>
    ({
      id,
      type: "tool_call",
      status: "succeeded",
      seq: 1,
      endSeq: 2,
      ...more,
    }) as unknown as Draft;
  const effect = (id: string, more: object = {}, quiet = true): Effect => ({
    draft: draft(id, more),
    type: "tool",
    id,
    siblings: [],
    quiet,
  });
  const before = (more: Partial<PrecedingEvents>): PrecedingEvents => ({
    kind: "other",
    trigger: draft("t"),
    settled: undefined,
    batch: undefined,
    slot: undefined,
    groups: new Map(),
    ...more,
  });
  const llm = { type: "llm", id: "llm/1" };
  const of = (more: Partial<PrecedingEvents>, issued = llm, slot?: unknown) =>
    waitedFor(before(more), issued, slot as never);

  it("is its trigger, and nothing where there is none", () => {
    expect([of({}), of({ trigger: undefined, settled: effect("a") })]).toEqual([["t"], []]);
  });

  it("is what was issued together and led to nothing, where all of it is over", () => {
    const siblings = (...all: Effect[]) => ({
      settled: { ...(all[0] as Effect), siblings: all },
    });
    const [a, b] = [effect("a"), effect("b")];
    const loud = effect("loud", {}, false);
    const stopped = effect("stopped", { status: "cancelled" });
    const loudly = effect("loudly", { status: "cancelled" }, false);
    expect(of(siblings(a, b, loud, stopped, loudly))).toEqual(["t", "a", "b"]);
    expect(of(siblings(a, effect("open", { status: "open" })))).toEqual(["t"]);
    // With an agent nothing is a batch that its ids do not make one.
    expect(of({ ...siblings(a, b), kind: "agent" })).toEqual(["t"]);
  });

  it("is all of a group, for what comes behind it", () => {
    const group = (more: object, ...effects: Effect[]): Partial<PrecedingEvents> => ({
      kind: "thoughts",
      settled: effect("llm/o1/0"),
      groups: new Map([["o1", effects]]),
      ...more,
    });
    const next = { type: "llm", id: "llm/o2/0" };
    const [a, b] = [effect("a"), effect("b")];
    expect(of(group({}, a, b), next)).toEqual(["t", "a", "b"]);
    expect(of(group({}, a, b), { type: "llm", id: "llm/o1/1" })).toEqual(["t"]);
    expect(of(group({}, a, effect("c", { status: "open" })), next)).toEqual(["t"]);
    expect(of({ ...group({}), groups: new Map() }, next)).toEqual(["t"]);
  });

  const slots = [
    { index: 0, event: draft("s0") },
    { index: 1, event: draft("s1", { seq: 2 }) },
    { index: 2 },
    { index: 3, event: draft("s3") },
  ];
  const batch = (over: boolean) => ({ slots, over }) as unknown as AnswerBatch;

  it("is all of a batch that is over, for what comes behind it", () => {
    expect(of({ batch: batch(true) })).toEqual(["t", "s0", "s1", "s3"]);
    expect(of({ batch: batch(false) })).toEqual(["t"]);
    const timer = draft("t", { type: "timer" });
    expect(of({ batch: batch(true), trigger: timer })).toEqual(["t"]);
    const read = { type: "read", id: "x" };
    expect(of({ batch: batch(true) }, read)).toEqual(["t"]);
    expect(of({ batch: batch(true), kind: "agent" }, read)).toEqual(["t", "s0", "s1", "s3"]);
  });

  it("is the waves before a call's own", () => {
    const trigger = draft("t", { endSeq: 2 });
    const wave = (slot: unknown, next: unknown, more: Partial<PrecedingEvents> = {}) =>
      of({ batch: batch(false), slot: slot as never, trigger, ...more }, llm, next);
    // The second began with this very line, and is of the same wave.
    expect(wave(slots[0], slots[3])).toEqual(["t", "s0"]);
    expect(wave(slots[0], slots[0])).toEqual(["t"]);
    expect(wave(slots[3], slots[0])).toEqual(["t"]);
    expect(wave(slots[3], slots[3])).toEqual(["t"]);
    expect(wave(undefined, slots[3])).toEqual(["t"]);
    expect(wave(slots[0], slots[3], { batch: undefined })).toEqual(["t"]);
    expect(wave(slots[0], slots[3], { trigger: draft("t", { endSeq: 9 }) })).toEqual([
      "t",
      "s0",
      "s1",
    ]);
  });
});
