// What an observer of callbacks hears of a run, by observations that were made by hand.
import { describe, expect, it } from "vitest";
import {
  type AgentCallbacks,
  type AgentObservation,
  agentCallbacks,
} from "../../../../../src/core/agent/extend/callbacks.js";
import { listOf, vectorOf } from "../../../../../src/core/kernel/values/index.js";

const call = (id: string) => ({ id, callId: `call ${id}`, name: "look", input: { of: id } });
const record = (id: string) => ({ ...call(id), status: "succeeded", output: id });
const context = (more: object = {}) =>
  ({ toolCalls: listOf([]), batch: null, answer: null, error: null, ...more }) as never;
const records = (...ids: string[]) => ({ toolCalls: listOf(ids.map(record) as never) });
const batch = (from: number, until: number, ...ids: string[]) => ({
  batch: { calls: vectorOf(ids.map(call) as never), from, until },
});
const step = (event: object, more: object = {}, state: object = {}): AgentObservation =>
  ({
    type: "step",
    event: { at: 0, ...event },
    state: { runId: "r", status: "active", value: "acting", context: context(more), ...state },
  }) as never;

/** What is called back, in short. */
function heard() {
  const log: string[] = [];
  const note = (text: string) => void log.push(text);
  const callbacks: AgentCallbacks = {
    onAgentStart: () => note("start"),
    onLlmNewDelta: (text, { id, attempt }) => note(`delta ${text} ${id} ${attempt}`),
    onLlmNewMessage: (message, usage) => note(`message ${JSON.stringify([message, usage])}`),
    onToolCall: (each) => note(`call ${JSON.stringify(each)}`),
    onToolResponse: ({ id }) => note(`result ${id}`),
    onAgentComplete: (output) => note(`complete ${JSON.stringify(output)}`),
    onError: ({ code, message }) => note(`error ${code}: ${message}`),
  };
  const observe = agentCallbacks(callbacks);
  const of = (...observed: AgentObservation[]) => {
    log.length = 0;
    for (const each of observed) observe(each);
    return log.map((each) =>
      each.replace(/^call .*"id":"([^"]*)".*/, (all, id) =>
        all === `call ${JSON.stringify(call(id))}` ? `call ${id}` : all,
      ),
    );
  };
  return { of };
}

describe("callbacks", () => {
  it("hear of pieces of text, and of no others", () => {
    const { of } = heard();
    const delta = (type: string) => ({ type, text: "hm" });
    expect(
      of(
        { type: "delta", id: "llm/0", attempt: 2, delta: delta("text") },
        { type: "delta", delta: delta("text") },
        { type: "delta", id: "llm/0", delta: delta("reasoning") },
        { type: "delta", id: "llm/0" },
        { type: "started", id: "llm/0", delta: delta("text") },
      ),
    ).toEqual(["delta hm llm/0 2", "delta hm  1"]);
  });

  it("hear of a run's beginning, its answers and its end", () => {
    const { of } = heard();
    const content = [{ type: "text", text: "yes" }];
    const answer = { type: "llm.succeeded", id: "llm/0", content, usage: { requests: 1 } };
    expect(of(step({ type: "start" }))).toEqual(["start"]);
    expect(of(step(answer))).toEqual([
      `message ${JSON.stringify([{ role: "assistant", content }, { requests: 1 }])}`,
    ]);
    const done = (value: string, more: object = {}, status = "done") =>
      of(step({ type: "x" }, more, { status, value }));
    expect(done("answered", { answer: { output: 5 } })).toEqual(["complete 5"]);
    expect(done("answered")).toEqual(["complete null"]);
    expect(done("ended", { answer: { output: 5 } })).toEqual([]);
    expect(done("ready", { answer: { output: 5 } }, "active")).toEqual(["complete 5"]);
    expect(done("acting", { answer: { output: 5 } }, "active")).toEqual([]);
  });

  it("hear of failures, by what is known of them", () => {
    const { of } = heard();
    const failed = (status: string, more: object, state: object = {}) =>
      of(step({ type: "x" }, more, { status, value: "failed", ...state }));
    expect(failed("cancelled", { cancelReason: "enough" })).toEqual(["error cancelled: enough"]);
    expect(failed("cancelled", {})).toEqual(["error cancelled: The run was cancelled."]);
    const error = { code: "model.refused", message: "no" };
    const fault = { code: "machine.threw", place: "there" };
    expect(failed("failed", { error })).toEqual(["error model.refused: no"]);
    expect(failed("failed", {})).toEqual(["error agent.failed: The run failed at failed."]);
    expect(failed("failed", { error }, { fault })).toEqual([
      "error machine.threw: The machine failed at there: a function of its threw; observers are told what, as the notice machine.threw.",
    ]);
  });

  it("hear nothing of what is no step, or was ignored", () => {
    const { of } = heard();
    const start = step({ type: "start" });
    const { state: _state, ...stateless } = start;
    const { event: _event, ...eventless } = start;
    expect(
      of(
        { ...start, type: "started" },
        { ...start, ignored: { reason: "stale" } as never },
        stateless,
        eventless,
      ),
    ).toEqual([]);
  });

  it("hear of each call once, a wave at a time, and of its result", () => {
    const { of } = heard();
    const settled = { type: "tool.succeeded", id: "tool/0/0" };
    expect(of(step({ type: "start" }), step({ type: "x" }, batch(0, 2, "a", "b", "c")))).toEqual([
      "start",
      "call a",
      "call b",
    ]);
    expect(of(step(settled, batch(0, 2, "a", "b", "c")))).toEqual([]);
    expect(of(step(settled, { ...batch(2, 3, "a", "b", "c"), ...records("a", "b") }))).toEqual([
      "result a",
      "result b",
      "call c",
    ]);
    // One that ran inline was never seen waiting.
    expect(of(step(settled, records("a", "b", "c", "d")))).toEqual([
      "result c",
      "call d",
      "result d",
    ]);
    expect(of(step(settled, { ...records("a", "b", "c", "d"), ...batch(0, 0) }))).toEqual([]);
  });

  it("hear of two runs apart, and of one that has ended as of a new one", () => {
    const { of } = heard();
    const other = (more: object, state: object = {}) =>
      step({ type: "start" }, more, { runId: "other", ...state });
    expect(
      of(step({ type: "start" }, records("a")), other(records("a", "b")), other(records("a", "b"))),
    ).toEqual([
      "start",
      "call a",
      "result a",
      "start",
      "call a",
      "result a",
      "call b",
      "result b",
      "start",
    ]);
    expect(of(step({ type: "x" }, records("a"), { status: "done", value: "ended" }))).toEqual([]);
    expect(of(step({ type: "start" }, records("a")))).toEqual(["start", "call a", "result a"]);
  });

  it.each([
    [{ type: "llm.succeeded", id: "llm/1", content: [], usage: {} }, ["tool/1/0", "tool/1/1"]],
    [{ type: "tool.succeeded", id: "tool/1/1" }, ["tool/1/0", "tool/1/1"]],
    [{ type: "approval.decided", id: "approval/1/0/2" }, ["tool/1/0", "tool/1/1"]],
    [{ type: "read.succeeded", id: "read/1/0" }, []],
    [{ type: "tool.succeeded", id: "x/tool/1/0" }, []],
    [{ type: "tool.succeeded", id: "tool/11/0" }, []],
    [{ type: "tool.succeeded", id: "tool/x" }, []],
    [{ type: "message" }, []],
    [{ type: "message", id: 5 }, []],
  ])("of a run that goes on hear of the calls that %j belongs to", (event, shown) => {
    const { of } = heard();
    const all = ["tool/0/0", "tool/0/1", "tool/1/0", "tool/1/1"];
    expect(of(step(event, records(...all))).filter((each) => !each.startsWith("message"))).toEqual(
      shown.flatMap((id) => [`call ${id}`, `result ${id}`]),
    );
  });

  it("of a run that goes on may be all that there is", () => {
    const settled = { type: "tool.succeeded", id: "tool/0/1" };
    expect(heard().of(step(settled, records("tool/0/0", "tool/0/1")))).toHaveLength(4);
    expect(heard().of(step(settled, records()))).toEqual([]);
  });

  it("may be none, and what those return late is waited for", async () => {
    const everything = [
      step({ type: "start" }, { ...records("a"), ...batch(0, 1, "b") }),
      step({ type: "llm.succeeded", content: [], usage: {} }),
      step({ type: "x" }, {}, { status: "done", value: "answered" }),
      step({ type: "x" }, {}, { status: "failed" }),
      step({ type: "x" }, {}, { status: "cancelled" }),
      { type: "delta", delta: { type: "text", text: "x" } },
    ];
    const silent = agentCallbacks({ onError: undefined });
    for (const each of everything) expect(silent(each)).toBeUndefined();
    let own: unknown;
    const callbacks = {
      onAgentStart() {
        own = this;
        return Promise.reject(new Error("late"));
      },
      onAgentComplete: () => 5,
    } as unknown as AgentCallbacks;
    const observe = agentCallbacks(callbacks);
    await expect(observe(step({ type: "start" }))).rejects.toThrow("late");
    expect(own).toBe(callbacks);
    expect(observe(step({ type: "x" }, {}, { status: "done", value: "answered" }))).toBeUndefined();
  });
});
