/**
 * The interpreter: a loop that takes events, has the reasoner step, makes the line durable, and only
 * then shows the state and carries the directives out. It decides nothing and knows no machine.
 */
import type { StartMark } from "../core/journal/index.js";
import {
  type Decision,
  type Directive,
  type Effect,
  isEffect,
  isSettlement,
  type Json,
  messageOf,
  noUsage,
  type Reasoner,
  ReckonerError,
  type RunContext,
  type RunEvent,
  type RunState,
  type Step,
  type TimerDirective,
} from "../core/kernel/index.js";
import { ABANDONED, CANCELLED, Children, type ChildrenWait } from "./children.js";
import { systemClock } from "./clock.js";
import type { ChildRuns, EffectHost, Settling } from "./effect-host.js";
import { interrupted } from "./effect-tool.js";
import { carryOut } from "./effects.js";
import type { NoticeCode, Observation } from "./observation.js";
import { DEFAULT_CONCURRENCY, type HostOptions, type Redactable } from "./options.js";
import type { Clock, Delta } from "./ports.js";
import { Scheduler } from "./scheduler.js";
import type { JournalSession } from "./session.js";

/** An event before it is stamped with the time. */
export type Incoming = Settling | { readonly type: string };

/** What an interpreter is made of. */
export interface InterpreterParts<Input, Output, Context> {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly session: JournalSession;
  readonly options: HostOptions;
  readonly state: RunState<Context>;
  /** How many attempts of each outstanding tool had begun. */
  readonly attempts: ReadonlyMap<string, number>;
  readonly children: ChildRuns;
  observe(observation: Observation<Context>): void;
}

/** One live run. */
export class Interpreter<Input, Output, Context> {
  readonly #parts: InterpreterParts<Input, Output, Context>;
  readonly #clock: Clock;
  readonly #scheduler: Scheduler;
  readonly #host: EffectHost;
  readonly #attempts: Map<string, number>;
  /** The newest state; nobody outside sees it before its line is durable. */
  #state: RunState<Context>;
  /** The newest state whose line is durable: what tools may see. */
  #durable: RunState<Context>;
  /** The start, until its line is written. */
  #begun: Taken<Context> | undefined;
  /** What a resumed run owes, until it is carried out. */
  #owed: readonly Effect[] = [];
  #inbox: Incoming[] = [];
  #wake: () => void = () => {};
  #failure: { readonly thrown: unknown } | undefined;
  #closed = false;
  readonly #children: Children;

  constructor(parts: InterpreterParts<Input, Output, Context>) {
    const { options, reasoner } = parts;
    this.#parts = parts;
    this.#clock = options.clock ?? systemClock;
    this.#attempts = new Map(parts.attempts);
    this.#state = parts.state;
    this.#durable = parts.state;
    this.#scheduler = new Scheduler(
      options.concurrency ?? DEFAULT_CONCURRENCY,
      (effect, signal, marked) => void this.#carryOut(effect, signal, marked),
    );
    this.#children = new Children({
      runs: parts.children,
      clock: this.#clock,
      sleeps: options.timers !== "rest",
      onRest: () => this.#wake(),
    });
    this.#host = {
      runId: parts.state.runId,
      tools: reasoner.tools,
      options,
      clock: this.#clock,
      observe: (observation) => this.#observe(observation as Observation<Context>),
      delta: (id, delta) => this.#delta(id, delta),
      mark: (mark) => this.#mark(mark),
    };
  }

  /** Whether nothing that is posted is taken any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Stops the run where it is, without ending it. */
  abandon(thrown: unknown): void {
    this.#failure ??= { thrown };
    this.#wake();
  }

  /** Puts an event in; events are taken in the order of their arrival. */
  post(event: Incoming): void {
    if (this.#closed) {
      this.#notice("late", `${event.type} came after the run had ended and was dropped.`);
      return;
    }
    if (event.type === "approval.decided" && "id" in event) {
      const { id, type: _type, ...decision } = event as { id: string; type: string } & Decision;
      if (this.#children.decide(id, decision)) return;
    }
    this.#inbox.push(event);
    this.#wake();
  }

  /** Takes the start in; its line is written with those of what has arrived by then. */
  begin(event: RunEvent, step: Step<Context>): void {
    this.#begun = this.#encode(event, step);
  }

  /** Has a resumed run carry out what it owes and what has arrived by then does not settle. */
  owe(): void {
    this.#owed = this.#state.outstanding;
  }

  /** Drives the run until it ends or rests. */
  async drive(): Promise<Driven<Context>> {
    this.#children.cancelOrphans();
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure.thrown;
        const active = this.#state.status === "active";
        if (this.#begun !== undefined || (active && this.#inbox.length > 0)) await this.#takeAll();
        else if (active && this.#owed.length > 0) this.#carryOutOwed();
        else if (!active || this.#rests()) return this.#driven();
        else await this.#news();
      }
    } finally {
      this.#closed = true;
      for (const event of this.#inbox) this.post(event);
      this.#inbox = [];
      this.#scheduler.cancelAll(ABANDONED);
      await this.#children.ended();
    }
  }

  #driven(): Driven<Context> {
    return { state: this.#state, inChildren: this.#children.waits(this.#state.outstanding) };
  }

  /** Nothing runs; or nothing but timers does, while somebody else has to decide. */
  #rests(): boolean {
    const { active } = this.#scheduler;
    const busy = active.filter(({ id }) => !this.#children.rests(id));
    if (busy.some((effect) => effect.type !== "timer" || this.#isDue(effect))) return false;
    if (busy.length === 0 || busy.length < active.length) return true;
    return this.#state.outstanding.some((each) => this.#waitsOutside(each));
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #carryOutOwed(): void {
    const owed = this.#owed.filter((effect) => this.#state.outstanding.includes(effect));
    this.#owed = [];
    for (const effect of owed) {
      if (this.#waitsOutside(effect)) continue;
      const begun = this.#attempts.get(effect.id) ?? 0;
      const tool = effect.type === "tool" ? this.#parts.reasoner.tools[effect.name] : undefined;
      const repeatable = tool === undefined || (tool.idempotent && begun <= tool.retries);
      if (effect.type === "tool" && begun > 0 && !repeatable) this.post(interrupted(effect, begun));
      else this.#scheduler.submit(effect, this.#scheduler.claim(effect), false);
    }
  }

  /** Steps through all that has arrived and makes it durable at once, then acts on it. */
  async #takeAll(): Promise<void> {
    const events = this.#inbox;
    this.#inbox = [];
    const taken = this.#begun === undefined ? [] : [this.#begun];
    this.#begun = undefined;
    while (events.length > 0 && this.#state.status === "active") {
      const event = this.#stamp(events.shift() as Incoming);
      const step = this.#parts.reasoner.step(this.#state, event);
      this.#state = step.state;
      taken.push(this.#encode(event, step));
    }
    this.#inbox.unshift(...events);
    await this.#record(taken);
  }

  #stamp(incoming: Incoming): RunEvent {
    // A clock that was set back does not turn the run's time back.
    const at = Math.max(this.#clock.now(), this.#state.at);
    return redacted(this.#parts.options, { ...incoming, at } as RunEvent) as RunEvent;
  }

  /** Puts a step in the journal's next write; tools that will start at once are marked in its line. */
  #encode(event: RunEvent, step: Step<Context>): Taken<Context> {
    const claimed = new Set<string>();
    const starts: StartMark[] = [];
    for (const directive of step.directives) {
      if (!isEffect(directive) || this.#waitsOutside(directive)) continue;
      if (!this.#scheduler.claim(directive)) continue;
      claimed.add(directive.id);
      if (directive.type === "tool") starts.push({ id: directive.id, attempt: 1 });
    }
    for (const { id, attempt } of starts) this.#attempts.set(id, attempt);
    this.#parts.session.event(this.#parts.reasoner, event, step, starts);
    return { event, step, claimed };
  }

  async #record(taken: readonly Taken<Context>[]): Promise<void> {
    const { session, reasoner } = this.#parts;
    await session.flush();
    this.#durable = this.#state;
    for (const { event, step, claimed } of taken) {
      this.#publish(event, step);
      // Settled by somebody else than who carries it out: an approval, say.
      if (isSettlement(event) && step.ignored?.reason !== "stale") {
        this.#scheduler.cancel(event.id, new Error("settled"));
      }
      for (const directive of step.directives) this.#dispatch(directive, claimed);
    }
    const owed = new Set(this.#state.outstanding.map(({ id }) => id));
    for (const id of this.#attempts.keys()) if (!owed.has(id)) this.#attempts.delete(id);
    session.offerSnapshot(this.#state, reasoner.fingerprint, this.#attempts);
  }

  #publish(event: RunEvent, step: Step<Context>): void {
    const { state, directives, ignored } = step;
    this.#observe({
      type: "step",
      seq: state.seq,
      event,
      directives,
      state,
      ...(ignored === undefined ? {} : { ignored }),
    });
    if (step.thrown !== undefined) {
      this.#notice("machine.threw", `${state.fault?.place}: ${messageOf(step.thrown)}`);
    }
  }

  #dispatch(directive: Directive, claimed: ReadonlySet<string>): void {
    if (isEffect(directive)) {
      if (this.#waitsOutside(directive)) return;
      const { id } = directive;
      // A later event of the same write may have cancelled it already.
      const outstanding = this.#state.outstanding.some((effect) => effect.id === id);
      if (outstanding) this.#scheduler.submit(directive, claimed.has(id), claimed.has(id));
      else this.#scheduler.release(id);
    } else if (directive.type === "notify") {
      const { topic, data } = directive;
      this.#observe({ type: "notify", topic, ...(data === undefined ? {} : { data }) });
    } else {
      this.#scheduler.cancel(directive.target, CANCELLED);
      this.#children.cancelOwed(directive.target);
    }
  }

  /** An approval that nobody here decides, or a timer that nobody here sleeps for. */
  #waitsOutside(effect: Effect): boolean {
    const { approve, approvals, timers } = this.#parts.options;
    if (effect.type === "approval") return approve === undefined && approvals !== "deny";
    return effect.type === "timer" && timers === "rest" && !this.#isDue(effect);
  }

  /** A timer whose time has passed: it fires at once, whoever else has to decide. */
  #isDue({ until }: TimerDirective): boolean {
    return until <= this.#clock.now();
  }

  async #carryOut(effect: Effect, signal: AbortSignal, marked: boolean): Promise<void> {
    const { id } = effect;
    const begun = (this.#attempts.get(id) ?? 0) - (marked ? 1 : 0);
    const run = runContextOf(this.#durable);
    try {
      const settlement =
        effect.type === "run"
          ? await this.#children.run(effect, signal)
          : await carryOut(effect, this.#host, { signal, begun, marked, run });
      if (settlement !== undefined && !signal.aborted) this.post(settlement);
      else if (settlement !== undefined) {
        this.#notice(
          "late",
          `${settlement.type} ${id} came after it was cancelled and was dropped.`,
        );
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
    this.#parts.session.mark(mark);
    await this.#parts.session.flush();
  }

  #delta(id: string, delta: Delta): void {
    const seen = redacted(this.#parts.options, { type: "delta", id, delta });
    this.#observe(seen as Observation<Context>);
  }

  #notice(code: NoticeCode, message: string): void {
    this.#observe({ type: "notice", code, message });
  }

  #observe(observation: Observation<Context>): void {
    this.#parts.observe(observation);
  }
}

/** A run that has ended or rests, and what its children wait for. */
export interface Driven<Context> {
  readonly state: RunState<Context>;
  readonly inChildren: ChildrenWait;
}

/** A step on its way to the journal, and which of its effects start at once. */
interface Taken<Context> {
  readonly event: RunEvent;
  readonly step: Step<Context>;
  readonly claimed: ReadonlySet<string>;
}

/** What tools see of a run: `deps` and `usage` of its context, where the machine has them. */
function runContextOf(state: RunState<unknown>): Omit<RunContext, "retry"> {
  const { deps, usage } = (state.context ?? {}) as Partial<RunContext>;
  return { deps: deps ?? {}, usage: usage ?? noUsage };
}

/**
 * What the redaction hook leaves of a value.
 * @throws ReckonerError `redaction.refused` where it changed the type or the id
 */
export function redacted(options: HostOptions, value: Redactable): unknown {
  if (options.redact === undefined) return value;
  const after = options.redact(value) as Record<string, Json> | undefined;
  const before = value as unknown as Record<string, Json>;
  if (after?.type !== before.type || after?.id !== before.id || after?.at !== before.at) {
    throw new ReckonerError(
      "redaction.refused",
      `The redaction hook must return the ${before.type} it was given with the same type, id and time.`,
    );
  }
  return after;
}
