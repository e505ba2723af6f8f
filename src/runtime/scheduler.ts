/** Which effects run, which wait for a place, and how they are stopped. It knows no journal. */
import type { Effect } from "../core/kernel/index.js";

/** Model calls, tools and stores take a place; what waits for a person, a time or a child does not. */
function takesPlace(effect: Effect): boolean {
  return effect.type !== "approval" && effect.type !== "timer" && effect.type !== "run";
}

/** Starts an effect; `marked` where its start mark is durable already. Never throws. */
export type StartEffect = (effect: Effect, signal: AbortSignal, marked: boolean) => void;

/** Runs effects under a limit, in the order of their issue. */
export class Scheduler {
  readonly #limit: number;
  readonly #start: StartEffect;
  readonly #running = new Map<string, { effect: Effect; controller: AbortController }>();
  readonly #places = new Set<string>();
  #queue: Effect[] = [];

  constructor(limit: number, start: StartEffect) {
    this.#limit = Math.max(1, limit);
    this.#start = start;
  }

  /** The effects that run, or wait for a place to run. */
  get active(): readonly Effect[] {
    return [...[...this.#running.values()].map(({ effect }) => effect), ...this.#queue];
  }

  /** Takes a place for an effect that is about to be issued; whether it will start at once. */
  claim(effect: Effect): boolean {
    if (!takesPlace(effect)) return true;
    if (this.#queue.length > 0 || this.#places.size >= this.#limit) return false;
    this.#places.add(effect.id);
    return true;
  }

  /** Starts an effect that claimed its place, or has it wait for one. */
  submit(effect: Effect, claimed: boolean, marked: boolean): void {
    if (claimed) this.#run(effect, marked);
    else this.#queue.push(effect);
    // A place may have become free since it was asked for.
    this.#fill();
  }

  /** An effect has settled, or will not run: its place is free. */
  release(id: string): void {
    this.#running.delete(id);
    this.#places.delete(id);
    this.#fill();
  }

  #fill(): void {
    while (this.#queue.length > 0 && this.#places.size < this.#limit) {
      const next = this.#queue.shift() as Effect;
      this.#places.add(next.id);
      this.#run(next, false);
    }
  }

  /** Stops an effect, running or waiting. */
  cancel(id: string, reason: Error): void {
    this.#running.get(id)?.controller.abort(reason);
    this.#queue = this.#queue.filter((effect) => effect.id !== id);
    this.release(id);
  }

  /** Stops everything. */
  cancelAll(reason: Error): void {
    this.#queue = [];
    for (const id of [...this.#running.keys()]) this.cancel(id, reason);
  }

  #run(effect: Effect, marked: boolean): void {
    const controller = new AbortController();
    this.#running.set(effect.id, { effect, controller });
    this.#start(effect, controller.signal, marked);
  }
}
