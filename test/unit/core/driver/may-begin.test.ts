// When an effect may begin, or begin again: what has begun and may not be repeated never is.
import { describe, expect, it } from "vitest";
import {
  type Failure,
  isMarked,
  mayBegin,
  mayTryAgain,
} from "../../../../src/core/driver/may-begin.js";
import type { Effect } from "../../../../src/core/kernel/vocabulary/index.js";
import { type StorePort, tool } from "../../../../src/index.js";

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
    ["a write to none: nobody knows", of("write", { store: "toString" }), 1, false],
    ["that write, not begun: it fails", of("write", { store: "toString" }), 0, true],
    ["a read", of("read", { store: "forgets" }), 1, true],
    ["a model call", of("llm"), 3, true],
    ["a child, which has a journal", of("run", { reasoner: "c" }), 1, true],
  ])("%s", (_what, effect, begun, may) => {
    expect(mayBegin(effect, begun, 0, { tools: tools as never, options: { stores } })).toBe(may);
  });

  it.each<[string, Effect, boolean]>([
    ["a tool", of("tool", { name: "again" }), true],
    ["a write to a store that forgets keys", of("write", { store: "forgets" }), true],
    ["a write to one that keeps them", of("write", { store: "keeps" }), false],
    ["a read", of("read", { store: "forgets" }), false],
    ["a model call", of("llm"), false],
  ])("is marked before it begins where it may not be repeated: %s", (_what, effect, marked) => {
    expect(isMarked(effect, { tools: tools as never, options: { stores } })).toBe(marked);
    expect(isMarked(effect, { tools: tools as never, options: {} })).toBe(effect.type === "tool");
  });
});

describe("another attempt", () => {
  const error = { code: "c", message: "m" };
  const careless = tool({ name: "careless", retries: 5, idempotent: false, execute });
  const host = (port: object = {}, retry = {}) => ({
    tools: { ...tools, careless } as never,
    options: { stores: { s: { name: "s", retries: 1, ...port } as StorePort }, retry },
  });
  const may = (
    effect: Effect,
    count: number,
    failure: Partial<Failure> = {},
    port: object = {},
    retry: object = {},
  ) => mayTryAgain(effect, count, { error, ...failure }, host(port, retry));

  it.each<[string, boolean, string, number]>([
    ["has none left", false, "once", 1],
    ["has one left", true, "again", 1],
    ["has none left any more", false, "again", 2],
    ["is nobody's", false, "gone", 1],
  ])(
    "follows one of a tool that failed as often as it may: one that %s",
    (_what, is, name, count) => {
      expect(may(of("tool", { name }), count)).toBe(is);
    },
  );

  it("follows one that nobody knows the outcome of where it is idempotent alone", () => {
    expect(may(of("tool", { name: "careless" }), 1)).toBe(true);
    expect(may(of("tool", { name: "careless" }), 1, { lost: true })).toBe(false);
    expect(may(of("tool", { name: "again" }), 1, { lost: true })).toBe(true);
    const write = of("write", { store: "s" });
    const read = of("read", { store: "s" });
    expect(may(write, 1, { lost: true })).toBe(true);
    expect(may(write, 2, { lost: true })).toBe(false);
    expect(may(write, 1, { lost: true }, { idempotent: false })).toBe(false);
    expect(may(write, 1, {}, { idempotent: false })).toBe(true);
    expect(may(read, 1, { lost: true }, { idempotent: false })).toBe(true);
    expect(may(read, 1, {}, { retries: undefined })).toBe(false);
  });

  it("follows one of a model where its failure passes, up to three in all", () => {
    const busy = { error: { ...error, transient: true } };
    expect([1, 2, 3].map((count) => may(of("llm"), count, busy))).toEqual([true, true, false]);
    expect(may(of("llm"), 3, busy, {}, { attempts: 4 })).toBe(true);
    expect(may(of("llm"), 1)).toBe(false);
    expect(may(of("llm"), 1, { error: { ...error, transient: false } })).toBe(false);
  });

  it("follows none that was refused", () => {
    expect(may(of("read", { store: "s" }), 1, { refused: true })).toBe(false);
    expect(may(of("llm"), 1, { error: { ...error, transient: true }, refused: true })).toBe(false);
  });
});
