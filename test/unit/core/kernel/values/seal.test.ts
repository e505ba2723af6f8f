// A machine's own values at the border: sealed in place, copied only where something is normalised.
import { describe, expect, it } from "vitest";
import { type Json, listOf, MAX_DEPTH, toJson } from "../../../../../src/core/kernel/index.js";
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
