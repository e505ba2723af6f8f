/**
 * The world: a synchronous driver for any reasoner. A script says what happens at each moment, in
 * any order: answers, answers that come twice or to nothing, messages, interrupts, cancels. When the script is
 * over, everything outstanding is settled until the run ends or rests. It judges nothing.
 */
import type {
  Effect,
  GivenEvent,
  InterruptEvent,
  Json,
  Reasoner,
  RunEvent,
  RunState,
  Settlement,
  Step,
} from "../core/kernel/index.js";
import { owedBy } from "../core/kernel/index.js";
import { type Choose, choicesFor, inOrder, plainest, type Script } from "./script.js";
import { type Settlers, settle } from "./settlers.js";

/** What a world is told of a reasoner. */
export interface WorldOptions {
  /** How directives are answered; what is missing is answered by the defaults. */
  readonly settlers?: Partial<Settlers>;
  /** An event of the machine's own from outside. Default: one that no machine knows. */
  readonly outside?: (choose: Choose) => { readonly type: string; readonly [key: string]: Json };
  /** Steps in which a run ends when all is settled plainly, once the script is over. Default 200. */
  readonly bound?: number;
  /** Nothing but answers, in any order, and answers by the script to the end. */
  readonly answersOnly?: boolean;
}

/** One event, and what it came to. */
export interface Moment<Context = unknown> {
  /** Absent at the start. */
  readonly before: RunState<Context> | undefined;
  readonly event: RunEvent;
  readonly step: Step<Context>;
}

/** Everything that happened to one run. */
export interface History<Input = unknown, Context = unknown> {
  readonly input: Input;
  readonly origin: { readonly at: number; readonly runId: string; readonly seed: string };
  /** The start first. */
  readonly moments: readonly Moment<Context>[];
  readonly state: RunState<Context>;
}

/** When a run starts in a world, in milliseconds since 1970. */
const START = 1_000;
/** Below this a number of the script settles something: most of what happens in a run. */
const SETTLES = 20;
const KINDS = 32;

/** Drives a run through a script to its end. */
export function drive<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  input: Input,
  script: Script,
  options: WorldOptions = {},
): History<Input, Context> {
  const { settlers = {}, bound = 200, answersOnly = false } = options;
  const origin = { at: START, runId: "run", seed: "seed" };
  const first = reasoner.start(input, origin);
  const moments: Moment<Context>[] = [
    { before: undefined, event: { type: "start", at: START }, step: first },
  ];
  let { state } = first;
  let at = START;
  const happen = (given: GivenEvent) => {
    const step = reasoner.step(state, given);
    const event = given as RunEvent;
    moments.push({ before: state, event, step });
    state = step.state;
  };
  const answer = (effect: Effect, choose: Choose): Settlement => {
    if (effect.type === "timer") at = Math.max(at, effect.until);
    return settle(effect, settlers, choose, at);
  };
  const choose = inOrder(script.moves, script.values);
  const past: Settlement[] = [];
  const settleOne = (effect: Effect, chosen: Choose) => {
    const settlement = answer(effect, chosen);
    past.push(settlement);
    happen(settlement);
  };

  for (let i = 0; i < script.moves.length; i++) {
    at += choose(3);
    const kind = answersOnly ? 0 : choose(KINDS);
    const owed = owedBy(state);
    const chosen = owed[choose(owed.length)];
    if (kind < SETTLES) {
      if (chosen !== undefined) settleOne(chosen, choicesFor(script, chosen.id));
      continue;
    }
    const event = somethingElse(kind, i, at, choose, chosen, past, options);
    if (event !== undefined) happen(event);
  }
  for (let i = 0; i < bound && state.status === "active"; i++) {
    const [next] = owedBy(state);
    if (next === undefined) break;
    at += 1;
    settleOne(next, answersOnly ? choicesFor(script, next.id) : plainest);
  }
  return { input, origin, moments, state };
}

/** What happens beside answers in time. */
function somethingElse(
  kind: number,
  i: number,
  at: number,
  choose: Choose,
  chosen: Effect | undefined,
  past: readonly Settlement[],
  { outside = unknownEvent }: WorldOptions,
): GivenEvent | undefined {
  switch (kind) {
    case 20:
    case 21: {
      const again = past[choose(past.length)];
      return again === undefined ? undefined : { ...again, at };
    }
    case 22:
      return { type: "tool.succeeded", id: "never/issued", output: choose.value(), at };
    case 23:
      // The right id, and an answer to another kind of question.
      if (chosen === undefined) return undefined;
      return chosen.type === "timer"
        ? { type: "read.succeeded", id: chosen.id, value: null, at }
        : { type: "timer.fired", id: chosen.id, at };
    case 24:
      return { type: "start", at };
    case 25:
    case 26:
      return { type: "message", content: messageText(i), at };
    case 27:
      return interrupt(chosen, at, choose);
    case 31:
      return { type: "cancel", at, ...(choose(2) === 0 ? {} : { reason: "No more." }) };
    default:
      return { ...outside(choose), at };
  }
}

/** The turn is stopped; of a model's answer some has streamed, or nothing. */
function interrupt(chosen: Effect | undefined, at: number, choose: Choose): InterruptEvent {
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

const unknownEvent = () => ({ type: "nobody.knows" });

/** What the user says at a moment of a script: at each moment something else. */
export function messageText(moment: number): string {
  return `user message at moment ${moment}`;
}
