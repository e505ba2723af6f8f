// Any value that a tool may return becomes JSON that the border takes, within its limits; JSON stays
// as it is. A second route to the same: what JSON.stringify writes of values that it can write.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_DEPTH, resultJson, toJson } from "../src/core/kernel/values/index.js";
import { seeds } from "./setup.js";

class Row {
  #hidden = 1;
  constructor(fields: object) {
    for (const [key, value] of Object.entries({ ...fields, hidden: this.#hidden })) {
      Object.defineProperty(this, key, { value, enumerable: true, configurable: true });
    }
  }
}

const no = () => {
  throw new Error("no");
};
const keys = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("__proto__", "@list", "@vector", "@table", "toJSON", "then", "length", "=x"),
);
const leaves = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.date({ noInvalidDate: false }),
  fc.uint8Array(),
  fc.float32Array(),
  fc.constantFrom(null, undefined, () => 1, Symbol("s"), new Error("e"), /x/g, new WeakMap()),
);
const { any } = fc.letrec<{ any: unknown }>((tie) => {
  const items = fc.array(tie("any"), { maxLength: 4 });
  const fields = fc.dictionary(keys, tie("any"), { maxKeys: 4 });
  return {
    any: fc.oneof(
      { maxDepth: 4 },
      leaves,
      items,
      fields,
      fields.map((each) => new Row(each)),
      items.map((each) => new Set(each)),
      fc
        .array(fc.tuple(fc.oneof(keys, tie("any")), tie("any")), { maxLength: 3 })
        .map((each) => new Map(each)),
      tie("any").map((each) => ({ toJSON: () => each })),
      tie("any").map((each) => ({
        get a() {
          return each;
        },
        get b() {
          return no();
        },
      })),
      // What leads back to itself, from below.
      items.map((each) => {
        const loop: unknown[] = [...each];
        loop.push({ back: loop, again: [loop] });
        return loop;
      }),
      fields.map(
        (each) =>
          new Proxy(each, {
            get: (target, key) => (key === "a" ? no() : Reflect.get(target, key)),
          }),
      ),
    ),
  };
});

for (const seed of seeds) {
  describe(`resultJson (seed ${seed})`, () => {
    it("makes JSON of any value, which the border takes, and which stays as it is", () => {
      fc.assert(
        fc.property(any, (value) => {
          const { json } = resultJson(value);
          if (json === undefined) return;
          expect(toJson(json, "$", MAX_DEPTH)).toBe(json);
          expect(resultJson(JSON.parse(JSON.stringify(json)))).toEqual({ json, changes: [] });
        }),
        { seed, numRuns: 2_000 },
      );
    });

    it("keeps within its limits, and says how much is missing", () => {
      fc.assert(
        fc.property(
          any,
          fc.integer({ min: 0, max: 60 }),
          fc.integer({ min: 1, max: 6 }),
          (value, most, maxDepth) => {
            const whole = resultJson(value, { maxDepth }).json;
            const { json } = resultJson(value, { most, maxDepth });
            if (whole === undefined || JSON.stringify(whole) === JSON.stringify(json)) return;
            const text = typeof whole === "string" ? whole : JSON.stringify(whole);
            const [, kept = "", missing] =
              /^([\s\S]*) \[cut: (\d+) more characters\]$/.exec(json as string) ?? [];
            expect(text.startsWith(kept)).toBe(true);
            expect(kept.length + Number(missing)).toBe(text.length);
            expect(JSON.stringify(kept).length - 2).toBeLessThanOrEqual(most);
          },
        ),
        { seed, numRuns: 2_000 },
      );
    });

    it("reads plain values as JSON.stringify does", () => {
      const plain = fc.anything({
        withDate: true,
        withNullPrototype: true,
        key: fc.string({ maxLength: 3 }),
        stringUnit: "grapheme",
      } as never);
      fc.assert(
        fc.property(plain, (value) => {
          const text = JSON.stringify(value);
          if (text === undefined || text.includes("__proto__")) return;
          expect(resultJson(value).json).toEqual(JSON.parse(text));
        }),
        { seed, numRuns: 2_000 },
      );
    });
  });
}
