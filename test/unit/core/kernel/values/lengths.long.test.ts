// How long a value is, by bounds that cost no text; what fits into a line; promises in what is refused.
import { describe, expect, it } from "vitest";
import {
  append,
  atOnce,
  emptyTable,
  exceeds,
  isThenable,
  isUnawaited,
  type Json,
  listOf,
  MAX_DEPTH,
  pushItem,
  replaceItem,
  type Table,
  tableSet,
  toJson,
  vectorOf,
} from "../../../../../src/core/kernel/values/index.js";
import { surelyBelow } from "../../../../../src/core/kernel/values/json-length.js";
import { isRecordable } from "../../../../../src/core/kernel/values/recordable.js";
import { sealJson } from "../../../../../src/core/kernel/values/seal.js";
import { MAX_VALUE_LENGTH } from "../../../../../src/core/kernel/values/size-limits.js";
import { specialFunction } from "../../../../../src/core/kernel/values/thenable.js";
import { refusal } from "../../../../support/thrown.js";

const values: readonly Json[] = [
  "",
  "\u0000\u0001",
  "x".repeat(50),
  null,
  true,
  -1.2345678901234567e-3,
  [],
  {},
  [1, "two", [null]],
  { '"': "\u0000", b: { c: [false, {}] } },
  Array(100).fill("\u001f"),
  Array(100).fill([]),
  [[{}], [[[]]], {}],
];

describe("the length of a value's text", () => {
  it.each(values)("of %j is never more than its bound says", (value) => {
    const { length } = JSON.stringify(value);
    for (let limit = 0; limit < 12 * length + 100; limit++) {
      if (surelyBelow(value, limit)) expect(limit).toBeGreaterThan(length);
      expect(exceeds(value, limit)).toBe(length > limit);
    }
    // With room enough no text is made.
    expect(surelyBelow(value, 10 * length + 100)).toBe(true);
    expect(surelyBelow(value, length)).toBe(false);
  });

  it("is looked at no further than to the limit", () => {
    let looked = 0;
    const item = {
      get a() {
        looked += 1;
        return "x";
      },
    };
    const watched = Array.from({ length: 100 }, () => item);
    for (const value of [watched, Object.fromEntries(watched.entries())]) {
      looked = 0;
      expect(surelyBelow(value as never, 100)).toBe(false);
      expect(looked).toBeLessThan(10);
    }
  });
});

describe("what fits into a line", () => {
  const text = (length: number) => "x".repeat(length);

  it("is a text up to its length as JSON", () => {
    expect(isRecordable(text(MAX_VALUE_LENGTH - 2))).toBe(true);
    expect(isRecordable(text(MAX_VALUE_LENGTH - 1))).toBe(false);
    expect(isRecordable("\u0001".repeat(Math.floor((MAX_VALUE_LENGTH - 2) / 6)))).toBe(true);
    expect(isRecordable("\u0001".repeat(Math.ceil((MAX_VALUE_LENGTH - 1) / 6)))).toBe(false);
    expect([5, true, null].map((each) => isRecordable(each))).toEqual([true, true, true]);
  });

  it("is an object in which each value fits, wherever it stands", () => {
    const long = text(MAX_VALUE_LENGTH);
    const fits = text(MAX_VALUE_LENGTH - 2);
    for (const wrap of [
      (value: Json) => [value],
      (value: Json) => ({ a: value }),
      (value: Json) => ({ a: [1, { b: value }] }),
      (value: Json) => listOf([value]) as unknown as Json,
      (value: Json) => vectorOf([value]) as unknown as Json,
      (value: Json) => tableSet(emptyTable<Json>(), "k", value) as unknown as Json,
    ]) {
      for (const shared of [true, false]) {
        expect([isRecordable(wrap(fits), shared), isRecordable(wrap(long), shared)]).toEqual([
          true,
          false,
        ]);
      }
    }
  });

  it("is what was seen at the border to be short, and what is long there is looked through", () => {
    const long = text(MAX_VALUE_LENGTH);
    const few = Array.from({ length: 40 }, (_, i) => i as Json);
    const table = few.reduce(
      (to: Table<Json>, value) => tableSet(to, `k${value}`, value),
      emptyTable<Json>(),
    );
    const vector = vectorOf(few);
    for (const wrap of [
      (value: Json) => value,
      (value: Json) => [1, value],
      (value: Json) => ({ a: { b: value }, c: 1 }),
      (value: Json) => listOf([...few, value, ...few]),
      (value: Json) => append(listOf(few), value, 1, [2]),
      (value: Json) => pushItem(pushItem(vector, value), 1),
      (value: Json) => replaceItem(replaceItem(vector, 3, value), 4, 1),
      (value: Json) => vectorOf([...few, value]),
      (value: Json) => tableSet(tableSet(table, "more", value), "k1", 2),
      (value: Json) => tableSet(tableSet(table, "k3", value), "more", 1),
      (value: Json) => ({ a: tableSet(emptyTable<Json>(), "k", { b: [value] }) }),
    ]) {
      const sealed = (value: Json) => sealJson(wrap(toJson(value)));
      expect([isRecordable(sealed(long)), isRecordable(sealed("short"))]).toEqual([false, true]);
      expect(isRecordable(sealed([long]))).toBe(false);
      expect(isRecordable(sealed(text(MAX_VALUE_LENGTH - 2)))).toBe(true);
    }
    const many = Array(MAX_VALUE_LENGTH / 4).fill(1.5) as Json;
    const named = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`${i}${text(1_000_000)}`, 1]),
    );
    for (const value of [many, named]) expect(isRecordable(sealJson({ value }))).toBe(false);
    // What has up to 256 characters stands there as itself.
    const middling = Array(104_000).fill("a".repeat(240)) as Json;
    expect(isRecordable(sealJson({ middling }))).toBe(false);
    const entry = tableSet(emptyTable<Json>(), "\u0001".repeat(2 * 1024 * 1024), toJson({ a: 1 }));
    expect(isRecordable(sealJson({ entry }))).toBe(false);
    const growing: unknown[] = [0];
    Object.defineProperty(growing, 0, {
      enumerable: true,
      get: () => {
        while (growing.length < MAX_VALUE_LENGTH / 3) growing.push(1.5);
        return 0;
      },
    });
    expect(isRecordable(toJson({ growing }))).toBe(false);
  });

  it("is not an array of more than a line's numbers, nor an object of more names", () => {
    const many = (count: number) => Array(count).fill(1.5) as Json;
    // Two brackets, and a number and a comma each.
    expect(isRecordable(many(MAX_VALUE_LENGTH / 4))).toBe(false);
    expect(isRecordable(many(MAX_VALUE_LENGTH / 4 - 1))).toBe(true);
    const name = text(1_000_000);
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}${name}`, 1]));
    expect([isRecordable(named(8)), isRecordable(named(9))]).toEqual([true, false]);
    // A List's items are no part of it.
    expect(isRecordable(vectorOf(Array(200_000).fill(text(60))) as unknown as Json)).toBe(true);
  });

  it("is looked at once, where others may hold it too", () => {
    let looked = 0;
    const watched = () =>
      new Proxy([1, 2], {
        get: (of, name) => {
          if (name === "length") looked += 1;
          return Reflect.get(of, name);
        },
      });
    const times = (shared: boolean | undefined, work: (value: Json) => Json = (value) => value) => {
      const value = watched() as unknown as Json;
      looked = 0;
      isRecordable(work(value), shared);
      const once = looked;
      isRecordable(work(value), shared);
      return looked > once;
    };
    expect([times(undefined), times(true), times(false)]).toEqual([false, false, true]);
    // What stands in a part that is the step's own is looked at each time; in a shared array once.
    expect(times(true, (value) => [value])).toBe(false);
    expect(times(true, (value) => ({ a: value }))).toBe(true);
    expect(times(false, (value) => [value])).toBe(true);
  });
});

describe("a promise", () => {
  const rejected = () => Promise.reject(new Error("nobody hears this"));
  const THEN = "then";
  /** An object with such a property: who awaits it would call it. */
  const having = (property: PropertyDescriptor) => Object.defineProperty({}, THEN, property);
  const hostile = having({
    get() {
      throw new Error("no");
    },
  });

  it("is what has a `then`, and nothing that cannot be looked at", () => {
    const is = [Promise.resolve(), having({ value: () => {} })];
    const isNot = [undefined, null, 5, "then", {}, having({ value: 5 }), hostile];
    expect([...is, ...isNot].map((each) => isThenable(each))).toEqual([
      true,
      true,
      ...isNot.map(() => false),
    ]);
    expect(isUnawaited(5)).toBe(false);
    expect(isUnawaited(rejected())).toBe(true);
    const special = [async () => {}, function* () {}, async function* () {}];
    expect([...special, () => {}, class {}, 5].map(specialFunction)).toEqual([
      "an async function",
      "a generator function",
      "an async generator function",
      ...[undefined, undefined, undefined],
    ]);
    expect(atOnce("it", 5)).toBe(5);
    expect(() => atOnce("it", rejected())).toThrow("it returned a promise");
  });

  it("in a value that is refused fails unheard, however deep it lies, and nobody else's does", async () => {
    const heard: unknown[] = [];
    const listen = (reason: unknown) => void heard.push(reason);
    process.on("unhandledRejection", listen);
    const listeners = process.listeners("unhandledRejection").filter((each) => each !== listen);
    for (const each of listeners) process.off("unhandledRejection", each);
    try {
      const circle: unknown[] = [rejected()];
      circle.push(circle);
      for (const value of [
        rejected(),
        [1, { a: rejected(), b: [rejected()] }],
        Object.assign(Object.create(null), { a: rejected() }),
        circle,
        [hostile, rejected()],
      ]) {
        expect(refusal(() => toJson(value)).code).toBe("json.refused");
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(heard).toEqual([]);
      // What lies in an instance is its own affair.
      const own = new (class {
        readonly a = rejected();
      })();
      expect(refusal(() => toJson({ own })).code).toBe("json.refused");
      await new Promise((resolve) => setImmediate(resolve));
      expect(heard).toHaveLength(1);
    } finally {
      process.off("unhandledRejection", listen);
      for (const each of listeners) process.on("unhandledRejection", each);
    }
  });
});

describe("a path", () => {
  const place = (value: unknown, root?: string) => refusal(() => toJson(value, root)).place;
  const bad = () => 1;

  it("names keys that are identifiers as such, others quoted, and items by their index", () => {
    expect(place({ $a_1: { "a-b": [[bad]] } })).toBe('$.$a_1["a-b"][0][0]');
    expect(place({ "1a": bad })).toBe('$["1a"]');
    expect(place({ a: 1, b: [1, 2, bad] }, "x")).toBe("x.b[2]");
    expect(place({ a: { b: 1 }, c: { d: bad } })).toBe("$.c.d");
    expect(place({ gone: undefined, c: bad })).toBe("$.c");
  });

  it("is told with an article that fits, and the cause of what cannot be read", () => {
    class Apple {}
    class pear {}
    expect(refusal(() => toJson(new Apple())).message).toContain("$ is an Apple,");
    expect(refusal(() => toJson(new pear())).message).toContain("$ is a pear,");
    const cause = new Error("boom");
    const thrower = {
      get a() {
        throw cause;
      },
    };
    expect(refusal(() => toJson(thrower))).toMatchObject({
      cause,
      message: expect.stringContaining("cannot be read"),
    });
  });

  it("leads to a value that has passed and lies too deep", () => {
    let deep: Json = 1;
    for (let i = 0; i < MAX_DEPTH; i++) deep = [deep];
    const passed = toJson(deep);
    expect(place({ a: passed })).toBe("$.a");
  });
});
