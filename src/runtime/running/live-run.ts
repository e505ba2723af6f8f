/**
 * `LiveRun`: a run in this process. It passes its caller's events and decisions on to the loop that drives
 * it, and the loop's observations to the observers.
 */
import type { DriverSource, Refused } from "../../core/driver/for-live-runs.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import { cutText, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import type { ApprovalDecision, UserPart } from "../../core/kernel/vocabulary/index.js";
import type { JournalSession } from "../journals/session.js";
import { blobsOf } from "../ports/blobs.js";
import {
  checkDuration,
  checkEvent,
  checkGrace,
  checkReason,
  checkSettled,
  type SettledByHand,
} from "../ports/check-event.js";
import { systemClock } from "../ports/clock.js";
import { FileDoor } from "../ports/file-door.js";
import type { Observation } from "../ports/observation.js";
import { onAbort } from "../ports/on-abort.js";
import type { HostOptions } from "../ports/options.js";
import type { Clock, JournalPort } from "../ports/ports.js";
import { type Arrival, decided, idOf, openApprovals, staleOf } from "./answers.js";
import { Broadcast } from "./broadcast.js";
import { type End, endOfRun } from "./end.js";
import type { InterruptOptions, Run } from "./handle.js";
import { Loop } from "./loop.js";
import { notSettled, refusedBy, runEnded, staleApproval } from "./too-late.js";
import { breath } from "./yield-to-event-loop.js";

const NOT_INTERRUPTIBLE =
  "The run cannot be interrupted: its machine has no transition for `interrupt` where it is. Add one, or cancel the run.";

/** The parts that a loop is begun with. */
export interface Beginning<Output, Context> {
  readonly reasoner: Reasoner<never, Output, Context>;
  readonly port: JournalPort;
  readonly session: JournalSession;
  readonly source: DriverSource<Context>;
  /** The decisions and messages that `resume` was given: if any is refused, nothing is written. */
  readonly words: readonly Arrival[];
}

/** Words that came before the loop exists, and whoever said them. */
interface Undelivered {
  readonly word: Arrival;
  readonly taken: () => void;
  readonly refused: (thrown: unknown) => void;
}

/** The purpose of words: what only stops a run has nothing to do where it is over. */
type Purpose = "tell" | "stop";

type Work<Output, Context> = (live: LiveRun<Output, Context>) => Promise<End<Output, Context>>;

/** A run in this process. */
export class LiveRun<Output, Context> implements Run<Output, Context> {
  readonly #options: HostOptions;
  readonly #end: Promise<End<Output, Context>>;
  readonly #broadcast: Broadcast<Context>;
  #undelivered: readonly Undelivered[] = [];
  #loop: Loop<never, Output, Context> | undefined;
  readonly #clock: Clock;
  /** The files of what is said while it runs. */
  readonly #door: FileDoor;
  #over = false;
  #abandoned: { readonly thrown: unknown } | undefined;

  constructor(options: HostOptions, work: Work<Output, Context>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#door = new FileDoor(options.blobs !== undefined);
    this.#broadcast = new Broadcast(options, (thrown) => this.#letGo(thrown));
    // A turn later, so that whoever iterates or sends right away misses nothing.
    this.#end = Promise.resolve()
      .then(() => breath(this.#clock))
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
    const { reasoner, port, session, source, words } = beginning;
    const { blobs } = this.#options;
    const files = blobs === undefined ? undefined : blobsOf(blobs, port);
    const loop = new Loop<never, Output, Context>({
      reasoner,
      session,
      source,
      options: { ...this.#options, modelDown: this.#modelDown(port), clock: this.#clock },
      blobs: files,
      filesKept: () => this.#door.settle(files),
      observe: (observation) => this.observe(observation),
      observed: () => this.#broadcast.isSeen,
    });
    const { signal } = this.#options;
    const aborted = () => {
      // The clock may fail; what a listener throws would go unnoticed.
      this.cancel(messageOf(signal?.reason ?? "aborted")).catch((thrown) => this.#letGo(thrown));
    };
    let leave = () => {};
    try {
      this.#loop = loop;
      if (this.#abandoned !== undefined) loop.abandon(this.#abandoned.thrown);
      const cancelled = signal?.aborted === true;
      const reason = cutText(messageOf(signal?.reason ?? "aborted"));
      this.#tellFirst(loop, words, cancelled ? [{ type: "cancel", reason }] : []);
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
    words: readonly Arrival[],
    cancel: readonly Arrival[],
  ): void {
    const early = this.#undelivered;
    const owed = loop.take([...cancel, ...words, ...early.map(({ word }) => word)]);
    const refusals = new Map<unknown, ReckonerError>();
    for (const refused of owed.refused) {
      const error = this.#refusal(refused);
      if (words.includes(refused.arrived as Arrival) && cancel.length === 0) throw error;
      this.#tellOfRefusal(refused.arrived as Arrival, error);
      refusals.set(refused.arrived, error);
    }
    this.#undelivered = [];
    for (const { word, taken, refused } of early) {
      const error = refusals.get(word);
      if (error === undefined) loop.durable(owed).then(taken, refused);
      else refused(error);
    }
  }

  /** Nobody has to look at the promise of what they said. */
  #tellOfRefusal(word: Arrival | undefined, thrown: unknown): void {
    const code = word?.type === "decided" ? "approval.stale" : "late";
    const what = word?.type === "event" ? `${word.event.type} was dropped: ` : "";
    this.observe({ type: "notice", code, message: `${what}${messageOf(thrown)}` });
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

  /** True if an event sent now would be dropped: the run has ended or waits, or is about to. */
  get over(): boolean {
    if (this.#over || this.#loop?.closed === true) return true;
    return this.#loop !== undefined && this.#loop.state.status !== "active";
  }

  send(event: { readonly type: string; readonly [key: string]: unknown }): Promise<void> {
    return this.#say(() => ({
      type: "event",
      event: checkEvent(this.#door.take(event, "event")),
    }));
  }

  message(content: string | readonly UserPart[]): Promise<void> {
    return this.send({ type: "message", content });
  }

  decide(id: string, decision: ApprovalDecision): Promise<void> {
    return this.#say(() => decided(id, decision));
  }

  settle(path: string, id: string, settlement: SettledByHand["settlement"]): Promise<void> {
    return this.#say(() => checkSettled({ path, id, settlement }));
  }

  interrupt(reason?: string, options: InterruptOptions = {}): Promise<void> {
    return this.#say(() => {
      const graceMs = checkGrace(options);
      const { reason: checkedReason } = checkReason("interrupt", reason);
      return { type: "interrupt", reason: checkedReason, graceMs };
    }, "stop");
  }

  cancel(reason?: string): Promise<void> {
    return this.#say(() => {
      const event = checkEvent({ type: "cancel", ...checkReason("cancel", reason) });
      return { type: "event", event };
    }, "stop");
  }

  drain(ms = 0): Promise<End<Output, Context>> {
    try {
      const words = (): Arrival => {
        checkDuration("ms", ms);
        return { type: "drain", ms };
      };
      this.#tell(words, "stop").catch(() => {});
      return this.#end;
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  /**
   * Says something to the run, now or when it has begun.
   * @returns a promise that nobody has to look at
   */
  #say(words: () => Arrival, purpose?: Purpose): Promise<void> {
    const delivery = (async () => this.#tell(words, purpose))();
    delivery.catch(() => {});
    return delivery;
  }

  /** @throws where it is refused at once @returns a promise that ends when what was said is durable */
  #tell(words: () => Arrival, purpose: Purpose = "tell"): Promise<void> {
    let word: Arrival | undefined;
    try {
      if (this.over && purpose === "tell") throw runEnded();
      word = words();
      return this.over ? Promise.resolve() : this.#deliver(word);
    } catch (thrown) {
      this.#tellOfRefusal(word, thrown);
      throw thrown;
    }
  }

  #deliver(word: Arrival): Promise<void> {
    const loop = this.#loop;
    if (loop === undefined) {
      return new Promise((taken, refused) => {
        this.#undelivered = [...this.#undelivered, { word, taken, refused }];
      });
    }
    const owed = loop.take([word]);
    const [refused] = owed.refused;
    if (refused !== undefined) throw this.#refusal(refused);
    return loop.durable(owed);
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
    for (const { refused } of this.#undelivered) refused(failure?.thrown);
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
