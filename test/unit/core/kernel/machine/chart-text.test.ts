// What a chart says of events, conditions and actions.
import { describe, expect, it } from "vitest";
import { type AnyStateNode, assign, cancel, emit, log, raise, sendTo } from "xstate";
import {
  actionTexts,
  eventText,
  transitionTexts,
} from "../../../../../src/core/kernel/machine/chart-text.js";
import { smallReasoner } from "../../../../support/small-machine.js";

describe("a chart's texts", () => {
  it.each([
    ["*", "any event"],
    ["xstate.done.state.small.a", "done"],
    ["xstate.done.actor.0.small.a", "done"],
    ["xstate.error.actor.12.small.a", "error"],
    ["xstate.done.actor.worker", "done worker"],
    ["go", "go"],
    ["xstate.done.actor.worker2.small", "done worker2.small"],
    ["shop.xstate.after.5.a", "shop.xstate.after.5.a"],
    ["shop.xstate.done.actor.a", "shop.xstate.done.actor.a"],
  ])("%s is %s", (type, text) => expect(eventText(type)).toBe(text));

  it("name an action with what it was given, as far as that is short and no function", () => {
    const texts = (params?: unknown) => actionTexts([{ type: "note", params } as never]);
    expect(texts()).toEqual(["note"]);
    expect(texts({ n: 1 })).toEqual(['note {"n":1}']);
    expect(texts({})).toEqual(["note"]);
    expect(texts(() => ({ n: 1 }))).toEqual(["note"]);
    // Of 40 letters as JSON, and of one more.
    expect(texts({ t: "x".repeat(32) })).toEqual([`note {"t":"${"x".repeat(32)}"}`]);
    expect(texts({ t: "x".repeat(33) })).toEqual(["note"]);
  });

  it("number the conditions that have no name, where there are several", () => {
    const go = (...guards: unknown[]) =>
      transitionTexts(guards.map((guard) => ({ eventType: "go", guard, actions: [] })) as never);
    expect(go("ready", () => true)).toEqual(["go [ready]", "go [condition]"]);
    expect(
      go(
        "ready",
        () => true,
        () => false,
        undefined,
      ),
    ).toEqual(["go [ready]", "go [condition 1]", "go [condition 2]", "go [else]"]);
  });

  it("name what is issued by its types, where these are known", () => {
    const texts = (params?: unknown) => actionTexts([{ type: "issue", params } as never]);
    expect(texts({ type: "llm" })).toEqual(["issue llm"]);
    expect(texts([{ type: "tool" }, { type: "timer" }, { type: "tool" }])).toEqual([
      "issue tool and timer",
    ]);
    for (const params of [{}, [], [null, "llm"], undefined])
      expect(texts(params)).toEqual(["issue"]);
  });

  it("say of several without a condition which of them is the other way", () => {
    const go = (...guards: unknown[]) =>
      transitionTexts(guards.map((guard) => ({ eventType: "go", guard, actions: [] })) as never);
    expect(go(undefined, undefined)).toEqual(["go", "go"]);
    expect(go("ready", undefined, undefined)).toEqual(["go [ready]", "go [else]", "go"]);
  });

  it("say how long they wait, in fractions too, and by a name with dots", () => {
    const { machine } = smallReasoner(
      {
        initial: "a",
        states: { a: { after: { 500: "b", 0.5: "b", "order.5": "b", "5MIN": "b" } }, b: {} },
      },
      {},
      { delays: { "order.5": 5, "5MIN": 300_000 } },
    );
    const { transitions } = machine.root.states.a as AnyStateNode;
    expect([...transitions.values()].flatMap((each) => transitionTexts(each as never))).toEqual([
      "after 500 ms",
      "after 0.5 ms",
      "after order.5",
      "after 5MIN",
    ]);
  });

  it("begin with what is done, where nothing says when", () => {
    const always = (more: object) =>
      transitionTexts([{ eventType: "", actions: ["tidy"], ...more }] as never);
    expect(always({})).toEqual(["/ tidy"]);
    expect(always({ guard: "ready" })).toEqual(["[ready] / tidy"]);
    expect(always({ guard: "ready", actions: [] })).toEqual(["[ready]"]);
  });

  const odd = Object.assign(() => {}, { type: "shop.xstate.note" });
  it.each<readonly [string, unknown]>([
    ["raise x", raise({ type: "x" })],
    ["raise x", raise("x" as never)],
    ["raise", raise(() => ({ type: "x" }))],
    ["raise", raise(null as never)],
    ["raise", raise(undefined as never)],
    ["emit x", emit({ type: "x" })],
    ["sendTo x", sendTo("other", { type: "x" })],
    ["cancel", cancel("t")],
    ["log", log("x")],
    ["shop.xstate.note", odd],
    ["change", assign({})],
    ["change", assign(null as never)],
    ["change", assign("n" as never)],
    ["change n", assign({ n: 1 })],
    ["change n and m", assign({ n: 1, m: 2 })],
  ])("say %s of an action of XState's own", (text, action) => {
    expect(actionTexts([action as never])).toEqual([text]);
  });

  it("leave out what XState adds to a state with timers", () => {
    const later = raise({ type: "xstate.after.5.a" }, { id: "xstate.after.5.a", delay: 5 });
    expect(actionTexts([later, cancel("xstate.after.5.a"), cancel("t")] as never)).toEqual([
      "cancel",
    ]);
  });

  it("name a function by the name that somebody gave it", () => {
    const named = (name: string) => Object.defineProperty(() => {}, "name", { value: name });
    const texts = (name: string) => actionTexts([named(name) as never]);
    for (const name of ["reset all", "use.xstate.well", "tidy"])
      expect(texts(name)).toEqual([name]);
    for (const name of ["", "entry", "bound tidy", "get tidy", "set tidy", "xstate.assign"]) {
      expect(texts(name)).toEqual(["action"]);
    }
  });
});
