/**
 * The errors of a machine whose code misbehaves (a function threw or returned a promise, a loop does not
 * end, an effect of XState was used), and `faultOf`, which makes of them the code and the place with which
 * the run fails (rule K6). They are told apart by class and never by a message's wording.
 */
import { type ErrorCode, ReckonerError } from "../values/errors.js";
import type { RunFault } from "./state.js";

/** A machine's fault with its code and its whole place. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly place: string;
  constructor(code: ErrorCode, place: string) {
    super(`${code} at ${place}`);
    this.code = code;
    this.place = place;
  }
}

/** A machine used an effect of XState: its actor, or an action with effects. */
export class EffectUsed extends Error {
  readonly part: string;
  constructor(part: string) {
    super(`A machine of reckoner has no ${part}; issue a directive instead.`);
    this.part = part;
  }
}

/** @throws EffectUsed where what a machine raises is not an event */
export function checkRaised(event: unknown): { readonly type: string } {
  const type = (event as { readonly type?: unknown } | null | undefined)?.type;
  if (typeof type !== "string") throw new EffectUsed("raise of something that is not an event");
  return event as { readonly type: string };
}

/** Eventless transitions did not end. */
export class EndlessLoop extends Error {
  constructor(limit: number) {
    super(`The machine did not come to a stable state within ${limit} microsteps.`);
  }
}

/** States became active that exclude each other: a history state led back into its own parent. */
export class ImpossibleState extends Error {
  constructor() {
    super("States became active that exclude each other.");
  }
}

/** A guard threw while a transition was chosen for an event: XState too says only that it did. */
export class GuardThrew extends Error {
  constructor(cause: unknown) {
    super("A guard threw.", { cause });
  }
}

/** A function of the machine returned a promise. */
export class AnsweredLater extends Error {
  readonly part: string;
  constructor(part: string) {
    super(`The machine's ${part} returned a promise; it has to answer at once, without async.`);
    this.part = part;
  }
}

/** A function of the machine's that has a name of its own threw. */
export class PartThrew extends Error {
  readonly part: string;
  constructor(part: string, cause: unknown) {
    super(`The machine's ${part} threw.`, { cause });
    this.part = part;
  }
}

/** The fault that ends a run, from whatever was thrown in a step. */
export function faultOf(thrown: unknown, place: string): RunFault {
  try {
    return faultOfThrown(thrown, place);
  } catch {
    // A thrown proxy may throw in turn, at each look.
    return { code: "machine.threw", place };
  }
}

function faultOfThrown(thrown: unknown, place: string): RunFault {
  if (thrown instanceof PartThrew) return faultOf(thrown.cause, `${place}, ${thrown.part}`);
  const later = thrownFor(thrown);
  if (later instanceof AnsweredLater) {
    return { code: "machine.async", place: `${place}, ${later.part}` };
  }
  if (thrown instanceof Fault) return { code: thrown.code, place: thrown.place };
  if (thrown instanceof EffectUsed) {
    return { code: "machine.unsupported", place: `${place}, ${thrown.part}` };
  }
  if (thrown instanceof EndlessLoop) return { code: "machine.loop", place };
  if (thrown instanceof ImpossibleState) {
    return {
      code: "machine.invalid",
      place: `${place}, states that exclude each other`,
    };
  }
  if (thrown instanceof ReckonerError) {
    const inner = thrown.place === undefined ? "" : `, ${thrown.place}`;
    return { code: thrown.code, place: `${place}${inner}` };
  }
  return { code: "machine.threw", place };
}

/** Returns an error as a person should see it. */
export function thrownFor(thrown: unknown): unknown {
  try {
    return thrown instanceof GuardThrew || thrown instanceof PartThrew ? thrown.cause : thrown;
  } catch {
    return thrown;
  }
}

/**
 * The wording of faults, independent of the JavaScript engine: what was thrown is not recorded. Journals of parents
 * hold these words, and a replay compares them.
 */
const wrong: { readonly [code in ErrorCode]?: string } = {
  "machine.threw": "a function of its threw; observers are told what, as the notice machine.threw",
  "machine.async":
    "a function of its answered with a promise; it has to answer at once, without async",
  "machine.unsupported": "it did what a reasoner's machine cannot",
  "machine.loop": "it did not come to rest",
  "machine.invalid": "it reached a state that cannot exist",
  "machine.tooLarge": "a value is too large to be recorded",
  "directive.invalid": "what it issued is not a directive",
  "directive.repeated": "it issued an id for the second time",
  "directive.afterEnd": "it issued an effect in the step that ended the run",
  "json.refused": "a value is not JSON",
  "json.reserved": "a value has a key of the kernel's own",
};

/** Describes a fault: its place and its kind. */
export function faultMessage({ code, place }: RunFault): string {
  const what = wrong[code];
  return `The machine failed at ${place}${what === undefined ? "" : `: ${what}`}.`;
}
