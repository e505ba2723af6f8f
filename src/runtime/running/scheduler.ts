/**
 * The effects of one run: which are running, which wait for a concurrency slot, and how they are
 * stopped.
 */
import type { Effect } from "../../core/kernel/index.js";
import { LazyAbort } from "./lazy-abort.js";
import type { Slots } from "./slots.js";

/** Model calls, tools and stores take a slot; what waits for a person, a time or a child does not. */
function takesSlot(effect: Effect): boolean {
  return effect.type !== "approval" && effect.type !== "timer" && effect.type !== "run";
}

/** Starts an effect. Never throws. */
export type StartEffect = (effect: Effect, stop: LazyAbort) => void;

/** Runs effects under a limit, in the order of their issue. */
export class Scheduler {
  readonly #slots: Slots;
  readonly #start: StartEffect;
  readonly #running = new Map<string, { readonly effect: Effect; readonly stop: LazyAbort }>();
  /** Who holds a slot. */
  readonly #holders = new Set<string>();
  /** Who waits for a slot, and how each gives up waiting. */
  readonly #queue = new Map<string, { readonly effect: Effect; leave: () => void }>();

  constructor(slots: Slots, start: StartEffect) {
    this.#slots = slots;
    this.#start = start;
  }

  /** The effects that run, or wait for a slot to run. */
  get active(): readonly Effect[] {
    return [
      ...[...this.#running.values()].map(({ effect }) => effect),
      ...[...this.#queue.values()].map(({ effect }) => effect),
    ];
  }

  /** Whether something runs, or is about to, that will settle by itself. */
  get busy(): boolean {
    return this.#queue.size > 0 || this.#holders.size > 0;
  }

  /**
   * Takes a slot for an effect that is about to be issued; whether it will start at once.
   * @param from what has just settled: its slot is handed on where nobody waits for one, since the
   * line that makes the one durable lets the other begin; else it is the turn of who asked first
   */
  claim(effect: Effect, from?: string): boolean {
    if (!takesSlot(effect)) return true;
    if (this.#queue.size > 0) return false;
    const mayHandOn = from !== undefined && this.#slots.left.waiting === 0;
    const handed = mayHandOn && this.#holders.delete(from);
    if (!handed && !this.#slots.take()) return false;
    this.#holders.add(effect.id);
    return true;
  }

  /** Starts an effect that claimed its slot, or has it wait for one. */
  submit(effect: Effect, claimed: boolean): void {
    if (claimed) {
      this.#run(effect);
      return;
    }
    const { id } = effect;
    const waiting = { effect, leave: () => {} };
    this.#queue.set(id, waiting);
    waiting.leave = this.#slots.wait(() => {
      this.#queue.delete(id);
      this.#holders.add(id);
      this.#run(effect);
    });
  }

  /**
   * What came of an effect is durable, or it will not run: its slot is free.
   * @param stop of the run of it that is over: another one may have begun since
   */
  release(id: string, stop?: LazyAbort): void {
    if (stop !== undefined && this.#running.get(id)?.stop !== stop) return;
    this.#running.delete(id);
    if (this.#holders.delete(id)) this.#slots.release();
  }

  /** Gives the slot of an effect up for a while, and waits for one again. */
  async withoutSlot(id: string, wait: () => Promise<void>): Promise<void> {
    const running = this.#running.get(id);
    if (this.#holders.delete(id)) this.#slots.release();
    await wait();
    // It was stopped meanwhile; it may be that it has begun again.
    if (running === undefined || this.#running.get(id) !== running) return;
    await new Promise<void>((resolve) => {
      let leave = () => {};
      // What is stopped waits for nothing any more.
      const unlisten = running.stop.onAbort(() => {
        leave();
        resolve();
      });
      leave = this.#slots.wait(() => {
        unlisten();
        resolve();
        this.#holders.add(id);
      });
    });
  }

  /** Lets go of what waits for a slot: it does not begin. */
  dropQueued(): void {
    for (const { leave } of this.#queue.values()) leave();
    this.#queue.clear();
  }

  /** Stops effects, running or waiting: none that waits is begun before all of them are stopped. */
  cancel(ids: Iterable<string>, reason: Error): void {
    const all = [...ids];
    if (this.#queue.size > 0) {
      for (const id of all) {
        this.#queue.get(id)?.leave();
        this.#queue.delete(id);
      }
    }
    for (const id of all) this.#running.get(id)?.stop.abort(reason);
    for (const id of all) this.release(id);
  }

  /** Stops everything. */
  cancelAll(reason: Error): void {
    this.cancel([...this.#queue.keys(), ...this.#running.keys()], reason);
  }

  #run(effect: Effect): void {
    const stop = new LazyAbort();
    this.#running.set(effect.id, { effect, stop });
    this.#start(effect, stop);
  }
}
