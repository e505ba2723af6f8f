/** Looks at what laws and plans of faults are told, before anything runs: a misspelt fault does no harm. */
import {
  checkAllOptions,
  checkGiven,
  exactly,
  listOf,
  maybe,
  OBJECT,
  type OptionShape,
  type OptionShapes,
  oneOf,
  optionsOf,
  WHOLE,
  whole,
} from "../runtime/index.js";
import { optionShapes } from "./checking/check-options.js";
import type { FaultPlan } from "./fault-plan.js";

const hasMethod = (value: unknown, name: string) =>
  typeof (value as { readonly [name: string]: unknown } | undefined)?.[name] === "function";

const SUBJECT: OptionShape = [
  (value) => hasMethod(value, "step") || hasMethod(value, "generate"),
  "a reasoner, as defineReasoner(…) or agent(…) gives it, or an arbitrary of one",
];
const ARBITRARY: OptionShape = [
  (value) => hasMethod(value, "generate"),
  "an arbitrary of fast-check, such as fc.constant(…)",
];
const LAWS = { ...optionShapes, input: ARBITRARY, script: OBJECT };

/**
 * What laws are given: the options of a check may be among theirs, so that one object serves both.
 * @throws ReckonerError `option.invalid`
 */
export function checkLawOptions(of: string, subject: unknown, options: object): void {
  checkGiven(`What ${of} judges`, subject, SUBJECT);
  checkAllOptions(of, options, LAWS);
  checkGiven(`input of ${of}`, (options as { readonly input?: unknown }).input, ARBITRARY);
}

const INDEX = whole(0);
const reached = oneOf("nothing", "part", "all");
const how = oneOf("late", "twice", "never", "refused", "lost");
const code = oneOf("EIO", "ENOSPC", "EMFILE", "ECONNRESET");
const faults: OptionShapes<FaultPlan> = {
  crashes: listOf(exactly({ in: oneOf("append", "call", "observation"), at: INDEX, reached })),
  failure: exactly({ in: oneOf("append", "open", "read", "snapshot"), at: INDEX, code, reached }),
  takeover: INDEX,
  calls: listOf(exactly({ at: INDEX, how, ms: maybe(INDEX) })),
  jumps: listOf(exactly({ seq: INDEX, ms: WHOLE })),
  stands: [
    (value) => listOf(INDEX)[0](value) && (value as readonly unknown[]).length === 2,
    "two whole numbers, 0 or more",
  ],
  decisions: listOf(INDEX),
  upgrade: INDEX,
};
const PLAN = optionsOf(faults);

/** @throws ReckonerError `option.invalid` where a plan holds what is no fault: it would be none */
export function checkPlan(plan: FaultPlan): void {
  checkGiven("the plan of faults", plan, PLAN);
}
