// Prefixes: what begins with them, how short an id may be shown, and what a question costs.

import fc from "fast-check";
import { expect, test } from "vitest";
import { PrefixIndex } from "../../../../../src/core/decisions/ids/prefix-index.js";
import { expectFlat } from "../../../../support/work.js";

const ids = fc.uniqueArray(fc.stringMatching(/^[abB-]{1,6}$/), { maxLength: 60 });

test("ids that begin with a prefix, by bytes, while ids are added in turn", () => {
  fc.assert(
    fc.property(ids, fc.stringMatching(/^[abB-]{0,2}$/), fc.nat(5), (all, prefix, most) => {
      const index = new PrefixIndex();
      const counts = (id: string) => id.length % 3 > 0;
      for (const [i, id] of all.entries()) {
        index.add(id);
        const expected = all
          .slice(0, i + 1)
          .filter((one) => one.startsWith(prefix) && counts(one))
          .sort((a, b) => (a < b ? -1 : 1));
        expect(index.startingWith(prefix, most, counts)).toEqual(expected.slice(0, most));
      }
    }),
  );
});

test("the shortest prefix that only one id has", () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 4 }), (all, least) => {
      const index = new PrefixIndex();
      const counts = (id: string) => !id.endsWith("B");
      for (const id of all) {
        index.add(id);
        // Runs of several lengths.
        if (id.length > 4) index.startingWith("", 1, counts);
      }
      for (const id of all.filter(counts)) {
        let length = least;
        const others = all.filter((one) => one !== id && counts(one));
        while (length < id.length && others.some((one) => one.startsWith(id.slice(0, length)))) {
          length += 1;
        }
        expect(index.shortest(id, least, counts)).toBe(id.slice(0, length));
      }
    }),
  );
});

test("ids are added and asked for in turn at the cost of a few steps", async () => {
  const turns = (count: number) => () => {
    const index = new PrefixIndex();
    let asked = 0;
    const counts = () => {
      asked += 1;
      return true;
    };
    for (let i = 0; i < count; i++) {
      index.add(`a${(i * 7_919) % 10_007}`);
      index.startingWith("a", 1, counts);
    }
    for (let i = 0; i < count; i++) index.startingWith("a", 1, counts);
    return asked;
  };
  await expectFlat(turns, 200, 2_000, 2);
  // Of each run one id is asked for, and each is half as long as the one before.
  expect(turns(1_000)()).toBeLessThan(2 * 1_000 * Math.log2(1_000));
});
