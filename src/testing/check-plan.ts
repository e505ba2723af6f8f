/** Looks at what laws and plans of faults are told, before anything runs: a misspelt fault does no harm. */
import { ReckonerError, unknownPart } from "../core/kernel/index.js";
import { optionParts } from "./checking/check-options.js";
import type { FaultPlan } from "./fault-plan.js";

const invalid = (what: string) => new ReckonerError("option.invalid", `${what}.`);

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasMethod = (value: unknown, name: string) =>
  isObject(value) && typeof value[name] === "function";

/**
 * What laws are given: the options of a check may be among theirs, so that one object serves both.
 * @throws ReckonerError `option.invalid`
 */
export function checkLawOptions(of: string, subject: unknown, options: unknown): void {
  if (!hasMethod(subject, "step") && !hasMethod(subject, "generate")) {
    throw invalid(`${of} needs a reasoner, as defineReasoner(…) or agent(…) gives it`);
  }
  if (!isObject(options)) throw invalid(`${of} needs options, { input, … }`);
  const unknown = unknownPart(options, { ...optionParts, script: true });
  if (unknown !== undefined) throw invalid(`The options of ${of}: ${unknown}`);
  if (!hasMethod(options.input, "generate")) {
    throw invalid(`${of}: input must be an arbitrary of fast-check, such as fc.constant(…)`);
  }
}

type Fault = (value: unknown) => boolean;
const isNumber: Fault = (value) => Number.isSafeInteger(value);
const isIndex: Fault = (value) => isNumber(value) && (value as number) >= 0;
const oneOf =
  (...words: readonly string[]): Fault =>
  (value) =>
    words.includes(value as string);
const maybe =
  (is: Fault): Fault =>
  (value) =>
    value === undefined || is(value);
const shape =
  (parts: { readonly [name: string]: Fault }): Fault =>
  (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => Object.hasOwn(parts, name)) &&
    Object.entries(parts).every(([name, is]) => is(value[name]));
const list =
  (is: Fault): Fault =>
  (value) =>
    Array.isArray(value) && value.every(is);

const reached = oneOf("nothing", "part", "all");
const faults: { readonly [Name in keyof Required<FaultPlan>]: readonly [Fault, string] } = {
  crashes: [
    list(shape({ in: oneOf("append", "call", "observation"), at: isIndex, reached })),
    "a list of { in: append, call or observation, at, reached: nothing, part or all }",
  ],
  failure: [
    shape({
      in: oneOf("append", "open", "read", "snapshot"),
      at: isIndex,
      code: oneOf("EIO", "ENOSPC", "EMFILE", "ECONNRESET"),
      reached,
    }),
    "{ in: append, open, read or snapshot, at, code: EIO, ENOSPC, EMFILE or ECONNRESET, reached: nothing, part or all }",
  ],
  takeover: [isIndex, "a whole number, 0 or more"],
  calls: [
    list(
      shape({
        at: isIndex,
        how: oneOf("late", "twice", "never", "refused", "lost"),
        ms: maybe(isIndex),
      }),
    ),
    "a list of { at, how: late, twice, never, refused or lost, ms }",
  ],
  jumps: [list(shape({ seq: isIndex, ms: isNumber })), "a list of { seq, ms }"],
  stands: [
    (value) => list(isIndex)(value) && (value as readonly unknown[]).length === 2,
    "two whole numbers, 0 or more",
  ],
  decisions: [list(isIndex), "a list of whole numbers, 0 or more"],
  upgrade: [isIndex, "a whole number, 0 or more"],
};

/** @throws ReckonerError `option.invalid` where a plan holds what is no fault: it would be none */
export function checkPlan(plan: FaultPlan): void {
  if (!isObject(plan)) throw invalid("A plan of faults is an object; {} has none");
  const known = Object.fromEntries(Object.keys(faults).map((name): [string, true] => [name, true]));
  const unknown = unknownPart(plan, known);
  if (unknown !== undefined) throw invalid(`The plan of faults: ${unknown}`);
  for (const [name, [is, words]] of Object.entries(faults)) {
    const value = plan[name];
    if (value !== undefined && !is(value)) {
      throw invalid(`The plan of faults: ${name} must be ${words}`);
    }
  }
}
