// What a journal remembers from line to line: what has begun and not come to its end, and what was
// spent, whatever became of it.

import { describe, expect, it } from "vitest";
import { begunAfter, noMemory, usageAfter, withMark } from "../../../../src/core/journal/memory.js";
import { PartsText } from "../../../../src/core/journal/parts-text.js";
import type { Step } from "../../../../src/core/kernel/machine/index.js";
import {
  emptyTable,
  type Table,
  tableGet,
  tableSet,
} from "../../../../src/core/kernel/values/index.js";
import {
  type Effect,
  noUsage,
  type RunEvent,
} from "../../../../src/core/kernel/vocabulary/index.js";

const llm = { type: "llm", id: "llm/0", messages: [] };
const tool = { type: "tool", id: "tool/0", name: "x", input: {} };
const child = { type: "run", id: "run/0", reasoner: "x", input: null };
const cancel = (target: string) => ({ type: "cancel", target });
const event = (type: string, more: object = {}) => ({ type, at: 0, ...more }) as RunEvent;
const stepOf = (directives: readonly object[] = [], reason?: string, context: unknown = {}) =>
  ({
    state: { context },
    directives,
    ...(reason === undefined ? {} : { ignored: { reason } }),
  }) as Step<unknown>;

const tableOf = <V>(...entries: readonly (readonly [string, V])[]): Table<V> =>
  entries.reduce((table, [key, value]) => tableSet(table, key, value), emptyTable<V>());
const owed = tableOf(
  ...[llm, tool, child].map((each) => [each.id, each as unknown as Effect] as const),
);

describe("what has begun", () => {
  const begun = tableOf(["tool/0", 2], ["tool/2", 1]);
  const left = (what: RunEvent, step = stepOf(), starts: readonly number[] = []) => {
    const next = begunAfter(begun, what, step, starts);
    return [tableGet(next, "tool/0"), tableGet(next, "tool/2"), tableGet(next, "tool/1")];
  };
  const settled = event("tool.succeeded", { id: "tool/0", output: null });

  it("is there until it is settled, though nothing follows from that", () => {
    expect(left(settled)).toEqual([undefined, 1, undefined]);
    expect(left(settled, stepOf([], "unhandled"))).toEqual([undefined, 1, undefined]);
  });

  it("is there still where a settlement was none, or something else came", () => {
    expect(left(settled, stepOf([], "stale"))).toEqual([2, 1, undefined]);
    expect(left(event("ping", { id: "tool/0" }))).toEqual([2, 1, undefined]);
  });

  it("is there no more when it is cancelled", () => {
    expect(left(event("cancel"), stepOf([cancel("tool/0")]))).toEqual([undefined, 1, undefined]);
    expect(left(event("ping"), stepOf([tool]))).toEqual([2, 1, undefined]);
  });

  it("is more by what starts with the line: its first attempt", () => {
    const [other, begins] = [
      { ...tool, id: "tool/9" },
      { ...tool, id: "tool/1" },
    ];
    expect(left(settled, stepOf([other, begins]), [1])).toEqual([undefined, 1, 1]);
  });

  it("is no more where nothing that could start has the place", () => {
    const step = stepOf([cancel("tool/9")]);
    expect(left(settled, step, [0, 7])).toEqual([undefined, 1, undefined]);
  });
});

it("a mark of an attempt counts it", () => {
  const { begun } = withMark(noMemory, { id: "tool/0", attempt: 3 });
  expect(tableGet(begun, "tool/0")).toBe(3);
});

describe("what was spent", () => {
  const spent = (what: RunEvent, step = stepOf(), before: typeof owed | undefined = owed) => {
    const { requests, toolCalls, inputTokens } = usageAfter(
      { ...noUsage, requests: 10 },
      what,
      step,
      before,
      undefined,
    );
    return [requests, toolCalls, inputTokens];
  };
  const usage = { requests: 2, inputTokens: 7 };

  it.each([
    ["an answer", event("llm.succeeded", { id: "llm/0", content: [], usage }), [12, 0, 7]],
    ["a failed call", event("llm.failed", { id: "llm/0", attempts: 3 }), [13, 0, 0]],
    ["a tool's result", event("tool.succeeded", { id: "tool/0", output: 1, usage }), [10, 1, 0]],
    ["a tool that failed", event("tool.failed", { id: "tool/0" }), [10, 1, 0]],
    ["a child", event("run.succeeded", { id: "run/0", usage }), [12, 0, 7]],
    ["a child that failed", event("run.failed", { id: "run/0", usage }), [12, 0, 7]],
    ["a child of which nothing is known", event("run.failed", { id: "run/0" }), [10, 0, 0]],
    ["a timer", event("timer.fired", { id: "t", usage }), [10, 0, 0]],
    ["what is no settlement", event("ping", { id: "llm/0", usage }), [10, 0, 0]],
  ])("by %s", (_name, what, expected) => {
    expect(spent(what)).toEqual(expected);
    if (expected.some((count, i) => count !== [10, 0, 0][i]))
      expect(spent(what, stepOf([], "unhandled"))).toEqual(expected);
    expect(spent(what, stepOf([], "stale"))).toEqual([10, 0, 0]);
  });

  it("is money only as far as the machine does not count it itself", () => {
    const ended = event("run.succeeded", { id: "run/0", usage: { requests: 1, cost: 5 } });
    const cost = (what: RunEvent, context: unknown) =>
      usageAfter(noUsage, what, stepOf([], undefined, context), owed, undefined).cost;
    for (const context of [undefined, null, {}, { usage: null }, { usage: {} }]) {
      expect(cost(ended, context)).toBe(5);
    }
    expect(cost(ended, { usage: { cost: 0 } })).toBeUndefined();
    const answer = event("llm.succeeded", { id: "llm/0", content: [], usage: { cost: 5 } });
    expect(cost(answer, {})).toBeUndefined();
  });

  it("is a request for each model call that is cancelled, and nothing for anything else", () => {
    const cancelled = stepOf([cancel("tool/0"), cancel("gone"), cancel("llm/0"), cancel("run/0")]);
    expect(spent(event("cancel"), cancelled)).toEqual([11, 0, 0]);
    expect(spent(event("cancel"), stepOf([llm, tool]))).toEqual([10, 0, 0]);
    // One that the event itself has settled is counted by what it says.
    expect(spent(event("llm.succeeded", { id: "llm/0", usage }), cancelled)).toEqual([12, 0, 7]);
    expect(spent(event("ping", { id: "llm/0" }), cancelled)).toEqual([11, 0, 0]);
    // The step that issues a call has nothing outstanding before it.
    expect(usageAfter(noUsage, event("start"), cancelled, undefined, undefined)).toEqual(noUsage);
  });

  it("is what an interrupt says of a call that it cut off", () => {
    const partial = { "llm/0": { content: [], usage: { requests: 3, inputTokens: 5 } } };
    expect(spent(event("interrupt", { partial }), stepOf([cancel("llm/0")]))).toEqual([13, 0, 5]);
    expect(spent(event("interrupt", { partial: {} }), stepOf([cancel("llm/0")]))).toEqual([
      11, 0, 0,
    ]);
    expect(spent(event("interrupt"), stepOf([cancel("llm/0")]))).toEqual([11, 0, 0]);
    // Anybody may send an event with such a field.
    expect(spent(event("ping", { partial }), stepOf([cancel("llm/0")]))).toEqual([11, 0, 0]);
  });
});

describe("the text that lines' digests cover", () => {
  const [a, b, c] = [{ name: '"a"' }, { system: '"b"' }, { name: '"c"' }];

  it("is the same step by step as all at once", () => {
    const texts = new PartsText();
    for (const parts of [{}, { tool: a }, { tool: a, llm: b }, { tool: c, llm: b }]) {
      expect(texts.of(parts)).toBe(new PartsText().of(parts));
    }
  });

  it("does not depend on the order in which types came", () => {
    const texts = [
      { tool: a, llm: b },
      { llm: b, tool: a },
    ].map((parts) => new PartsText().of(parts));
    expect(texts[0]).toBe(texts[1]);
  });
});
