/** A run in this process: hands what its caller says to its loop, and what happens to its observers. */
import type { DriverSource, Refused } from "../../core/driver/live.js";
import {
  type ApprovalDecision,
  cutText,
  messageOf,
  type Reasoner,
  ReckonerError,
  type UserPart,
} from "../../core/kernel/index.js";
import type { JournalSession } from "../journals/session.js";
import {
  checkDuration,
  checkEvent,
  checkGrace,
  checkReason,
  checkSettled,
  type SettledByHand,
} from "../ports/check-event.js";
import { systemClock } from "../ports/clock.js";
import type { Observation } from "../ports/observation.js";
import { onAbort } from "../ports/on-abort.js";
import type { HostOptions } from "../ports/options.js";
import type { Clock, JournalPort } from "../ports/ports.js";
import { decided, idOf, openApprovals, type Said, staleOf } from "./answers.js";
import { Broadcast } from "./broadcast.js";
import { type End, endOfRun } from "./end.js";
import type { InterruptOptions, Run } from "./handle.js";
import { Loop } from "./loop.js";
import { notSettled, refusedBy, runEnded, staleApproval } from "./refusals.js";

const NOT_INTERRUPTIBLE =
  "The run cannot be interrupted: its machine has no transition for `interrupt` where it is. Add one, or cancel the run.";

/** The parts that a loop is begun with. */
export interface Beginning<Output, Context> {
  readonly reasoner: Reasoner<never, Output, Context>;
  readonly port: JournalPort;
  readonly session: JournalSession;
  readonly source: DriverSource<Context>;
  /** The decisions and messages that `resume` was given: if any is refused, nothing is written. */
  readonly said: readonly Said[];
}

type Work<Output, Context> = (live: LiveRun<Output, Context>) => Promise<End<Output, Context>>;

/** A run in this process. */
export class LiveRun<Output, Context> implements Run<Output, Context> {
  readonly #options: HostOptions;
  readonly #end: Promise<End<Output, Context>>;
  readonly #broadcast: Broadcast<Context>;
  /** The words that came before the loop exists. */
  #undelivered: Said[] = [];
  #loop: Loop<never, Output, Context> | undefined;
  readonly #clock: Clock;
  #over = false;
  #abandoned: { readonly thrown: unknown } | undefined;

  constructor(options: HostOptions, work: Work<Output, Context>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
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
    const { reasoner, port, session, source, said } = beginning;
    const loop = new Loop<never, Output, Context>({
      reasoner,
      session,
      source,
      options: { ...this.#options, modelDown: this.#modelDown(port), clock: this.#clock },
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
      this.#loop = loop;
      if (this.#abandoned !== undefined) loop.abandon(this.#abandoned.thrown);
      const cancelled = signal?.aborted === true;
      const reason = cutText(messageOf(signal?.reason ?? "aborted"));
      this.#tellFirst(loop, said, cancelled ? [{ type: "cancel", reason }] : []);
      if (!cancelled) leave = onAbort(signal, aborted);
      return endOfRun(reasoner, port, await loop.drive());
    } finally {
      leave();
      await session.settled();
    }
  }

  /** A run that somebody can resume waits for a model that is down. */
  #modelDown({ lasts = true }: JournalPort): HostOptions["modelDown"] {
    return this.#options.modelDown ?? (lasts ? "wait" : "fail");
  }

  /**
   * Takes what came before the run began.
   * @throws ReckonerError where something of what `resume` was given is refused
   */
  #tellFirst(
    loop: Loop<never, Output, Context>,
    given: readonly Said[],
    cancel: readonly Said[],
  ): void {
    const early = this.#undelivered.splice(0);
    const { refused } = loop.take([...cancel, ...given, ...early]);
    for (const each of refused) {
      const said = each.arrived as Said;
      const error = this.#refusal(each);
      if (given.includes(said) && cancel.length === 0) throw error;
      const code = said.type === "decided" ? "approval.stale" : "late";
      const what = said.type === "event" ? `${said.event.type} was dropped: ` : "";
      this.observe({ type: "notice", code, message: `${what}${error.message}` });
    }
  }

  /** The error that a sender gets. */
  #refusal(refused: Refused): ReckonerError {
    const { arrived, why, error } = refused;
    const runs = this.#loop?.runs ?? [];
    if (arrived.type === "decided") {
      return staleApproval(idOf(arrived), staleOf(refused, runs), openApprovals(runs));
    }
    if (error !== undefined) return refusedBy(error);
    if (why === "ended") return runEnded();
    if (arrived.type === "settle") return notSettled(arrived.settlement.id);
    if (why === "uninterruptible") {
      return new ReckonerError("run.notInterruptible", NOT_INTERRUPTIBLE);
    }
    return new ReckonerError("event.invalid", `The ${arrived.type} was refused: ${why}.`);
  }

  /** Whether an event sent now would be dropped: the run has ended or rests, or is about to. */
  get over(): boolean {
    if (this.#over || this.#loop?.closed === true) return true;
    return this.#loop !== undefined && this.#loop.state.status !== "active";
  }

  send(event: { readonly type: string; readonly [key: string]: unknown }): void {
    if (this.over) throw runEnded();
    this.#say({ type: "event", event: checkEvent(event) });
  }

  message(content: string | readonly UserPart[]): void {
    this.send({ type: "message", content });
  }

  decide(id: string, decision: ApprovalDecision): void {
    if (this.over) throw runEnded();
    this.#say(decided(id, decision));
  }

  interrupt(reason?: string, options: InterruptOptions = {}): void {
    const graceMs = checkGrace(options);
    if (this.over) return;
    const { reason: said } = checkReason("interrupt", reason);
    this.#say({ type: "interrupt", reason: said, graceMs });
  }

  drain(ms = 0): Promise<End<Output, Context>> {
    checkDuration("ms", ms);
    if (!this.over) this.#say({ type: "drain", ms });
    return this.#end;
  }

  settle(path: string, id: string, settlement: SettledByHand["settlement"]): void {
    if (this.over) throw runEnded();
    this.#say(checkSettled({ path, id, settlement }));
  }

  /** @throws ReckonerError where it is refused */
  #say(said: Said): void {
    if (this.#loop === undefined) {
      this.#undelivered.push(said);
      return;
    }
    const [refused] = this.#loop.take([said]).refused;
    if (refused !== undefined) throw this.#refusal(refused);
  }

  cancel(reason?: string): void {
    if (this.over) return;
    this.send({ type: "cancel", ...checkReason("cancel", reason) });
  }

  #letGo(thrown: unknown): void {
    this.#abandoned ??= { thrown };
    this.#loop?.abandon(thrown);
  }

  /** Shows an observation to the observers and to whoever iterates. */
  observe(observation: Observation<Context>): void {
    this.#broadcast.observe(observation);
  }

  #close(failure?: { readonly thrown: unknown }): void {
    this.#over = true;
    // A caller that holds a waiting run only holds its end, not the loop.
    this.#loop = undefined;
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
