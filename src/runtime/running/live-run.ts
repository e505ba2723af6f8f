/** `Run`: the live run that a caller holds, and what drives it. */
import {
  type ApprovalDecision,
  addUsage,
  messageOf,
  type Reasoner,
  ReckonerError,
  type RunState,
  type Usage,
  type UserPart,
} from "../../core/kernel/index.js";
import { ABANDONED } from "../children/children.js";
import type { AnyReasoner } from "../children/named-children.js";
import type { ChildRuns, Incoming } from "../effects/effect-host.js";
import type { JournalSession } from "../journals/session.js";
import type { JournalPort } from "../ports.js";
import { decided, type RoutedDecision, routed, whyStale } from "./answers.js";
import { Broadcast } from "./broadcast.js";
import { checkDuration, checkEvent, checkGrace, checkReason } from "./check-event.js";
import { systemClock } from "./clock.js";
import { type End, endOfRun } from "./end.js";
import { Interpreter } from "./interpreter.js";
import type { Observation } from "./observation.js";
import { onAbort } from "./on-abort.js";
import type { HostOptions } from "./options.js";
import { idFromRoot, runEnded, type Stale, staleApproval } from "./refusals.js";
import type { Slots } from "./slots.js";

/**
 * A live run: iterate it for its observations, await it for its end. Who begins in the middle of a
 * model's message is told at once what was written of it so far.
 */
export interface Run<Output = unknown, Context = unknown>
  extends AsyncIterable<Observation<Context>>,
    Pick<Promise<End<Output, Context>>, "then" | "catch" | "finally"> {
  /**
   * Sends an event from outside.
   * @throws ReckonerError `run.ended` where the run has ended or rests, `event.invalid`,
   * `event.tooLarge`
   */
  send(event: { readonly type: string; readonly [key: string]: unknown }): void;
  /**
   * Sends a user message, at any moment.
   * @throws ReckonerError as {@link send}
   */
  message(content: string | readonly UserPart[]): void;
  /**
   * Decides an approval, by the id that it has in `end.approvals`.
   * @throws ReckonerError `approval.stale` where it does not wait, `run.ended`, `event.invalid`,
   * `event.tooLarge`
   */
  decide(id: string, decision: ApprovalDecision): void;
  /** Ends the run. */
  cancel(reason?: string): void;
  /**
   * Ends the present turn, not the run: model calls are aborted and their text so far is kept,
   * pending approvals are cancelled, tools and child runs have `graceMs` to settle and are then
   * unknown. A conversation waits, or continues with messages that arrived meanwhile.
   * @throws ReckonerError `run.notInterruptible` where the machine has no transition for it
   */
  interrupt(reason?: string, options?: InterruptOptions): void;
  /**
   * Leaves the run to another process: no further effects begin, running ones may settle within a
   * time, and then the run is `waiting` with the reason `drained`. What has not settled is as after
   * a crash.
   * @param ms milliseconds; default 0
   * @returns the run's end
   */
  drain(ms?: number): Promise<End<Output, Context>>;
}

/** How a turn is ended. */
export interface InterruptOptions {
  /** How long tools and child runs that run may take to settle, in milliseconds. Default 0. */
  readonly graceMs?: number | undefined;
}

const NOT_INTERRUPTIBLE =
  "The run cannot be interrupted: its machine has no transition for `interrupt` where it is. Add one, or cancel the run.";

/** What the runs of a tree share, and the place of this one in it. */
export interface Tree {
  readonly slots: Slots;
  /** The `run` directives that lead to this one, from the outermost. */
  readonly path: readonly string[];
  /** Where runs are upgraded: since when, and the code of this run that was given, newest first. */
  readonly upgrading?: { readonly at: number; readonly versions: readonly AnyReasoner[] };
}

/** What an interpreter is begun with. */
export interface Beginning<Output, Context> {
  readonly reasoner: Reasoner<never, Output, Context>;
  readonly port: JournalPort;
  readonly session: JournalSession;
  readonly state: RunState<Context>;
  readonly attempts: ReadonlyMap<string, number>;
  readonly children: ChildRuns;
  /** What `resume` was given: decisions first, since what is said may end the run. */
  readonly said?: readonly Said[];
  /** @param decided the approvals, and the children, on which something is decided before that */
  begin(interpreter: Interpreter<never, Output, Context>, decided: ReadonlySet<string>): void;
}

/** An interrupt or a drain on its way. */
type Winding =
  | { readonly interrupt: string | undefined; readonly graceMs: number }
  | { readonly drain: number };

/** What a run is told: an event may have any parts, so it is not told from the rest by its own. */
export type Said =
  | { readonly event: Incoming }
  | { readonly route: RoutedDecision }
  | { readonly winding: Winding };

/** The approvals and children of a run on which something is decided in what it is told. */
function decidedIn(told: readonly Said[]): ReadonlySet<string> {
  const routes = told.flatMap((each) => ("route" in each ? [each.route] : []));
  return new Set(routes.map((route) => ("own" in route ? route.own : route.child)));
}

type Work<Output, Context> = (live: LiveRun<Output, Context>) => Promise<End<Output, Context>>;

/** A run in this process. */
export class LiveRun<Output, Context> implements Run<Output, Context> {
  readonly tree: Tree;
  readonly #options: HostOptions;
  readonly #end: Promise<End<Output, Context>>;
  readonly #broadcast: Broadcast<Context>;
  /** Events sent before the interpreter exists. */
  #undelivered: Said[] = [];
  #interpreter: Interpreter<never, Output, Context> | undefined;
  #reasoner: Reasoner<never, Output, Context> | undefined;
  #over = false;
  #abandoned: { readonly thrown: unknown } | undefined;

  constructor(options: HostOptions, tree: Tree, work: Work<Output, Context>) {
    this.tree = tree;
    this.#options = options;
    this.#broadcast = new Broadcast(options, (thrown) => this.#letGo(thrown));
    // A turn later, so that whoever iterates or sends right away misses nothing.
    this.#end = Promise.resolve()
      .then(() => work(this))
      .then(
        (end) => {
          this.#close();
          return end;
        },
        (thrown) => {
          this.#close({ thrown });
          throw thrown;
        },
      );
  }

  async drive(beginning: Beginning<Output, Context>): Promise<End<Output, Context>> {
    const { reasoner, port, session, state, attempts, children, said = [], begin } = beginning;
    const interpreter = new Interpreter<never, Output, Context>({
      reasoner,
      session,
      options: this.#options,
      state,
      attempts,
      children,
      slots: this.tree.slots,
      path: this.tree.path,
      observe: (observation) => this.observe(observation),
      observed: () => this.#broadcast.isSeen,
    });
    const { signal } = this.#options;
    const aborted = () => {
      try {
        this.cancel(messageOf(signal?.reason ?? "aborted"));
      } catch (thrown) {
        // The clock failed; what a listener throws would go unnoticed.
        this.#letGo(thrown);
      }
    };
    let leave = () => {};
    try {
      this.#interpreter = interpreter;
      this.#reasoner = reasoner;
      const early = this.#undelivered.splice(0);
      // First of all: what is wound down begins nothing, what it starts with neither.
      for (const each of early) if ("winding" in each) this.#deliver(each);
      const told = [...said, ...early];
      if (state.status === "active" || state.seq === 0) begin(interpreter, decidedIn(told));
      if (this.#abandoned !== undefined) interpreter.abandon(this.#abandoned.thrown);
      leave = onAbort(signal, aborted);
      for (const each of told) if (!("winding" in each)) this.#deliver(each);
      const { state: last, inChildren, drained } = await interpreter.drive();
      const spent = addUsage(usageOf(last, session.usage), inChildren.usage);
      return endOfRun(reasoner, last, port, spent, inChildren, drained);
    } finally {
      leave();
      await session.settled();
    }
  }

  /** What was sent before the run began; a decision on nothing that waits is told of. */
  #deliver(each: Said): void {
    if ("winding" in each) {
      if (!this.#wind(each.winding))
        this.observe({ type: "notice", code: "late", message: NOT_INTERRUPTIBLE });
      return;
    }
    if ("event" in each) {
      this.#interpreter?.post(each.event);
      return;
    }
    const stale = this.#decide(each.route);
    if (stale === undefined) return;
    const { path } = this.tree;
    const open = this.approvals().map((id) => idFromRoot(path, id));
    const { message } = staleApproval(idFromRoot(path, each.route.id), stale, open);
    this.observe({ type: "notice", code: "approval.stale", message });
  }

  /** The approvals that wait, its children's included, by the ids by which it is told of them. */
  approvals(): readonly string[] {
    return this.#interpreter?.approvals() ?? [];
  }

  /** @returns why the approval does not wait */
  #decide(route: RoutedDecision): Stale | undefined {
    const interpreter = this.#interpreter as Interpreter<never, Output, Context>;
    if ("own" in route) {
      const now = (this.#options.clock ?? systemClock).now();
      const reasoner = this.#reasoner as Reasoner<never, Output, Context>;
      const { state, ahead } = interpreter;
      const stale = whyStale(reasoner, state, ahead, route.own, now);
      if (stale === undefined) interpreter.post(decided(route.own, route.decision));
      return stale;
    }
    const { child, inner, decision } = route;
    return interpreter.decideInChild(child, inner, decision);
  }

  /** Whether an event sent now would be dropped: the run has ended or rests, or is about to. */
  get over(): boolean {
    if (this.#over || this.#interpreter?.closed === true) return true;
    return this.#interpreter !== undefined && this.#interpreter.ahead.status !== "active";
  }

  send(event: { readonly type: string; readonly [key: string]: unknown }): void {
    if (this.over) throw runEnded();
    const incoming = checkEvent(event);
    if (this.#interpreter === undefined) this.#undelivered.push({ event: incoming });
    else this.#interpreter.post(incoming);
  }

  message(content: string | readonly UserPart[]): void {
    this.send({ type: "message", content });
  }

  decide(id: string, decision: ApprovalDecision): void {
    if (this.over) throw runEnded();
    const stale = this.tryDecide(id, decision);
    if (stale !== undefined) throw staleApproval(id, stale, this.approvals());
  }

  /** @returns why the approval does not wait; where that shows later, it is observed */
  tryDecide(id: string, decision: ApprovalDecision): Stale | undefined {
    const route = routed(id, decision);
    if (this.#over) return { why: "the run has ended or rests" };
    if (this.#interpreter !== undefined) return this.#decide(route);
    this.#undelivered.push({ route });
    return undefined;
  }

  interrupt(reason?: string, options: InterruptOptions = {}): void {
    const graceMs = checkGrace(options);
    if (this.over) return;
    const { reason: said } = checkReason("interrupt", reason);
    if (this.#wind({ interrupt: said, graceMs })) return;
    throw new ReckonerError("run.notInterruptible", NOT_INTERRUPTIBLE);
  }

  drain(ms = 0): Promise<End<Output, Context>> {
    checkDuration("ms", ms);
    if (!this.over) this.#wind({ drain: ms });
    return this.#end;
  }

  /** @returns whether the machine can be interrupted */
  #wind(winding: Winding): boolean {
    const interpreter = this.#interpreter;
    if (interpreter === undefined) {
      this.#undelivered.push({ winding });
      return true;
    }
    if ("interrupt" in winding) return interpreter.interrupt(winding.interrupt, winding.graceMs);
    interpreter.drain(winding.drain);
    return true;
  }

  cancel(reason?: string): void {
    if (this.over) return;
    this.send({ type: "cancel", ...checkReason("cancel", reason) });
  }

  /** Whoever started the run is about to be cancelled: what waits for a slot does not begin until then. */
  hold(): void {
    this.#interpreter?.hold();
  }

  /** It was not the run's end: what was held begins. */
  goOn(): void {
    this.#interpreter?.goOn();
  }

  /** Stops the run without ending it; its promise rejects. */
  abandon(): void {
    this.#letGo(ABANDONED);
  }

  #letGo(thrown: unknown): void {
    this.#abandoned ??= { thrown };
    this.#interpreter?.abandon(thrown);
  }

  /** Shows an observation to the observers and to whoever iterates. */
  observe(observation: Observation<Context>): void {
    this.#broadcast.observe(observation);
  }

  #close(failure?: { readonly thrown: unknown }): void {
    this.#over = true;
    // A caller that holds a waiting run only holds its end, not the interpreter.
    this.#interpreter = undefined;
    this.#broadcast.close(failure);
  }

  [Symbol.asyncIterator](): AsyncIterator<Observation<Context>> {
    // The iterator throws what the promise rejects with; nobody has to await both.
    this.#end.catch(() => {});
    return this.#broadcast.join();
  }

  // biome-ignore lint/suspicious/noThenProperty: a run is awaited for its end
  then<A = End<Output, Context>, B = never>(
    onEnd?: ((end: End<Output, Context>) => A | PromiseLike<A>) | null,
    onError?: ((thrown: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#end.then(onEnd, onError);
  }

  catch<B = never>(
    onError?: ((thrown: unknown) => B | PromiseLike<B>) | null,
  ): Promise<End<Output, Context> | B> {
    return this.#end.catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<End<Output, Context>> {
    return this.#end.finally(onEnd);
  }
}

/** The usage; its cost is what the machine has counted plus what the journal has beside it. */
function usageOf(state: RunState, spent: Usage): Usage {
  const { usage } = (state.context ?? {}) as { readonly usage?: { readonly cost?: number } };
  const cost = (usage?.cost ?? 0) + ((spent as { readonly cost?: number }).cost ?? 0);
  return cost === 0 ? spent : ({ ...spent, cost } as Usage);
}
