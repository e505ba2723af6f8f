/**
 * One run of a driver: its state and the effects that it owes. It steps, records its steps, and settles which
 * effect begins, is repeated or stops.
 */
import type { FailedAttempts } from "../journal/live.js";
import {
  costTogether,
  type Directive,
  type Effect,
  type EffectError,
  isEffect,
  isSettlement,
  owedBy,
  type Reasoner,
  type RunEvent,
  type RunState,
  type Step,
  tableHas,
} from "../kernel/index.js";
import type { AttemptInFlight, Call, Incoming, Outcome, Settling } from "./arrived.js";
import { callOf, startsOf } from "./attempts.js";
import { type Hiding, stamped } from "./door.js";
import { Effects, type Live } from "./effects.js";
import { delayOf, failureOf, lateFailure, summed, timeLimitOf, unknownOf } from "./failures.js";
import type { LineLog } from "./line-log.js";
import { type Failure, isMarked, mayBegin, mayTryAgain, type Traits } from "./may-begin.js";
import type { DriverOptions } from "./options.js";
import type { Refused, Shown, Stop } from "./owed.js";
import { unfinished } from "./partials.js";
import type { WindingDown } from "./wind.js";

/** The part that a driver and its runs share. */
export interface Shared<Context> {
  readonly options: DriverOptions & Hiding;
  readonly log: LineLog;
  readonly winding: WindingDown;
  /** The present moment, as events have times, and how far the host's clock is behind it. */
  now: number;
  offset: number;
  /** The number of further slots that may be taken. */
  free: number;
  /** The debts of the present take so far. */
  out: Out<Context>;
}

/** The debts of a take beside its lines. */
export interface Out<Context> {
  readonly show: Shown<Context>[];
  readonly begun: Live[];
  readonly stop: Stop[];
  readonly refused: Refused[];
}

/** The state that a run goes on from. */
export interface RunSource<Context> {
  readonly state: RunState<Context>;
  /** The number of begun attempts of each outstanding effect whose attempts are marked. */
  readonly begun?: ReadonlyMap<string, number>;
  /** Attempts of outstanding effects that came to nothing, where another follows. */
  readonly failed?: ReadonlyMap<string, FailedAttempts>;
  /** The attempts that go on: the run is handed over, and not opened after a crash. */
  readonly inFlight?: readonly AttemptInFlight[] | undefined;
  /** The start of the run, where it is not recorded yet; `state` is its step's. */
  readonly start?: { readonly event: RunEvent; readonly step: Step<Context> };
}

/** A settlement that follows from what was taken. */
interface Following {
  readonly live: Live;
  readonly settlement: Settling;
}

/** One run. */
export class DrivenRun<Input, Output, Context> {
  readonly effects: Effects = new Effects();
  readonly #reasoner: Reasoner<Input, Output, Context>;
  readonly #shared: Shared<Context>;
  readonly #traits: Traits & { readonly options: DriverOptions };
  #state: RunState<Context>;
  /** True while effects that were owed at the opening wait for the first arrivals. */
  #opening: boolean;
  /** Effects whose settlements follow from what was taken. */
  #following: Following[] = [];

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    source: RunSource<Context>,
    shared: Shared<Context>,
  ) {
    this.#reasoner = reasoner;
    this.#shared = shared;
    this.#traits = { tools: reasoner.tools, options: shared.options };
    this.#state = source.state;
    this.#opening = source.start === undefined;
    if (source.start !== undefined) return;
    for (const effect of owedBy(source.state)) {
      const { id } = effect;
      const failed = source.failed?.get(id);
      const count = failed?.count ?? 0;
      const live = this.effects.add(effect, "owed", Math.max(source.begun?.get(id) ?? 0, count));
      live.failed = count;
      live.paid = failed?.usage;
      live.until = failed?.until;
      if (this.#waits(effect)) this.effects.move(live, "waiting");
    }
    if (source.inFlight !== undefined) this.#goOnWith(source.inFlight);
  }

  #goOnWith(attempts: readonly AttemptInFlight[]): void {
    this.#opening = false;
    const { winding } = this.#shared;
    const known = new Map(attempts.map((each) => [each.id, each]));
    for (const live of [...this.effects.all]) {
      const own = known.get(live.effect.id);
      if (own === undefined || own.attempt < live.attempt) {
        if (live.phase === "owed") this.#enter(live);
        continue;
      }
      live.attempt = own.attempt;
      live.partial = own.stopped;
      const stops = winding.interrupts && live.effect.type === "llm";
      if (own.stopped !== undefined) this.effects.move(live, "queued");
      else this.effects.move(live, stops ? "stopping" : "running", own.until);
      if (own.rests === true) this.effects.rest(live, true);
    }
  }

  /** The attempts that were handed out, as the next driver goes on with them. */
  get inFlight(): readonly AttemptInFlight[] {
    const attempts: AttemptInFlight[] = [];
    for (const live of this.effects.all) {
      const { until, partial, rests, phase } = live;
      if (phase !== "running" && phase !== "stopping" && partial === undefined) continue;
      attempts.push({
        ...callOf(live),
        ...(until === undefined ? {} : { until }),
        ...(partial === undefined ? {} : { stopped: partial }),
        ...(rests ? { rests } : {}),
      });
    }
    return attempts;
  }

  /** The newest state. */
  get state(): RunState<Context> {
    return this.#state;
  }

  /** Returns true if the run has not ended. */
  get isActive(): boolean {
    return this.#state.status === "active";
  }

  /** Returns true if effects that were owed at the opening have not begun. */
  get isOpening(): boolean {
    return this.#opening;
  }

  /** Returns true if a settlement follows from what was taken. */
  get follows(): boolean {
    return this.#following.length > 0;
  }

  /** Returns the reason why the machine refuses an event where it is. */
  refusalOf(event: Incoming): EffectError | undefined {
    const at = Math.max(this.#shared.now, this.#state.at);
    return this.#reasoner.refusal(this.#state, { ...event, at } as RunEvent);
  }

  /** Returns true if the machine hears an interrupt where it is. */
  get isInterruptible(): boolean {
    const probe = { type: "interrupt", at: this.#state.at, partial: {} } as const;
    return this.#reasoner.step(this.#state, probe).ignored?.reason !== "unhandled";
  }

  // Steps.

  #stamped(event: Incoming, at: number = this.#shared.now): RunEvent {
    return stamped(this.#shared.options, event, Math.max(at, this.#state.at));
  }

  /** Steps by an event, unless the run has ended. */
  step(event: Incoming, at?: number): void {
    if (this.#state.status === "active") this.#take(this.#stamped(event, at));
  }

  #take(event: RunEvent): void {
    this.took(event, this.#reasoner.step(this.#state, event));
  }

  /** Records a step, with the marks of what begins with it. */
  took(event: RunEvent, step: Step<Context>): void {
    this.#state = step.state;
    if (isSettlement(event) && step.ignored?.reason !== "stale") this.#drop(event.id, "settled");
    const { directives } = step;
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (directive.type === "cancel") this.#drop(directive.target, "cancelled");
    }
    const first = this.effects.nextOrder;
    this.#issue(directives);
    if (step.state.status !== "active") this.#dropAll();
    const starts = startsOf(directives, this.#begin(), first, (live) => this.isMarked(live));
    this.#shared.log.event(this.#reasoner, event, step, starts.places);
    for (const live of starts.others) this.#mark(live);
    this.#shared.out.show.push({ type: "step", event, step });
  }

  #issue(directives: readonly Directive[]): void {
    const { outstanding } = this.#state;
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (!isEffect(directive) || !tableHas(outstanding, directive.id)) continue;
      this.#enter(this.effects.add(directive, "owed", 0));
    }
  }

  /** An effect that has not begun waits for what it waits for. */
  #enter(live: Live): void {
    const { effect, attempt, failed, until } = live;
    if (this.#waits(effect)) this.effects.move(live, "waiting");
    else if (!mayBegin(effect, attempt, failed, this.#traits)) {
      this.#following.push({ live, settlement: unknownOf(effect, attempt) });
    } else if (effect.type === "approval" && this.#shared.options.approvals === "denied") {
      const { id } = effect;
      const settlement = { type: "approval.decided", id, approve: false, by: "nobody" } as const;
      this.#following.push({ live, settlement });
    } else if (until !== undefined) this.effects.move(live, "delayed", until);
    else this.effects.move(live, "queued");
  }

  /** Returns true if an effect is no attempt of the host's. */
  #waits({ type }: Effect): boolean {
    return (
      type === "timer" || (type === "approval" && this.#shared.options.approvals === "outside")
    );
  }

  /** Effects that were owed when the run was opened begin, as far as they may, after what was said first. */
  beginOwed(): void {
    if (!this.#opening || this.#shared.winding.holds) return;
    this.#opening = false;
    for (const live of [...this.effects.all]) if (live.phase === "owed") this.#enter(live);
  }

  /** Takes the next settlement that follows. */
  follow(): void {
    const { live, settlement } = this.#following.shift() as Following;
    if (this.effects.get(live.effect.id) === live) this.step(settlement);
  }

  /** An effect is settled or cancelled: what still runs of it stops. */
  #drop(id: string, why: Stop["why"]): void {
    const live = this.effects.get(id);
    if (live === undefined) return;
    const wasBusy = this.effects.drop(live);
    // A child of an earlier process may have a journal, though it has not gone on in this one.
    if (wasBusy || live.effect.type === "run") this.#shared.out.stop.push({ ...callOf(live), why });
  }

  #dropAll(): void {
    for (const { effect } of [...this.effects.all]) this.#drop(effect.id, "cancelled");
    this.#following = [];
  }

  /** Tells an attempt to stop; it reports all the same. */
  stop(live: Live): void {
    this.effects.move(live, "stopping");
    this.#shared.out.stop.push({ ...callOf(live), why: "interrupted" });
  }

  // Reports.

  /** The effect whose attempt that is, where it is carried out. */
  carriedOut({ id, attempt }: Call): Live | undefined {
    const live = this.effects.get(id);
    return live?.attempt === attempt && this.effects.busy.has(live) ? live : undefined;
  }

  /** Returns true if a mark says that an attempt has begun. */
  isMarked({ effect }: Live): boolean {
    return isMarked(effect, this.#traits);
  }

  /**
   * Takes what came of an attempt.
   * @returns the reason where the machine refuses an approver's decision: the approval then waits for a person
   */
  report(live: Live, outcome: Outcome): EffectError | undefined {
    if (outcome.type === "stopped" || live.phase === "stopping") {
      live.partial = unfinished(outcome) ?? live.partial;
      // If it is owed all the same when the turn is over, it begins again.
      this.effects.move(live, "queued");
    } else if (outcome.type === "failed") this.#failed(live, outcome);
    else {
      const { settlement } = outcome;
      const error = live.effect.type === "approval" ? this.refusalOf(settlement) : undefined;
      if (error === undefined) this.#settle(live, summed(live.attempt, live.paid, settlement));
      else this.effects.move(live, "waiting");
      return error;
    }
    return undefined;
  }

  #failed(live: Live, failure: Failure): void {
    const { effect, attempt } = live;
    const { error, usage } = failure;
    if (usage !== undefined) {
      live.paid = live.paid === undefined ? usage : costTogether(live.paid, usage);
    }
    if (!mayTryAgain(effect, attempt, failure, this.#traits)) {
      this.#settle(live, failureOf(effect, failure, attempt, live.paid));
      return;
    }
    const delayMs = delayOf(effect, attempt, error, this.#shared.options);
    const { id } = effect;
    const until = this.#shared.now + delayMs;
    live.failed = attempt;
    this.#shared.log.mark({
      id,
      failed: attempt,
      ...(delayMs > 0 ? { until } : {}),
      ...(usage === undefined ? {} : { usage }),
    });
    this.#shared.out.show.push({ type: "retry", id, attempt: attempt + 1, delayMs, error });
    if (delayMs > 0) this.effects.move(live, "delayed", until);
    else if (this.#shared.winding.holds) this.effects.move(live, "queued");
    else this.#again(live);
  }

  /** An attempt is repeated at once, and keeps its slot. */
  #again(live: Live): void {
    this.#shared.out.begun.push(this.#run(live));
    if (isMarked(live.effect, this.#traits)) this.#mark(live);
  }

  /** An effect is settled by what was reported of it. */
  #settle(live: Live, settlement: Settling): void {
    const event = this.#stamped(settlement);
    // It has reported, and is not to be stopped.
    this.effects.move(live, "owed");
    this.#take(event);
  }

  /** Gives up an attempt whose time is up. */
  late(live: Live): void {
    this.#shared.out.stop.push({ ...callOf(live), why: "late" });
    this.#failed(live, lateFailure(live.effect, this.#traits));
  }

  // Beginning.

  /** Begins what may begin without a step. */
  pump(): void {
    for (const live of this.#begin()) if (this.isMarked(live)) this.#mark(live);
  }

  #mark({ effect, attempt }: Live): void {
    this.#shared.log.mark({ id: effect.id, attempt });
  }

  /** Begins who is next, as long as there are slots. @returns those that begin, in order of their issue */
  #begin(): readonly Live[] {
    if (this.#shared.winding.holds || this.#state.status !== "active") return [];
    const begun: Live[] = [];
    for (let next = this.effects.nextReady(); next !== undefined; ) {
      begun.push(this.#run(next));
      next = this.effects.nextReady();
    }
    while (this.#shared.free > this.effects.slots) {
      const next = this.effects.nextQueued();
      if (next === undefined) break;
      begun.push(this.#run(next));
    }
    if (begun.length > 1) begun.sort((a, b) => a.order - b.order);
    this.#shared.out.begun.push(...begun);
    return begun;
  }

  #run(live: Live): Live {
    live.attempt += 1;
    const limit = timeLimitOf(live.effect, this.#traits);
    this.effects.move(live, "running", limit === undefined ? undefined : this.#shared.now + limit);
    return live;
  }

  // Handing out.

  /** Returns true if an attempt that began in this take still runs at its end. */
  stillRuns(live: Live): boolean {
    return live.phase === "running" && this.effects.get(live.effect.id) === live;
  }
}
