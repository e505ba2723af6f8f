// Where two values differ of which the journal does not hold the one whole: what it has only the
// digest of is the value at hand where that has this digest, and else stands for itself.
import { describe, expect, it } from "vitest";
import { differing } from "../../../../src/core/journal/compare-step.js";
import { type Json, listOf, refOf } from "../../../../src/core/kernel/values/index.js";

const wide = (n: number) => Array.from({ length: 99 }, (_, i) => ({ i, n }));
const long = { 0: wide(1) };
const known = { "@ref": refOf(long) };
const other = { "@ref": refOf({ 0: wide(2) }) };
const found = (was: unknown, value: unknown) => differing("p", was as Json, value as Json);

describe("a value of which the journal holds the digest alone", () => {
  it.each([
    ["in an object", { long: known, n: 1 }, { long, n: 2 }, "p.n"],
    ["in a list", [known, 1], [long, 2], "p[1]"],
    ["in a List", [known, 1], listOf([long, 2]), "p[1]"],
    ["further down", { in: [{ long: known, n: 1 }] }, { in: [{ long, n: 2 }] }, "p.in[0].n"],
  ])("%s: is the one at hand where that has this digest", (_where, was, value, path) => {
    expect(found(was, value)).toEqual({ path, left: 1, right: 2 });
  });

  it.each([
    ["is another", { long: other, n: 1 }, { long, n: 1 }, "p.long", long],
    ["is another in a list", [other], [long], "p[0]", long],
    ["is gone", { long: other }, {}, "p.long", undefined],
    ["is gone from a list", [1, other], [1], "p[1]", undefined],
    ["is named like what every object has", { valueOf: other }, {}, "p.valueOf", undefined],
  ])("stands for itself where the one at hand %s", (_what, was, value, path, right) => {
    expect(found(was, value)).toEqual({ path, left: other, right });
  });

  it("has no parts to look into, and neither has what is of another kind", () => {
    expect(found(other, long)).toEqual({ path: "p", left: other, right: long });
    expect(found([known], { long })).toEqual({ path: "p", left: [known], right: { long } });
    expect(found({ long: known }, [long])).toEqual({
      path: "p",
      left: { long: known },
      right: [long],
    });
  });
});
