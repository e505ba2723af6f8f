/** What a check or a search is told, looked at before it begins: a misspelt `laws` would judge nothing. */
import {
  type Json,
  messageOf,
  ReckonerError,
  toJson,
  unknownPart,
} from "../../core/kernel/index.js";
import { lawNames } from "./law-names.js";
import { defaultSettlers } from "./settlers.js";
import { defaultWeights } from "./what-may-happen.js";

/** One object may be given to both `check` and `explore`, as `reckoner check` does. */
export const optionParts = {
  input: true,
  laws: true,
  without: true,
  values: true,
  config: true,
  rests: true,
  upgrade: true,
  settlers: true,
  outside: true,
  stores: true,
  weights: true,
  bound: true,
  answersOnly: true,
  runs: true,
  seed: true,
  events: true,
  failures: true,
  progress: true,
  alphabet: true,
  depth: true,
  states: true,
  seconds: true,
  reduce: true,
  confluent: true,
  beyond: true,
} as const;

type Fault = (value: unknown) => string | undefined;
type Faults = { readonly [name: string]: Fault };

const must =
  (be: string, is: (value: unknown) => boolean): Fault =>
  (value) =>
    is(value) ? undefined : `must be ${be}, not ${shown(value)}`;

const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isBound = (value: unknown) => value === Number.POSITIVE_INFINITY || isCount(value);
const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const aCount = must("a whole number, 0 or more", isCount);
const aBound = must("a whole number, 0 or more", isBound);
const aNumber = must("a number, 0 or more", (value) => typeof value === "number" && value >= 0);
const aSeed = must("a whole number", Number.isSafeInteger);
const aSwitch = must("true or false", (value) => typeof value === "boolean");
const aFunction = must("a function", (value) => typeof value === "function");
const texts = must("a list of texts", isTexts);
const aWeight = must(
  "a whole number, 0 or more",
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);

/** An object of these parts, each of which may be missing. */
const partsOf =
  (parts: Faults): Fault =>
  (value) => {
    if (!isObject(value)) return `must be an object, not ${shown(value)}`;
    const unknown = unknownPart(value as object, namesOf(parts));
    if (unknown !== undefined) return `: ${unknown}`;
    return faultOf(parts, value as object, ".");
  };

const namesOf = (parts: object) =>
  Object.fromEntries(Object.keys(parts).map((name): [string, true] => [name, true]));

const all = (parts: object, fault: Fault): Faults =>
  Object.fromEntries(Object.keys(parts).map((name) => [name, fault]));

/** What is wrong with an option, in words that follow its name. */
const faults: Faults = {
  runs: aCount,
  events: aCount,
  bound: aCount,
  failures: aBound,
  depth: aBound,
  states: aBound,
  seconds: aNumber,
  seed: aSeed,
  reduce: aSwitch,
  confluent: aSwitch,
  answersOnly: aSwitch,
  rests: aFunction,
  outside: aFunction,
  progress: aFunction,
  stores: texts,
  values: (values) =>
    Array.isArray(values)
      ? jsonFault(values)
      : `must be a list of JSON values, not ${shown(values)}`,
  without(names) {
    const fault = texts(names);
    if (fault !== undefined) return fault;
    const unknown = (names as readonly string[]).find((name) => !lawNames.includes(name));
    if (unknown === undefined) return undefined;
    return `names ${JSON.stringify(unknown)}, which is no law of every machine; those are ${lawNames.map((name) => JSON.stringify(name)).join(", ")}`;
  },
  settlers: partsOf(all(defaultSettlers, aFunction)),
  weights: partsOf(all(defaultWeights, aWeight)),
  alphabet: partsOf({
    answers: aCount,
    calls: aCount,
    outside: aCount,
    cancel: aSwitch,
    interrupt: aSwitch,
    messages: texts,
    again: aSwitch,
  }),
  beyond: partsOf({ runs: aCount, bugDepth: aCount, events: aCount, seed: aSeed }),
  laws: lawsFault,
};

/** @throws ReckonerError `option.invalid` where something in it cannot be, by its name */
export function checkOptions(reasoner: unknown, options: object): void {
  const invalid = (what: string) => new ReckonerError("option.invalid", `The check: ${what}.`);
  const { step } = (reasoner ?? {}) as { readonly step?: unknown };
  if (typeof step !== "function") {
    throw invalid("it needs a reasoner, as defineReasoner(…) or agent(…) gives it");
  }
  if (!isObject(options)) throw invalid(`it needs options, { input, … }, not ${shown(options)}`);
  const unknown = unknownPart(options, optionParts);
  if (unknown !== undefined) throw invalid(unknown);
  const fault = faultOf(faults, options, "");
  if (fault !== undefined) throw invalid(fault);
}

function faultOf(parts: Faults, given: object, dot: string): string | undefined {
  for (const [name, fault] of Object.entries(parts)) {
    const value: unknown = (given as { readonly [name: string]: unknown })[name];
    const wrong = value === undefined ? undefined : fault(value);
    if (wrong !== undefined) return `${dot}${name}${/^[.:]/.test(wrong) ? "" : " "}${wrong}`;
  }
  return undefined;
}

function lawsFault(laws: unknown): string | undefined {
  const isLaw = (law: unknown): law is { readonly name: unknown } =>
    typeof law === "object" && law !== null && "formula" in law;
  if (!Array.isArray(laws) || !laws.every(isLaw)) {
    return "must be a list of what law(name, holds) gives";
  }
  const names = [...lawNames, ...laws.map(({ name }) => String(name))];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined
    ? undefined
    : `has two of the name ${JSON.stringify(twice)}; each law needs a name of its own`;
}

function jsonFault(values: readonly unknown[]): string | undefined {
  try {
    toJson<Json>(values, "");
    return undefined;
  } catch (thrown) {
    return messageOf(thrown).replace(/\.$/, "");
  }
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}
