// A machine's own values at the border: sealed in place, copied only where something is normalised.
import { describe, expect, it } from "vitest";
import { type Json, listOf, MAX_DEPTH, toJson } from "../../../../src/core/kernel/index.js";
import { sealJson } from "../../../../src/core/kernel/list.js";
import { refusal } from "../../../support/thrown.js";

describe("a machine's own value", () => {
  it("is frozen in place, at every depth", () => {
    const value = { a: [{ b: 1 }] };
    expect(sealJson(value)).toBe(value);
    expect(Object.isFrozen(value) && Object.isFrozen(value.a[0])).toBe(true);
  });

  it("is copied where something has to be normalised, and only there", () => {
    const kept = { deep: [1] };
    const sealed = sealJson({ kept, gone: undefined, text: "\uD800" }) as { kept: Json };
    expect(sealed).toStrictEqual({ kept: { deep: [1] }, text: "\uFFFD" });
    expect(sealed.kept).toBe(kept);
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
