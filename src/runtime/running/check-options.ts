/** What callers give beside a reasoner and a journal: checked at the door, so that nothing half begins. */
import { type Reasoner, ReckonerError, unknownName } from "../../core/kernel/index.js";
import type { HostOptions, ResumeOptions, RunOptions } from "./options.js";

/** What an option has to be: a test, and the same in words; of an object also what it may hold. */
export type OptionShape = readonly [
  is: (value: unknown) => boolean,
  words: string,
  parts?: { readonly [name: string]: OptionShape },
];

const isNumber = (least: number) => (value: unknown) => typeof value === "number" && value >= least;
const isCount = (least: number) => (value: unknown) =>
  isNumber(least)(value) && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY);
const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isFunction = (value: unknown): boolean => typeof value === "function";
const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasMethods =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.every((name) => typeof value[name] === "function");
const isNamed = (is: (value: unknown) => boolean) => (value: unknown) =>
  isObject(value) && Object.values(value).every((each) => is(each));

const isModel = hasMethods("generate");
const isNamedWith =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    hasMethods(...names)(value) && isText((value as { readonly name?: unknown }).name);
const isPort = isNamedWith("open", "read");
const isSignal = hasMethods("addEventListener", "removeEventListener");

/** A function that the caller gives. */
export const FUNCTION: OptionShape = [isFunction, "a function"];
/** A time that the caller gives. */
export const MILLISECONDS: OptionShape = [isNumber(0), "a number of milliseconds, 0 or more"];
/** A text that the caller gives. */
export const TEXT: OptionShape = [isText, "a text"];
/** A list that the caller gives. */
export const LIST: OptionShape = [Array.isArray, "a list"];
/** A yes or no of the caller's. */
export const FLAG: OptionShape = [isFlag, "true or false"];
/** A clock that the caller gives. */
export const CLOCK: OptionShape = [
  hasMethods("now", "setTimer", "sleep"),
  "a clock, with now(), setTimer() and sleep()",
];

/** An object that the caller gives. */
export const OBJECT: OptionShape = [isObject, "an object"];
/** A number that the caller gives, and not NaN. */
export const NUMBER: OptionShape = [
  (value) => isNumber(Number.NEGATIVE_INFINITY)(value),
  "a number",
];
/** Texts that the caller gives. */
export const TEXTS: OptionShape = [
  (value) => Array.isArray(value) && value.every(isText),
  "a list of texts",
];
/** A set that the caller gives. */
export const SET: OptionShape = [/* @__PURE__ */ hasMethods("has"), "a set"];
/** What may stop what is under way. */
export const SIGNAL: OptionShape = [isSignal, "an AbortSignal"];
/** A journal as callers give it. */
export const JOURNAL: OptionShape = [
  (value) => (isText(value) ? value !== "" : isPort(value)),
  "a path or a journal port, with a name, open() and read()",
];
/** Journals as those who trace them give them. */
export const JOURNALS: OptionShape = [
  (value) => isFunction(value) || isPort(value) || (Array.isArray(value) && value.every(isPort)),
  "a journal port, with a name, open() and read(), a list of them, or a function that finds them",
];
const REASONER: OptionShape = [
  hasMethods("start", "step", "prepare"),
  "one that agent(), thoughts() or defineReasoner() has made",
];

/** A store that the caller gives. */
export const STORE: OptionShape = [
  /* @__PURE__ */ hasMethods("read", "write"),
  "a store, with read() and write()",
];

/** Where traces lie, as the caller gives it. */
export const TRACES: OptionShape = [
  /* @__PURE__ */ isNamedWith("read"),
  "a store of traces, with a name and read()",
];
/** Where the caller keeps a text. */
export const KEPT_TEXT: OptionShape = [
  /* @__PURE__ */ hasMethods("load", "save"),
  "a place for a text, with load() and save()",
];
/** Decisions as the caller asks them. */
export const DECISIONS: OptionShape = [
  /* @__PURE__ */ hasMethods("query", "stats"),
  "decisions of a store: new Decisions(store)",
];

/** Whatever the caller likes, or what is looked at elsewhere. */
export const ANYTHING: OptionShape = [() => true, "anything"];
/** A whole number that the caller gives. */
export const WHOLE: OptionShape = [Number.isSafeInteger, "a whole number"];

/** How often something may be, from a least number on, or without end. */
export function count(least: number): OptionShape {
  return [isCount(least), `a whole number, ${least} or more`];
}

/** A whole number from a least one on, and an end to it. */
export function whole(least: number): OptionShape {
  return [
    (value) => Number.isSafeInteger(value) && isNumber(least)(value),
    `a whole number, ${least} or more`,
  ];
}

/** A number from a least one on. */
export function atLeast(least: number): OptionShape {
  return [isNumber(least), `a number, ${least} or more`];
}

/** One of some words. */
export function oneOf(...words: readonly string[]): OptionShape {
  const [last, ...others] = words.map((word) => JSON.stringify(word)).reverse();
  return [(value) => words.includes(value as string), `${others.reverse().join(", ")} or ${last}`];
}

/** A list whose items are all so. */
export function listOf([is, words]: OptionShape): OptionShape {
  return [(value) => Array.isArray(value) && value.every(is), `a list, each ${words}`];
}

/** It may be left out. */
export function maybe([is, words]: OptionShape): OptionShape {
  return [(value) => value === undefined || is(value), `${words}, or nothing`];
}

/** An object of these parts and no others. */
export function exactly(parts: { readonly [name: string]: OptionShape }): OptionShape {
  const shapes = Object.entries(parts);
  return [
    (value) =>
      isObject(value) &&
      Object.keys(value).every((name) => Object.hasOwn(parts, name)) &&
      shapes.every(([name, [is]]) => is(value[name])),
    `{ ${shapes.map(([name, [, words]]) => `${name}: ${words}`).join("; ")} }`,
  ];
}

/** An object of these options, each of which may be left out; a message names the one that is wrong. */
export function optionsOf(parts: { readonly [name: string]: OptionShape }): OptionShape {
  return [isObject, "an object", parts];
}

/** A model, or several. */
export const MODEL: OptionShape = [
  (value) => isModel(value) || isNamed(isModel)(value),
  "a model port, with generate(), or several by name",
];

/** The shapes of options by name. */
export type OptionShapes<Options> = { readonly [Name in keyof Required<Options>]: OptionShape };

const RETRY: OptionShapes<NonNullable<HostOptions["retry"]>> = {
  attempts: /* @__PURE__ */ count(1),
  delayMs: MILLISECONDS,
  maxDelayMs: MILLISECONDS,
};

const HOST: OptionShapes<Omit<HostOptions, "services">> = {
  model: MODEL,
  stores: [
    /* @__PURE__ */ isNamed(/* @__PURE__ */ hasMethods("read", "write")),
    "stores by name, each with read() and write()",
  ],
  clock: CLOCK,
  signal: SIGNAL,
  concurrency: /* @__PURE__ */ count(1),
  llmTimeoutMs: MILLISECONDS,
  retry: /* @__PURE__ */ optionsOf(RETRY),
  approve: FUNCTION,
  unattended: /* @__PURE__ */ oneOf("wait", "deny"),
  timers: /* @__PURE__ */ oneOf("sleep", "rest"),
  redact: FUNCTION,
  maskCredentials: FLAG,
  observers: [
    (value) => Array.isArray(value) && value.every((each) => isFunction(each)),
    "a list of functions",
  ],
  maxDepth: /* @__PURE__ */ count(0),
};

const RUN: OptionShapes<Omit<RunOptions, "services">> = {
  ...HOST,
  journal: JOURNAL,
  runId: TEXT,
  seed: TEXT,
  config: TEXT,
  parent: [isObject, "an object with the runId and the id of what started the run"],
  budget: [/* @__PURE__ */ isNamed(isNumber(0)), "an object of numbers, 0 or more"],
  from: JOURNAL,
};

const RESUME: OptionShapes<Omit<ResumeOptions, "services">> = {
  ...HOST,
  upgrade: FLAG,
  approvals: [isObject, "decisions by the ids of approvals"],
  messages: LIST,
  events: LIST,
};

/** One world may be given to `run` and to `resume`. */
const EITHER = { ...RUN, ...RESUME, services: true };

/**
 * Checks what the caller of a function has given.
 * @param of what takes the options, as a message names it
 * @throws ReckonerError `option.invalid`
 */
export function checkOptions<Options>(
  of: string,
  options: Options,
  shapes: { readonly [name: string]: OptionShape },
): Options {
  checkGiven(`The options of ${of}`, options, OBJECT);
  for (const [name, shape] of Object.entries(shapes)) {
    const value = read(options as { readonly [name: string]: unknown }, name, of);
    if (value !== undefined) checkGiven(`${name} of ${of}`, value, shape);
  }
  return options;
}

/**
 * The same, of all options that there are: a misspelt one would be passed over, and what it asks for
 * not be done.
 * @throws ReckonerError `option.invalid`
 */
export function checkAllOptions<Options extends object>(
  of: string,
  options: Options,
  shapes: OptionShapes<Options>,
): Options {
  checkOptions(of, options, shapes);
  refuseUnknown(of, options, shapes);
  return options;
}

function refuseUnknown(of: string, options: object, known: object): void {
  const given = options as { readonly [name: string]: unknown };
  // What is there and `undefined` is as if it were left out.
  const unknown = unknownName(options, known, (name) => read(given, name, of) !== undefined);
  if (unknown === undefined) return;
  const message = `${unknown} is no option of ${of}; ${Object.keys(known).join(", ")} are.`;
  throw new ReckonerError("option.invalid", message, { place: unknown });
}

/**
 * @param what the value, as a message names it
 * @throws ReckonerError `option.invalid` where a value is not what it has to be
 */
export function checkGiven(what: string, value: unknown, [is, words, parts]: OptionShape): void {
  if (!holds(is, value)) {
    const message = `${what} must be ${words}; it is ${named(value)}.`;
    throw new ReckonerError("option.invalid", message, { place: what });
  }
  if (parts !== undefined) checkAllOptions(what, value as object, parts);
}

/** @throws ReckonerError `option.invalid` where a value is no reasoner */
export function checkGivenReasoner(reasoner: Pick<Reasoner<never>, "start">): void {
  checkGiven("The reasoner", reasoner, REASONER);
}

/** @throws ReckonerError `option.invalid` where one of the options of `run` cannot be one */
export function checkRunOptions(options: RunOptions): void {
  checkOptions("run", options, RUN);
  refuseUnknown("run", options, EITHER);
}

/** @throws ReckonerError `option.invalid` where one of the options of `resume` cannot be one */
export function checkResumeOptions(options: ResumeOptions): void {
  checkOptions("resume", options, RESUME);
  refuseUnknown("resume", options, EITHER);
}

/** A getter of the caller's, or a proxy, may throw at each look. */
function read(options: { readonly [name: string]: unknown }, name: string, of: string): unknown {
  try {
    return options[name];
  } catch (cause) {
    const message = `${name} of ${of} cannot be read; pass a plain object.`;
    throw new ReckonerError("option.invalid", message, { place: name, cause });
  }
}

function holds(is: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return is(value);
  } catch {
    return false;
  }
}

/** A value in a word or two: what it holds may be a secret, or long. */
function named(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return value === "" ? "an empty text" : "a text";
  if (value === undefined) return "undefined";
  return typeof value === "object" ? "another object" : `a ${typeof value}`;
}
