// The border goes by value (K2): what comes out is JSON through and through, and stays what it was.
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { hashOf, toJson } from "../../../../../src/core/kernel/values/index.js";
import { sealJson } from "../../../../../src/core/kernel/values/seal.js";
import {
  flagsOf,
  HOLDS_LIST,
  hasPassed,
  heightOf,
} from "../../../../../src/core/kernel/values/stamp.js";
import { refusal } from "../../../../support/thrown.js";

const hidden = (value: object, key: PropertyKey, property: PropertyDescriptor) =>
  Object.defineProperty(value, key, property);

for (const [name, admit] of [
  ["from outside", (value: unknown) => toJson(value)],
  ["of a machine's own", (value: unknown) => sealJson(value)],
] as const) {
  describe(`a value ${name}`, () => {
    it("an array's own names are dropped", () => {
      const match = "abc".match(/(?<x>b)/);
      const out = admit({ match }) as { match: object };
      expect(Object.getOwnPropertyNames(out.match)).toEqual(["0", "1", "length"]);
      const frozen = Object.freeze(Object.assign([1], { more: () => 1 }));
      expect(Object.getOwnPropertyNames(admit(frozen))).toEqual(["0", "length"]);
    });

    it("a getter is read once and becomes a value, frozen objects included", () => {
      for (const freeze of [(o: object) => o, Object.freeze]) {
        let reads = 0;
        const object = freeze({
          get a() {
            reads += 1;
            return { reads };
          },
        });
        const out = admit(object) as { a: unknown };
        expect(Object.getOwnPropertyDescriptor(out, "a")?.value).toEqual({ reads: 1 });
        expect([out.a, reads]).toEqual([{ reads: 1 }, 1]);
      }
      const array = hidden([1], 0, { get: () => 2, enumerable: true });
      expect(Object.getOwnPropertyDescriptor(admit(Object.freeze(array)), 0)?.value).toBe(2);
    });

    it("what all objects inherit, or those of another realm, is not a part of it", () => {
      const inherited = Object.prototype as { more?: unknown };
      hidden(inherited, "more", { value: 1, writable: true, enumerable: true, configurable: true });
      try {
        expect(Object.keys(admit({ a: { b: 1 } }) as object)).toEqual(["a"]);
        expect(JSON.stringify(admit(Object.freeze({ b: 1 })))).toBe('{"b":1}');
      } finally {
        delete inherited.more;
      }
      const realm = runInNewContext("Object.prototype.more = 1; ({ a: { b: 1 } })");
      expect(JSON.stringify(admit(realm))).toBe('{"a":{"b":1}}');
      expect(refusal(() => admit({ a: 1, "@list": 3 })).place).toBe("$");
      expect(refusal(() => admit({ a: [{ "@table": 3 }] })).place).toBe("$.a[0]");
      const proto = JSON.parse('{"a":{"b":1,"__proto__":2}}');
      expect(refusal(() => admit(proto))).toMatchObject({
        place: "$.a",
        message: expect.stringMatching(/^\$\.a has a key __proto__, which is not JSON;/),
      });
    });

    it("what throws when it is read is refused with its path", () => {
      const boom = () => {
        throw new Error("boom");
      };
      const getter = { a: hidden({}, "b", { get: boom, enumerable: true }) };
      expect(refusal(() => admit(getter))).toMatchObject({ code: "json.refused", place: "$.a.b" });
      const proxy = new Proxy({}, { ownKeys: boom });
      expect(refusal(() => admit([proxy])).place).toBe("$[0]");
      const shy = new Proxy(
        { a: 1, b: undefined, c: 2 },
        {
          getOwnPropertyDescriptor: (of, key) =>
            key === "c" ? boom() : Reflect.getOwnPropertyDescriptor(of, key),
        },
      );
      expect(refusal(() => admit({ shy })).place).toBe("$.shy");
      const { proxy: revoked, revoke } = Proxy.revocable([], {});
      revoke();
      expect(refusal(() => admit({ revoked })).place).toBe("$.revoked");
      expect(refusal(() => admit(revoked))).toMatchObject({
        place: "$",
        message: expect.stringMatching(/^\$ cannot be read, which is not JSON;/),
      });
    });

    it("functions and holes in nested arrays are refused with their path", () => {
      expect(refusal(() => admit({ a: [[1, () => 1]] })).place).toBe("$.a[0][1]");
      const holed = [1];
      holed[2] = 2;
      expect(refusal(() => admit([holed])).place).toBe("$[0][1]");
    });

    it("symbols and hidden properties are dropped, frozen objects included", () => {
      const object = hidden({ a: 1, [Symbol("s")]: 1 }, "b", { value: () => 1 });
      for (const each of [object, Object.freeze({ ...object, [Symbol("t")]: 1 })]) {
        expect(Reflect.ownKeys(admit(each) as object)).toEqual(["a"]);
      }
    });

    it("an array of a class of its own, or of another realm, is a plain one", () => {
      class Mine extends Array<number> {}
      for (const each of [Mine.from([1]), Object.freeze(Mine.from([1]))]) {
        const out = admit({ each }) as { each: object };
        expect(Object.getPrototypeOf(out.each)).toBe(Array.prototype);
      }
    });

    it("an array that is frozen with a hole and a name is refused all the same", () => {
      const sparse = Object.freeze(Object.assign(new Array(2), { 0: 1, name: 2 }));
      expect(refusal(() => admit(sparse)).place).toBe("$[1]");
    });
  });
}

describe("a stamp", () => {
  it("is put on what is frozen already", () => {
    const frozen = Object.freeze({ a: Object.freeze([1]) });
    expect(toJson(frozen)).toBe(frozen);
    expect([hasPassed(frozen), heightOf(frozen), (flagsOf(frozen) & HOLDS_LIST) !== 0]).toEqual([
      true,
      2,
      false,
    ]);
    expect(hashOf(toJson(frozen))).toBe(hashOf(toJson({ a: [1] })));
    expect(heightOf(toJson({ b: frozen }))).toBe(3);
  });

  it("is given once: what has itself admitted while it is read is refused", () => {
    let seen: unknown;
    const proxy: object = new Proxy(Object.freeze({ a: 1 }), {
      get(target, key, self) {
        if (key === "a" && seen === undefined) {
          seen = "looking";
          seen = toJson(self);
        }
        return Reflect.get(target, key);
      },
    });
    expect(refusal(() => toJson({ proxy })).message).toMatch(/^\$\.proxy\S* cannot be read/);
    expect(heightOf(seen)).toBe(1);
  });
});
