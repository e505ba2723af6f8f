/**
 * The interpreter: a loop that takes events, lets the reasoner step, makes the line durable, and
 * only then publishes the state and starts the directives. It decides nothing and knows no machine.
 */
import type { ChildMark, StartMark } from "../../core/journal/index.js";
import {
  type ApprovalDecision,
  asJson,
  MAX_DEPTH,
  owedBy,
  ownJson,
  type Reasoner,
  type RunEvent,
  type RunState,
  type Step,
  tableHas,
} from "../../core/kernel/index.js";
import { ABANDONED, Children } from "../children/children.js";
import type { ChildRuns, Incoming } from "../effects/effect-host.js";
import type { JournalSession } from "../journals/session.js";
import type { Clock } from "../ports.js";
import { ownApprovals, whyNoChild } from "./answers.js";
import { checkSize } from "./check-event.js";
import { systemClock } from "./clock.js";
import { Dispatcher, type TakenStep } from "./dispatcher.js";
import { EffectRunner } from "./effect-runner.js";
import { Inbox } from "./inbox.js";
import { type Audience, ObservationPublisher } from "./observation-publisher.js";
import type { HostOptions } from "./options.js";
import { idsOfModelCalls } from "./partials.js";
import { incoming as taken } from "./redact.js";
import { NEVER_ASKED, type Stale } from "./refusals.js";
import { type Driven, Rest } from "./rest.js";
import type { Slots } from "./slots.js";
import { WindingDown } from "./winding-down.js";

/** What an interpreter is made of. */
export interface InterpreterParts<Input, Output, Context> extends Audience<Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly session: JournalSession;
  readonly options: HostOptions;
  readonly state: RunState<Context>;
  /** How many attempts of each outstanding, marked effect had begun before this process. */
  readonly attempts: ReadonlyMap<string, number>;
  readonly children: ChildRuns;
  /** Shared by the whole tree of runs. */
  readonly slots: Slots;
  /** The `run` directives that lead to this run, from the outermost. */
  readonly path: readonly string[];
}

const INTERRUPTED = /* @__PURE__ */ new Error("interrupted");
/** How many microtasks to wait for an answer that is available at once (a local model, a cache). */
const AT_ONCE = 64;

/** One live run. */
export class Interpreter<Input, Output, Context> {
  readonly #parts: InterpreterParts<Input, Output, Context>;
  readonly #clock: Clock;
  readonly #show: ObservationPublisher<Context>;
  readonly #inbox: Inbox<Context>;
  readonly #children: Children;
  readonly #rest: Rest;
  readonly #winding: WindingDown;
  readonly #runner: EffectRunner<Context>;
  readonly #dispatcher: Dispatcher<Context>;
  /** The newest state; not visible outside before its line is durable. */
  #state: RunState<Context>;
  /** The newest state whose line is durable: what tools may see. */
  #durable: RunState<Context>;
  /** The start, until its line is written. */
  #begun: TakenStep<Context> | undefined;
  /** Whether appends take time: only then is it worth starting model calls early. */
  #writesTakeTime = false;
  #wake: () => void = () => {};
  /** Events that are stamped already: their outcome was asked for before they were processed. */
  readonly #stamped = new Set<object>();
  #failure: { readonly thrown: unknown } | undefined;
  #closed = false;

  constructor(parts: InterpreterParts<Input, Output, Context>) {
    const { options, reasoner, slots, attempts } = parts;
    const clock = options.clock ?? systemClock;
    const show = new ObservationPublisher(parts);
    const post = (event: Incoming) => this.post(event);
    this.#parts = parts;
    this.#clock = clock;
    this.#show = show;
    this.#state = parts.state;
    this.#durable = parts.state;
    this.#inbox = new Inbox(reasoner, (event, { at }) => {
      const stamped = this.#stamp(event, at);
      this.#stamped.add(stamped);
      return stamped;
    });
    this.#children = new Children({
      runs: parts.children,
      clock,
      path: parts.path,
      sleeps: options.timers !== "rest",
      onRest: () => this.#wake(),
      notice: (message) => show.notice("approval.stale", message),
      mark: (mark) => this.#write(mark),
      fail: (thrown) => this.abandon(thrown),
    });
    this.#rest = new Rest(options, clock, this.#children);
    this.#winding = new WindingDown(clock, () => this.#wake());
    this.#runner = new EffectRunner({
      runId: parts.state.runId,
      reasoner,
      options,
      clock,
      slots,
      attempts,
      children: this.#children,
      show,
      durable: () => this.#durable,
      isOwed: (id) => tableHas(this.#state.outstanding, id),
      mark: (mark) => this.#write(mark),
      post,
      stopped: () => this.#wake(),
      fail: (thrown) => this.abandon(thrown),
    });
    this.#dispatcher = new Dispatcher({
      reasoner,
      options,
      runner: this.#runner,
      children: this.#children,
      rest: this.#rest,
      winding: this.#winding,
      show,
      post,
    });
  }

  /** Whether posted events are no longer processed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The newest state. */
  get state(): RunState<Context> {
    return this.#state;
  }

  /**
   * The state after all events that have arrived, so that a sender is told at once whether an event
   * still counts.
   */
  get ahead(): RunState<Context> {
    return this.#inbox.ahead(this.#state);
  }

  /** Stops the run where it is, without ending it. A failed journal's error takes precedence. */
  abandon(thrown: unknown): void {
    if (this.#failure === undefined || this.#failure.thrown === ABANDONED) {
      this.#failure = { thrown };
    }
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
    const { scheduler } = this.#runner;
    scheduler.dropQueued();
    scheduler.cancel(idsOfModelCalls(scheduler.active), INTERRUPTED);
    this.#wake();
    return true;
  }

  /** Leaves the run to another process: nothing begins, and what runs has some time to settle. */
  drain(ms: number): void {
    this.#winding.drain(ms);
    this.#runner.scheduler.dropQueued();
    this.#children.drain(ms);
    this.#wake();
  }

  /** Queues an event; events are processed in the order of arrival. */
  post(event: Incoming): void {
    if (this.#closed) {
      this.#show.notice("late", `${event.type} came after the run had ended and was dropped.`);
      return;
    }
    this.#inbox.push(event);
    if (event.type === "cancel") this.hold();
    this.#wake();
  }

  /** A cancel was sent: effects that wait for a slot do not begin before it is processed, in children neither. */
  hold(): void {
    this.#runner.scheduler.dropQueued();
    this.#children.each((child) => child.hold());
  }

  /** Effects that were held and are still outstanding begin after all. */
  goOn(): void {
    this.owe();
    this.#children.each((child) => child.goOn());
    this.#wake();
  }

  /** Hands a decision on to the child that waits for it. @returns why none does */
  decideInChild(owner: string, inner: string, decision: ApprovalDecision): Stale | undefined {
    if (this.#children.decide(owner, inner, decision)) return undefined;
    return tableHas(this.ahead.outstanding, owner) ? NEVER_ASKED : whyNoChild(this.ahead, owner);
  }

  /** The approvals that wait, its children's included, by the ids by which it is told of them. */
  approvals(): readonly string[] {
    return [...ownApprovals(this.ahead), ...this.#children.approvals(owedBy(this.ahead))];
  }

  /** Processes the start; its line is written with those of the events that have arrived by then. */
  begin(event: RunEvent, step: Step<Context>): void {
    this.#begun = this.#encode(event, step);
  }

  /** Carries out the outstanding effects of a resumed run that arrived events do not settle. */
  owe(): void {
    this.#dispatcher.owe(owedBy(this.#state));
  }

  /** Drives the run until it ends or rests, and its children until they are idle. */
  async drive(): Promise<Driven<Context>> {
    this.#children.cancelOrphans();
    const driven = await this.#loop().catch((thrown) => this.abandon(thrown));
    this.#closed = true;
    this.#winding.end();
    for (const event of this.#inbox.events) this.post(event);
    this.#inbox.drop();
    this.#runner.scheduler.cancelAll(ABANDONED);
    await this.#children.ended();
    if (driven === undefined || this.#failure !== undefined) throw this.#failure?.thrown;
    return driven;
  }

  /** @returns how it stands when it ends or rests; nothing where a failure stops it */
  async #loop(): Promise<Driven<Context> | undefined> {
    while (this.#failure === undefined) {
      const active = this.#state.status === "active";
      if (this.#begun !== undefined) await this.#takeAll();
      else if (!active) return this.#driven(false);
      else if (this.#winding.interrupts && !this.#isWound()) {
        // What settles meanwhile is taken together with the interrupt, so that nothing follows from it.
        await this.#news();
      } else if (this.#winding.interrupts || this.#inbox.events.length > 0) await this.#takeAll();
      else if (this.#winding.drains) {
        if (this.#isWound()) return this.#driven(true);
        await this.#news();
      } else if (this.#dispatcher.owes) this.#dispatcher.beginOwed(this.#state);
      else if (this.#rest.reached(this.#state, this.#runner.scheduler)) return this.#driven(false);
      else await this.#news();
    }
    return undefined;
  }

  #driven(drained: boolean): Driven<Context> {
    // From here on no events are accepted: a sender gets an error instead of a false promise.
    this.#closed = true;
    this.#parts.session.leaveSnapshot(this.#state);
    const inChildren = this.#children.waits(owedBy(this.#state));
    return { state: this.#state, inChildren, drained };
  }

  #isWound(): boolean {
    return this.#winding.isOver(this.#runner.scheduler, this.#inbox.events, this.#children);
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Steps through all that has arrived and makes it durable at once, then acts on it. */
  #takeAll(): Promise<void> | undefined {
    const events = this.#inbox.take();
    if (this.#begun === undefined && this.#winding.interrupts) events.push({ type: "interrupt" });
    const taken = this.#begun === undefined ? [] : [this.#begun];
    this.#begun = undefined;
    try {
      this.#stepThrough(events, taken);
    } catch (thrown) {
      return this.#keepAndThrow(thrown);
    }
    return this.#record(taken);
  }

  /** If an event cannot be processed, the events before it are written all the same. */
  async #keepAndThrow(thrown: unknown): Promise<never> {
    await this.#parts.session.flush();
    throw thrown;
  }

  /** Processes events one by one, until the run has ended. */
  #stepThrough(events: readonly Incoming[], taken: TakenStep<Context>[]): void {
    let at = 0;
    while (at < events.length && this.#state.status === "active") {
      const event = this.#stamp(this.#whole(events[at] as Incoming), this.#state.at);
      at += 1;
      const step = this.#parts.reasoner.step(this.#state, event);
      this.#state = step.state;
      taken.push(this.#encode(event, step));
    }
    if (at < events.length) this.#inbox.putBack(events.slice(at));
  }

  /** An event; an interrupt gets the text streamed so far of the answers that it cuts off. */
  #whole(event: Incoming): Incoming {
    if (event.type !== "interrupt" || "partial" in event) return event;
    const owed = owedBy(this.#state);
    const whole = { ...this.#winding.takeInterrupt(), partial: this.#runner.partials.among(owed) };
    // What was held back and is owed all the same begins when the turn is over.
    this.#dispatcher.owe(owed);
    return whole;
  }

  /** @param from the time of the state that takes it */
  #stamp(incoming: Incoming, from: number): RunEvent {
    if (this.#stamped.size > 0 && this.#stamped.delete(incoming)) return incoming as RunEvent;
    // What a fork's past has answered has its time. A clock that was set back does not turn the
    // run's time back.
    const { at: known = this.#clock.now() } = incoming as { readonly at?: number };
    const at = Math.max(known, from);
    // Validated once: the step and the line use it as it is.
    const event = { ...incoming, at } as RunEvent;
    const stamped = ownJson<RunEvent>(taken(this.#parts.options, event), "$", MAX_DEPTH);
    checkSize(asJson(stamped), `The event ${stamped.type}`);
    return stamped;
  }

  /** Encodes a step for the next append; marks of effects that start at once are in its line. */
  #encode(event: RunEvent, step: Step<Context>): TakenStep<Context> {
    const { session, reasoner } = this.#parts;
    const { claimed, starts } = this.#dispatcher.claim(event, step);
    session.event(reasoner, event, step, starts);
    return { event, step, claimed };
  }

  /** @returns nothing where the lines are durable at once: a promise costs as much as a short step */
  #record(taken: TakenStep<Context>[]): Promise<void> | undefined {
    if (this.#writesTakeTime && this.#dispatcher.callAhead(taken, this.#state)) {
      return this.#recordWithAnswers(taken);
    }
    const flushed = this.#parts.session.flush();
    if (flushed === undefined) {
      this.#act(taken);
      return undefined;
    }
    if (!this.#writesTakeTime) {
      this.#writesTakeTime = true;
      this.#dispatcher.callAhead(taken, this.#state);
    }
    return flushed.then(() => this.#act(taken));
  }

  /** What a model that was called early answers at once is written in one append with the call. */
  async #recordWithAnswers(taken: TakenStep<Context>[]): Promise<void> {
    for (let i = 0; i < AT_ONCE && this.#inbox.events.length === 0; i++) await undefined;
    try {
      if (!this.#winding.interrupts) this.#stepThrough(this.#inbox.take(), taken);
    } catch (thrown) {
      await this.#keepAndThrow(thrown);
    }
    await this.#parts.session.flush();
    this.#act(taken);
  }

  /** The lines of some steps are durable: publishes the steps, and carries out their directives. */
  #act(taken: readonly TakenStep<Context>[]): void {
    this.#durable = this.#state;
    for (const each of taken) {
      this.#show.step(each.event, each.step);
      this.#dispatcher.dispatch(each, this.#state);
      this.#runner.ahead.durable(each.step.directives);
    }
    if (taken.some(({ event }) => event.type === "cancel")) this.goOn();
    this.#parts.session.offerSnapshot(this.#state);
  }

  async #write(mark: StartMark | ChildMark): Promise<void> {
    this.#parts.session.mark(mark);
    const flushed = this.#parts.session.flush();
    if (flushed !== undefined) await flushed;
  }
}
