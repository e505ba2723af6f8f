/**
 * Fast-check arbitraries of JSON: valid values, as from a model, a tool or a user, and values that must be
 * refused.
 */
import fc from "fast-check";
import { type Json, LIST_KEY, MAX_DEPTH } from "../core/kernel/values/index.js";

/** Texts that have broken programs: prototype names, separators, escapes, astral characters. */
const oddTexts: readonly string[] = [
  "",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "\u2028\n\u0000",
  '"}\n{"type":"header"',
  "e\u0301 \u{1F9EA} \u202E",
  "\uFFFD",
];

/** The depth of a value that still fits into an event with its surroundings. */
const DEEP = MAX_DEPTH - 16;

function nested(depth: number, leaf: Json): Json {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { in: value };
  return value;
}

/** JSON as the kernel accepts it: of every kind, odd keys and texts among it, some of it very deep. */
export function jsonValue(): fc.Arbitrary<Json> {
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 8 }) },
    { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      text,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        text.filter((key) => key !== "__proto__"),
        tie("value"),
        { maxKeys: 3 },
      ),
    ),
  }));
  return fc.oneof(
    { weight: 12, arbitrary: value },
    { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 100, max: DEEP }), value).map(deep) },
  );
}

const deep = ([depth, leaf]: [number, Json]): Json => nested(depth, leaf);

/** JSON that the border changes before it takes it: lone surrogates, `-0`, absent properties. */
export function unnormalisedValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constant(-0),
    fc.constantFrom("\uD800", "a\uDC00b", "\uDFFF\uD83D"),
    fc.record({ zero: fc.constant(-0), absent: fc.constant(undefined), text: fc.string() }),
    fc.constant({ "key \uD834": ["\uDD1E"] }),
  );
}

/** Draws values that are not JSON, or claim to be the kernel's: the border refuses them with their path. */
export function refusedValue(): fc.Arbitrary<unknown> {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const bare = fc.constantFrom<unknown>(
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    Symbol("s"),
    () => 1,
    new Date(0),
    new Map(),
    new Set([1]),
    new Uint8Array(2),
    /x/,
    new Error("e"),
    circular,
    JSON.parse('{"__proto__":{"polluted":true}}'),
    { [LIST_KEY]: 1, spine: [] },
    nested(MAX_DEPTH + 1, 0),
  );
  return fc.oneof(
    bare,
    bare.filter((value) => value !== undefined).map((value) => ({ within: [value] })),
  );
}
