/**
 * The events that may happen in a state: settlements of outstanding directives, in any order; duplicate
 * and stale settlements; messages, interrupts and cancels; and the machine's own events.
 */

import {
  owedBy,
  ownEventsOf,
  type Reasoner,
  type RunState,
} from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { Json } from "../../core/kernel/values/index.js";
import type {
  Effect,
  IncomingEvent,
  InterruptEvent,
  Settlement,
} from "../../core/kernel/vocabulary/index.js";
import { type Choose, everyChoice, type Outcomes } from "./choose.js";
import { type Settlers, settle } from "./settlers.js";
import { UPGRADE, type Upgrading } from "./upgradable.js";
import { callUserFunction, wrongAnswer } from "./user-function.js";

/** An event of a machine's own, without its time. */
export type OutsideEvent = { readonly type: string; readonly [key: string]: Json };

/** Options of a simulation. */
export interface WorldOptions<Context = unknown> {
  /** The answers to directives; there is a default for each type. */
  readonly settlers?: shapes.Options<Partial<Settlers>> | undefined;
  /**
   * An event of the machine's own from outside, or `undefined` where none can come. Default: those that
   * its chart names, without more, or one that no machine knows.
   */
  readonly outside?:
    | ((choose: Choose, state: RunState<Context>) => OutsideEvent | undefined)
    | undefined;
  /** Names of the stores that its directives read and write; a live run has scripted ones. */
  readonly stores?: readonly string[] | undefined;
  /** The weights of the kinds of events, beside {@link defaultWeights}. */
  readonly weights?: shapes.Options<Partial<Weights>> | undefined;
  /** Steps in which a run ends when all is settled plainly, once the script is over. Default 200. */
  readonly bound?: number | undefined;
  /** Only settlements happen, in any order, as the script says to the end. */
  readonly answersOnly?: boolean | undefined;
}

/** The weight of each kind of event; 0 leaves it out. */
export interface Weights {
  /** An outstanding directive is settled. */
  readonly answer: number;
  /** A settlement is repeated. */
  readonly again: number;
  /** A settlement of an unknown id. */
  readonly stale: number;
  /** A settlement of the wrong type. */
  readonly mistaken: number;
  /** A second start. */
  readonly start: number;
  readonly message: number;
  readonly interrupt: number;
  /** An event of the machine's own. */
  readonly outside: number;
  readonly cancel: number;
  /** The run goes on under later code, where a check has been given some. */
  readonly upgrade: number;
}

/** The default weights. */
export const defaultWeights: Weights = {
  answer: 20,
  again: 2,
  stale: 1,
  mistaken: 1,
  start: 1,
  message: 2,
  interrupt: 1,
  outside: 3,
  cancel: 1,
  upgrade: 1,
};

const WAYS = Object.keys(defaultWeights) as readonly (keyof Weights)[];
/** Ways that take something that is outstanding. */
const ANSWERS: ReadonlySet<keyof Weights> = new Set(["answer", "mistaken"]);
const UNKNOWN = "nobody.knows";
/** Events that a function of the caller's gives in one state, at most. */
export const MOST_OUTSIDE = 64;

/** Draws what happens next, and answers. */
export class Happenings<Context> {
  readonly #options: WorldOptions<Context>;
  readonly #weights: Weights;
  readonly #total: number;
  readonly #own: readonly string[];
  /** The version of the later code, where there is some. */
  readonly #later: number | undefined;
  /** Answers that were given. */
  readonly #past: Settlement[] = [];

  constructor(reasoner: Pick<Reasoner, "machine">, options: WorldOptions<Context> & Upgrading) {
    this.#options = options;
    this.#later = options.upgrade?.version;
    const weights = { ...defaultWeights, ...shapes.defined(options.weights ?? {}) };
    this.#weights = this.#later === undefined ? { ...weights, upgrade: 0 } : weights;
    this.#total = WAYS.reduce((sum, way) => sum + this.#weights[way], 0);
    this.#own = options.outside === undefined ? ownEventsOf(reasoner.machine) : [];
  }

  /**
   * Draws the next event, or nothing.
   * @param answers the choices for the answer to a directive
   * @param number of the step: what the user says is something else each time
   */
  next(
    state: RunState<Context>,
    at: number,
    choose: Choose,
    answers: (id: string) => Choose,
    number: number,
  ): IncomingEvent | undefined {
    const owed = owedBy(state);
    const way = this.#options.answersOnly ? "answer" : this.#way(choose, owed);
    const chosen = owed[choose(owed.length)];
    switch (way) {
      case "answer":
        return chosen === undefined ? undefined : this.answer(chosen, answers(chosen.id), at);
      case "again": {
        const again = this.#past[choose(this.#past.length)];
        return again === undefined ? undefined : { ...again, at };
      }
      case "stale":
        return { type: "tool.succeeded", id: "never/issued", output: choose.value(), at };
      case "mistaken":
        if (chosen === undefined) return undefined;
        return chosen.type === "timer"
          ? { type: "read.succeeded", id: chosen.id, value: null, at }
          : { type: "timer.fired", id: chosen.id, at };
      case "start":
        return { type: "start", at };
      case "message":
        return { type: "message", content: messageText(number), at };
      case "interrupt":
        return interruptOf(chosen, at, choose);
      case "cancel":
        return { type: "cancel", at, ...(choose(2) === 0 ? {} : { reason: "No more." }) };
      case "upgrade":
        return this.upgrade(state, at);
      case "outside": {
        const event = this.outside(choose, state);
        return event === undefined ? undefined : { ...event, at };
      }
    }
  }

  /** An answer to a directive; a timer's moves the time on. */
  answer(effect: Effect, choose: Choose, at: number): Settlement {
    const time = effect.type === "timer" ? Math.max(at, effect.until) : at;
    const settlement = settle(effect, this.#options.settlers ?? {}, choose, time);
    this.#past.push(settlement);
    return settlement;
  }

  /** An event of the machine's own. */
  outside(choose: Choose, state: RunState<Context>): OutsideEvent | undefined {
    const { outside } = this.#options;
    if (outside !== undefined)
      return eventOf(callUserFunction("outside", () => outside(choose, state)));
    return { type: this.#own[choose(this.#own.length)] ?? UNKNOWN };
  }

  /** Returns true when the caller says what comes from outside: that may be without end. */
  get isScripted(): boolean {
    return this.#options.outside !== undefined;
  }

  /** Events of the machine's own: all that its chart names, or up to `most` that the caller gives. */
  everyOutside(
    state: RunState<Context>,
    values: readonly Json[],
    most: number,
  ): Outcomes<OutsideEvent> {
    const all = this.isScripted ? most : Math.max(1, this.#own.length);
    return everyChoice((choose) => this.outside(choose, state), values, all);
  }

  /** An upgrade, where the run is not under the later code yet. */
  upgrade(state: RunState<Context>, at: number): IncomingEvent | undefined {
    const isEarlier = this.#later !== undefined && state.version !== this.#later;
    return isEarlier ? { type: UPGRADE, at } : undefined;
  }

  /** One of the ways; where a run waits, what comes from outside mostly takes the place of answers. */
  #way(choose: Choose, owed: readonly Effect[]): keyof Weights {
    const way = this.#drawn(choose(this.#total), WAYS);
    if (!ANSWERS.has(way) || !owed.every(isWaiting)) return way;
    const { answer, outside } = this.#weights;
    const comes = (this.isScripted || this.#own.length > 0) && outside > 0;
    // It alone leads on where nothing is owed: else most runs of a machine that waits for it would end
    // cancelled. Beside a timer or a person it is what answers are otherwise, so that runs are not over at once.
    if (comes && (owed.length === 0 || choose(answer) >= outside)) return "outside";
    if (owed.length > 0) return way;
    const others = WAYS.filter((each) => !ANSWERS.has(each));
    return this.#drawn(choose(others.reduce((sum, each) => sum + this.#weights[each], 0)), others);
  }

  #drawn(drawn: number, ways: readonly (keyof Weights)[]): keyof Weights {
    let left = drawn;
    for (const way of ways) {
      left -= this.#weights[way];
      if (left < 0) return way;
    }
    return "answer";
  }
}

/** Returns true for an effect that nothing in the process settles: much may happen before. */
function isWaiting({ type }: Effect): boolean {
  return type === "timer" || type === "approval";
}

/** Takes the value of `outside`: an event, or nothing that can come. */
function eventOf(event: OutsideEvent | undefined): OutsideEvent | undefined {
  if (event === undefined || (typeof event?.type === "string" && event.type !== "")) return event;
  throw wrongAnswer("outside", 'an event, { type: "…" }, or undefined', event);
}

/** The turn is stopped; of a model's answer some has streamed, or nothing. */
export function interruptOf(
  chosen: Effect | undefined,
  at: number,
  choose: Choose,
): InterruptEvent {
  const text = { type: "text" as const, text: "as far as it came" };
  const call = { type: "tool-call" as const, toolCallId: "streamed", toolName: "t0", input: {} };
  const cut = { ...call, toolCallId: "cut", input: '{"cut": "o', malformed: true as const };
  const streamed = [[], [text], [text, call, cut], [call, call]][choose(4)] ?? [];
  const partial =
    chosen?.type === "llm"
      ? { [chosen.id]: { content: streamed, usage: { outputTokens: 3 } } }
      : {};
  return { type: "interrupt", at, partial, ...(choose(2) === 0 ? {} : { reason: "Stop." }) };
}

/** Returns the user's words at a step of a script: at each step other ones. */
export function messageText(number: number): string {
  return `user message at step ${number}`;
}
