// A context at the border: whatever shape it has and whatever was before it, it comes to what
// `sealJson` makes of it, is frozen through and through, and is refused in the same words.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sealContext } from "../../../../../src/core/kernel/machine/seal-context.js";
import {
  append,
  emptyList,
  emptyTable,
  isReckonerError,
  MAX_OWN_DEPTH,
} from "../../../../../src/core/kernel/values/index.js";
import { sealJson } from "../../../../../src/core/kernel/values/seal.js";

/** What sealing comes to: a value, or what is refused and where. */
function outcome(seal: () => unknown): unknown {
  try {
    return { value: seal() };
  } catch (thrown) {
    if (isReckonerError(thrown)) return { code: thrown.code, place: thrown.place };
    throw thrown;
  }
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

/** Arrays in one another, so many in all. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

class Own {
  readonly n = 1;
}
const list = append(emptyList<number>(), 1, 2);
const withProto = () => JSON.parse('{"a": {"x": 1}, "__proto__": {"b": 2}}') as object;

const contexts: { readonly [name: string]: () => unknown } = {
  "an object": () => ({ a: 1, b: "x", c: true, d: false, e: null, f: { g: [1, { h: -0 }] } }),
  "an empty one": () => ({}),
  "with parts that are not there": () => ({ a: undefined, b: { c: undefined, d: 1 }, e: 1 }),
  "with the key of a prototype": withProto,
  "with keys that an object's own machinery has": () => ({ constructor: 1, toString: [2] }),
  "with keys that are no words": () => ({ "a b": 1, "": { "@x": "" } }),
  "without a prototype": () => Object.assign(Object.create(null), { a: 1 }),
  "of a class": () => new Own(),
  "with a symbol": () => ({ a: 1, [Symbol("s")]: 2 }),
  "with a function": () => ({ a: { b: () => 1 } }),
  "with a function in a place that is no word": () => ({ "a b": [{ "": () => 1 }] }),
  "with a date": () => ({ at: new Date(0) }),
  "with a number that is none": () => ({ n: { m: Number.NaN } }),
  "with a zero": () => ({ n: 0, at: 1 }),
  "with a zero that is none": () => ({ n: -0, at: 1 }),
  "with half a letter in a key": () => ({ "a\ud800": 1, b: 2 }),
  "with a function that every object has": () => ({ constructor: Object }),
  "with a text that is half a letter": () => ({ t: "\ud800", u: { v: "\ud800" } }),
  "with collections": () => ({ list, table: emptyTable<number>(), deep: { list } }),
  "that is a List": () => list,
  "that was one, from JSON": () => JSON.parse(JSON.stringify(list)),
  "that passed the border": () => sealJson({ a: { b: 1 } }),
  "an array": () => [1, { a: 2 }],
  "a text": () => "text",
  "a number": () => 5,
  nothing: () => null,
  "not there": () => undefined,
  "a function": () => () => 1,
  "as deep as may be": () => ({ a: nested(MAX_OWN_DEPTH - 1) }),
  "one deeper": () => ({ a: nested(MAX_OWN_DEPTH) }),
};
/** What may have been before: whatever could be sealed, as either way of sealing leaves it. */
const befores = Object.entries(contexts).flatMap(([name, make]) =>
  [() => sealJson(make()), () => sealContext(make(), undefined, false)].flatMap((seal) => {
    const was = outcome(seal) as { readonly value?: unknown };
    return "value" in was ? [[name, was.value] as const] : [];
  }),
);

it.each(Object.keys(contexts))("a context %s comes to what it is, whatever was before", (name) => {
  const make = contexts[name] as () => unknown;
  const expected = outcome(() => sealJson(make(), "$.context"));
  for (const [before, was] of [...befores, ["none", undefined] as const]) {
    for (const fresh of [true, false]) {
      const found = outcome(() => sealContext(make(), was, fresh));
      expect([before, found]).toStrictEqual([before, expected]);
      expect(isDeeplyFrozen((found as { readonly value?: unknown }).value)).toBe(true);
    }
  }
});

it("contexts that follow one another share what they share, in whatever order their keys come", () => {
  const key = fc.constantFrom<string>("a", "b", "c", "d", "toString");
  const numbers = fc.array(fc.nat(2));
  const part = fc.oneof(
    fc.nat(3),
    fc.boolean(),
    fc.constant(null),
    fc.string(),
    numbers,
    fc.record({ x: numbers, y: fc.record({ z: numbers }) }),
  );
  const change = fc.record({ set: fc.array(fc.tuple(key, part)), drop: fc.array(key) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.boolean(), (changes, fresh) => {
      let before = sealContext({ a: { x: [1] } }, undefined, true) as Record<string, unknown>;
      for (const { set, drop } of changes) {
        const changed = new Set([...set.map(([name]) => name), ...drop]);
        const kept = Object.entries(before).filter(([name]) => !drop.includes(name));
        const next = { ...Object.fromEntries(set), ...Object.fromEntries(kept.reverse()) };
        for (const [name, value] of set) next[name] = value;
        const expected = sealJson({ ...next });
        const sealed = sealContext(next, before, fresh) as Record<string, unknown>;
        expect(sealed).toStrictEqual(expected);
        expect(isDeeplyFrozen(sealed)).toBe(true);
        for (const [name, value] of kept) {
          if (!changed.has(name)) expect(sealed[name]).toBe(value);
        }
        before = sealed;
      }
    }),
  );
});

describe("an object", () => {
  it("that the step has made is frozen where it is, and nobody else's is touched", () => {
    const fresh = { a: { b: 1 }, c: 1 };
    expect(sealContext(fresh, undefined, true)).toBe(fresh);
    const other = { a: { b: 1 }, c: 1 };
    expect(sealContext(other, undefined, false)).not.toBe(other);
    expect(Object.isFrozen(other) || Object.isFrozen(other.a)).toBe(false);
  });

  it("that is the one before is that one", () => {
    const before = sealContext({ a: 1 }, undefined, false);
    for (const fresh of [true, false]) expect(sealContext(before, before, fresh)).toBe(before);
  });

  it("with getters is read once, where it is not the step's own", () => {
    let reads = 0;
    const context = {
      get n() {
        reads += 1;
        return reads;
      },
    };
    expect(sealContext(context, undefined, false)).toStrictEqual({ n: 1 });
    expect(reads).toBe(1);
  });

  it("does not take over what all objects inherit", () => {
    const all = Object.prototype as { more?: unknown };
    all.more = "x";
    try {
      const sealed = sealContext({ n: 1 }, undefined, true) as object;
      expect(Object.keys(sealed)).toEqual(["n"]);
      expect(Object.keys(sealContext({ n: 2 }, sealed, true) as object)).toEqual(["n"]);
    } finally {
      delete all.more;
    }
  });
});
