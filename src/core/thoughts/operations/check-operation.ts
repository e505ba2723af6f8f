/**
 * Validates an operation's parameters, when it is defined or when a policy makes it. What its
 * functions return is checked when they are called.
 */
import { jsonSchemaOf, messageOf, partFault, priceFault, toJson } from "../../kernel/index.js";
import * as shapes from "../../kernel/shapes.js";
import type { OperationKind } from "./operation.js";

/** What is wrong with a value, in words; `undefined` where nothing is. */
type Check = (value: unknown) => string | undefined;

/** More calls of one operation for one thought are a slip of the pen. */
export const MAX_COUNT = 100_000;
/** An id is part of each call's id, which the kernel bounds. */
const ID = /^[\w.-]{1,60}$/;

const must = (is: (value: unknown) => boolean, what: string): Check => {
  return (value) => (is(value) ? undefined : `must be ${what}, not ${shown(value)}`);
};
const count = (least: number): Check =>
  must(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= MAX_COUNT,
    `a whole number, ${least} or more (at most ${MAX_COUNT})`,
  );
const fn: Check = (value) => shapes.misfit(value, shapes.PURE);
const flag = must((value) => typeof value === "boolean", "true or false");
const text = must((value) => typeof value === "string" && value !== "", "a string");
const oneOf = (...words: string[]): Check =>
  must((value) => words.includes(value as string), words.map((word) => `"${word}"`).join(" or "));
const json: Check = (value) => {
  try {
    toJson(value);
    return undefined;
  } catch (thrown) {
    return `is not JSON: ${messageOf(thrown)}`;
  }
};
const object = must(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "an object",
);
const settings: Check = (value) => {
  const [, , parts = {}] = shapes.SETTINGS;
  const fault = object(value) ?? json(value);
  const inner = fault === undefined ? partFault(value as object, parts) : undefined;
  return inner === undefined ? fault : `cannot be: ${inner}`;
};
const schema: Check = (value) => {
  if (typeof value !== "object" && typeof value !== "function") return "must be a Standard Schema";
  if (value === null || !("~standard" in value)) return "must be a Standard Schema";
  try {
    jsonSchemaOf(value as never, "it");
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
};
const mend: Check = (value) => {
  if (value === false) return undefined;
  if (object(value) !== undefined) return "must be false or an object";
  return faultIn(value as object, { prompt: fn, parse: fn });
};

const place = {
  kind: text,
  id: must(isOperationId, "up to 60 letters, digits, dots, underscores, hyphens"),
  after: must(
    (value) => [value].flat().every((each) => typeof each === "string"),
    "the id of an operation, or several",
  ),
  index: () => undefined,
};
const asking = {
  prompt: fn,
  model: text,
  temperature: must((value) => Number.isFinite(value) && Number(value) >= 0, "a number, 0 or more"),
  settings,
  price: priceFault,
};
const reads = { parse: fn, parseAll: fn, schema };

const fields: { readonly [K in OperationKind]: { readonly [name: string]: Check } } = {
  generate: { ...asking, ...reads, responses: count(1), branches: count(1), splits: flag },
  score: {
    ...asking,
    by: fn,
    byAll: fn,
    parse: fn,
    parseAll: fn,
    samples: count(1),
    combined: flag,
  },
  improve: { ...asking, parse: fn, schema },
  validate: {
    ...asking,
    by: fn,
    parse: fn,
    parseAll: fn,
    samples: count(1),
    improve: mend,
    tries: count(0),
  },
  aggregate: {
    ...asking,
    ...reads,
    strategy: oneOf("synthesis", "voting", "weighted"),
    responses: count(1),
    normalise: fn,
  },
  keepBest: { n: count(1), better: oneOf("higher", "lower"), from: oneOf("inputs", "leaves") },
  keepValid: {},
  groundTruth: { by: fn },
  select: { where: fn },
  connect: { ...asking, limit: count(1), from: oneOf("inputs", "graph") },
};

/** Functions without which an operation cannot be carried out. */
const needed: { readonly [K in OperationKind]?: string } = { groundTruth: "by", select: "where" };
/** Of these only one can have its way. */
const rivals: readonly (readonly [string, string])[] = [
  ["by", "byAll"],
  ["parse", "parseAll"],
  ["parse", "schema"],
  ["parseAll", "schema"],
];

/** What is wrong with an operation, in words; `undefined` where nothing is. */
export function operationSpecFault(spec: unknown): string | undefined {
  if (typeof spec !== "object" || spec === null) {
    return `an operation is made by generate(), score() and their like; this is ${shown(spec)}`;
  }
  const given = spec as { readonly [name: string]: unknown };
  const kind = given.kind as OperationKind;
  if (!Object.hasOwn(fields, String(kind))) {
    return `there is no kind of operation ${shown(kind)}; one of ${Object.keys(fields).join(", ")}`;
  }
  const lacking = needed[kind];
  if (lacking !== undefined && given[lacking] === undefined) return `${kind} needs ${lacking}`;
  const both = rivals.find(
    ([one, other]) => given[one] !== undefined && given[other] !== undefined,
  );
  if (both !== undefined) return `${both[0]} and ${both[1]} exclude each other`;
  return faultIn(given, { ...place, ...fields[kind] });
}

/** Whether a text may be an operation's id. */
export function isOperationId(id: unknown): id is string {
  return typeof id === "string" && ID.test(id);
}

function faultIn(given: object, checks: { readonly [name: string]: Check }): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      return `${name} is not a parameter of it; ${Object.keys(checks).join(", ")} are`;
    }
    const fault = check(value);
    if (fault !== undefined) return `${name} ${fault}`;
  }
  return undefined;
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return `a function ${value.name}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
