// The kernel's own canonical text against the package that implements RFC 8785.
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, type Json, toJson } from "../src/core/kernel/values/index.js";
import { jsonValue } from "../src/testing/index.js";
import { seeds } from "./setup.js";

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\uFFFD");
/** Keys and texts that are awkward to sort and to escape: numbers, quotes, controls, other planes. */
const awkward = fc.oneof(
  fc.string({ unit: "binary" }).map(wellFormed),
  fc.constantFrom(
    "",
    "1",
    "10",
    "9",
    "a",
    "A",
    "é",
    "\u{1F600}",
    "\uFB33",
    "\u20ac",
    "\r",
    "</script>",
  ),
);
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1e-7, 4.5, 2e-3, 1e30, 333333333.3333333, Number.MAX_SAFE_INTEGER),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    awkward,
    numbers,
    fc.constantFrom(null, true, false),
    fc.array(tie("tree"), { maxLength: 5 }),
    fc
      .dictionary(
        awkward.filter((key) => key !== "__proto__"),
        tie("tree"),
        { maxKeys: 6 },
      )
      .map((object) => ({ ...object })),
  ),
}));

describe("the canonical text", () => {
  for (const seed of seeds) {
    it(`is that of RFC 8785 (seed ${seed})`, () => {
      const property = fc.property(fc.oneof(tree, jsonValue()), (value) => {
        const json: Json = toJson(value);
        expect(canonical(json)).toBe(canonicalize(json));
      });
      fc.assert(property, { seed, numRuns: 2_000 });
    });
  }
});
