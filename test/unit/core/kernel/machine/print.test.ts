// The one printer.

import { describe, expect, it } from "vitest";
import {
  printDirective,
  printEvent,
  printState,
  printStateValue,
  printStep,
  printValue,
  type RunState,
} from "../../../../../src/core/kernel/machine/index.js";
import {
  emptyList,
  emptyTable,
  listOf,
  tableSet,
} from "../../../../../src/core/kernel/values/index.js";
import type { Effect } from "../../../../../src/core/kernel/vocabulary/index.js";

const state = {
  reasoner: "r",
  version: 1,
  runId: "run",
  seq: 3,
  at: 7,
  status: "active",
  value: { acting: "approving" },
  context: {},
  outstanding: emptyTable(),
  issued: emptyList(),
} satisfies RunState;

describe("printing", () => {
  it("a state value by its path, regions side by side", () => {
    expect(printStateValue("thinking")).toBe("thinking");
    expect(printStateValue({ acting: { approving: "first" } })).toBe("acting.approving.first");
    expect(printStateValue({ a: "on", b: { c: "off" } })).toBe("{a: on, b: c.off}");
  });

  it("a value in one line, cut where it is too long, with its length", () => {
    expect(printValue({ a: [1, null] })).toBe('{"a":[1,null]}');
    expect(printValue(undefined)).toBe("nothing");
    expect(printValue("x".repeat(20), 10)).toBe('"xxxxxxxxx… (22 characters)');
    expect(printValue("\u{1F600}".repeat(10), 4)).toBe('"\u{1F600}… (22 characters)');
  });

  it("a List within a value by its size", () => {
    expect(printValue({ list: listOf([1, 2]) } as never)).toBe('{"list":{"@list":2}}');
  });

  it("an event: its type, what it settles and when, then its parts", () => {
    const event = { type: "tool.succeeded", id: "tool/0/0", at: 5, output: { n: 1 }, update: [] };
    expect(printEvent(event)).toBe('tool.succeeded tool/0/0 at 5\n  output: {"n":1}\n  update: []');
  });

  it("a directive: a List by its size and last item, objects item by item", () => {
    const messages = listOf([{ role: "user" as const, content: "hi" }]);
    const tools = [{ name: "t", description: "", inputSchema: {} }];
    expect(printDirective({ type: "llm", id: "llm/0", messages, tools })).toBe(
      [
        "llm llm/0",
        '  messages: 1 items, last {"role":"user","content":"hi"}',
        "  tools:",
        '    - {"name":"t","description":"","inputSchema":{}}',
      ].join("\n"),
    );
    expect(printDirective({ type: "llm", id: "llm/0", messages: emptyList() })).toBe(
      "llm llm/0\n  messages: 0 items",
    );
    expect(printDirective({ type: "cancel", target: "llm/0" })).toBe('cancel\n  target: "llm/0"');
  });

  it("a state: its value, its end, its fault and what it owes", () => {
    expect(printState(state)).toBe("acting.approving");
    expect(printState({ ...state, value: "" })).toBe("not started");
    expect(printState({ ...state, status: "done", value: "answered" })).toBe("answered, done");
    const fault = { code: "machine.threw", place: "start" } as const;
    expect(printState({ ...state, status: "failed", value: "", fault })).toBe(
      "not started, failed (machine.threw: start)",
    );
    const outstanding = tableSet<Effect>(emptyTable(), "t/0", {
      type: "timer",
      id: "t/0",
      until: 1,
    });
    expect(printState({ ...state, outstanding })).toBe("acting.approving, owes t/0");
  });

  it("a step: event, what was ignored, state, directives", () => {
    const event = { type: "ping", at: 7 };
    expect(
      printStep(event, { state, directives: [], ignored: { reason: "unhandled", type: "ping" } }),
    ).toBe("#3 ping at 7\n  ignored: unhandled\n  => acting.approving");
    expect(
      printStep(event, { state, directives: [{ type: "notify", topic: "t", data: { n: 1 } }] }),
    ).toBe(
      '#3 ping at 7\n  => acting.approving\n  -> notify\n       topic: "t"\n       data: {"n":1}',
    );
  });
});
