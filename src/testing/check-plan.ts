/** Validates the options of laws, and plans of faults in tests: a misspelt fault would do nothing. */
import * as shapes from "../core/kernel/shapes.js";
import { checkAllOptions, checkArgument } from "../runtime/index.js";
import { optionShapes } from "./checking/check-options.js";
import type { FaultPlan } from "./fault-plan.js";

const hasMethod = (value: unknown, name: string) =>
  typeof (value as { readonly [name: string]: unknown } | undefined)?.[name] === "function";

const SUBJECT: shapes.Shape = [
  (value) => hasMethod(value, "step") || hasMethod(value, "generate"),
  "a reasoner, as defineReasoner(…) or agent(…) gives it, or an arbitrary of one",
];
const ARBITRARY: shapes.Shape = [
  (value) => hasMethod(value, "generate"),
  "an arbitrary of fast-check, such as fc.constant(…)",
];
const LAWS = { ...optionShapes, input: ARBITRARY, script: shapes.OBJECT };

/**
 * Checks the options of laws: those of a check may be among them, so that one object serves both.
 * @throws ReckonerError `option.invalid`
 */
export function checkLawOptions(of: string, subject: unknown, options: object): void {
  checkArgument(`What ${of} judges`, subject, SUBJECT);
  checkAllOptions(of, options, LAWS);
  checkArgument(`input of ${of}`, (options as { readonly input?: unknown }).input, ARBITRARY);
}

const INDEX = shapes.whole(0);
const reached = shapes.oneOf("nothing", "part", "all");
const how = shapes.oneOf("late", "twice", "never", "refused", "lost");
const faults: shapes.Shapes<FaultPlan> = {
  crashes: shapes.listOf(
    shapes.optionsOf(
      { in: shapes.oneOf("append", "call", "observation"), at: INDEX, reached },
      "in",
      "at",
      "reached",
    ),
  ),
  takeover: INDEX,
  calls: shapes.listOf(shapes.optionsOf({ at: INDEX, how, ms: INDEX }, "at", "how")),
  jumps: shapes.listOf(shapes.optionsOf({ seq: INDEX, ms: shapes.WHOLE }, "seq", "ms")),
  stands: [
    (value) => Array.isArray(value) && value.length === 2 && value.every(INDEX[0]),
    "two whole numbers, 0 or more",
  ],
  decisions: shapes.listOf(INDEX),
  handovers: shapes.listOf(INDEX),
  upgrade: INDEX,
};
const PLAN = shapes.optionsOf(faults);

/** @throws ReckonerError `option.invalid` where a plan or its options hold what is none: it would do nothing */
export function checkPlan(of: string, plan: FaultPlan, options: object): void {
  checkArgument("the plan of faults", plan, PLAN);
  checkAllOptions(of, options, { ...LAWS, input: shapes.ANYTHING });
}
