/**
 * `law`: laws of your own: `law("nobody is paid twice", atMost(1, issues("tool", "pay")))`. A law
 * is called after each step, with a memory of plain JSON, so that the same law works on random
 * runs, searches and recorded runs.
 */

import { owedBy, type RunState, type Step } from "../../core/kernel/machine/index.js";
import {
  isReckonerError,
  type Json,
  messageOf,
  ReckonerError,
  toJson,
} from "../../core/kernel/values/index.js";
import {
  type CustomEvent,
  type Directive,
  type Effect,
  isSettlement,
  type RunEvent,
  settles,
} from "../../core/kernel/vocabulary/index.js";
import type { HistoryStep } from "./world.js";

/** The argument of a law: one event of a run, and the step that it led to. */
export interface Seen<Context = unknown, Custom extends { readonly type: string } = CustomEvent> {
  /** The state after the event. */
  readonly state: RunState<Context>;
  /** The state before it; absent at the start. */
  readonly before: RunState<Context> | undefined;
  readonly event: RunEvent<Custom>;
  readonly step: Step<Context>;
  /** The directives of the step. */
  readonly directives: readonly Directive[];
  /** The directive that the event settles, if any. */
  readonly answered: Effect | undefined;
  /** The directives that are outstanding after the event, in the order in which they were issued. */
  readonly outstanding: readonly Effect[];
}

/**
 * A predicate that is called after each step: `false`, or a text that says what is wrong, breaks
 * the law; `undefined` means that it does not apply. Throwing breaks it, too.
 */
export type Judge<Context, Custom extends { readonly type: string }> = (
  seen: Seen<Context, Custom>,
) => boolean | string | undefined;

/** Tests a state after a step, or counts: 0 is not at all. */
export type Predicate<Context, Custom extends { readonly type: string } = CustomEvent> = (
  seen: Seen<Context, Custom>,
) => boolean | number;

/** The result of a law after a step, or at the end. */
export interface Verdict {
  /** Its memory from here on. */
  readonly memory: Json;
  /** The law applied. */
  readonly applies: boolean;
  /** The breach, in words. */
  readonly broken?: string;
}

/** A temporal formula over a run. */
export interface Formula<Context, Custom extends { readonly type: string } = CustomEvent> {
  /** Its memory before the start. Default `null`. */
  readonly memory?: Json;
  /** The result after the next step. */
  next(memory: Json, seen: Seen<Context, Custom>): Verdict;
  /** At the end of a run, or when it waits with nothing outstanding. */
  end?(memory: Json, state: RunState<Context>): Verdict;
}

/** A law: what holds of every run of a reasoner, by name. */
export interface Law<Context = unknown, Custom extends { readonly type: string } = CustomEvent> {
  /** The law, as a sentence. */
  readonly name: string;
  readonly formula: Formula<Context, Custom>;
}

/**
 * A law.
 * @param name what holds, as a sentence
 * @param holds a judge of each step, or a formula over whole histories
 * @example
 * law("nobody is paid more than was approved", ({ state: { context } }) => context.paid <= context.approved);
 * law("a refund follows a return", follows(happens("returned"), issues("tool", "refund")));
 */
export function law<Context, Custom extends { readonly type: string } = CustomEvent>(
  name: string,
  holds: Judge<Context, Custom> | Formula<Context, Custom>,
): Law<Context, Custom> {
  if (typeof name !== "string" || name.trim() === "") {
    throw new ReckonerError(
      "option.invalid",
      "A law needs a name, law(name, holds): what holds, as a sentence.",
    );
  }
  if (typeof holds !== "function") {
    if (typeof holds?.next === "function") {
      toJson<Json>(holds.memory ?? null, `the memory of the law ${JSON.stringify(name)}`);
      return { name, formula: holds };
    }
    throw new ReckonerError(
      "option.invalid",
      `The law ${JSON.stringify(name)} needs a function, or always(…), never(…) and their like.`,
    );
  }
  return {
    name,
    formula: {
      next(_memory, seen) {
        const verdict = holds(seen);
        if (verdict === undefined) return idle;
        if (verdict === true) return met;
        if (verdict === false || verdict === "") return broken("it does not hold");
        if (typeof verdict === "string") return broken(verdict);
        throw noAnswer(verdict, "true, false, what is wrong in words, or undefined");
      },
    },
  };
}

const idle: Verdict = { memory: null, applies: false };
const met: Verdict = { memory: null, applies: true };
const broken = (what: string, memory: Json = null): Verdict => ({
  memory,
  applies: true,
  broken: what,
});

/**
 * Makes the error of a law that gave a wrong answer: a promise counts as true for anybody who only tests
 * it.
 */
function noAnswer(answer: unknown, allowed: string): ReckonerError {
  const isPromise = answer instanceof Promise;
  if (isPromise) answer.catch(() => {});
  const isNamed = answer === null || answer === undefined || typeof answer === "number";
  const kind = isPromise ? "promise" : typeof answer;
  const what = isNamed ? String(answer) : `${kind === "object" ? "an" : "a"} ${kind}`;
  return new ReckonerError("option.invalid", `The law gave ${what}; it must give ${allowed}.`);
}

/** Returns the number of times that something is so; nothing at all is not at all. */
function times(answer: unknown): number {
  if (typeof answer === "boolean") return Number(answer);
  if (answer === undefined || answer === null) return 0;
  if (typeof answer === "number" && answer >= 0) return answer;
  throw noAnswer(answer, "true, false, or how many times");
}

/** @throws ReckonerError `option.invalid` where a formula is given something else than functions */
function needFunctions(formula: string, ...args: readonly unknown[]): void {
  if (args.every((each) => typeof each === "function")) return;
  const needed = args.length === 1 ? "a function" : `${args.length} functions`;
  throw new ReckonerError(
    "option.invalid",
    `${formula} needs ${needed} of what a law is shown, such as happens(type) or issues(type).`,
  );
}

/** `is` holds after every step. */
export function always<Context, Custom extends { readonly type: string } = CustomEvent>(
  is: Predicate<Context, Custom>,
): Formula<Context, Custom> {
  needFunctions("always(…)", is);
  return { next: (_memory, seen) => (times(is(seen)) > 0 ? met : broken("it is not so here")) };
}

/** `is` holds after no step. */
export function never<Context, Custom extends { readonly type: string } = CustomEvent>(
  is: Predicate<Context, Custom>,
): Formula<Context, Custom> {
  needFunctions("never(…)", is);
  return { next: (_memory, seen) => (times(is(seen)) > 0 ? broken("it is so here") : met) };
}

/** `is` holds after some step before the run ends or waits. */
export function eventually<Context, Custom extends { readonly type: string } = CustomEvent>(
  is: Predicate<Context, Custom>,
): Formula<Context, Custom> {
  needFunctions("eventually(…)", is);
  return {
    memory: false,
    next: (memory, seen) => ({ memory: memory === true || times(is(seen)) > 0, applies: false }),
    end: (memory) =>
      memory === true ? { memory, applies: true } : broken("the run is over and it was never so"),
  };
}

/** `is` holds for the state in which the run has ended or waits. */
export function atEnd<Context, Custom extends { readonly type: string } = CustomEvent>(
  is: (state: RunState<Context>) => boolean,
): Formula<Context, Custom> {
  needFunctions("atEnd(…)", is);
  return {
    next: () => idle,
    end: (_memory, state) =>
      times(is(state)) > 0 ? met : broken("the run is over and it is not so"),
  };
}

/** The pairing of events. */
export interface Counted {
  /** Each needs one of its own: after two of the first, two of the second. Default false. */
  readonly counted?: boolean | undefined;
}

/** After each `first`, at some step before the run ends or waits, `then`. */
export function follows<Context, Custom extends { readonly type: string } = CustomEvent>(
  first: Predicate<Context, Custom>,
  then: Predicate<Context, Custom>,
  { counted = false }: Counted = {},
): Formula<Context, Custom> {
  needFunctions("follows(…)", first, then);
  return {
    memory: 0,
    next(memory, seen) {
      const open = Number(memory);
      const firsts = times(first(seen));
      const owed = firsts > 0 ? (counted ? open + firsts : 1) : open;
      const thens = times(then(seen));
      const left = thens > 0 ? (counted ? Math.max(0, owed - thens) : 0) : owed;
      return { memory: left, applies: firsts > 0 };
    },
    end(memory) {
      const open = Number(memory);
      if (open === 0) return { memory, applies: false };
      return broken(`the run is over and ${open === 1 ? "one is" : `${open} are`} not followed`);
    },
  };
}

/** No `then` before a `first`. */
export function precedes<Context, Custom extends { readonly type: string } = CustomEvent>(
  first: Predicate<Context, Custom>,
  then: Predicate<Context, Custom>,
  { counted = false }: Counted = {},
): Formula<Context, Custom> {
  needFunctions("precedes(…)", first, then);
  return {
    memory: 0,
    next(memory, seen) {
      const before = Number(memory);
      const firsts = times(first(seen));
      const had = firsts > 0 ? (counted ? before + firsts : 1) : before;
      const thens = times(then(seen));
      if (thens === 0) return { memory: had, applies: false };
      if (had === 0) return broken("nothing came before it");
      if (counted && had < thens) return broken(`it is so ${thens} times, after ${had}`);
      return { memory: counted ? had - thens : had, applies: true };
    },
  };
}

/** `is` holds at most `most` times in a run; each directive counts. */
export function atMost<Context, Custom extends { readonly type: string } = CustomEvent>(
  most: number,
  is: Predicate<Context, Custom>,
): Formula<Context, Custom> {
  needFunctions("atMost(…)", is);
  if (!(most >= 0)) {
    const message = `atMost(…) needs a number, 0 or more, not ${String(most)}.`;
    throw new ReckonerError("option.invalid", message);
  }
  return {
    memory: 0,
    next(memory, seen) {
      const here = times(is(seen));
      if (here === 0) return { memory, applies: false };
      const count = Number(memory) + here;
      if (count > most) return broken(`it is so ${count} times, not ${most} at most`, count);
      return { memory: count, applies: true };
    },
  };
}

/** As much of a step as {@link happens} and {@link issues} look at. */
interface SeenByAll {
  readonly event: { readonly type: string };
  readonly step: { readonly ignored?: unknown };
  readonly directives: readonly Directive[];
}

/** An event of this type was taken, for this directive if one is named; not one that was ignored. */
export function happens(type: string, id?: string): (seen: SeenByAll) => boolean {
  return ({ event, step }) =>
    event.type === type &&
    step.ignored === undefined &&
    (id === undefined || (event as { readonly id?: unknown }).id === id);
}

/** Counts the directives of this type: of a tool, store, child or topic by this name, or of this id. */
export function issues(type: Directive["type"], name?: string): (seen: SeenByAll) => number {
  return ({ directives }) => directives.filter((each) => isIt(each, type, name)).length;
}

function isIt(directive: Directive, type: string, name: string | undefined): boolean {
  if (directive.type !== type) return false;
  if (name === undefined) return true;
  const parts = directive as Partial<
    Record<"id" | "name" | "store" | "reasoner" | "topic", unknown>
  >;
  return [parts.id, parts.name, parts.store, parts.reasoner, parts.topic].includes(name);
}

/** Makes a law's view of a step. */
export function seenAt<Context>({
  before,
  event,
  step,
}: HistoryStep<Context>): Seen<Context, never> {
  return {
    before,
    event,
    step,
    state: step.state,
    directives: step.directives,
    // Computed only if a law reads it.
    get answered() {
      return isSettlement(event) && before !== undefined
        ? owedBy(before).find(({ id, type }) => id === event.id && type === settles[event.type])
        : undefined;
    },
    get outstanding() {
      return owedBy(step.state);
    },
  } as Seen<Context, never>;
}

/** A law's verdict; what it throws breaks it. */
export function judged(judge: () => Verdict): Verdict {
  try {
    const verdict: Verdict | undefined = judge();
    if (typeof verdict?.applies === "boolean") return verdict;
    throw noAnswer(verdict, "a verdict, { memory, applies, broken? }");
  } catch (thrown) {
    const text = messageOf(thrown);
    return broken(isReckonerError(thrown) ? text : `the law threw: ${text}`);
  }
}
