/**
 * The interpreter: a loop that takes events, has the reasoner step, makes the line durable, and only
 * then shows the state and carries the directives out. It decides nothing and knows no machine.
 */
import type { ChildMark, StartMark } from "../../core/journal/index.js";
import {
  type ApprovalDecision,
  type Directive,
  type Effect,
  isEffect,
  isSettlement,
  type Json,
  owedBy,
  type Reasoner,
  type RunEvent,
  type RunState,
  type Step,
  tableGet,
  tableHas,
  toJson,
} from "../../core/kernel/index.js";
import { ABANDONED, CANCELLED, Children } from "../children/children.js";
import type { ChildRuns, EffectHost, Incoming } from "../effects/effect-host.js";
import { carryOut, interrupted } from "../effects/effects.js";
import { isMarked, mayBegin } from "../effects/may-begin.js";
import type { JournalSession } from "../journals/session.js";
import type { Clock } from "../ports.js";
import { Ahead } from "./ahead.js";
import { stepAhead } from "./answers.js";
import { checkSize } from "./check-event.js";
import { systemClock } from "./clock.js";
import type { Observation } from "./observation.js";
import type { HostOptions } from "./options.js";
import { idsOfModelCalls, Partials } from "./partials.js";
import type { Places } from "./places.js";
import { incoming as taken } from "./redact.js";
import { type Driven, Rest } from "./rest.js";
import { runContextOf } from "./run-context.js";
import { Scheduler } from "./scheduler.js";
import { type Audience, Show } from "./show.js";
import type { Stop } from "./stop.js";
import { WindingDown } from "./winding-down.js";

/** What an interpreter is made of. */
export interface InterpreterParts<Input, Output, Context> extends Audience<Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly session: JournalSession;
  readonly options: HostOptions;
  readonly state: RunState<Context>;
  /** How many attempts of each outstanding effect that is marked had begun. */
  readonly attempts: ReadonlyMap<string, number>;
  readonly children: ChildRuns;
  /** Shared by the whole tree of runs. */
  readonly places: Places;
}

/** So many start marks ride in one line. */
const MAX_STARTS = 1_000;
const SETTLED = new Error("settled");
const INTERRUPTED = new Error("interrupted");
const NONE: readonly string[] = [];

/** One live run. */
export class Interpreter<Input, Output, Context> {
  readonly #parts: InterpreterParts<Input, Output, Context>;
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #host: EffectHost;
  readonly #show: Show<Context>;
  readonly #attempts: Map<string, number>;
  /** The newest state; nobody outside sees it before its line is durable. */
  #state: RunState<Context>;
  /** The newest state whose line is durable: what tools may see. */
  #durable: RunState<Context>;
  /** The start, until its line is written. */
  #begun: TakenStep<Context> | undefined;
  /** What a resumed run owes, until it is carried out. */
  #owed: readonly Effect[] = [];
  #inbox: Incoming[] = [];
  /** The state after so many of the inbox; made when somebody asks for it. */
  #foreseen: RunState<Context> | undefined;
  #looked = 0;
  #wake: () => void = () => {};
  #failure: { readonly thrown: unknown } | undefined;
  #closed = false;
  readonly #children: Children;
  readonly #rest: Rest;
  readonly #partials = new Partials();
  readonly #winding: WindingDown;
  readonly #ahead = new Ahead();

  constructor(parts: InterpreterParts<Input, Output, Context>) {
    const { options, reasoner } = parts;
    this.#parts = parts;
    this.#clock = options.clock ?? systemClock;
    this.#attempts = new Map(parts.attempts);
    this.#show = new Show(parts);
    this.#state = parts.state;
    this.#durable = parts.state;
    this.#scheduler = new Scheduler(
      parts.places,
      (effect, stop, marked) => void this.#carryOut(effect, stop, marked),
    );
    this.#children = new Children({
      runs: parts.children,
      clock: this.#clock,
      sleeps: options.timers !== "rest",
      onRest: () => this.#wake(),
      notice: (message) => this.#show.notice("approval.stale", message),
      mark: (mark) => this.#write(mark),
    });
    this.#rest = new Rest(options, this.#clock, this.#children);
    this.#winding = new WindingDown(this.#clock, () => this.#wake());
    this.#host = {
      runId: parts.state.runId,
      tools: reasoner.tools,
      options,
      clock: this.#clock,
      observe: (observation) => {
        if (observation.type === "started")
          this.#partials.begin(observation.id, observation.attempt);
        this.#ahead.show("id" in observation ? observation.id : undefined, () =>
          this.#show.ifObserved(observation as Observation<Context>),
        );
      },
      delta: (id, attempt, delta) => {
        this.#partials.take(id, attempt, delta);
        this.#ahead.show(id, () => this.#show.delta(id, attempt, delta));
      },
      mark: (mark) => this.#mark(mark),
      withoutPlace: (id, wait) => this.#scheduler.withoutPlace(id, wait),
    };
  }

  /** Whether nothing that is posted is taken any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The newest state. */
  get state(): RunState<Context> {
    return this.#state;
  }

  /**
   * The state as it will be when what has arrived is taken: whoever sends something then is told now
   * whether it still counts.
   */
  get ahead(): RunState<Context> {
    const now = this.#clock.now();
    for (; this.#looked < this.#inbox.length; this.#looked++) {
      const event = this.#inbox[this.#looked] as Incoming;
      this.#foreseen = stepAhead(this.#parts.reasoner, this.#foreseen ?? this.#state, event, now);
    }
    return this.#foreseen ?? this.#state;
  }

  /** Stops the run where it is, without ending it. */
  abandon(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#wake();
  }

  /**
   * Ends the present turn: models are stopped at once, what else runs has some time to settle.
   * @returns whether the machine has a transition for it
   */
  interrupt(reason: string | undefined, graceMs: number): boolean {
    const probe = { type: "interrupt", at: this.#state.at, partial: {} } as const;
    const { ignored } = this.#parts.reasoner.step(this.#state, probe);
    if (ignored?.reason === "unhandled") return false;
    this.#winding.interrupt(reason, graceMs);
    this.#scheduler.dropQueued();
    this.#scheduler.cancel(idsOfModelCalls(this.#scheduler.active), INTERRUPTED);
    this.#wake();
    return true;
  }

  /** Leaves the run to another process: nothing begins, and what runs has some time to settle. */
  drain(ms: number): void {
    this.#winding.drain(ms);
    this.#scheduler.dropQueued();
    this.#children.drain(ms);
    this.#wake();
  }

  /** Puts an event in; events are taken in the order of their arrival. */
  post(event: Incoming): void {
    if (this.#closed) {
      this.#show.notice("late", `${event.type} came after the run had ended and was dropped.`);
      return;
    }
    this.#inbox.push(event);
    this.#wake();
  }

  /** Hands a decision on to the child that waits for it. @returns whether one does */
  decideInChild(owner: string, inner: string, decision: ApprovalDecision): boolean {
    return this.#children.decide(owner, inner, decision);
  }

  /** Takes the start in; its line is written with those of what has arrived by then. */
  begin(event: RunEvent, step: Step<Context>): void {
    this.#begun = this.#encode(event, step);
  }

  /** Has a resumed run carry out what it owes and what has arrived by then does not settle. */
  owe(): void {
    this.#owed = owedBy(this.#state);
  }

  /** Drives the run until it ends or rests. */
  async drive(): Promise<Driven<Context>> {
    this.#children.cancelOrphans();
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure.thrown;
        const active = this.#state.status === "active";
        if (this.#begun !== undefined) await this.#takeAll();
        else if (!active) return this.#driven(false);
        else if (this.#winding.interrupts && !this.#isWound()) {
          // What settles meanwhile is taken together with the interrupt, so that nothing follows from it.
          await this.#news();
        } else if (this.#winding.interrupts || this.#inbox.length > 0) await this.#takeAll();
        else if (this.#winding.drains) {
          if (this.#isWound()) return this.#driven(true);
          await this.#news();
        } else if (this.#owed.length > 0) this.#carryOutOwed();
        else if (this.#rest.reached(this.#state, this.#scheduler)) return this.#driven(false);
        else await this.#news();
      }
    } finally {
      this.#closed = true;
      this.#winding.end();
      for (const event of this.#inbox) this.post(event);
      this.#inbox = [];
      this.#scheduler.cancelAll(ABANDONED);
      await this.#children.ended();
    }
  }

  #driven(drained: boolean): Driven<Context> {
    this.#parts.session.leaveSnapshot(this.#state);
    const inChildren = this.#children.waits(owedBy(this.#state));
    return { state: this.#state, inChildren, drained };
  }

  #isWound(): boolean {
    return this.#winding.isOver(this.#scheduler, this.#inbox, this.#children);
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #carryOutOwed(): void {
    const { outstanding } = this.#state;
    const owed = this.#owed.filter((effect) => tableGet(outstanding, effect.id) === effect);
    this.#owed = [];
    for (const effect of owed) {
      if (this.#rest.waitsOutside(effect)) continue;
      const begun = this.#attempts.get(effect.id) ?? 0;
      if (mayBegin(effect, begun, this.#parts.reasoner.tools, this.#parts.options.stores)) {
        this.#scheduler.submit(effect, this.#scheduler.claim(effect), false);
      } else this.post(interrupted(effect, begun));
    }
  }

  /** Steps through all that has arrived and makes it durable at once, then acts on it. */
  async #takeAll(): Promise<void> {
    const events = this.#inbox;
    this.#setInbox([]);
    if (this.#begun === undefined && this.#winding.interrupts) events.push({ type: "interrupt" });
    const taken = this.#begun === undefined ? [] : [this.#begun];
    this.#begun = undefined;
    let at = 0;
    while (at < events.length && this.#state.status === "active") {
      const event = this.#stamp(this.#whole(events[at] as Incoming));
      at += 1;
      const step = this.#parts.reasoner.step(this.#state, event);
      this.#state = step.state;
      taken.push(this.#encode(event, step));
    }
    if (at < events.length) this.#setInbox([...events.slice(at), ...this.#inbox]);
    await this.#record(taken);
  }

  #setInbox(events: Incoming[]): void {
    this.#inbox = events;
    this.#foreseen = undefined;
    this.#looked = 0;
  }

  /** An event; an interrupt with what had streamed of the answers that it cuts off. */
  #whole(event: Incoming): Incoming {
    if (event.type !== "interrupt" || "partial" in event) return event;
    const owed = owedBy(this.#state);
    const whole = { ...this.#winding.takeInterrupt(), partial: this.#partials.among(owed) };
    // What was held back and is owed all the same begins when the turn is over.
    const running = new Set(this.#scheduler.active.map(({ id }) => id));
    this.#owed = owed.filter(({ id }) => !running.has(id));
    return whole;
  }

  #stamp(incoming: Incoming): RunEvent {
    // What a fork's past has answered has its time. A clock that was set back does not turn the
    // run's time back.
    const { at: known = this.#clock.now() } = incoming as { readonly at?: number };
    const at = Math.max(known, this.#state.at);
    // Through the border once: the step and the line take it as it is.
    const stamped = toJson<RunEvent>(taken(this.#parts.options, { ...incoming, at } as RunEvent));
    checkSize(stamped as unknown as Json, `The event ${stamped.type}`);
    return stamped;
  }

  /** Puts a step in the journal's next write; what is marked and starts at once is in its line. */
  #encode(event: RunEvent, step: Step<Context>): TakenStep<Context> {
    const { session, reasoner } = this.#parts;
    const claimed = new Set<string>();
    const starts: string[] = [];
    const settled = isSettlement(event) && step.ignored?.reason !== "stale" ? event.id : undefined;
    for (const directive of step.directives) {
      if (!isEffect(directive) || this.#rest.waitsOutside(directive)) continue;
      if (this.#winding.holds) continue;
      // Others are marked in lines of their own, when they begin.
      const marked = isMarked(directive, this.#parts.options.stores);
      if (marked && starts.length === MAX_STARTS) continue;
      if (!this.#scheduler.claim(directive, settled)) continue;
      claimed.add(directive.id);
      if (marked) starts.push(directive.id);
    }
    for (const id of starts) this.#attempts.set(id, 1);
    session.event(reasoner, event, step, starts.length === 0 ? NONE : starts);
    return { event, step, claimed };
  }

  async #record(taken: readonly TakenStep<Context>[]): Promise<void> {
    const { session } = this.#parts;
    const flushed = session.flush();
    if (flushed !== undefined) {
      this.#callAhead(taken);
      await flushed;
    }
    this.#durable = this.#state;
    for (const { event, step, claimed } of taken) {
      this.#show.step(event, step);
      if (isSettlement(event) && step.ignored?.reason !== "stale") this.#settled(event.id);
      this.#dispatchAll(step.directives, claimed);
    }
    this.#ahead.durable();
    session.offerSnapshot(this.#state);
  }

  /**
   * Begins model calls while their lines are being written: asked again after a crash they cost money
   * and have no effect. Everything else waits for the disk, what is heard of these calls too.
   */
  #callAhead(taken: readonly TakenStep<Context>[]): void {
    for (const { step, claimed } of taken) {
      for (const directive of step.directives) {
        if (directive.type !== "llm" || !claimed.has(directive.id)) continue;
        // A later event of the same write may have cancelled it already.
        if (!tableHas(this.#state.outstanding, directive.id)) continue;
        this.#ahead.begin(directive.id);
        this.#scheduler.submit(directive, true, true);
      }
    }
  }

  /** What came of an effect is durable: its place is free. */
  #settled(id: string): void {
    this.#attempts.delete(id);
    this.#partials.drop(id);
    // Settled by somebody else than who carries it out: an approval, say.
    this.#scheduler.cancel([id], SETTLED);
  }

  #dispatchAll(directives: readonly Directive[], claimed: ReadonlySet<string>): void {
    const cancelled = directives.flatMap((each) => (each.type === "cancel" ? [each.target] : []));
    if (cancelled.length > 0) {
      this.#scheduler.cancel(cancelled, CANCELLED);
      for (const id of cancelled) {
        this.#attempts.delete(id);
        this.#partials.drop(id);
        this.#children.cancelOwed(id);
      }
    }
    for (const directive of directives) {
      if (isEffect(directive)) this.#dispatch(directive, claimed.has(directive.id));
      else if (directive.type === "notify") {
        this.#show.notify(directive.topic, directive.data);
      }
    }
  }

  #dispatch(effect: Effect, claimed: boolean): void {
    if (this.#rest.waitsOutside(effect) || this.#ahead.has(effect.id)) return;
    // A later event of the same write may have cancelled it already.
    const outstanding = tableHas(this.#state.outstanding, effect.id);
    // One that is marked as begun begins, unless the turn ends.
    const held = this.#winding.holds && (this.#winding.interrupts || !claimed);
    const marked = claimed && isMarked(effect, this.#parts.options.stores);
    if (outstanding && !held) this.#scheduler.submit(effect, claimed, marked);
    else this.#scheduler.release(effect.id);
  }

  async #carryOut(effect: Effect, stop: Stop, marked: boolean): Promise<void> {
    const { id } = effect;
    const begun = (this.#attempts.get(id) ?? 0) - (marked ? 1 : 0);
    const run = runContextOf(this.#durable);
    try {
      const settlement =
        effect.type === "run"
          ? await this.#children.run(effect, stop)
          : await carryOut(effect, this.#host, { stop, begun, marked, run });
      // Its place is given up when what came of it is durable.
      if (settlement !== undefined && !stop.aborted) return this.post(settlement);
      if (settlement !== undefined) {
        const { type } = settlement;
        this.#show.notice("late", `${type} ${id} came after it was cancelled and was dropped.`);
      }
    } catch (thrown) {
      // Only the journal throws here: without it nothing may go on.
      this.#failure ??= { thrown };
    }
    this.#scheduler.release(id);
    this.#wake();
  }

  async #mark(mark: StartMark): Promise<void> {
    this.#attempts.set(mark.id, mark.attempt);
    await this.#write(mark);
  }

  async #write(mark: StartMark | ChildMark): Promise<void> {
    this.#parts.session.mark(mark);
    const flushed = this.#parts.session.flush();
    if (flushed !== undefined) await flushed;
  }
}

/** A step on its way to the journal, and which of its effects start at once. */
interface TakenStep<Context> {
  readonly event: RunEvent;
  readonly step: Step<Context>;
  readonly claimed: ReadonlySet<string>;
}
