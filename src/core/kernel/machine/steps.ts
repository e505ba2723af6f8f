/**
 * Computes the start and each step of a run: matches a settlement to its directive, has the machine take
 * the event, checks the context and the directives that come out, and makes a fault of an error. Enforces
 * the rules K1 to K8 of docs/internals.md for every reasoner.
 */
import { canonical } from "../values/canonical.js";
import { messageOf, ReckonerError } from "../values/errors.js";
import { hiddenField } from "../values/hidden.js";
import { hush, type Json, toJson } from "../values/json.js";
import { isRecordable } from "../values/recordable.js";
import { sealJson } from "../values/seal.js";
import type { Effect } from "../vocabulary/directive.js";
import {
  type ApprovalDecided,
  type CustomEvent,
  type EffectError,
  type IncomingEvent,
  type MessageEvent,
  type QueueEvent,
  type RunEvent,
  settles,
} from "../vocabulary/event.js";
import { checkTime, parseEvent } from "../vocabulary/parse-event.js";
import type { Afters } from "./after.js";
import { collectDirectives, type PreviousRun } from "./collect-directives.js";
import { faultOf, thrownFor } from "./fault.js";
import { noIds } from "./issued-ids.js";
import { cancelAll, dropOwed, findOwed, isOwed, nothingOwed, type Owed } from "./outstanding.js";
import type { History, MachineEvent, Path, Position, Taken } from "./path.js";
import { sealContext } from "./seal-context.js";
import type { Start } from "./setup.js";
import type { Ignored, RunState, RunStatus, StateValue, Step } from "./state.js";
import { sealedState } from "./state-fault.js";

/** The parts of a reasoner that steps need. */
export interface SteppedReasoner<Context> {
  readonly id: string;
  readonly version: number;
  readonly path: Path;
  readonly afters: Afters;
  readonly output: ((context: Context) => unknown) | undefined;
  readonly refusal?: Refusal<Context> | undefined;
}

/** The events from outside that a reasoner may refuse: a message, a change of one, a decision, one of its machine's own. */
type RefusableEvent = MessageEvent | QueueEvent | ApprovalDecided | CustomEvent;

/** Says why an event from outside is refused in a state; `undefined` where it is not. */
export type Refusal<Context> = (
  state: RunState<Context>,
  event: RefusableEvent,
) => EffectError | undefined;

const UNREFUSABLE: ReadonlySet<string> = new Set(["start", "cancel", "interrupt"]);

/** The starts and steps of one reasoner. */
export class Steps<Input, Context> {
  readonly #of: SteppedReasoner<Context>;
  /** The position of the machine in a state that a step has made; of any other it is resolved anew. */
  readonly #positions = hiddenField<Position>();

  constructor(reasoner: SteppedReasoner<Context>) {
    this.#of = reasoner;
  }

  /** The first step. */
  start(input: Input, origin: Omit<Start<Input>, "input">): Step<Context> {
    const { id, version, path } = this.#of;
    checkOrigin(origin);
    const { from, ...rest } = origin;
    const start = {
      ...toJson<Start<Input>>({ ...rest, input: input ?? null }, "$"),
      ...(from === undefined ? {} : { from: sealJson(from, "$.from") }),
    };
    const before: PreviousRun = {
      base: { reasoner: id, version, runId: start.runId, seq: 0, at: start.at },
      outstanding: nothingOwed,
      ids: noIds,
      value: "",
      context: {},
      history: undefined,
    };
    let taken: Taken | undefined;
    try {
      taken = path.start(start);
      return this.#finish(before, taken, "start", undefined);
    } catch (thrown) {
      return failed(before, thrown, "start", taken);
    }
  }

  /** The next step. */
  step(from: RunState<Context>, raw: IncomingEvent): Step<Context> {
    const { id, version } = this.#of;
    const isMade = Object(from) === from && this.#positions.get(from) !== undefined;
    const state = isMade ? from : sealedState(from, (why, cause) => this.#mismatch(why, cause));
    if (state.reasoner !== id || state.version !== version) {
      throw new ReckonerError(
        "state.mismatch",
        `The state is of ${state.reasoner} version ${state.version}, this reasoner is ${id} version ${version}.`,
      );
    }
    const event = parseEvent(raw);
    if (state.status !== "active") return ignore(state, event, "ended");
    if (event.type === "start") return this.#pass(state, event, "busy");
    const answered = settles[event.type];
    const directive =
      answered === undefined
        ? undefined
        : findOwed(state.outstanding, event.id as string, answered);
    if (answered !== undefined && directive === undefined) return this.#pass(state, event, "stale");
    const refused = this.refusal(state, event);
    if (refused === undefined) return this.#take(state, event, directive);
    return this.#pass(state, event, "refused", refused);
  }

  /** Returns the reason why the reasoner refuses an event from outside. */
  refusal(state: RunState<Context>, event: RunEvent): EffectError | undefined {
    const { refusal } = this.#of;
    if (refusal === undefined || state.status !== "active") return undefined;
    if (event.type === "approval.decided") {
      return isOwed(state.outstanding, event.id) ? refusal(state, event) : undefined;
    }
    const isTaken = settles[event.type] !== undefined || UNREFUSABLE.has(event.type);
    return isTaken ? undefined : refusal(state, event as RefusableEvent);
  }

  /** An event that is not the machine's to take: the run stands where it stood. */
  #pass(
    state: RunState<Context>,
    event: RunEvent,
    reason: Ignored["reason"],
    why?: EffectError,
  ): Step<Context> {
    const next = advance(state, event);
    const position = this.#positions.get(state);
    if (position !== undefined) this.#positions.set(next, position);
    return ignore(next, event, reason, why);
  }

  /** An event that is the machine's to take. */
  #take(state: RunState<Context>, event: RunEvent, directive: Effect | undefined): Step<Context> {
    const { id, version, path } = this.#of;
    const outstanding =
      directive === undefined ? state.outstanding : dropOwed(state.outstanding, directive.id);
    const before: PreviousRun = {
      base: { reasoner: id, version, runId: state.runId, seq: state.seq + 1, at: event.at },
      outstanding,
      ids: state.issued,
      value: state.value,
      context: state.context,
      history: state.history,
    };
    const position = this.#positionOf(state);
    const place = `state ${nameOf(state.value)}, event ${event.type}`;
    let taken: Taken | undefined;
    try {
      taken = path.next(position, this.#seen(event, directive));
      if (!taken.unhandled) return this.#finish(before, taken, place, position.context);
    } catch (thrown) {
      return failed(before, thrown, place, taken);
    }
    const next = advance(state, event, outstanding);
    // A cancel that no transition handles ends the run: otherwise the run could not be stopped.
    if (event.type === "cancel") {
      const ended = { ...next, status: "cancelled" as const, outstanding: nothingOwed };
      return stepOf(Object.freeze(ended), Object.freeze(cancelAll(outstanding)));
    }
    this.#positions.set(next, position);
    return ignore(next, event, "unhandled");
  }

  /** The event as the machine sees it: with the directive that it settles (K3), by `after`'s name. */
  #seen(event: RunEvent, directive: Effect | undefined): MachineEvent {
    if (directive === undefined) return event;
    const type = directive.type === "timer" ? this.#of.afters.eventOf(directive.id) : undefined;
    const seen = { ...event, directive };
    return type === undefined ? seen : { ...seen, type };
  }

  #mismatch(why: string, cause?: unknown): ReckonerError {
    const { id, version } = this.#of;
    const message = `The state is not one of ${id} version ${version}: ${why.replace(/\.$/, "")}.`;
    return new ReckonerError("state.mismatch", message, { cause });
  }

  /** A state's position: remembered from the step that made it, or resolved anew after JSON. */
  #positionOf(state: RunState<Context>): Position {
    const found = this.#positions.get(state);
    if (found !== undefined) return found;
    try {
      return this.#of.path.restore(state.value, state.context, state.history);
    } catch (cause) {
      throw this.#mismatch(messageOf(cause), cause);
    }
  }

  /** @throws whatever makes the run fail */
  #finish(
    before: PreviousRun,
    { position, issued }: Taken,
    place: string,
    sealedBefore: unknown,
  ): Step<Context> {
    const { path, afters, output } = this.#of;
    const status = statusOf(position);
    const collected = collectDirectives(issued, before, status, afters, place);
    const fresh = sealedBefore !== undefined;
    const context = sealContext(position.context, sealedBefore, fresh) as Context;
    const { reasoner, version, runId, seq, at } = before.base;
    const value = sealJson<StateValue>(position.value);
    const plain: RunState<Context> = {
      reasoner,
      version,
      runId,
      seq,
      at,
      status,
      value,
      context,
      outstanding: collected.outstanding,
      issued: collected.ids,
    };
    const state = Object.freeze(withExtras(plain, position, output));
    if (status === "active") {
      const sealed = position.context === context ? position : path.withContext(position, context);
      this.#positions.set(state, sealed);
    }
    return stepOf(state, collected.directives);
  }
}

/** A state with what only some machines have: a history, an output of their own. */
function withExtras<Context>(
  state: RunState<Context>,
  { history, output }: Position,
  outputOf: ((context: Context) => unknown) | undefined,
): RunState<Context> {
  const whole =
    history === undefined ? state : { ...state, history: sealJson<History>(history, "$.history") };
  if (state.status !== "done") return whole;
  // An output that is not JSON is a fault of the machine, and known before the run has ended.
  const ended = outputOf === undefined ? output : outputOf(state.context);
  if (ended === undefined) return whole;
  const sealed = sealJson(ended, "$.output");
  if (!isRecordable(sealed)) {
    const message = "The output is too large to be recorded.";
    throw new ReckonerError("machine.tooLarge", message, { place: "$.output" });
  }
  return outputOf === undefined ? { ...whole, output: sealed } : whole;
}

/** @throws ReckonerError `event.invalid` where a start has no time, or no run to belong to */
function checkOrigin({ at, runId }: Partial<Omit<Start<unknown>, "input">>): void {
  checkTime(at, "origin.at");
  if (typeof runId === "string" && runId !== "") return;
  throw new ReckonerError("event.invalid", "origin.runId must be a string, not empty.");
}

/** @param taken what the machine made of it, where it is the kernel that refuses it */
function failed<Context>(
  before: PreviousRun,
  thrown: unknown,
  place: string,
  taken: Taken | undefined,
): Step<Context> {
  if (taken !== undefined) hush([taken.position.context, taken.position.output, taken.issued]);
  const { history } = before;
  const ended: RunState<Context> = {
    ...before.base,
    status: "failed",
    value: before.value,
    context: before.context as Context,
    outstanding: nothingOwed,
    issued: before.ids,
    ...(history === undefined ? {} : { history }),
    fault: Object.freeze(faultOf(thrown, place)),
  };
  const cancels = Object.freeze(cancelAll(before.outstanding));
  return Object.freeze({
    state: Object.freeze(ended),
    directives: cancels,
    thrown: thrownFor(thrown),
  });
}

function stepOf<Context>(
  state: RunState<Context>,
  directives: Step<Context>["directives"],
): Step<Context> {
  return Object.freeze({ state, directives });
}

function advance<Context>(
  state: RunState<Context>,
  event: RunEvent,
  outstanding: Owed = state.outstanding,
): RunState<Context> {
  return Object.freeze({ ...state, seq: state.seq + 1, at: event.at, outstanding });
}

const NO_DIRECTIVES: readonly never[] = Object.freeze([]);

function ignore<Context>(
  state: RunState<Context>,
  event: RunEvent,
  reason: Ignored["reason"],
  why?: EffectError,
): Step<Context> {
  const { type } = event;
  const refusal = why === undefined ? {} : { code: why.code, message: why.message };
  const id = "id" in event && typeof event.id === "string" ? { id: event.id } : {};
  const ignored: Ignored = Object.freeze({ reason, type, ...id, ...refusal });
  return Object.freeze({ state, directives: NO_DIRECTIVES, ignored });
}

/** A state's value in a place: its name, or its regions. */
function nameOf(value: StateValue): string {
  return typeof value === "string" ? `"${value}"` : canonical(value as Json);
}

function statusOf(position: Position): RunStatus {
  if (position.status !== "done") return "active";
  if (position.tags.has("failed")) return "failed";
  return position.tags.has("cancelled") ? "cancelled" : "done";
}
