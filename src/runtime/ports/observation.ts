/**
 * Types of what observers of a live run are shown: observations (steps, deltas, retries) and notices. They are
 * not recorded and do not change a run.
 */
import type { Begun, Retry } from "../../core/driver/for-live-runs.js";
import { ofChild } from "../../core/journal/for-live-runs.js";
import type { Ignored, RunState } from "../../core/kernel/machine/index.js";
import type { Json } from "../../core/kernel/values/index.js";
import type { Directive, RunEvent } from "../../core/kernel/vocabulary/index.js";
import type { Delta } from "./ports.js";

/** Something that happened, in the order in which it became durable. */
export type Observation<Context = unknown> =
  /** An event was processed, and its line is durable. */
  | {
      readonly type: "step";
      /** The place among the events of the run and its children: where a fork may cut. */
      readonly seq: number;
      readonly event: RunEvent;
      /** Of a start: what it depends on, so that the observed events replay. */
      readonly begin?: Begun;
      readonly directives: readonly Directive[];
      readonly state: RunState<Context>;
      readonly ignored?: Ignored;
    }
  /** A model wrote a piece of its answer, in one attempt (from 1) of being asked. */
  | {
      readonly type: "delta";
      readonly id: string;
      readonly attempt: number;
      readonly delta: Delta;
    }
  /** A tool told how far its call is. */
  | { readonly type: "progress"; readonly id: string; readonly data: Json }
  /** An effect begins; `attempt` counts from 1. */
  | { readonly type: "started"; readonly id: string; readonly attempt: number }
  | Retry
  /** Something happened in a child run. */
  | { readonly type: "child"; readonly runId: string; readonly observation: Observation }
  /** The machine issued a `notify` directive. */
  | { readonly type: "notify"; readonly topic: string; readonly data?: Json }
  /** Something a person should know: a torn line, a late result, an observer that threw. */
  | { readonly type: "notice"; readonly code: NoticeCode; readonly message: string };

/**
 * Returns an observation as the observers of the root see it.
 * @param root the id of the root
 * @param path of the run in which it happened
 */
export function observedIn<Context>(
  root: string,
  path: string,
  observation: Observation<Context>,
): Observation<Context> {
  let seen = observation as Observation;
  for (let own = path; own !== ""; own = own.slice(0, Math.max(0, own.lastIndexOf(":")))) {
    seen = { type: "child", runId: ofChild(root, own), observation: seen };
  }
  return seen as Observation<Context>;
}

/** What a notice is about. */
export type NoticeCode =
  | "clock.behind"
  | "journal.torn"
  | "journal.upgraded"
  | "journal.unclosed"
  | "snapshot.unused"
  | "observer.threw"
  | "machine.threw"
  | "late"
  | "request.mended"
  | "approval.stale"
  | "deps.secret"
  | "tool.result"
  | "usage.estimated";

/** Sees observations. What it throws, or rejects with later, is told to the other observers and changes nothing. */
export type Observer<Context = unknown> = {
  /**
   * `Observer<AgentContext>` types the contexts of an observer that is used for one kind of
   * reasoner.
   */
  observe(observation: Observation<Context>): void;
}["observe"];

type Waiter<Context> = {
  resolve(result: IteratorResult<Observation<Context>>): void;
  reject(thrown: unknown): void;
};

/** Observations as an async iterable that ends with the run. */
export class ObservationStream<Context> implements AsyncIterator<Observation<Context>> {
  #buffer: Observation<Context>[] = [];
  /** How many at the front of the buffer were read: to shift a long one costs its length. */
  #read = 0;
  /** Calls of `next` that are ahead of the run, in order. */
  #waiters: Waiter<Context>[] = [];
  #end: { readonly failure?: { readonly thrown: unknown } } | undefined;
  readonly #left: (stream: ObservationStream<Context>) => void;

  /** @param left is told when whoever reads has had enough */
  constructor(left: (stream: ObservationStream<Context>) => void = () => {}) {
    this.#left = left;
  }

  push(observation: Observation<Context>): void {
    if (this.#end !== undefined) return;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#buffer.push(observation);
    else waiter.resolve({ done: false, value: observation });
  }

  end(failure?: { readonly thrown: unknown }): void {
    this.#end ??= failure === undefined ? {} : { failure };
    for (const waiter of this.#waiters.splice(0)) this.#settle(waiter);
  }

  next(): Promise<IteratorResult<Observation<Context>>> {
    const value = this.#buffer[this.#read];
    if (value !== undefined) {
      this.#read += 1;
      if (this.#read * 2 > this.#buffer.length) {
        this.#buffer = this.#buffer.slice(this.#read);
        this.#read = 0;
      }
      return Promise.resolve({ done: false, value });
    }
    return new Promise((resolve, reject) => {
      if (this.#end === undefined) this.#waiters.push({ resolve, reject });
      else this.#settle({ resolve, reject });
    });
  }

  return(): Promise<IteratorResult<Observation<Context>>> {
    this.#buffer = [];
    this.#read = 0;
    this.end();
    this.#left(this);
    return Promise.resolve({ done: true, value: undefined });
  }

  #settle({ resolve, reject }: Waiter<Context>): void {
    const failure = this.#end?.failure;
    // A failure is thrown once; who asks again is told that it is over.
    this.#end = {};
    if (failure === undefined) resolve({ done: true, value: undefined });
    else reject(failure.thrown);
  }
}
