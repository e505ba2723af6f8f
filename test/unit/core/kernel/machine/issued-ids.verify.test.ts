// The set of all ids that a run has issued.

import { describe, expect, it } from "vitest";
import {
  addId,
  hasId,
  type IssuedIds,
  noIds,
} from "../../../../../src/core/kernel/machine/issued-ids.js";
import { throughJson } from "../../../../support/by-hand.js";
import { expectFlat } from "../../../../support/work.js";

const ids = Array.from({ length: 3_000 }, (_, i) => `tool/${Math.floor(i / 3)}/${i % 3}`);
const set = ids.reduce(addId, noIds);

describe("a set of ids", () => {
  it("has what was added and nothing else", () => {
    for (const id of ids) expect(hasId(set, id)).toBe(true);
    for (const id of ["tool", "tool/", "tool/0", "tool/0/", "tool/0/00", "tool/1000/0", "", "x"]) {
      expect(hasId(set, id)).toBe(false);
    }
  });

  it("keeps versions apart that were made from one", () => {
    const base = ["a", "b"].reduce(addId, noIds);
    const left = ["c", "d"].reduce(addId, base);
    const right = ["d", "e"].reduce(addId, base);
    const same = addId(base, "c");
    const has = (of: IssuedIds) => ["a", "b", "c", "d", "e"].filter((id) => hasId(of, id)).join("");
    expect([base, left, right, same].map(has)).toEqual(["ab", "abcd", "abde", "abc"]);
    expect(has(addId(same, "e"))).toBe("abce");
    expect([base, left, right, same].map(has)).toEqual(["ab", "abcd", "abde", "abc"]);
  });

  it("keeps an id apart from those it begins or is the beginning of", () => {
    const one = addId(noIds, "llm/1");
    for (const other of ["llm/", "llm/10", "llm/1/", "lm/1", ""])
      expect(hasId(one, other)).toBe(false);
    expect(hasId(addId(noIds, ""), "")).toBe(true);
  });

  it("knows ids that are names of an object's own machinery, or not ASCII", () => {
    const odd = [
      "__proto__",
      "constructor",
      "toString",
      "a\u{1F600}b",
      "\u{1F600}",
      "é/1",
      "length",
    ];
    for (const id of odd) expect(hasId(noIds, id)).toBe(false);
    const all = odd.reduce(addId, noIds);
    for (const id of odd) expect(hasId(throughJson(all), id)).toBe(true);
    expect(hasId(all, "\u{1F601}")).toBe(false);
  });

  it("leaves the set that it was made from as it was", () => {
    const before = JSON.stringify(set);
    addId(set, "another");
    expect(JSON.stringify(set)).toBe(before);
    expect(hasId(set, "another")).toBe(false);
  });

  it("costs for each id the same, live, from JSON, and where a step is taken once more", async () => {
    const numbered = (count: number) => Array.from({ length: count }, (_, i) => `llm/${i}`);
    const added = (of: IssuedIds, id: string) => {
      expect(hasId(of, id)).toBe(false);
      // The same step again, as a replay takes it.
      addId(of, id);
      return addId(of, id);
    };
    await expectFlat((count) => () => numbered(count).reduce(added, noIds), 200, 2_000);
    const looked = (count: number) => {
      const back = throughJson(numbered(count).reduce(addId, noIds));
      return () => numbered(count).every((id) => hasId(back, id));
    };
    await expectFlat(looked, 200, 2_000);
  });

  it("survives JSON and goes on from there", () => {
    const back: IssuedIds = addId(throughJson(set), "another");
    expect(hasId(back, "another") && ids.every((id) => hasId(back, id))).toBe(true);
  });
});
