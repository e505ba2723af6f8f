// What events become as messages, so that a List of just these is not written a second time.
import { describe, expect, it } from "vitest";
import { DerivedItems } from "../../../../src/core/journal/derived-items.js";
import type { Directive, RunEvent } from "../../../../src/core/kernel/vocabulary/index.js";

const call = (toolCallId: string, toolName = "look") => ({
  type: "tool-call",
  toolCallId,
  toolName,
  input: {},
});
const answer = (...content: readonly object[]) =>
  ({ type: "llm.succeeded", at: 0, id: "llm", content }) as unknown as RunEvent;
const result = (id: string, output: unknown) =>
  ({ type: "tool.succeeded", at: 0, id, output }) as unknown as RunEvent;
const event = (type: string, more: object = {}) => ({ type, at: 0, ...more }) as RunEvent;
const tools = (...ids: readonly string[]) =>
  ids.map((id) => ({ type: "tool", id, name: "look", input: {} })) as readonly Directive[];
const notify = { type: "notify", topic: "t", data: null } as unknown as Directive;

const assistant = (...content: readonly object[]) => ({ role: "assistant", content });
const user = (content: unknown) => ({ role: "user", content });
const read = (toolCallId: string, output: object, toolName = "look") => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName, output }],
});

/** What is derived of events, each with what was issued upon it. */
function derived(...taken: readonly (readonly [RunEvent, (readonly Directive[])?])[]) {
  const items = new DerivedItems();
  for (const [each, directives = []] of taken) items.take(each, directives);
  return items.items();
}

describe("messages", () => {
  it("of a beginning: an input that is a string, and no other", () => {
    const items = new DerivedItems();
    items.begin("hello");
    expect([items.items(), items.items()]).toEqual([[user("hello")], []]);
    items.begin({ text: "hello" });
    items.begin(["hello"]);
    expect(items.items()).toEqual([]);
  });

  it("of answers, of results in the order of their calls, and of what was said behind them", () => {
    const text = { type: "text", text: "I look." };
    expect(
      derived(
        [answer(text, call("1"), call("2", "list")), tools("a", "b")],
        [event("message", { content: "and quickly" })],
        [result("b", { rows: 2 })],
        [result("a", "seen")],
      ),
    ).toEqual([
      assistant(text, call("1"), call("2", "list")),
      read("1", { type: "text", value: "seen" }),
      read("2", { type: "json", value: { rows: 2 } }, "list"),
      user("and quickly"),
    ]);
  });

  it("of one answer after the other, each with its own results", () => {
    expect(
      derived(
        [answer(call("1")), tools("a")],
        [result("a", "one")],
        [answer(call("2")), tools("b")],
        [result("b", null)],
        [answer({ type: "text", text: "done" })],
      ),
    ).toEqual([
      assistant(call("1")),
      read("1", { type: "text", value: "one" }),
      assistant(call("2")),
      read("2", { type: "json", value: null }),
      assistant({ type: "text", text: "done" }),
    ]);
  });

  it("of a tool that is outstanding or failed: none", () => {
    expect(
      derived(
        [answer(call("1"), call("2")), tools("a", "b")],
        [event("tool.failed", { id: "a" })],
        [result("b", "two")],
      ),
    ).toEqual([assistant(call("1"), call("2")), read("2", { type: "text", value: "two" })]);
  });

  it("of tools that were not issued one for each call: none", () => {
    const calls = answer(call("1"), call("2"));
    const only = [assistant(call("1"), call("2"))];
    expect(derived([calls, tools("a")], [result("a", "one")])).toEqual(only);
    expect(derived([calls, tools("a", "b", "c")], [result("a", "one")])).toEqual(only);
    // What is no tool is none of them.
    expect(derived([calls, [notify, ...tools("a", "b")]], [result("b", "two")])).toEqual([
      ...only,
      read("2", { type: "text", value: "two" }),
    ]);
  });

  it("of anything else: none", () => {
    expect(
      derived(
        [event("llm.succeeded", { id: "llm" })],
        [event("message")],
        [event("ping", { content: "x", output: "y", id: "a" })],
        [event("run.succeeded", { id: "a", output: "y" })],
      ),
    ).toEqual([]);
    // What happens to have a tool's id and an output is no result of it.
    expect(
      derived(
        [answer(call("1")), tools("a")],
        [event("ping", { id: "a", output: "y" })],
        [event("run.succeeded", { id: "a", output: "y" })],
      ),
    ).toEqual([assistant(call("1"))]);
    // A result without an output is none.
    expect(
      derived([answer(call("1")), tools("a")], [event("tool.succeeded", { id: "a" })]),
    ).toEqual([assistant(call("1"))]);
  });

  it("are told once: a List has what came since the one before", () => {
    const items = new DerivedItems();
    items.take(answer(call("1")), tools("a"));
    expect(items.items()).toEqual([assistant(call("1"))]);
    // A result that comes behind it belongs to no call any more.
    items.take(result("a", "late"), []);
    items.take(event("message", { content: "hm" }), []);
    expect(items.items()).toEqual([user("hm")]);
    expect(items.items()).toEqual([]);
  });

  it("are unknown until the next List where some were forgotten", () => {
    const items = new DerivedItems();
    items.take(answer(call("1")), tools("a"));
    items.lose();
    items.take(answer({ type: "text", text: "unheard" }), tools("b"));
    items.begin("unheard");
    expect(items.items()).toBeUndefined();
    items.take(answer(call("2")), tools("c"));
    items.take(result("c", "heard"), []);
    expect(items.items()).toEqual([
      assistant(call("2")),
      read("2", { type: "text", value: "heard" }),
    ]);
  });
});
