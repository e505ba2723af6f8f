/**
 * `DrivenRun`, one run of a driver: its state and its outstanding effects. It steps the reasoner, records
 * the steps, and decides which effect begins, is repeated or stops.
 */
import type { BeginRecord } from "../journal/for-live-runs.js";
import { owedBy, type Reasoner, type RunState, type Step } from "../kernel/machine/index.js";
import { tableHas } from "../kernel/values/index.js";
import {
  type Directive,
  type Effect,
  type EffectError,
  isEffect,
  isSettlement,
  type RunEvent,
} from "../kernel/vocabulary/index.js";
import type { AttemptInFlight, Call, Incoming, Path } from "./arrived.js";
import { beginNext, isBegunMarked, markBegun } from "./begin-attempts.js";
import { seedOf } from "./child.js";
import type { RunSource } from "./continue-from.js";
import { orInvalid, stampedAnyway, stampedOrRefused } from "./door.js";
import type { Effects, Live, Owner } from "./effects.js";
import { unknownOf } from "./failures.js";
import { callOf, startsOf } from "./hand-out.js";
import { mayBegin } from "./may-begin.js";
import type { Stop } from "./owed-by-host.js";
import { ROOT } from "./parents-and-children.js";
import { Reports } from "./reports.js";
import type { RunPlace, Shared } from "./shared-by-runs.js";

/** One run. */
export class DrivenRun<Input, Output, Context> implements Owner {
  readonly path: Path;
  readonly place: RunPlace;
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly traits: Owner["traits"];
  readonly begin: RunSource<Context>["begin"];
  readonly #shared: Shared<Context>;
  readonly #effects: Effects;
  /** The reports of its attempts. */
  readonly reports: Reports<Context>;
  /** Its effects that are owed, by their ids. */
  readonly #lives = new Map<string, Live>();
  /** Those of them that are deadlines. */
  readonly #deadlines = new Set<Live>();
  #state: RunState<Context>;

  constructor(
    reasoner: Reasoner<Input, Output, Context>,
    place: RunPlace,
    source: RunSource<Context>,
    shared: Shared<Context>,
  ) {
    this.path = place.path;
    this.place = place;
    this.reasoner = reasoner;
    this.traits = { tools: reasoner.tools, options: shared.options };
    this.#shared = shared;
    this.#effects = shared.effects;
    this.#state = source.state;
    this.reports = new Reports(this, shared);
    this.begin = source.begin;
    if (source.start !== undefined) return;
    for (const effect of owedBy(source.state)) {
      const { id } = effect;
      const failed = source.failed?.get(id);
      const count = failed?.count ?? 0;
      const live = this.#add(effect, Math.max(source.begun?.get(id) ?? 0, count));
      live.failed = count;
      live.paid = failed?.usage;
      live.spent = failed?.spent;
      live.passing = failed?.passing;
      live.until = failed?.until;
      live.down = failed?.down;
      live.handle = source.handles?.get(id);
      live.isLost = source.isShort === true;
      if (this.#waits(effect)) this.#effects.move(live, "waiting");
      else if (effect.type === "run") this.#effects.move(live, "child");
    }
    this.paceDeadlines();
  }

  /**
   * Deadlines stand still from when a model is down until its call is settled.
   * @param hasWaited tells the same of a child, by the id of its directive
   */
  paceDeadlines(hasWaited?: (id: string) => boolean): void {
    if (this.#deadlines.size === 0) return;
    const stands = ({ down, phase, effect: { id } }: Live) =>
      down !== undefined || (phase === "child" && hasWaited?.(id) === true);
    const phase = [...this.#lives.values()].some(stands) ? "held" : "waiting";
    for (const live of this.#deadlines) if (live.phase !== phase) this.#effects.move(live, phase);
  }

  #add(effect: Effect, attempt: number): Live {
    const order = this.#shared.kin.orderOf(this.path, effect.id);
    const live = this.#effects.add(this, effect, order, "owed", attempt);
    this.#lives.set(effect.id, live);
    if (effect.type === "timer" && effect.deadline === true) this.#deadlines.add(live);
    return live;
  }

  /** An effect that is owed goes on with the attempt that the driver before handed out. */
  goOnWith(live: Live, own: AttemptInFlight | undefined): void {
    const { winding } = this.#shared;
    if (own === undefined || own.attempt < live.attempt) {
      const { until, down, phase } = live;
      if (phase === "owed" && down !== undefined) this.#effects.move(live, "down", until);
      else if (phase === "owed") this.enter(live);
      return;
    }
    live.attempt = own.attempt;
    live.partial = own.stopped;
    const stops = this.path === ROOT && winding.interrupts && live.effect.type === "llm";
    if (own.stopped !== undefined) this.#effects.move(live, "queued");
    else {
      this.#effects.move(live, stops ? "stopping" : "running", own.until);
      live.latest = own.latest;
    }
  }

  /** The effects that are owed. */
  get lives(): Iterable<Live> {
    return this.#lives.values();
  }

  get(id: string): Live | undefined {
    return this.#lives.get(id);
  }

  /** The attempts that were handed out, as the next driver goes on with them. */
  get inFlight(): readonly AttemptInFlight[] {
    const attempts: AttemptInFlight[] = [];
    for (const live of this.#lives.values()) {
      const { until, latest, partial, phase } = live;
      if (phase !== "running" && phase !== "stopping" && partial === undefined) continue;
      attempts.push({
        ...callOf(live),
        ...(Number.isFinite(until) ? { until } : {}),
        ...(Number.isFinite(latest) ? { latest } : {}),
        ...(partial === undefined ? {} : { stopped: partial }),
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

  /** Returns the reason why the machine refuses an event where it is. */
  refusalOf(event: Incoming): EffectError | undefined {
    const at = Math.max(this.#shared.now, this.#state.at);
    return orInvalid(() => this.reasoner.refusal(this.#state, { ...event, at } as RunEvent));
  }

  /** Returns true if the machine hears an interrupt where it is. */
  get isInterruptible(): boolean {
    const probe = { type: "interrupt", at: this.#state.at, partial: {} } as const;
    return this.reasoner.step(this.#state, probe).ignored?.reason !== "unhandled";
  }

  // Steps.

  /** Steps by an event that nobody can take back, unless the run has ended. */
  step(event: Incoming, at: number = this.#shared.now): undefined {
    if (this.#state.status !== "active") return;
    this.#take(stampedAnyway(this.#shared.options, event, Math.max(at, this.#state.at)));
  }

  /**
   * Steps by an event from outside.
   * @returns why it is refused; then nothing of it is written
   */
  stepFromOutside(event: Incoming): EffectError | undefined {
    const { options, now } = this.#shared;
    const error = this.refusalOf(event);
    if (error !== undefined) return error;
    const own = stampedOrRefused(options, event, Math.max(now, this.#state.at));
    if ("refused" in own) return own.refused;
    this.#take(own.event);
    // Somebody waits for an answer: a model that is down is asked at once.
    for (const live of own.event.type === "message" ? this.#lives.values() : []) {
      if (live.phase === "down") this.#effects.move(live, "queued");
    }
    return undefined;
  }

  #take(event: RunEvent): void {
    this.took(event, this.reasoner.step(this.#state, event));
  }

  /** Records a step, with the marks of what begins with it. */
  took(event: RunEvent, step: Step<Context>, begin?: BeginRecord): void {
    const { kin, log, out, bury, pace } = this.#shared;
    this.#state = step.state;
    if (isSettlement(event) && step.ignored?.reason !== "stale") this.#drop(event.id, "settled");
    const { directives } = step;
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (directive.type === "cancel") this.#drop(directive.target, "cancelled");
    }
    const first = kin.nextOrder;
    const gone = kin.took(this.path, event, step);
    this.#issue(directives);
    if (step.state.status !== "active") this.#dropAll();
    const starts = startsOf(directives, beginNext(this.#shared), first, isBegunMarked);
    const { seed, path } = this.place;
    // A root's header says what its start depends on.
    const line = path === ROOT ? undefined : begin;
    const seq = log.event(this.reasoner, event, step, starts.places, path, line);
    for (const live of starts.others) markBegun(this.#shared, live);
    const own = seed === undefined ? {} : { seed: seedOf(seed, path) };
    const begun = begin === undefined ? {} : { begin: { ...begin, ...own } };
    out.show.push({ type: "step", run: path, seq, event, step, ...begun });
    if (path !== ROOT || this.#deadlines.size > 0) pace(path);
    for (const each of gone) bury(each);
  }

  #issue(directives: readonly Directive[]): void {
    const { outstanding } = this.#state;
    for (let i = 0; i < directives.length; i++) {
      const directive = directives[i] as Directive;
      if (!isEffect(directive) || !tableHas(outstanding, directive.id)) continue;
      this.enter(this.#add(directive, 0));
    }
  }

  /** An effect that has not begun waits for what it waits for. */
  enter(live: Live): void {
    const { effect, attempt, failed, until, down } = live;
    const { news } = this.#shared;
    if (this.#waits(effect)) this.#effects.move(live, "waiting");
    else if (effect.type === "run") this.#effects.move(live, "child");
    else if (live.handle !== undefined) this.#effects.move(live, "queued");
    else if (!mayBegin(effect, attempt, failed, this.traits)) {
      news.push({ run: this, live, settlement: unknownOf(effect, attempt, live.isLost) });
    } else if (effect.type === "approval" && this.#shared.options.approvals === "denied") {
      const { id } = effect;
      const settlement = { type: "approval.decided", id, approve: false, by: "nobody" } as const;
      news.push({ run: this, live, settlement });
    } else if (until !== undefined && down === undefined) {
      this.#effects.move(live, "delayed", until);
    } else {
      // A model that was down is asked at once when a run is opened.
      this.#effects.move(live, "queued");
    }
  }

  /** Returns true if an effect is no attempt of the host's. */
  #waits({ type }: Effect): boolean {
    return (
      type === "timer" || (type === "approval" && this.#shared.options.approvals === "outside")
    );
  }

  /** An effect is settled or cancelled: what still runs of it stops. */
  #drop(id: string, why: Stop["why"]): void {
    const live = this.#lives.get(id);
    if (live === undefined) return;
    const wasBusy = this.#effects.drop(live);
    this.#lives.delete(id);
    this.#deadlines.delete(live);
    if (live.down !== undefined) this.#shared.pace(this.path);
    if (wasBusy) this.#shared.out.stop.push({ ...callOf(live), why });
  }

  #dropAll(): void {
    for (const { effect } of [...this.#lives.values()]) this.#drop(effect.id, "cancelled");
  }

  /** Tells an attempt to stop; it reports all the same. */
  stop(live: Live): void {
    this.#effects.move(live, "stopping");
    this.#shared.out.stop.push({ ...callOf(live), why: "interrupted" });
  }

  /** The effect whose attempt that is, where it is carried out. */
  carriedOut({ id, attempt }: Call): Live | undefined {
    const live = this.#lives.get(id);
    return live?.attempt === attempt && this.#effects.busy.has(live) ? live : undefined;
  }
}
