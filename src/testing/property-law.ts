/**
 * The type of a law: a name and a fast-check property, for any test runner; how laws generate their
 * cases, and how they report violations.
 */
import fc from "fast-check";
import {
  printValue,
  type Reasoner,
  type RunState,
  type Step,
} from "../core/kernel/machine/index.js";
import { firstDifference, type Json, messageOf } from "../core/kernel/values/index.js";
import { printSteps } from "./checking/counterexample.js";
import type { WorldOptions } from "./checking/what-may-happen.js";
import { drive } from "./drive.js";
import { type Script, worldScript } from "./script.js";

/** One law: `test(law.name, () => fc.assert(law.property))`. */
export interface PropertyLaw {
  /** The law, as a sentence. */
  readonly name: string;
  readonly property: fc.IProperty<[LawCase]> | fc.IAsyncProperty<[LawCase]>;
  /** True if it drives runs with their journals: a case costs as much as a hundred steps. */
  readonly isLive: boolean;
}

/** Options of laws. */
export interface LawOptions<Input> extends WorldOptions {
  /** Inputs of runs. */
  readonly input: fc.Arbitrary<Input>;
  /** Scripts of worlds. Default: {@link worldScript}. */
  readonly script?: fc.Arbitrary<Script> | undefined;
  /**
   * Returns true for a state in which a run may wait with nothing outstanding: a conversation waits for its
   * user. Default: none.
   */
  readonly waits?: ((state: RunState) => boolean) | undefined;
  /**
   * The order of settlements does not matter (P4). Then a resumed run must give the same result as
   * the live one. Default false.
   */
  readonly confluent?: boolean | undefined;
}

/** A reasoner, or reasoners to draw from. */
export type Subject<Input, Output, Context> =
  | Reasoner<Input, Output, Context>
  | fc.Arbitrary<Reasoner<Input, Output, Context>>;

/**
 * A case that a law is tried on. It prints as the run that it leads to, event by event, and as what is
 * needed to repeat it by hand.
 */
export interface LawCase {
  readonly reasoner: Reasoner<never, unknown, unknown>;
  readonly input: unknown;
  readonly script: Script;
}

/** A law's check; it throws where the law does not hold. */
export type Check<Input, Output, Context> = (
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
) => void | Promise<void>;

/** Cases of a law. */
export function cases<Input, Output, Context>(
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
): fc.Arbitrary<LawCase> {
  const reasoners = subject instanceof fc.Arbitrary ? subject : fc.constant(subject);
  return fc
    .tuple(reasoners, options.input, options.script ?? worldScript())
    .map(([reasoner, input, script]): LawCase => {
      const case_ = { reasoner, input, script } as LawCase;
      return Object.defineProperty(case_, fc.toStringMethod, {
        value: () => `${repeated({ ...case_ })}\n${printedRun(case_, options)}`,
      });
    });
}

/** Returns the parts that are needed to repeat a case by hand. */
export function repeated({ reasoner, ...others }: LawCase & { readonly plan?: object }): string {
  const own = (reasoner as { [fc.toStringMethod]?: () => string })[fc.toStringMethod];
  return fc.stringify({ reasoner: own?.() ?? reasoner.id, ...others });
}

/** The run that a case leads to, as events and directives; a live one answers in an order of its own. */
function printedRun({ reasoner, input, script }: LawCase, options: WorldOptions): string {
  try {
    return printSteps(drive(reasoner, input, script, options).steps);
  } catch (thrown) {
    return `(its run cannot be printed: ${messageOf(thrown)})`;
  }
}

/** A law that is checked at once. */
export function propertyLaw<Input, Output, Context>(
  name: string,
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
  check: (...of: Parameters<Check<Input, Output, Context>>) => void,
  isLive = false,
): PropertyLaw {
  const property = fc.property(cases(subject, options), ({ reasoner, input, script }) => {
    check(reasoner as Reasoner<Input, Output, Context>, input as Input, script);
  });
  return { name, property, isLive };
}

/** A law that takes live runs, by promises. */
export function liveLaw<Input, Output, Context>(
  name: string,
  subject: Subject<Input, Output, Context>,
  options: LawOptions<Input>,
  check: Check<Input, Output, Context>,
): PropertyLaw {
  const property = fc.asyncProperty(cases(subject, options), ({ reasoner, input, script }) =>
    Promise.resolve(check(reasoner as Reasoner<Input, Output, Context>, input as Input, script)),
  );
  return { name, property, isLive: true };
}

/** @throws Error with a sentence, where something does not hold */
export function hold(condition: boolean, otherwise: () => string): asserts condition {
  if (!condition) throw new Error(otherwise());
}

/** @throws Error with the path and both values, where two values are not the same JSON */
export function same(left: unknown, right: unknown, what: string): void {
  const found = firstDifference(left as Json | undefined, right as Json | undefined);
  hold(found === undefined, () => {
    const { path = "", left: a, right: b } = found ?? {};
    return `${what} differ at ${path}: ${printValue(a, 300)}, then ${printValue(b, 300)}`;
  });
}

/** @throws Error with both values, where they are not the same text or number */
export function identical(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  throw new Error(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

/** A step as data; what was thrown is for people and differs from engine to engine. */
export function comparable<Context>({ thrown: _thrown, ...step }: Step<Context>): object {
  return step;
}

/** A value through JSON and back. */
export function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Freezes a value and all that it holds. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
