// When an effect may begin, or begin again: what has begun and may not be repeated never is.
import { describe, expect, it } from "vitest";
import type { Effect } from "../../../../src/core/kernel/index.js";
import { type StorePort, tool } from "../../../../src/index.js";
import {
  isMarked,
  mayAskAgain,
  mayBegin,
  mayTryAgain,
} from "../../../../src/runtime/effects/may-begin.js";

const execute = () => 1;
const tools = {
  once: tool({ name: "once", execute }),
  again: tool({ name: "again", idempotent: true, retries: 1, execute }),
};
const store = (idempotent?: boolean): StorePort =>
  ({ name: "s", ...(idempotent === undefined ? {} : { idempotent }) }) as never;
const stores = { keeps: store(), keeps2: store(true), forgets: store(false) };
const of = (type: string, more: object = {}) => ({ type, id: "x", ...more }) as unknown as Effect;

describe("an effect that is owed", () => {
  it.each<[string, Effect, number, boolean]>([
    ["a tool that has not begun", of("tool", { name: "once" }), 0, true],
    ["a tool that has", of("tool", { name: "once" }), 1, false],
    ["one that is idempotent, with attempts left", of("tool", { name: "again" }), 1, true],
    ["one that is idempotent, with none left", of("tool", { name: "again" }), 2, false],
    ["one that nobody has: it fails", of("tool", { name: "gone" }), 1, true],
    ["one with a name of every object's", of("tool", { name: "toString" }), 1, true],
    ["a write to a store that keeps keys", of("write", { store: "keeps" }), 1, true],
    ["a write to one that says so", of("write", { store: "keeps2" }), 1, true],
    ["a write to one that forgets them", of("write", { store: "forgets" }), 1, false],
    ["that write, not begun", of("write", { store: "forgets" }), 0, true],
    ["a write to none: it fails", of("write", { store: "toString" }), 1, true],
    ["a read", of("read", { store: "forgets" }), 1, true],
    ["a model call", of("llm"), 3, true],
    ["a child, which has a journal", of("run", { reasoner: "c" }), 1, true],
  ])("%s", (_what, effect, begun, may) => {
    expect(mayBegin(effect, begun, tools as never, stores)).toBe(may);
  });

  it.each<[string, Effect, boolean]>([
    ["a tool", of("tool", { name: "again" }), true],
    ["a write to a store that forgets keys", of("write", { store: "forgets" }), true],
    ["a write to one that keeps them", of("write", { store: "keeps" }), false],
    ["a read", of("read", { store: "forgets" }), false],
    ["a model call", of("llm"), false],
  ])("is marked before it begins where it may not be repeated: %s", (_what, effect, marked) => {
    expect(isMarked(effect, stores)).toBe(marked);
    expect(isMarked(effect, undefined)).toBe(effect.type === "tool");
  });
});

it.each<[string, boolean, keyof typeof tools, number]>([
  ["failed, with none left", false, "once", 1],
  ["failed, with one left", true, "again", 1],
  ["failed, with none left any more", false, "again", 2],
])("a tool whose attempt %s", (_what, may, name, attempt) => {
  expect(mayTryAgain(tools[name], attempt, false)).toBe(may);
});

it("what nobody knows the outcome of is tried again where it is idempotent alone", () => {
  const careless = tool({ name: "t", retries: 5, idempotent: false, execute });
  expect([mayTryAgain(careless, 1, true), mayTryAgain(tools.again, 1, true)]).toEqual([
    false,
    true,
  ]);
  const port = (more: object) => ({ name: "s", retries: 1, ...more }) as StorePort;
  const ask = (type: string, more: object, attempt: number, lost: boolean) =>
    mayAskAgain(of(type), port(more), attempt, lost);
  expect(ask("write", {}, 1, true)).toBe(true);
  expect(ask("write", {}, 2, true)).toBe(false);
  expect(ask("write", { idempotent: false }, 1, true)).toBe(false);
  expect(ask("write", { idempotent: false }, 1, false)).toBe(true);
  expect(ask("read", { idempotent: false }, 1, true)).toBe(true);
  expect(ask("read", { retries: undefined }, 1, false)).toBe(false);
});
