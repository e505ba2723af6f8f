// A machine's own values at the border: sealed in place, copied only where something is normalised.
import { describe, expect, it } from "vitest";
import {
  type Json,
  listOf,
  MAX_DEPTH,
  parseSealed,
  toJson,
} from "../../../../../src/core/kernel/values/index.js";
import { sealJson } from "../../../../../src/core/kernel/values/seal.js";
import { refusal } from "../../../../support/thrown.js";

describe("a machine's own value", () => {
  it("goes in as a frozen copy, and what was given is left as it was", () => {
    const value = { a: [{ b: 1 }] };
    const sealed = sealJson<typeof value>(value);
    expect(sealed).toStrictEqual(value);
    for (const each of [sealed, sealed.a, sealed.a[0]]) expect(Object.isFrozen(each)).toBe(true);
    for (const each of [value, value.a, value.a[0]]) expect(Object.isFrozen(each)).toBe(false);
  });

  it("is taken as it is where it has passed before, or is frozen plain data", () => {
    const passed = sealJson({ deep: [1] });
    const frozen = Object.freeze({ list: Object.freeze([1, Object.freeze({})]) });
    const sealed = sealJson<Record<string, unknown>>({ passed, frozen });
    expect(sealed.passed).toBe(passed);
    expect(sealed.frozen).toBe(frozen);
  });

  it("is copied where something has to be normalised", () => {
    const sealed = sealJson({ kept: { deep: [1] }, gone: undefined, text: "\uD800" });
    expect(sealed).toStrictEqual({ kept: { deep: [1] }, text: "\uFFFD" });
  });

  it("has no -0 in it, in objects or arrays", () => {
    const { a, b } = sealJson({ a: -0, b: [1, -0] }) as { a: number; b: number[] };
    expect([Object.is(a, 0), Object.is(b[1], 0)]).toEqual([true, true]);
  });

  it("may hold Lists, and values frozen before", () => {
    const list = listOf([1]);
    const frozen = Object.freeze({ a: Object.freeze([1]) });
    expect(sealJson({ list, frozen })).toEqual({ list, frozen });
  });

  it("is refused where it is not JSON, with its path", () => {
    expect(refusal(() => sealJson({ a: [new Date(0)] }, "$.context")).place).toBe("$.context.a[0]");
  });

  it("may be a little deeper than what comes from outside, since it wraps it", () => {
    let value: Json = 1;
    for (let i = 0; i < MAX_DEPTH; i++) value = [value];
    const outside = toJson(value);
    expect(sealJson({ context: { messages: listOf([{ content: [outside] }]) } })).toBeDefined();
  });

  it("cannot grow without bound, step by step", () => {
    let value: Json = {};
    const grow = () => {
      for (let i = 0; i < 2 * MAX_DEPTH; i++) value = sealJson({ before: value });
    };
    expect(refusal(grow).code).toBe("json.refused");
  });
});

describe("JSON text", () => {
  const list = JSON.stringify(listOf(["a", { b: 1 }]));
  it.each([
    ["plain", '{"a":[{"b":1},null,true,"x",1.5],"c":{}}'],
    ["with -0 behind and before other things", '{"a":1,"b":-0,"c":[1,-0,2]}'],
    ["with a lone surrogate", '{"a":["x","\\ud800"],"b":{"c":"\\ud800"}}'],
    ["with a lone surrogate in a key", '{"a":1,"\\ud800":2,"b":3}'],
    ["of a number", "-0"],
  ])("%s is what a copy of it is, frozen", (_name, text) => {
    const sealed = parseSealed(text, "$", MAX_DEPTH);
    expect(sealed).toStrictEqual(sealJson(JSON.parse(text)));
    expect(JSON.stringify(sealed)).toBe(JSON.stringify(sealJson(JSON.parse(text))));
    const frozen = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(sealed)).toBe(true);
    // It has passed: the border takes it as it is.
    expect(sealJson(sealed)).toBe(sealed);
  });

  it.each([
    ["__proto__", '{"a":[{"__proto__":{"b":1}}]}', "$.a[0]"],
    ["what claims to be a List", '{"a":{"@list":2,"head":"","spine":[]}}', "$.a"],
    ["what has a List's shape", `{"a":${list}}`, "$.a"],
    ["too deep", `${"[".repeat(9)}${"]".repeat(9)}`, `$${"[0]".repeat(8)}`],
  ])("%s is refused with its path", (_name, text, place) => {
    expect(refusal(() => parseSealed(text, "$", 8)).place).toBe(place);
  });

  it("that is not JSON is told of as such", () => {
    expect(() => parseSealed("{", "$", 8)).toThrow(SyntaxError);
  });
});

describe("where a path begins", () => {
  const broken = new Proxy([], {
    get: () => {
      throw new Error("trap");
    },
  });
  const getter = {
    get c() {
      throw new Error("trap");
    },
  };
  it.each([
    ["a getter", { a: { b: 1 }, x: { y: [1, getter] } }, "$.x.y[1].c"],
    ["a proxy behind what was looked through", { a: { b: [1, 2] }, x: broken }, "$.x"],
    ["a number behind what was deeper", { a: [[[1]]], x: Number.NaN }, "$.x"],
  ])("%s has the path of its own", (_name, value, place) => {
    expect(refusal(() => toJson(value)).place).toBe(place);
  });
});
