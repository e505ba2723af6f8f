// Whatever a tool returns becomes JSON: what JSON does not have becomes what comes nearest.
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { listOf, resultJson, toJson } from "../../../../../src/core/kernel/values/index.js";

const jsonOf = (value: unknown) => resultJson(value).json;

class Order {
  id = 7;
  #secret = "s";
  get shown() {
    return this.#secret;
  }
}

const loop: { name: string; self?: unknown } = { name: "a" };
loop.self = loop;
const parent: { name: string; children: unknown[] } = { name: "p", children: [] };
parent.children.push({ name: "c", parent }, { name: "d", parent });
const symbol = Symbol("s");

function* counted() {
  yield 1;
}

describe("resultJson", () => {
  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ["a Date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["an invalid Date", [new Date(Number.NaN)], [null]],
    ["a URL", new URL("https://a.example/b"), "https://a.example/b"],
    [
      "a toJSON that gives a Date",
      { toJSON: () => ({ when: new Date(0) }) },
      { when: "1970-01-01T00:00:00.000Z" },
    ],
    [
      "a toJSON that gives itself",
      Object.assign(new Order(), {
        toJSON() {
          return this;
        },
      }),
      { id: 7 },
    ],
    ["a bigint", { n: 12345678901234567890n }, { n: "12345678901234567890" }],
    ["NaN and infinities", [Number.NaN, 1 / 0, -1 / 0, -0], [null, null, null, 0]],
    [
      "a Map with texts as keys",
      new Map<string, unknown>([
        ["a", 1],
        ["b", new Map()],
      ]),
      { a: 1, b: {} },
    ],
    [
      "a Map with other keys",
      new Map<unknown, unknown>([
        [1, "x"],
        ["a", 2n],
      ]),
      [
        [1, "x"],
        ["a", "2"],
      ],
    ],
    ["a Set", new Set([1, new Set(["x"])]), [1, ["x"]]],
    ["an instance", new Order(), { id: 7 }],
    ["bytes", new Uint8Array([1, 2, 255]), { base64: "AQL/", length: 3 }],
    ["a Buffer", { body: Buffer.from("hi") }, { body: { base64: "aGk=", length: 2 } }],
    ["an ArrayBuffer", new Uint8Array([7]).buffer, { base64: "Bw==", length: 1 }],
    ["numbers in a typed array", new Float64Array([0.5, Number.NaN]), [0.5, null]],
    ["a value that leads back to itself", loop, { name: "a", self: "[circular]" }],
    [
      "two that lead to one another",
      parent,
      {
        name: "p",
        children: [
          { name: "c", parent: "[circular]" },
          { name: "d", parent: "[circular]" },
        ],
      },
    ],
    [
      "what is shared is no circle",
      [new Order(), loop, loop].slice(1),
      [
        { name: "a", self: "[circular]" },
        { name: "a", self: "[circular]" },
      ],
    ],
    ["functions and symbols", { a: 1, f: () => 1, [symbol]: 2, s: symbol }, { a: 1 }],
    ["functions in a list", [1, () => 1, symbol, undefined, 2], [1, null, null, null, 2]],
    [
      "an Error",
      { e: new RangeError("too far") },
      { e: { name: "RangeError", message: "too far" } },
    ],
    [
      "an Error with a toJSON",
      Object.assign(new Error("no"), { toJSON: () => ({ headers: "all" }) }),
      { name: "Error", message: "no" },
    ],
    ["a stream", { body: new ReadableStream() }, { body: "[not JSON: ReadableStream]" }],
    ["an iterator", [counted()], ["[not JSON: an iterator]"]],
    ["a promise", { a: new Promise(() => {}) }, { a: "[not JSON: a promise]" }],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("no");
        },
        b: 1,
      },
      { a: null, b: 1 },
    ],
    [
      "a toJSON that throws",
      {
        a: {
          toJSON() {
            throw new Error("no");
          },
        },
        b: 1,
      },
      { a: null, b: 1 },
    ],
    ["a proxy that was revoked", [revoked(), 2], [null, 2]],
    [
      "a key __proto__",
      { a: JSON.parse('{"__proto__":1,"b":2}') },
      {
        a: [
          ["__proto__", 1],
          ["b", 2],
        ],
      },
    ],
    ["a reserved key", { "@list": [1] }, [["@list", [1]]]],
    ["a List", listOf([1, 2]), [1, 2]],
    ["a lone surrogate", { "a\uD800": "\uDC00" }, [["a\uFFFD", "\uFFFD"]]],
    [
      "values of another realm",
      runInNewContext("({ m: new Map([['a', 1]]), d: new Date(0), e: new Error('x') })"),
      {
        m: { a: 1 },
        d: "1970-01-01T00:00:00.000Z",
        e: { name: "Error", message: "x" },
      },
    ],
    [
      "what claims to be a Map",
      Object.assign(Object.create({ [Symbol.toStringTag]: "Map" }), { a: 1 }),
      { a: 1 },
    ],
    ["boxed values", [new String("a"), new Number(1), Object(true)], ["a", 1, true]],
    ["nothing", undefined, null],
  ];
  it.each(rows)("%s", (name, value, expected) => {
    const { json, changes } = resultJson(value);
    expect(json).toEqual(expected);
    expect(toJson(json)).toEqual(expected);
    if (name !== "nothing" && name !== "a List") expect(changes.length).toBeGreaterThan(0);
    // Of JSON it makes the same JSON.
    expect(resultJson(json)).toEqual({ json, changes: [] });
  });

  it("handles the promises in it, which nobody awaits", async () => {
    const unheard: unknown[] = [];
    const listener = (reason: unknown) => unheard.push(reason);
    process.on("unhandledRejection", listener);
    expect(jsonOf([{ a: Promise.reject(new Error("no")) }])).toEqual([
      { a: "[not JSON: a promise]" },
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listener);
    expect(unheard).toEqual([]);
  });

  it("keeps nothing of what is no value at all", () => {
    for (const value of [() => 1, symbol, revoked(), { toJSON: () => undefined }]) {
      expect(jsonOf(value)).toBeUndefined();
    }
  });

  it("says of each kind of change where it was first, and how often", () => {
    const { changes } = resultJson({ rows: [{ at: new Date(0) }, { at: new Date(1) }], "a b": 1n });
    expect(changes).toEqual([
      { place: "result.rows[0].at", how: "has a toJSON, kept as what it gives", count: 2 },
      { place: 'result["a b"]', how: "is a bigint, kept as its decimal text", count: 1 },
    ]);
  });

  it("leaves JSON as it is, undefined properties left out, without a word", () => {
    const value = { a: [1, "x", null, true, { b: undefined }] };
    expect(resultJson(value)).toEqual({ json: { a: [1, "x", null, true, {}] }, changes: [] });
    const sealed = toJson({ a: 1 });
    expect(jsonOf(sealed)).toBe(sealed);
  });

  it("cuts what is nested too deep", () => {
    expect(resultJson([[[1]]], { maxDepth: 2 }).json).toEqual([["[nested too deep]"]]);
    let deep: unknown = 1;
    for (let i = 0; i < 5_000; i++) deep = { deep };
    expect(JSON.stringify(jsonOf(deep))).toContain("[nested too deep]");
  });

  it("reads a getter once", () => {
    let reads = 0;
    const value = {
      get a() {
        return ++reads;
      },
    };
    expect(jsonOf(value)).toEqual({ a: 1 });
    expect(reads).toBe(1);
  });

  it("makes each shared value once, and ends where a proxy has no end", () => {
    let shared: unknown = "leaf";
    for (let i = 0; i < 60; i++) shared = [shared, shared];
    const { json } = resultJson(shared, { most: 1000 });
    expect(json).toMatch(/^\[\[.* \[cut: \d+ more characters\]$/);

    const endless: unknown = new Proxy(
      {},
      {
        ownKeys: () => ["a", "b"],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        get: (_, key) => (key === "a" || key === "b" ? endlessly() : undefined),
      },
    );
    function endlessly(): unknown {
      return new Proxy(endless as object, {});
    }
    expect(resultJson(endless, { most: 1000, maxDepth: 60 }).json).toMatch(
      /\[cut: at least \d+ more characters\]$/,
    );
  });
});

describe("a result that is too large", () => {
  const cut = (value: unknown, most: number) => resultJson(value, { most }).json;

  it("as a text keeps its beginning, and says how much is missing", () => {
    expect(cut("x".repeat(100), 100)).toBe("x".repeat(100));
    expect(cut("x".repeat(101), 100)).toBe(`${"x".repeat(100)} [cut: 1 more characters]`);
    expect(cut("x".repeat(1_000_000), 70_000)).toBe(
      `${"x".repeat(70_000)} [cut: 930000 more characters]`,
    );
    // Counted as they stand in JSON: each line break takes two.
    expect(cut("\n".repeat(100), 52)).toBe(`${"\n".repeat(26)} [cut: 74 more characters]`);
    // A pair of surrogates is not cut in two.
    expect(cut("🙂".repeat(10), 9)).toBe("🙂🙂🙂🙂 [cut: 12 more characters]");
  });

  it("as any other value becomes its JSON text, cut likewise", () => {
    const rows = Array.from({ length: 50 }, (_, id) => ({ id }));
    const whole = JSON.stringify(rows);
    const text = cut(rows, 100) as string;
    const [, kept = "", missing] = /^(.*) \[cut: (\d+) more characters\]$/.exec(text) ?? [];
    expect(whole.startsWith(kept)).toBe(true);
    expect(kept.length + Number(missing)).toBe(whole.length);
    expect(JSON.stringify(kept).length).toBeGreaterThan(95);
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(102);
    expect(resultJson(rows, { most: 100 }).changes).toEqual([
      { place: "result", how: "is larger than what is kept and was cut", count: 1 },
    ]);
  });

  it("with bytes counts those that were not encoded", () => {
    const text = cut(new Uint8Array(20 * 1024 * 1024), 1000) as string;
    const base64 = 4 * Math.ceil((20 * 1024 * 1024) / 3);
    const whole = JSON.stringify({ base64: "", length: 20 * 1024 * 1024 }).length + base64;
    const [, kept = "", missing] = /^(.*) \[cut: (\d+) more characters\]$/.exec(text) ?? [];
    expect(kept.length + Number(missing)).toBe(whole);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
