/**
 * A driver of one run: what arrived goes in; lines, effects to begin and to stop, deadlines come out. It
 * decides all that a run decides, and has no effect: no promise, no clock, no I/O.
 */
import {
  costTogether,
  type Directive,
  type Effect,
  isEffect,
  isSettlement,
  noUsage,
  owedBy,
  pairKey,
  type Reasoner,
  type RunContext,
  type RunEvent,
  type RunState,
  type Step,
  tableHas,
  type Usage,
} from "../kernel/index.js";
import type { Arrived, Attempt, Call, Incoming, Outcome, Settling } from "./arrived.js";
import { type Hiding, stamped } from "./door.js";
import { Effects, type Live } from "./effects.js";
import { delayOf, failureOf, lateFailure, timeLimitOf, unknownOf } from "./failures.js";
import type { LineLog } from "./line-log.js";
import { type Failure, isMarked, mayBegin, mayTryAgain, type Traits } from "./may-begin.js";
import type { DriverOptions } from "./options.js";
import type { Owed, Refusal, Refused, Shown, Stands, Stop } from "./owed.js";
import { fittingPartials } from "./partials.js";
import { WindingDown } from "./wind.js";

/** What a driver goes on from. */
export interface DriverSource<Context> {
  readonly state: RunState<Context>;
  /** The lines so far. */
  readonly log: LineLog;
  /** How many attempts of each outstanding effect have begun, of what is marked. */
  readonly begun?: ReadonlyMap<string, number>;
  /** The start of the run, where it is not recorded yet; `state` is its step's. */
  readonly start?: { readonly event: RunEvent; readonly step: Step<Context> };
  /** Settlements with their own times, which come before everything else. */
  readonly inherited?: readonly RunEvent[];
}

/** How many steps may follow in one take from what was taken; a constant of the format. */
const BOUND = 64;
/** The maximal number of start marks in one line. */
const MAX_STARTS = 1_000;
/** Characters of JSON that unfinished answers may have together. */
const MAX_PARTIAL = 5 * 1024 * 1024;
const ROOT = "";

interface Out<Context> {
  readonly show: Shown<Context>[];
  readonly begun: Live[];
  readonly stop: Stop[];
  readonly refused: Refused[];
}

/** What people and hosts say, which a run that has ended does not hear. */
type Said = Extract<Arrived, { type: "event" | "decided" | "cancel" | "interrupt" }>;

/** A settlement that follows from what was taken. */
interface Following {
  readonly live: Live;
  readonly settlement: Settling;
}

/** Drives one run. */
export class Driver<Input, Output, Context> {
  readonly #reasoner: Reasoner<Input, Output, Context>;
  readonly #options: DriverOptions & Hiding;
  readonly #traits: Traits & { readonly options: DriverOptions };
  readonly #log: LineLog;
  readonly #effects = new Effects();
  readonly #winding = new WindingDown();
  #state: RunState<Context>;
  #start: DriverSource<Context>["start"];
  #inherited: readonly RunEvent[];
  /** Whether effects that were owed when the run was opened wait for what is said first. */
  #opening: boolean;
  /** Effects whose settlements follow from what was taken. */
  #following: Following[] = [];
  /** The present moment, as events have times, and how far the host's clock is behind it. */
  #now = 0;
  #offset = 0;
  /** How many further slots may be taken. */
  #free = Number.POSITIVE_INFINITY;
  #out: Out<Context> = { show: [], begun: [], stop: [], refused: [] };

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    source: DriverSource<Context>,
    options: DriverOptions,
  ) {
    this.#reasoner = reasoner;
    this.#options = options;
    this.#traits = { tools: reasoner.tools, options };
    this.#log = source.log;
    this.#state = source.state;
    this.#start = source.start;
    this.#opening = source.start === undefined;
    this.#inherited = source.inherited ?? [];
    if (source.start !== undefined) return;
    for (const effect of owedBy(source.state)) {
      this.#effects.add(effect, "owed", source.begun?.get(effect.id) ?? 0);
      if (this.#waits(effect)) this.#moveToWait(effect.id);
    }
  }

  /** The newest state. */
  get state(): RunState<Context> {
    return this.#state;
  }

  /** How many slots are taken, and how many more are wanted. */
  get slots(): { readonly taken: number; readonly wanted: number } {
    const wanted = this.#winding.holds ? 0 : this.#effects.queued;
    return { taken: this.#effects.slots, wanted };
  }

  /** Returns true if an attempt was handed out and is neither reported nor stopped. */
  carries(call: Call): boolean {
    return this.#carriedOut(call)?.phase === "running";
  }

  /**
   * Returns true if an attempt that was handed out and has not begun is held back: the turn, or the run, has
   * been wound down since. The host reports it as stopped. One that is marked begins while a drain has time.
   */
  holds(call: Call): boolean {
    const { interrupts, drains } = this.#winding;
    if (!interrupts && !drains) return false;
    const live = this.#carriedOut(call);
    if (interrupts || live === undefined || !isMarked(live.effect, this.#traits)) return true;
    return this.#winding.leaves(this.#effects, this.#now);
  }

  /**
   * Takes what has arrived.
   * @param now the host's clock, in milliseconds since 1970
   */
  take(arrived: readonly Arrived[], now: number): Owed<Context> {
    // The run's time never goes back, and flows at the host's pace, also behind a clock that was set back.
    if (now + this.#offset < this.#state.at) this.#offset = this.#state.at - now;
    this.#now = now + this.#offset;
    this.#out = { show: [], begun: [], stop: [], refused: [] };
    let more = false;
    let broken: Owed["broken"];
    try {
      more = this.#takeAll(arrived);
    } catch (thrown) {
      broken = { thrown };
    }
    return this.#owed(more, broken);
  }

  /** @returns whether something that follows was left for the next take */
  #takeAll(arrived: readonly Arrived[]): boolean {
    const wound = this.#windFirst(arrived);
    this.#takeStart();
    for (const event of this.#inherited) this.#step(event, event.at);
    this.#inherited = [];
    const due = this.#fireTimers(arrived);
    for (const each of wound) this.#hear(each, due);
    let steps = 0;
    do {
      this.#beginOwed();
      this.#takeLimits();
      this.#pump();
      for (; this.#follows && steps < BOUND; steps++) this.#follow();
    } while (this.#endTurn());
    return this.#follows;
  }

  /** Returns true if a settlement follows; none does while a turn, or the run, is wound down. */
  get #follows(): boolean {
    return this.#following.length > 0 && !this.#winding.holds;
  }

  /** A run that is wound down before it begins starts nothing. @returns what is to be taken later */
  #windFirst(arrived: readonly Arrived[]): readonly Arrived[] {
    if (this.#start === undefined && !this.#opening) return arrived;
    const isWind = ({ type }: Arrived) =>
      type === "interrupt" || type === "drain" || type === "slots";
    for (const each of arrived) if (isWind(each)) this.#hear(each);
    return arrived.filter((each) => !isWind(each));
  }

  #takeStart(): void {
    const start = this.#start;
    this.#start = undefined;
    if (start !== undefined) this.#took(start.event, start.step);
  }

  // What arrives.

  #hear(arrived: Arrived, due?: ReadonlySet<string>): void {
    const why = this.#arrive(arrived, due);
    if (why !== undefined) this.#out.refused.push({ arrived, why });
  }

  /**
   * @param due the approvals that were there before what was due
   * @returns why it is not taken
   */
  #arrive(arrived: Arrived, due?: ReadonlySet<string>): Refusal | undefined {
    switch (arrived.type) {
      case "slots":
        this.#free = this.#effects.slots + arrived.free;
        return undefined;
      case "drain":
        this.#winding.drain(this.#now + arrived.ms);
        return undefined;
      case "rests":
      case "settled":
      case "failed":
      case "stopped": {
        const live = this.#carriedOut(arrived);
        if (live === undefined) return "late";
        if (arrived.type === "rests") this.#effects.rest(live, arrived.rests);
        else this.#report(live, arrived);
        return undefined;
      }
      default:
        return this.#state.status === "active" ? this.#say(arrived, due) : "ended";
    }
  }

  /** What people and hosts say. */
  #say(said: Said, due: ReadonlySet<string> | undefined): Refusal | undefined {
    switch (said.type) {
      case "event":
        return this.#fromOutside(said.event);
      case "decided": {
        const { id, decision } = said;
        if (this.#effects.get(id)?.effect.type !== "approval") {
          return due?.has(id) === true ? "overdue" : "stale";
        }
        return this.#fromOutside({ ...decision, type: "approval.decided", id });
      }
      case "cancel": {
        const { reason } = said;
        const event = { type: "cancel", ...(reason === undefined ? {} : { reason }) };
        return this.#fromOutside(event);
      }
      case "interrupt":
        return this.#interrupt(said.reason, said.graceMs);
      default:
        throw new Error(`Nothing is known of ${JSON.stringify(said satisfies never)}`);
    }
  }

  #interrupt(reason: string | undefined, graceMs: number): Refusal | undefined {
    const probe = { type: "interrupt", at: this.#state.at, partial: {} } as const;
    const { ignored } = this.#reasoner.step(this.#state, probe);
    if (ignored?.reason === "unhandled") return "uninterruptible";
    this.#winding.interrupt(reason, this.#now + graceMs);
    for (const live of [...this.#effects.busy]) {
      if (live.effect.type === "llm" && live.phase === "running") this.#stop(live);
    }
    return undefined;
  }

  /** The effect whose attempt that is, where it is carried out. */
  #carriedOut({ id, attempt }: Call): Live | undefined {
    const live = this.#effects.get(id);
    return live !== undefined && live.attempt === attempt && this.#effects.busy.has(live)
      ? live
      : undefined;
  }

  #fromOutside(event: Incoming): undefined {
    this.#take(this.#stamped(event));
  }

  #report(live: Live, outcome: Outcome): void {
    if (outcome.type === "settled") {
      this.#settle(live, this.#summed(live, outcome.settlement));
    } else if (live.phase === "stopping" || outcome.type === "stopped") {
      if (outcome.type === "stopped") live.partial = outcome.partial;
      // Where it is owed all the same when the turn is over, it begins again.
      this.#effects.move(live, "queued");
    } else this.#failed(live, outcome);
  }

  /** A settlement with how many attempts there were, and what all of them cost. */
  #summed({ attempt, paid }: Live, settlement: Settling): Settling {
    const attempts = attempt > 1 ? { attempts: attempt } : {};
    if (settlement.type === "llm.succeeded" && paid !== undefined) {
      const usage = { requests: attempt, ...costTogether(paid, settlement.usage) } as Usage;
      return { ...settlement, usage, ...attempts };
    }
    const counted = /^(?:tool|read|write|llm)\./.test(settlement.type);
    return counted ? { ...settlement, ...attempts } : settlement;
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
    const delayMs = delayOf(effect, attempt, error, this.#options);
    const { id } = effect;
    this.#out.show.push({ type: "retry", id, attempt: attempt + 1, delayMs, error });
    if (delayMs > 0) this.#effects.move(live, "delayed", this.#now + delayMs);
    else if (this.#winding.holds) this.#effects.move(live, "queued");
    else this.#again(live);
  }

  /** An attempt is repeated at once, and keeps its slot. */
  #again(live: Live): void {
    this.#out.begun.push(this.#run(live));
    if (isMarked(live.effect, this.#traits)) this.#mark(live);
  }

  /** An effect is settled by what was reported of it. */
  #settle(live: Live, settlement: Settling): void {
    const event = this.#stamped(settlement);
    // It has reported, and is not to be stopped.
    this.#effects.move(live, "owed");
    this.#take(event);
  }

  // Time.

  /**
   * Timers come before what is said at the same moment: it may be too late for it.
   * @returns the approvals on which something is decided and that waited until then, if anything was due
   */
  #fireTimers(arrived: readonly Arrived[]): ReadonlySet<string> | undefined {
    const { timers } = this.#effects;
    if ((timers.first ?? Number.POSITIVE_INFINITY) > this.#now) return undefined;
    const decided = arrived.flatMap((each) => (each.type === "decided" ? [each.id] : []));
    const waited = new Set(decided.filter((id) => this.#effects.get(id) !== undefined));
    for (let live = timers.take(this.#now); live !== undefined; live = timers.take(this.#now)) {
      this.#step({ type: "timer.fired", id: live.effect.id });
    }
    return waited;
  }

  /** Attempts that are late, and delays that are over. */
  #takeLimits(): void {
    const { limits } = this.#effects;
    for (let live = limits.take(this.#now); live !== undefined; live = limits.take(this.#now)) {
      if (live.phase === "delayed") this.#effects.move(live, "queued");
      else if (live.phase === "running") {
        this.#out.stop.push({ ...callOf(live), why: "late" });
        this.#failed(live, lateFailure(live.effect, this.#traits));
      }
    }
  }

  /** @returns whether it has ended */
  #endTurn(): boolean {
    if (this.#state.status !== "active") return false;
    if (!this.#winding.endsTurn(this.#effects, this.#now)) return false;
    const partials = Object.fromEntries(
      owedBy(this.#state).flatMap((effect) => {
        if (effect.type !== "llm") return [];
        const { partial, attempt = 0 } = this.#effects.get(effect.id) ?? {};
        return [[effect.id, partial ?? { content: [], usage: { requests: attempt } }]];
      }),
    );
    const reason = this.#winding.end();
    const partial = fittingPartials(partials, MAX_PARTIAL);
    this.#step({
      type: "interrupt",
      ...(reason === undefined ? {} : { reason }),
      partial,
    } as Incoming);
    return true;
  }

  // Steps.

  #stamped(event: Incoming, at: number = this.#now): RunEvent {
    return stamped(this.#options, event, Math.max(at, this.#state.at));
  }

  #step(event: Incoming, at?: number): void {
    if (this.#state.status === "active") this.#take(this.#stamped(event, at));
  }

  #take(event: RunEvent): void {
    this.#took(event, this.#reasoner.step(this.#state, event));
  }

  /** Records a step, with the marks of what begins with it. */
  #took(event: RunEvent, step: Step<Context>): void {
    this.#state = step.state;
    if (isSettlement(event) && step.ignored?.reason !== "stale") this.#drop(event.id, "settled");
    const { directives } = step;
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (directive.type === "cancel") this.#drop(directive.target, "cancelled");
    }
    const first = this.#effects.nextOrder;
    this.#issue(directives);
    if (step.state.status !== "active") this.#dropAll();
    const starts = this.#starts(directives, this.#begin(), first);
    this.#log.event(this.#reasoner, event, step, starts.places);
    for (const live of starts.others) this.#mark(live);
    this.#out.show.push({ type: "step", event, step });
  }

  #issue(directives: readonly Directive[]): void {
    const { outstanding } = this.#state;
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (!isEffect(directive) || !tableHas(outstanding, directive.id)) continue;
      this.#enter(this.#effects.add(directive, "owed", 0));
    }
  }

  /** An effect that has not begun waits for what it waits for. */
  #enter(live: Live): void {
    const { effect, attempt } = live;
    if (this.#waits(effect)) this.#effects.move(live, "waiting");
    else if (!mayBegin(effect, attempt, this.#traits)) {
      this.#following.push({ live, settlement: unknownOf(effect, attempt) });
    } else if (effect.type === "approval" && this.#options.approvals === "denied") {
      const { id } = effect;
      const settlement = { type: "approval.decided", id, approve: false, by: "nobody" } as const;
      this.#following.push({ live, settlement });
    } else this.#effects.move(live, "queued");
  }

  /** Returns true if an effect is no attempt of the host's. */
  #waits({ type }: Effect): boolean {
    return type === "timer" || (type === "approval" && this.#options.approvals === "outside");
  }

  #moveToWait(id: string): void {
    const live = this.#effects.get(id);
    if (live !== undefined) this.#effects.move(live, "waiting");
  }

  /** Effects that were owed when the run was opened begin, as far as they may, after what was said first. */
  #beginOwed(): void {
    if (!this.#opening || this.#winding.holds) return;
    this.#opening = false;
    for (const live of [...this.#effects.all]) if (live.phase === "owed") this.#enter(live);
  }

  #follow(): void {
    const { live, settlement } = this.#following.shift() as Following;
    if (this.#effects.get(live.effect.id) === live) this.#step(settlement);
  }

  /** An effect is settled or cancelled: what still runs of it stops. */
  #drop(id: string, why: Stop["why"]): void {
    const live = this.#effects.get(id);
    if (live === undefined) return;
    const wasBusy = this.#effects.drop(live);
    // A child of an earlier process may have a journal, though it has not gone on in this one.
    if (wasBusy || live.effect.type === "run") this.#out.stop.push({ ...callOf(live), why });
  }

  #dropAll(): void {
    for (const { effect } of [...this.#effects.all]) this.#drop(effect.id, "cancelled");
    this.#following = [];
  }

  #stop(live: Live): void {
    this.#effects.move(live, "stopping");
    this.#out.stop.push({ ...callOf(live), why: "interrupted" });
  }

  // Who begins.

  /** Begins what may begin without a step. */
  #pump(): void {
    const { others } = this.#starts([], this.#begin(), this.#effects.nextOrder);
    for (const live of others) this.#mark(live);
  }

  #mark({ effect, attempt }: Live): void {
    this.#log.mark({ id: effect.id, attempt });
  }

  /** Begins who is next, as long as there are slots. @returns those that begin, in order of their issue */
  #begin(): readonly Live[] {
    if (this.#winding.holds || this.#state.status !== "active") return [];
    const begun: Live[] = [];
    for (let next = this.#effects.nextReady(); next !== undefined; ) {
      begun.push(this.#run(next));
      next = this.#effects.nextReady();
    }
    while (this.#free > this.#effects.slots) {
      const next = this.#effects.nextQueued();
      if (next === undefined) break;
      begun.push(this.#run(next));
    }
    if (begun.length > 1) begun.sort((a, b) => a.order - b.order);
    this.#out.begun.push(...begun);
    return begun;
  }

  #run(live: Live): Live {
    live.attempt += 1;
    const limit = timeLimitOf(live.effect, this.#traits);
    this.#effects.move(live, "running", limit === undefined ? undefined : this.#now + limit);
    return live;
  }

  /**
   * The marks of what begins: places of directives whose marks ride in their step's line, and others.
   * @param first the order of the first effect that the step issued
   */
  #starts(
    directives: readonly Directive[],
    begun: readonly Live[],
    first: number,
  ): { readonly places: readonly number[]; readonly others: readonly Live[] } {
    const places: number[] = [];
    const others: Live[] = [];
    // Both are in order of issue, so that one pass finds each directive's place.
    let place = 0;
    for (const live of begun) {
      if (!isMarked(live.effect, this.#traits)) continue;
      if (live.order < first || places.length === MAX_STARTS) {
        others.push(live);
        continue;
      }
      while (directives[place] !== live.effect) place += 1;
      places.push(place);
    }
    return { places, others };
  }

  // What is owed.

  #owed(more: boolean, broken: Owed["broken"]): Owed<Context> {
    const { show, begun, stop, refused } = this.#out;
    const begins = broken === undefined ? begun.filter((live) => this.#stillRuns(live)) : [];
    const isEarly = ({ effect }: Live) => effect.type === "llm";
    const sees = begins.length === 0 ? undefined : seenOf(this.#state);
    const attempts = (lives: readonly Live[]) =>
      lives.map((live) => this.#attemptOf(live, sees as Attempt["sees"]));
    return {
      ...this.#log.take(),
      early: attempts(begins.filter(isEarly)),
      show,
      stop,
      begin: attempts(begins.filter((live) => !isEarly(live))),
      newest: this.#log.newest(this.#state),
      wakeAt: more ? this.#now - this.#offset : this.#wakeAt(),
      stands: this.#stands(more),
      refused,
      more,
      ...(broken === undefined ? {} : { broken }),
    };
  }

  #stillRuns(live: Live): boolean {
    return live.phase === "running" && this.#effects.get(live.effect.id) === live;
  }

  #attemptOf(live: Live, sees: Attempt["sees"]): Attempt {
    const { runId } = this.#state;
    const { effect: directive, until } = live;
    return {
      ...callOf(live),
      runId,
      directive,
      idempotencyKey: pairKey(runId, directive.id),
      sees,
      ...(until === undefined ? {} : { deadline: until - this.#offset }),
    };
  }

  #wakeAt(): number | undefined {
    if (this.#state.status !== "active") return undefined;
    const { timers, limits } = this.#effects;
    const sleeps = this.#options.timers !== "rest";
    const times = [
      sleeps ? timers.first : undefined,
      limits.first,
      this.#winding.wakeAt(this.#now),
    ];
    const known = times.filter((time): time is number => time !== undefined);
    if (known.length === 0) return undefined;
    return Math.max(this.#now, Math.min(...known)) - this.#offset;
  }

  #stands(more: boolean): Stands {
    const { busy, pending, resting, sleeping, asking } = this.#effects;
    if (this.#state.status !== "active") return "ended";
    if (more || this.#winding.interrupts) return "running";
    if (this.#winding.drains) {
      return this.#winding.leaves(this.#effects, this.#now) ? "drained" : "running";
    }
    if (pending > 0 || busy.size > resting) return "running";
    const due = this.#effects.timers.first;
    if (due !== undefined && due <= this.#now) return "running";
    const sleeps = sleeping > 0 && this.#options.timers !== "rest";
    // Timers are waited for, unless somebody else has to decide, or a child waits as well.
    return sleeps && asking === 0 && resting === 0 ? "running" : "waiting";
  }
}

const callOf = ({ effect, attempt }: Live): Call => ({ run: ROOT, id: effect.id, attempt });

/** The state of a run as tools see it: `deps` and `usage` of its context, where the machine has them. */
function seenOf({ at, context }: RunState<unknown>): Attempt["sees"] {
  const { deps, usage } = (context ?? {}) as Partial<RunContext>;
  return { at, deps: deps ?? {}, usage: usage ?? noUsage };
}
