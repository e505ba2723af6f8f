// States by their content: what is written comes back with the same digests, whatever it holds, in one
// piece or in several; what was forged is refused.

import { describe, expect, it, vi } from "vitest";
import { contentOf } from "../../../../src/core/journal/content.js";
import { fromContent, joinContent } from "../../../../src/core/journal/from-content.js";
import { splitContent } from "../../../../src/core/journal/record-upgrade.js";
import {
  emptyTable,
  type Json,
  listOf,
  refOf,
  sealJson,
  type Table,
  tableDelete,
  tableSet,
  vectorOf,
} from "../../../../src/core/kernel/values/index.js";
import { refusal } from "../../../support/thrown.js";

const json = (value: unknown): Json => value as Json;
const tableOf = (...keys: readonly string[]): Table<Json> =>
  keys.reduce((table, key) => tableSet<Json>(table, key, { of: key }), emptyTable<Json>());
const withHole = tableDelete(tableOf("a", "b", "c"), "b");

/** A value as another process has it from its content. */
const carried = (value: Json): Json =>
  sealJson(fromContent(JSON.parse(JSON.stringify(contentOf(value)))));

/** Some of them: whatever a state holds comes back in property-tests/journal-proof.test.ts. */
const values: readonly (readonly [string, unknown])[] = [
  ["a Table from which an entry was taken", withHole],
  ["a List in an array, behind and before others", [1, listOf(["x"]), { y: 1 }, listOf([])]],
  ["names like those of collections", { "=list": [1], "=vector": 2, "=table": 3, "=": 4 }],
];

describe("a value by its content", () => {
  it.each(values)("comes back: %s", (_name, value) => {
    const sealed = sealJson(json(value));
    expect(carried(sealed)).toEqual(sealed);
    expect(refOf(carried(sealed))).toBe(refOf(sealed));
  });

  it("shows no shape that could be forged", () => {
    expect(contentOf(sealJson(json({ a: listOf([{ "=": 1 }]), "=b": 1 })))).toEqual({
      a: { "=list": [{ "==": 1 }] },
      "==b": 1,
    });
    expect(contentOf(json(withHole))).toEqual({
      "=table": [["a", { of: "a" }], null, ["c", { of: "c" }]],
    });
  });

  it("is not copied where it holds no collection", () => {
    const plain = sealJson(json({ a: [1, { b: 2 }], "a=": 3 }));
    expect(fromContent(plain)).toBe(plain);
    const mixed = json([{ a: 1 }, { "=list": [] }]);
    expect((fromContent(mixed) as Json[])[0]).toBe((mixed as Json[])[0]);
  });

  it.each([
    ["a List that is none", { "=list": 5 }, "has a collection without items"],
    ["a Vector that is none", { "=vector": {} }, "has a collection without items"],
    ["a Table that is none", { "=table": "ab" }, "has a collection without items"],
    ["an entry that is a string", { "=table": ["ab"] }, "has an invalid entry"],
    ["an entry without a value", { "=table": [["a"]] }, "has an invalid entry"],
    ["an entry with more", { "=table": [["a", 1, 2]] }, "has an invalid entry"],
    ["an entry whose key is none", { "=table": [[1, 2]] }, "has an invalid entry"],
    ["a name that changes what an object is", JSON.parse('{"__proto__":{}}'), "a key __proto__"],
    [
      "such a name behind a List",
      JSON.parse('{"a":{"=list":[]},"__proto__":{}}'),
      "a key __proto__",
    ],
  ])("is refused where it holds %s", (_name, content, message) => {
    const error = refusal(() => fromContent(json(content)));
    expect(error.code).toBe("json.refused");
    expect(error.message).toContain(message);
  });
});

describe("a long collection in parts", () => {
  const items = ["aaaa", "bbbb", "cccc", "dddd", "eeee"].map(json);
  const collections: readonly (readonly [string, Json])[] = [
    ["a List", json(listOf(items))],
    ["a Vector", json(vectorOf(items))],
    ["a Table", json(tableDelete(tableOf("a", "b", "c", "d"), "b"))],
  ];

  it.each(collections)("is %s again when they are put together", (_name, collection) => {
    const whole = contentOf(collection);
    for (const length of [1, 6, 12, 13, 40, 1_000]) {
      const parts = splitContent(whole, length) ?? [];
      expect(parts.reduce(joinContent)).toEqual(whole);
      expect(refOf(fromContent(parts.reduce(joinContent)))).toBe(refOf(collection));
    }
  });

  it("has as many items in a part as fit, and at least one", () => {
    const whole = contentOf(json(listOf(items)));
    const sizes = (length: number) =>
      splitContent(whole, length)?.map((part) => (part as { "=list": Json[] })["=list"].length);
    // Each item is six characters of JSON.
    expect([1, 6, 11, 12, 17, 18, 29, 30].map(sizes)).toEqual([
      [1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1],
      [2, 2, 1],
      [2, 2, 1],
      [3, 2],
      [4, 1],
      [5],
    ]);
    expect(splitContent(contentOf(json(listOf([]))), 1)).toEqual([{ "=list": [] }]);
  });

  it.each([
    ["an object", { a: [1, 2] }],
    ["an empty object", {}],
    ["an array", [1, 2]],
    ["a collection that is none", { "=list": 5 }],
  ])("is not made of %s", (_name, content) => {
    expect(splitContent(json(content), 1)).toBeUndefined();
  });

  it("is not made of a text, which has as many keys as characters", () => {
    const keys = vi.spyOn(Object, "keys");
    expect(splitContent("aaaa", 1)).toBeUndefined();
    expect(keys).not.toHaveBeenCalled();
    keys.mockRestore();
  });

  it.each([
    ["two kinds", { "=list": [1] }, { "=vector": [1] }],
    ["two values", { a: 1 }, { a: 1 }],
    ["a value and a List", 5, { "=list": [1] }],
    ["a List and a value", { "=list": [1] }, 5],
    ["a List and one without items", { "=list": [1] }, { "=list": 5 }],
  ])("is not put together from %s", (_name, first, rest) => {
    expect(refusal(() => joinContent(json(first), json(rest))).code).toBe("json.refused");
  });
});
