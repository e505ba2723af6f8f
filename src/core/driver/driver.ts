/**
 * A driver of one run: what arrived goes in; lines, effects to begin and to stop, deadlines come out. It
 * decides all that a run decides, and has no effect: no promise, no clock, no I/O.
 */
import type { AskedInterrupt } from "../journal/live.js";
import {
  type EffectError,
  owedBy,
  type Reasoner,
  type RunEvent,
  type RunState,
} from "../kernel/index.js";
import type { Arrived, Call, Incoming, InFlight } from "./arrived.js";
import { attemptOf, seenOf } from "./attempts.js";
import { DrivenRun, type RunSource, type Shared } from "./driven-run.js";
import type { Live } from "./effects.js";
import type { LineLog } from "./line-log.js";
import type { DriverOptions } from "./options.js";
import type { Owed, Refusal } from "./owed.js";
import { fittingPartials } from "./partials.js";
import { standing, wakeAt } from "./standing.js";
import { WindingDown } from "./wind.js";

/** The state and the lines that a driver goes on from. */
export interface DriverSource<Context> extends Omit<RunSource<Context>, "inFlight"> {
  /** The lines so far. */
  readonly log: LineLog;
  /** An interrupt that was asked for and has not ended the turn yet. */
  readonly interrupt?: AskedInterrupt;
  /** The attempts that go on, from the driver before; absent after a crash. */
  readonly inFlight?: InFlight;
  /** Settlements with their own times, which come before everything else. */
  readonly inherited?: readonly RunEvent[];
}

/** The maximal number of steps that follow in one take; a constant of the format. */
const BOUND = 64;
/** Characters of JSON that unfinished answers may have together. */
const MAX_PARTIAL = 5 * 1024 * 1024;

/** An arrival from people and hosts. A run that has ended refuses it. */
type Said = Extract<Arrived, { type: "event" | "decided" | "cancel" | "interrupt" }>;

/** Drives one run. */
export class Driver<Input, Output, Context> {
  readonly #shared: Shared<Context>;
  readonly #run: DrivenRun<Input, Output, Context>;
  #start: DriverSource<Context>["start"];
  /** The number of steps that followed in the present take. */
  #steps = 0;
  #inherited: readonly RunEvent[];

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    source: DriverSource<Context>,
    options: DriverOptions,
  ) {
    this.#shared = {
      options,
      log: source.log,
      winding: new WindingDown(),
      now: 0,
      offset: source.inFlight?.behind ?? 0,
      free: options.slots ?? Number.POSITIVE_INFINITY,
      out: { show: [], begun: [], stop: [], refused: [] },
    };
    const { inFlight, interrupt } = source;
    const { winding } = this.#shared;
    if (interrupt !== undefined) winding.goOn(interrupt);
    if (inFlight?.drain !== undefined) winding.drain(inFlight.drain ?? Number.POSITIVE_INFINITY);
    const own = { ...source, inFlight: inFlight?.attempts };
    this.#run = new DrivenRun(reasoner, own, this.#shared);
    this.#start = source.start;
    this.#inherited = source.inherited ?? [];
  }

  /** The newest state. */
  get state(): RunState<Context> {
    return this.#run.state;
  }

  /** All that the next driver of the run needs beside the lines, where this one is dropped. */
  get inFlight(): InFlight {
    const { offset, winding } = this.#shared;
    const { drainUntil } = winding;
    return {
      attempts: this.#run.inFlight,
      ...(offset === 0 ? {} : { behind: offset }),
      ...(drainUntil === undefined
        ? {}
        : { drain: Number.isFinite(drainUntil) ? drainUntil : null }),
    };
  }

  /** The number of taken slots, and of slots that are wanted beside them. */
  get slots(): { readonly taken: number; readonly wanted: number } {
    const { slots: taken, queued } = this.#run.effects;
    return { taken, wanted: this.#shared.winding.holds ? 0 : queued };
  }

  /** Returns true if an attempt was handed out and is neither reported nor stopped. */
  carries(call: Call): boolean {
    return this.#run.carriedOut(call)?.phase === "running";
  }

  /**
   * Returns true if an attempt that was handed out and has not begun is held back: the turn, or the run, has
   * been wound down since. The host reports it as stopped. One that is marked begins while a drain has time.
   */
  holds(call: Call): boolean {
    const { winding, now } = this.#shared;
    if (!winding.holds) return false;
    const live = this.#run.carriedOut(call);
    if (winding.interrupts || live === undefined || !this.#run.isMarked(live)) return true;
    return winding.leaves(this.#run.effects, now);
  }

  /**
   * Takes what has arrived.
   * @param now the host's clock, in milliseconds since 1970
   */
  take(arrived: readonly Arrived[], now: number): Owed<Context> {
    // The run's time never goes back, and flows at the host's pace, also behind a clock that was set back.
    const { at } = this.#run.state;
    const shared = this.#shared;
    if (now + shared.offset < at) shared.offset = at - now;
    shared.now = now + shared.offset;
    shared.out = { show: [], begun: [], stop: [], refused: [] };
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
    for (const event of this.#inherited) this.#run.step(event, event.at);
    this.#inherited = [];
    this.#steps = 0;
    const due = this.#fireTimers(arrived);
    for (const each of wound) this.#hear(each, due);
    do {
      this.#run.beginOwed();
      this.#takeLimits();
      this.#run.pump();
      for (; this.#follows && this.#steps < BOUND; this.#steps++) this.#run.follow();
    } while (this.#endTurn());
    // One that ends the turn at once needs no mark.
    const { winding, log } = this.#shared;
    const asked = winding.takeUnmarked();
    if (asked !== undefined) log.mark({ interrupt: asked });
    return this.#follows || this.#isDue;
  }

  /** Returns true if a timer is due: the bound of a take left it for the next one. */
  get #isDue(): boolean {
    const { effects, isActive } = this.#run;
    return isActive && (effects.timers.first ?? Number.POSITIVE_INFINITY) <= this.#shared.now;
  }

  /** Returns true if a settlement follows; none does while a turn, or the run, is wound down. */
  get #follows(): boolean {
    return this.#run.follows && !this.#shared.winding.holds;
  }

  /** A run that is wound down before it begins starts nothing. @returns what is to be taken later */
  #windFirst(arrived: readonly Arrived[]): readonly Arrived[] {
    if (this.#start === undefined && !this.#run.isOpening) return arrived;
    const isWind = ({ type }: Arrived) =>
      type === "interrupt" || type === "drain" || type === "slots";
    for (const each of arrived) if (isWind(each)) this.#hear(each);
    return arrived.filter((each) => !isWind(each));
  }

  #takeStart(): void {
    const start = this.#start;
    this.#start = undefined;
    if (start !== undefined) this.#run.took(start.event, start.step);
  }

  // Arrivals.

  #hear(arrived: Arrived, due?: ReadonlySet<string>): void {
    const why = this.#arrive(arrived, due);
    const { refused } = this.#shared.out;
    if (typeof why === "object") refused.push({ arrived, why: "refused", error: why });
    else if (why !== undefined) refused.push({ arrived, why });
  }

  /**
   * @param due the approvals that were there before what was due
   * @returns why it is not taken
   */
  #arrive(arrived: Arrived, due?: ReadonlySet<string>): Refusal | EffectError | undefined {
    switch (arrived.type) {
      case "slots":
        this.#shared.free = this.#run.effects.slots + arrived.free;
        return undefined;
      case "drain":
        this.#shared.winding.drain(this.#shared.now + arrived.ms);
        return undefined;
      case "rests":
      case "settled":
      case "failed":
      case "stopped": {
        const live = this.#run.carriedOut(arrived);
        if (live === undefined) return "late";
        if (arrived.type !== "rests") return this.#run.report(live, arrived);
        this.#run.effects.rest(live, arrived.rests);
        return undefined;
      }
      default:
        return this.#run.isActive ? this.#say(arrived, due) : "ended";
    }
  }

  /** Takes an arrival from people and hosts. */
  #say(said: Said, due: ReadonlySet<string> | undefined): Refusal | EffectError | undefined {
    switch (said.type) {
      case "event":
        return this.#fromOutside(said.event);
      case "decided": {
        const { id, decision } = said;
        if (this.#run.effects.get(id)?.effect.type !== "approval") {
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
    if (!this.#run.isInterruptible) return "uninterruptible";
    this.#shared.winding.interrupt(reason, this.#shared.now + graceMs);
    for (const live of [...this.#run.effects.busy]) {
      if (live.effect.type === "llm" && live.phase === "running") this.#run.stop(live);
    }
    return undefined;
  }

  /** Steps by an event, unless the machine refuses it: then nothing of it is written. */
  #fromOutside(event: Incoming): EffectError | undefined {
    const error = this.#run.refusalOf(event);
    if (error === undefined) this.#run.step(event);
    return error;
  }

  // Time.

  /**
   * Timers come before what is said at the same moment: it may be too late for it.
   * @returns the approvals on which something is decided and that waited until then, if anything was due
   */
  #fireTimers(arrived: readonly Arrived[]): ReadonlySet<string> | undefined {
    const { effects } = this.#run;
    const { timers } = effects;
    const { now } = this.#shared;
    if (!this.#isDue) return undefined;
    const decided = arrived.flatMap((each) => (each.type === "decided" ? [each.id] : []));
    const waited = new Set(decided.filter((id) => effects.get(id) !== undefined));
    // A timer may set the next one for the same moment, without end.
    for (; this.#steps < BOUND; this.#steps++) {
      const live = timers.take(now);
      if (live === undefined) break;
      this.#run.step({ type: "timer.fired", id: live.effect.id });
    }
    return waited;
  }

  /** Attempts that are late, and delays that are over. */
  #takeLimits(): void {
    const { effects } = this.#run;
    const { limits } = effects;
    const { now } = this.#shared;
    for (let live = limits.take(now); live !== undefined; live = limits.take(now)) {
      if (live.phase === "delayed") effects.move(live, "queued");
      else if (live.phase === "running") this.#run.late(live);
    }
  }

  /** @returns whether it has ended */
  #endTurn(): boolean {
    const { winding, now } = this.#shared;
    const { effects, isActive, state } = this.#run;
    if (!isActive || !winding.endsTurn(effects, now)) return false;
    const partials = Object.fromEntries(
      owedBy(state).flatMap((effect) => {
        if (effect.type !== "llm") return [];
        const { partial, attempt = 0 } = effects.get(effect.id) ?? {};
        return [[effect.id, partial ?? { content: [], usage: { requests: attempt } }]];
      }),
    );
    const reason = winding.end();
    const partial = fittingPartials(partials, MAX_PARTIAL);
    const event = { type: "interrupt", ...(reason === undefined ? {} : { reason }), partial };
    this.#run.step(event as Incoming);
    return true;
  }

  // Debts.

  #owed(more: boolean, broken: Owed["broken"]): Owed<Context> {
    const { log, now, offset, out } = this.#shared;
    const run = this.#run;
    const begins = broken === undefined ? out.begun.filter((live) => run.stillRuns(live)) : [];
    const isEarly = ({ effect }: Live) => effect.type === "llm";
    const sees = seenOf(run.state);
    const { runId } = run.state;
    const attempts = (lives: readonly Live[]) =>
      lives.map((live) => attemptOf(live, runId, sees, offset));
    return {
      ...log.take(),
      early: attempts(begins.filter(isEarly)),
      show: out.show,
      stop: out.stop,
      begin: attempts(begins.filter((live) => !isEarly(live))),
      newest: log.newest(run.state),
      wakeAt: more ? now - offset : wakeAt(run, this.#shared),
      stands: standing(run, this.#shared, more),
      refused: out.refused,
      more,
      ...(broken === undefined ? {} : { broken }),
    };
  }
}
