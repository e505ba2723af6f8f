/**
 * Validates the parameters of an operation of thoughts, when a user defines it or when a policy makes it. The
 * results of an operation's functions are checked when they are called.
 */

import * as shapes from "../../kernel/shapes.js";
import { messageOf } from "../../kernel/values/index.js";
import { jsonSchemaOf, partFault } from "../../kernel/vocabulary/index.js";
import type { OperationKind } from "./operation.js";

/** More calls of one operation for one thought are a slip of the pen. */
const MAX_COUNT = 100_000;
/** An id is part of each call's id, which the kernel bounds. */
const ID = /^[\w.-]{1,60}$/;

/** A whole number of calls, rounds or thoughts. */
function countFrom(least: number): shapes.Shape {
  return [
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= MAX_COUNT,
    `a whole number, ${least} or more (at most ${MAX_COUNT})`,
  ];
}
/** A whole number, 1 or more. */
export const COUNT: shapes.Shape = /* @__PURE__ */ countFrom(1);
/** A whole number, 0 or more. */
export const COUNT_OR_NONE: shapes.Shape = /* @__PURE__ */ countFrom(0);
/** A number with an end to it. */
export const FINITE: shapes.Shape = [Number.isFinite, "a number"];
/** A name. */
export const NAME: shapes.Shape = [
  (value) => typeof value === "string" && value !== "",
  "a string, not empty",
];
/** The id of an operation. */
export const OPERATION_ID: shapes.Shape = [
  (value) => typeof value === "string" && ID.test(value),
  "up to 60 letters, digits, dots, underscores, hyphens",
];

const OPERATION: shapes.Shape = [
  shapes.OBJECT[0],
  "an operation, as generate(), score() and their like make it",
];

const place = {
  kind: shapes.ANYTHING,
  id: OPERATION_ID,
  after: [
    (value: unknown) => [value].flat().every((each) => typeof each === "string"),
    "the id of an operation, or several",
  ] satisfies shapes.Shape,
  index: shapes.ANYTHING,
};
const asking = {
  prompt: shapes.PURE,
  model: NAME,
  settings: shapes.SETTINGS,
};
const readsOne = { parse: shapes.PURE, schema: shapes.SCHEMA };
const reads = { ...readsOne, parseAll: shapes.PURE };

const MEND: shapes.Shape = /* @__PURE__ */ shapes.either(
  [(value) => value === false, "false"],
  /* @__PURE__ */ shapes.optionsOf({ prompt: shapes.PURE, parse: shapes.PURE }),
);

const fields: {
  readonly [K in OperationKind]: { readonly [name: string]: shapes.Shape };
} = {
  generate: { ...asking, ...reads, responses: COUNT, branches: COUNT, splits: shapes.FLAG },
  score: {
    ...asking,
    by: shapes.PURE,
    byAll: shapes.PURE,
    parse: shapes.PURE,
    parseAll: shapes.PURE,
    samples: COUNT,
    combined: shapes.FLAG,
  },
  improve: { ...asking, ...readsOne },
  validate: {
    ...asking,
    by: shapes.PURE,
    parse: shapes.PURE,
    parseAll: shapes.PURE,
    samples: COUNT,
    improve: MEND,
    tries: COUNT_OR_NONE,
  },
  aggregate: {
    ...asking,
    ...reads,
    strategy: /* @__PURE__ */ shapes.oneOf("synthesis", "voting", "weighted"),
    responses: COUNT,
    normalise: shapes.PURE,
  },
  keepBest: { n: COUNT, better: /* @__PURE__ */ shapes.oneOf("higher", "lower") },
  keepValid: {},
  groundTruth: { by: shapes.PURE },
  select: { where: shapes.PURE },
  connect: { ...asking, limit: COUNT },
};

/** Functions without which an operation cannot be carried out. */
const needed: { readonly [K in OperationKind]?: readonly string[] } = {
  groundTruth: ["by"],
  select: ["where"],
};
/** Of these only one can have its way. */
const rivals: readonly (readonly [string, string])[] = [
  ["by", "byAll"],
  ["parse", "parseAll"],
  ["parse", "schema"],
  ["parseAll", "schema"],
];

/** Describes the fault of an operation; `undefined` where there is none. */
export function operationSpecFault(spec: unknown): string | undefined {
  const other = shapes.misfit(spec, OPERATION);
  if (other !== undefined) return `it ${other}`;
  const parts = spec as { readonly [name: string]: unknown };
  const kind = parts.kind as OperationKind;
  const unknown = shapes.misfit(kind, shapes.oneOf(...Object.keys(fields)));
  if (unknown !== undefined) return `kind ${unknown}`;
  const both = rivals.find((pair) => pair.every((name) => parts[name] !== undefined));
  if (both !== undefined) return `${both[0]} and ${both[1]} exclude each other`;
  return partFault(parts, { ...place, ...fields[kind] }, needed[kind]) ?? schemaFault(parts.schema);
}

function schemaFault(schema: unknown): string | undefined {
  try {
    if (schema !== undefined) jsonSchemaOf(schema as never, "it");
    return undefined;
  } catch (thrown) {
    return `schema ${messageOf(thrown)}`;
  }
}
