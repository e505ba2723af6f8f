// The List: append-only, shared structure, a head that depends on the items alone. That it is an array to
// which is only added, at any size, says property-tests/collections.test.ts.

import { describe, expect, it, vi } from "vitest";
import {
  append,
  chain,
  emptyList,
  hashOf,
  isList,
  itemAt,
  type Json,
  type List,
  listHead,
  listOf,
  sumOfItems,
  takeFirst,
  toArray,
} from "../../../../../src/core/kernel/values/index.js";
import { sealJson } from "../../../../../src/core/kernel/values/seal.js";
import { heightOf } from "../../../../../src/core/kernel/values/stamp.js";
import { throughJson } from "../../../../support/by-hand.js";
import { countHashes } from "../../../../support/hashed.js";
import { refusal } from "../../../../support/thrown.js";

vi.mock("#platform", async (original) =>
  (await import("../../../../support/hashed.js")).counted(await original()),
);

const numbers = (size: number): number[] => Array.from({ length: size }, (_, i) => i);
describe("a List of two levels of rows", () => {
  const list = listOf(numbers(1_025));

  it("has each item in its place, counted from either end, and its items from an index on", () => {
    expect([0, 31, 32, 1_024, 1_025].map((at) => itemAt(list, at))).toEqual([
      ...[0, 31, 32, 1_024],
      undefined,
    ]);
    expect([-1, -1_025, -1_026].map((at) => itemAt(list, at))).toEqual([1_024, 0, undefined]);
    expect(toArray(list, 1_023)).toEqual([1_023, 1_024]);
  });

  it("is looked at from an index on, and not before", () => {
    const untouched = new Proxy([], {
      get: () => {
        throw new Error("looked at");
      },
    });
    const trapped = { "@list": 97, spine: [[96], [untouched, untouched, numbers(32)]] } as never;
    expect(toArray(trapped, 64)).toEqual([...numbers(32), 96]);
    expect(toArray(trapped, 95)).toEqual([31, 96]);
  });
});

describe("takeFirst", () => {
  it("of a list whose head is known keeps what is known, and of one from JSON is the same", () => {
    const whole = listOf(numbers(100));
    listHead(whole);
    const known = listHead(listOf(numbers(70)));
    expect(listHead(takeFirst(whole, 70))).toBe(known);
    expect(listHead(takeFirst(JSON.parse(JSON.stringify(whole)), 70))).toBe(known);
    expect(takeFirst(whole, 100)).toBe(whole);
  });
});

describe("appending", () => {
  it("shares all but the last rows with the list before", () => {
    const before = listOf(numbers(1025));
    const after = append(before, 1025);
    expect(after.spine[1]).toBe(before.spine[1]);
    expect(after.spine[2]).toBe(before.spine[2]);
  });

  it("freezes the list and never the caller's items", () => {
    const item = { a: [1] };
    const list = listOf([item]);
    expect(Object.isFrozen(list) && Object.isFrozen(itemAt(list, 0))).toBe(true);
    expect(Object.isFrozen(item) || Object.isFrozen(item.a)).toBe(false);
  });

  it("to a list from outside shares nothing with it that may still change", () => {
    const outside = throughJson(listOf(numbers(33)));
    const more = append(outside, 33);
    (outside.spine[1] as unknown as number[][])[0]?.splice(0, 1, -1);
    expect(toArray(more)).toEqual(numbers(34));
    expect(listHead(more)).toBe(listHead(listOf(numbers(34))));
    expect(append(outside)).toBe(outside);
  });

  it("refuses to go on from what is no well-formed List", () => {
    for (const spine of [[], [[]], [[1, 2]], "x"]) {
      const forged = { "@list": 1, spine } as unknown as List<number>;
      for (const use of [
        () => append(forged, 1),
        () => listHead(forged),
        () => hashOf(forged as never),
      ]) {
        expect(refusal(use).code).toBe("json.refused");
      }
    }
  });

  it("refuses an item that is not JSON, with its index", () => {
    const list = listOf<unknown>([1, 2]);
    expect(refusal(() => append(list, { when: new Date(0) })).place).toBe("$[2].when");
  });
});

describe("the head", () => {
  it("is the chain of the items' hashes", () => {
    let head = "";
    for (const item of [1, { a: 2 }, "three"]) head = chain(head, item);
    expect(listHead(listOf<unknown>([1, { a: 2 }, "three"]))).toBe(head);
  });

  it("depends on the items and their order alone, not on key order or history", () => {
    const list = append(listOf<unknown>([{ a: 1, b: 2 }]), 3);
    expect(listHead(listOf<unknown>([{ b: 2, a: 1 }, 3]))).toBe(listHead(list));
    expect(listHead(listOf<unknown>([3, { a: 1, b: 2 }]))).not.toBe(listHead(list));
    expect(listHead(listOf<unknown>([{ a: 1, b: 2 }]))).not.toBe(listHead(list));
  });

  it("tells a nested item from its parts", () => {
    expect(listHead(listOf<unknown>([[1, 2]]))).not.toBe(listHead(listOf<unknown>([1, 2])));
    expect(listHead(listOf<unknown>(["1"]))).not.toBe(listHead(listOf<unknown>([1])));
  });

  const hashed = (work: () => unknown) => {
    const hashedSince = countHashes();
    work();
    return hashedSince();
  };

  it("is all that hashing a long list costs, but for items that were not hashed before", () => {
    const list = sealJson(throughJson(listOf(numbers(40_000)))) as unknown as List<number>;
    const whole = (of: List<number>) => hashOf({ messages: of } as unknown as Json);
    expect(hashed(() => append(list, 1)).characters).toBe(0);
    expect(hashed(() => whole(list)).characters).toBeGreaterThan(40_000 * 33);
    expect(hashed(() => whole(list)).characters).toBeLessThan(200);
    expect(hashed(() => whole(append(list, 1))).characters).toBeLessThan(200);
    expect(hashed(() => whole(append(list, 1, 2, 3))).characters).toBeLessThan(500);
  });

  it("costs a row at most, whatever other version was asked before", () => {
    const versions = [emptyList<number>()];
    for (const i of numbers(2_000)) versions.push(append(versions[i] as List<number>, i));
    const last = versions.at(-1) as List<number>;
    expect(hashed(() => listHead(last)).calls).toBe(2_000);
    for (const size of [1_999, 1_024, 1_025, 1_023, 33, 1_500]) {
      expect(hashed(() => listHead(versions[size] as List<number>)).calls).toBeLessThan(32);
    }
    const branches = numbers(50).map((i) => append(versions[1_500] as List<number>, -i, -i));
    expect(hashed(() => branches.map(listHead)).calls).toBeLessThan(50 * 33);
    // As many more at once as fill a row: what was known does not help, and the rows do.
    const jump = append(last, ...numbers(40));
    expect(hashed(() => listHead(jump)).calls).toBeLessThan(40 + 32);
    expect(listHead(jump)).toBe(listHead(listOf(toArray(jump))));
  });

  it("of a row that stands in two places is another in each", () => {
    const row = numbers(32);
    const twice = sealJson({ "@list": 64, spine: [[], [row, row]] }) as unknown as List<number>;
    expect(listHead(twice)).toBe(listHead(listOf([...row, ...row])));
    const list = sealJson({ "@list": 33, spine: [[0], [row]] }) as unknown as List<number>;
    expect(listHead(list)).toBe(listHead(listOf([...row, 0])));
  });

  it("is not kept on what may still change", () => {
    const row = [1];
    const shape = { "@list": 1, spine: [row] } as unknown as List<number>;
    const before = listHead(shape);
    row[0] = 2;
    expect([listHead(shape), before]).toEqual([listHead(listOf([2])), listHead(listOf([1]))]);
  });
});

describe("a forged List is refused", () => {
  const row = numbers(32);
  const forgeries: readonly (readonly [string, object])[] = [
    ["a size that is not its items'", { "@list": 2, spine: [[1]] }],
    ["a negative size", { "@list": -1, spine: [] }],
    ["a size that is not a number", { "@list": "1", spine: [[1]] }],
    ["no spine", { "@list": 0, x: 1 }],
    ["a head that it claims", { "@list": 1, head: "h", spine: [[1]] }],
    ["another property", { "@list": 1, spine: [[1]], more: 1 }],
    ["a row that is too long", { "@list": 32, spine: [row] }],
    ["a row that is not an array", { "@list": 1, spine: ["x"] }],
    ["an inner row that is not an array", { "@list": 32, spine: [[], ["x"]] }],
    ["an inner row that is too short", { "@list": 32, spine: [[], [[1]]] }],
    ["an inner row of the wrong depth", { "@list": 1024, spine: [[], [], [row]] }],
  ];
  for (const [name, forged] of forgeries) {
    it(name, () => {
      const error = refusal(() => sealJson({ list: forged }));
      expect([error.code, error.place]).toEqual(["json.refused", "$.list"]);
    });
  }
});

it("is told from other values", () => {
  expect(isList(emptyList())).toBe(true);
  for (const other of [[], {}, null, "x", 1, undefined]) expect(isList(other)).toBe(false);
});

it("a list made at once is the one that is made by appends, in its rows, its head and its height", () => {
  for (const size of [0, 1, 31, 32, 33, 63, 64, 1_023, 1_024, 1_025, 2_000]) {
    const items = Array.from({ length: size }, (_, i) => (i % 7 === 0 ? { i: [[i]] } : i));
    const one = items.reduce<List<unknown>>((list, item) => append(list, item), emptyList());
    const all = listOf<unknown>(items);
    expect(all).toEqual(one);
    expect(heightOf(all)).toBe(heightOf(one));
  }
});

it("a list that grew is as high as what comes back from its text, wherever its highest item stands", () => {
  const sizes = [1, 31, 32, 33, 64, 1_023, 1_024, 1_025, 1_056];
  for (const deepest of [0, 5, 31, 32, 1_000, 1_024]) {
    let list = emptyList<unknown>();
    for (let i = 0; i < 1_056; i++) {
      list = append(list, i === deepest ? { a: [[{}]] } : i);
      if (!sizes.includes(i + 1)) continue;
      const parsed = sealJson(JSON.parse(JSON.stringify(list)));
      expect([deepest, i, heightOf(list)]).toEqual([deepest, i, heightOf(parsed)]);
      expect(heightOf(listOf(toArray(list)))).toBe(heightOf(parsed));
    }
  }
});

it("the sum of a number of each item costs what has come since, whatever the list's length", () => {
  const known = new WeakMap<object, number>();
  let looks = 0;
  const of = ({ n }: { n: number }) => {
    looks += 1;
    return n;
  };
  let list = emptyList<{ n: number }>();
  let sum = 0;
  for (let n = 0; n < 2_100; n++) {
    list = append(list, { n });
    sum += n;
    expect(sumOfItems(list, of, known)).toBe(sum);
  }
  expect(looks).toBe(2_100);
  expect(sumOfItems(takeFirst(list, 1_000), of, known)).toBe((999 * 1_000) / 2);
});
