/**
 * Limits calls at once and tokens a minute to each model, over all runs of a process: an attempt waits at the
 * gate of its model, and who came first begins first.
 */
import type { Attempt } from "../core/driver/index.js";
import * as shapes from "../core/kernel/shapes.js";
import { type LlmDirective, tokensOf } from "../core/kernel/vocabulary/index.js";
import {
  askedLetters,
  type Clock,
  checkAllOptions,
  checkArgument,
  listsOf,
  type ModelOption,
} from "../runtime/for-hosts.js";

/** Limits of a model; a number is its calls at once. */
export type ModelLimit =
  | number
  | {
      /** Calls at once. */
      readonly calls?: number | undefined;
      /**
       * Tokens in any minute, of requests and answers: a call begins where its request fits in beside what the last
       * minute took. A request that is larger begins alone.
       */
      readonly tokensPerMinute?: number | undefined;
    };

/** The limits of each model, by the name by which calls ask it, or by that of its port. */
export type ModelLimits = { readonly [model: string]: ModelLimit };

const CALLS = /* @__PURE__ */ shapes.count(1);
const LIMIT: shapes.Shapes<Exclude<ModelLimit, number>> = { calls: CALLS, tokensPerMinute: CALLS };
const MODEL_LIMIT: shapes.Shape = [
  (value) => CALLS[0](value) || shapes.OBJECT[0](value),
  "a whole number of calls, 1 or more, or { calls, tokensPerMinute }",
];

/** @throws ReckonerError `option.invalid` */
export function checkModelLimit(model: string, limit: ModelLimit): void {
  const what = `limits.models.${model}`;
  checkArgument(what, limit, MODEL_LIMIT);
  if (typeof limit !== "number") checkAllOptions(what, limit, LIMIT);
}

/** A call that has begun. */
export interface Pass {
  /** The call is over. @param tokens that it took, where that is known */
  done(tokens: number | undefined): void;
}

interface Waiting {
  readonly tokens: number;
  readonly begin: (pass: Pass) => void;
}

/** Tokens that were taken. */
interface Taken {
  tokens: number;
  /** When they were; while the call goes on they are just being taken. */
  at: number;
}

const MINUTE = 60_000;

/** One gate. */
export class Gate {
  readonly #calls: number;
  readonly #tokens: number;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #taken: Taken[] = [];
  #going = 0;
  #takeBack: () => void = () => {};

  constructor(limit: ModelLimit, clock: Clock) {
    const { calls, tokensPerMinute } = typeof limit === "number" ? { calls: limit } : limit;
    this.#calls = calls ?? Number.POSITIVE_INFINITY;
    this.#tokens = tokensPerMinute ?? Number.POSITIVE_INFINITY;
    this.#clock = clock;
  }

  /**
   * Lets a call in, or has it wait.
   * @param tokens of its request, as far as they can be estimated
   * @param begin is called when it may begin, perhaps at once
   * @returns gives up waiting; `undefined` where it has begun
   */
  enter(tokens: number, begin: (pass: Pass) => void): (() => void) | undefined {
    const waiting: Waiting = { tokens, begin };
    this.#waiting.push(waiting);
    this.#hand();
    if (!this.#waiting.includes(waiting)) return undefined;
    return () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      this.#hand();
    };
  }

  #hand(): void {
    this.#takeBack();
    this.#takeBack = () => {};
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#going >= this.#calls) return;
      const wait = this.#waitFor(first.tokens);
      if (wait > 0) {
        this.#takeBack = this.#clock.setTimer(wait, () => this.#hand());
        return;
      }
      this.#waiting.shift();
      this.#begin(first);
    }
  }

  /** Milliseconds until so many tokens fit in; 0 for now. */
  #waitFor(tokens: number): number {
    if (this.#tokens === Number.POSITIVE_INFINITY) return 0;
    const now = this.#clock.now();
    this.#taken = this.#taken.filter(({ at }) => at > now - MINUTE);
    let sum = this.#taken.reduce((all, each) => all + each.tokens, 0);
    // The oldest leave the minute first; those of calls that go on have no end yet.
    for (const each of [...this.#taken].sort((a, b) => a.at - b.at)) {
      if (sum + tokens <= this.#tokens) return 0;
      if (each.at === GOING) return MINUTE;
      if (sum - each.tokens + tokens <= this.#tokens || sum === each.tokens) {
        return each.at + MINUTE - now;
      }
      sum -= each.tokens;
    }
    return 0;
  }

  #begin({ tokens, begin }: Waiting): void {
    const taken: Taken = { tokens, at: GOING };
    this.#going += 1;
    this.#taken.push(taken);
    let isDone = false;
    begin({
      done: (took) => {
        if (isDone) return;
        isDone = true;
        this.#going -= 1;
        taken.at = this.#clock.now();
        taken.tokens = took ?? tokens;
        this.#hand();
      },
    });
  }
}

const GOING = Number.POSITIVE_INFINITY;

/** The gates of a process. */
export class ModelGates {
  readonly #gates: ReadonlyMap<string, Gate>;
  /** The only model that calls ask without naming it. */
  readonly #only: string | undefined;

  constructor(limits: ModelLimits, model: ModelOption | undefined, clock: Clock) {
    const gates = Object.entries(limits).map(
      ([name, limit]) => [name, new Gate(limit, clock)] as const,
    );
    this.#gates = new Map(gates);
    const ports = listsOf(model).flat();
    this.#only = ports.length === 1 ? ports[0]?.name : undefined;
  }

  /** Returns the gate in front of an attempt, where there is one. */
  of({ directive, model }: Attempt): Gate | undefined {
    if (directive.type !== "llm") return undefined;
    const names = [model, directive.model, this.#only];
    for (const name of names) {
      const gate = name === undefined ? undefined : this.#gates.get(name);
      if (gate !== undefined) return gate;
    }
    return undefined;
  }
}

/** Returns the tokens of a request, as far as they can be estimated. */
export function requestTokens({ directive }: Attempt): number {
  const { asked, media } = askedLetters(directive as LlmDirective);
  return tokensOf(asked + media);
}
