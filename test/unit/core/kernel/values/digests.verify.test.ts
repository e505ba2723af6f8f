// How a value stands in the text of what holds it, against a plain reading of the rule: what is long is
// its digest, a List its head, a Vector or a Table the digest of its rows.

import { describe, expect, it, vi } from "vitest";
import {
  digestText,
  isReference,
  MAX_NESTED,
  tableText,
} from "../../../../../src/core/kernel/values/canonical.js";
import {
  append,
  asJson,
  canonical,
  digestOf,
  emptyTable,
  hashOf,
  type Json,
  listHead,
  listOf,
  pushItem,
  quoted,
  refOf,
  replaceItem,
  sealJson,
  type Table,
  tableDelete,
  tableSet,
  toArray,
  toJson,
  vectorItems,
  vectorOf,
} from "../../../../../src/core/kernel/values/index.js";
import { tableCells } from "../../../../../src/core/kernel/values/table.js";
import { throughJson } from "../../../../support/by-hand.js";
import { countHashes } from "../../../../support/hashed.js";

vi.mock("#platform", async (original) =>
  (await import("../../../../support/hashed.js")).counted(await original()),
);
type Any = { readonly [key: string]: unknown };
const json = (value: unknown) => value as Json;

/** The text of a value by the rule alone. */
function textByRule(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(refByRule).join(",")}]`;
  const object = value as Any;
  if ("@list" in object) {
    const head = toArray(object as never).reduce(
      (before: string, item) => digestOf(`${before}\n${wholeByRule(item)}`),
      "",
    );
    return `@${object["@list"]}#${head}`;
  }
  if ("@vector" in object) return collectionByRule(vectorItems(object as never), ";");
  if ("@table" in object) {
    const entries = tableCells<unknown>(object as never);
    return collectionByRule(
      entries.map((each) => each && { key: each[0], value: each[1] }),
      ",",
    );
  }
  const keys = Object.keys(object).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${refByRule(object[key])}`).join(",")}}`;
}

/** The text of an object, however long; of anything else what stands for it. */
function wholeByRule(value: unknown): string {
  return typeof value === "object" && value !== null ? textByRule(value) : refByRule(value);
}

function refByRule(value: unknown): string {
  const text = textByRule(value);
  if (/^[@%]/.test(text)) return text;
  return text.length > 256 ? `#${digestOf(text)}` : text;
}

/**
 * Where a row has many items, an object or an array is its digest as soon as that is shorter, and a gap
 * takes as much room.
 */
function itemByRule(item: unknown, count: number): string {
  const ref = refByRule(item);
  if (count > 8 && item === null) return "null".padEnd(33);
  if (count <= 8 || typeof item !== "object" || item === null) return ref;
  return ref.length <= 32 || /^[#@%]/.test(ref) ? ref : `#${digestOf(ref)}`;
}

function collectionByRule(items: readonly unknown[], mark: string): string {
  if (items.length === 0) return mark === "," ? "%0#" : "%0#;";
  let rows: string[] = [];
  for (let at = 0; at < items.length; at += 32) {
    rows.push(
      digestOf(
        items
          .slice(at, at + 32)
          .map((item, _, row) => itemByRule(item, row.length) + mark)
          .join(""),
      ),
    );
  }
  while (rows.length > 1) {
    const above: string[] = [];
    for (let at = 0; at < rows.length; at += 32) {
      above.push(digestOf(rows.slice(at, at + 32).join("")));
    }
    rows = above;
  }
  return `%${items.length}#${rows[0]}`;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const tableOf = (count: number): Table<Json> =>
  numbers(count).reduce((table, i) => tableSet<Json>(table, `k${i}`, { i }), emptyTable<Json>());
const text = (length: number) => "x".repeat(length);

const values: readonly (readonly [string, unknown])[] = [
  ["numbers and words", [0, -1.5, 1e21, true, false, null, "a", 'é\u2028"\\\n', "#", "@", "%"]],
  ["an object by its sorted keys", { b: 1, a: { d: [], c: {} }, "10": 0, "9": 0, 'q"': 1 }],
  ["a text as long as may be", [text(MAX_NESTED - 2)]],
  ["a text that is one longer", [text(MAX_NESTED - 1)]],
  ["a text that is longer as JSON alone", [`"${text(MAX_NESTED - 4)}`, `"${text(MAX_NESTED - 5)}`]],
  ["an object as long as may be", { a: { b: text(MAX_NESTED - 8) } }],
  ["an object that is one longer", { a: { b: text(MAX_NESTED - 7) } }],
  ["an array that is too long", [[numbers(200)], [numbers(200)]]],
  ["Lists", [listOf([]), listOf([1, { a: text(300) }]), listOf(numbers(40))]],
  ["Vectors", [vectorOf([]), ...[1, 32, 33, 1_024, 1_025].map((n) => vectorOf(numbers(n)))]],
  ["Tables", [emptyTable(), ...[1, 8, 9, 33, 1_025].map(tableOf)]],
  ["Tables with gaps", [3, 12, 40].map((n) => tableDelete(tableOf(n), "k1"))],
  ["a Vector of entries and a Table", [vectorOf([{ key: "k0", value: { i: 0 } }]), tableOf(1)]],
];

describe("a value stands as the rule says", () => {
  it.each(values)("%s", (_name, value) => {
    const sealed = sealJson<Json>(json(value));
    for (const each of [sealed, sealed, throughJson(sealed), sealJson<Json>(throughJson(sealed))]) {
      expect(refOf(each)).toBe(refByRule(value));
      expect(digestText(each)).toBe(wholeByRule(value));
      expect(hashOf(each)).toBe(
        refByRule(value).startsWith("#") ? refByRule(value).slice(1) : digestOf(refByRule(value)),
      );
    }
  });

  it("each part of it as well", () => {
    for (const [, value] of values) {
      for (const part of Object.values(sealJson<object>(json(value)))) {
        expect(refOf(part)).toBe(refByRule(part));
        expect(digestText(part)).toBe(wholeByRule(part));
        expect(isReference(refOf(part))).toBe(/^[#@%]/.test(refByRule(part)));
      }
    }
  });

  it("without what is undefined in it", () => {
    expect(refOf(json({ a: undefined, b: 1, c: undefined, d: 2 }))).toBe('{"b":1,"d":2}');
    expect(canonical(json({ a: undefined, b: 1, c: undefined, d: 2 }))).toBe('{"b":1,"d":2}');
    expect(canonical(json({ a: listOf([1]) }))).toBe(
      `{"a":{"@list":1,"head":"${listHead(listOf([1]))}"}}`,
    );
  });

  it("however many texts and shapes there were", () => {
    const long = numbers(20).map((i) => `${i} ${text(300)}`);
    for (const each of [...long, ...long, ...[...long].reverse()]) {
      expect(refOf(each)).toBe(`#${digestOf(JSON.stringify(each))}`);
    }
    // More shapes than are kept.
    for (let i = 0; i < 20_100; i++) {
      const keys = [`z${i}`, "a"];
      expect(refOf({ [keys[0] as string]: 1, a: 2 })).toBe(`{"a":2,"z${i}":1}`);
    }
    expect(refOf({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
  });

  it("and follows what still can change", () => {
    const inner = { of: text(300) };
    const value = { inner, list: [inner] };
    const before = refOf(json(value));
    inner.of = text(301);
    expect(refOf(json(value))).toBe(refByRule(value));
    expect(refOf(json(value))).not.toBe(before);
    const rows = throughJson(asJson(vectorOf([{ a: 1 }])));
    const first = refOf(rows);
    ((rows as never as { rows: { items: { a: number }[] } }).rows.items[0] as { a: number }).a = 2;
    expect(refOf(rows)).not.toBe(first);
  });

  it("as is hashed once", () => {
    const value = toJson({ a: { of: numbers(200) }, b: text(400) });
    const vector = vectorOf(numbers(100));
    for (const each of [value, asJson(vector)]) {
      refOf(each);
      const hashedSince = countHashes();
      refOf(each);
      expect(hashedSince().calls).toBe(0);
    }
  });
});

it("what all objects inherit stands in no text, and hides nothing that stands there", () => {
  const values = [{ a: 1 }, { a: 1, more: 1 }, { a: 1, more: 2 }];
  const texts = values.map((value) => JSON.stringify(value));
  const all = Object.prototype as { more?: unknown };
  all.more = 1;
  try {
    expect(values.map((value) => digestText(toJson(value)))).toEqual(texts);
  } finally {
    delete all.more;
  }
});

describe("a collection's digest, asked for now and then while it changes,", () => {
  /** A row of many, one that grows, two levels, and the step to three. */
  const sizes = [9, 31, 33, 70, 1_023] as const;
  const item = (random: () => number): Json => {
    const kind = random() % 5;
    if (kind === 0) return random() % 9;
    if (kind === 1) return null;
    if (kind === 2) return { of: text(random() % 400) };
    if (kind === 3) return asJson(listOf([random()]));
    return { id: `a thought ${random()}`, text: text(40), score: random() % 9 };
  };
  const generator = (seed: number) => {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 8;
    };
  };

  it.each(sizes)("is that of the whole, from %d items on", (size) => {
    const random = generator(size);
    let vector = vectorOf<Json>(numbers(size).map((i) => ({ id: `the first of all ${i}`, i })));
    let table = numbers(size).reduce(
      (made, i) => tableSet<Json>(made, `k${i}`, { id: `the first of all ${i}`, i }),
      emptyTable<Json>(),
    );
    const [elder, eldest] = [vector, table];
    for (let step = 0; step < 120; step++) {
      for (let changes = random() % 7; changes > 0; changes--) {
        const at = random() % (size + 8);
        vector = random() % 4 === 0 ? pushItem(vector, item(random)) : vector;
        vector = replaceItem(vector, at, item(random));
        table = tableSet<Json>(table, `k${at}`, item(random));
        if (random() % 3 === 0) table = tableDelete(table, `k${random() % size}`);
      }
      if (random() % 3 > 0) continue;
      expect(refOf(asJson(vector))).toBe(refOf(throughJson(asJson(vector))));
      expect(refOf(asJson(table))).toBe(refOf(throughJson(asJson(table))));
    }
    expect(refOf(asJson(vector))).toBe(refByRule(vector));
    expect(refOf(asJson(table))).toBe(refByRule(table));
    // What went on from them has changed nothing of theirs.
    expect(refOf(asJson(elder))).toBe(refByRule(elder));
    expect(refOf(asJson(eldest))).toBe(refByRule(eldest));
    const other = replaceItem<Json>(elder, 3, { id: "another one of this very length", i: 3 });
    refOf(asJson(elder));
    expect(refOf(asJson(other))).toBe(refByRule(other));
  });
});

describe("a Table's text where it stands in no line", () => {
  const entry = (i: number) => `"k${i}":${textByRule({ i })}`;

  it("is its entries, gaps too, where it is small", () => {
    expect(tableText(asJson(emptyTable()))).toBe("%0()");
    expect(tableText(asJson(tableOf(2)))).toBe(`%2(${entry(0)},${entry(1)},)`);
    expect(tableText(asJson(tableDelete(tableOf(3), "k1")))).toBe(`%3(${entry(0)},,${entry(2)},)`);
    expect(tableText(asJson(tableOf(8)))).toBe(
      `%8(${numbers(8)
        .map((i) => `${entry(i)},`)
        .join("")})`,
    );
    const long = tableSet<Json>(emptyTable(), "k", text(300));
    expect(tableText(asJson(long))).toBe(`%1("k":${refOf(text(300))},)`);
    const named = (value: Json, key: string) => (key === "k1" ? "=one" : refOf(value));
    expect(tableText(asJson(tableOf(2)), named)).toBe(`%2(${entry(0)},"k1":=one,)`);
  });

  it("is its reference where it is not", () => {
    for (const count of [9, 40]) {
      expect(tableText(asJson(tableOf(count)))).toBe(refByRule(tableOf(count)));
    }
  });
});

describe("a text as JSON", () => {
  it.each(["", "a", "é€", '"', "\\", "\n", "\u007f", "\u0085", "\ud800", "😀", "\u2028"])(
    "%j",
    (each) => {
      expect(JSON.parse(quoted(each))).toBe(each);
      expect(quoted(each)).toBe(JSON.stringify(each));
    },
  );
});

describe("a digest", () => {
  it("of bytes is that of their text, at every length", () => {
    for (let length = 0; length < 70; length++) {
      const bytes = new TextEncoder().encode("é".repeat(length));
      expect(digestOf(bytes)).toBe(digestOf("é".repeat(length)));
    }
  });
});

describe("a List's head", () => {
  it("is the same however it came about", () => {
    const items = [1, { a: [text(300)] }, "x"];
    const appended = items.reduce((list, item) => append(list, item), listOf<unknown>([]));
    expect(refOf(asJson(appended))).toBe(refByRule(listOf<unknown>(items)));
  });
});
