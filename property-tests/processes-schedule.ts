/** One scheduler with one seed: whatever several processes wait for gets its turn from it, and time goes on by it. */
import type { Clock } from "../src/runtime/index.js";

/** Numbers from a seed (mulberry32). */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A process: it acts while it is alive and does not stall. */
export class Process {
  readonly name: string;
  isAlive = true;
  isStalled = false;
  /** The heads that it has seen, where it looks once. */
  readonly heads = new Map<string, readonly string[]>();
  /** Milliseconds by which its clock is ahead. */
  ahead = 0;
  constructor(name: string) {
    this.name = name;
  }
}

interface Turn {
  readonly process: Process;
  readonly what: string;
  go(): void;
}

interface Timer {
  readonly process: Process;
  readonly at: number;
  wake(): void;
}

const never = new Promise<never>(() => {});

/** The turns of all processes, and the time. */
export class Schedule {
  readonly #pick: (below: number) => number;
  #waiting: Turn[] = [];
  #timers: Timer[] = [];
  #time = 1_000_000;

  constructor(pick: (below: number) => number) {
    this.#pick = pick;
  }

  clock(process: Process): Clock {
    const setTimer: Clock["setTimer"] = (ms, wake) => {
      const timer = { process, at: this.#time + ms, wake };
      this.#timers.push(timer);
      return () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      };
    };
    const sleep: Clock["sleep"] = (ms) => new Promise((resolve) => void setTimer(ms, resolve));
    return { now: () => this.#time + process.ahead, setTimer, sleep };
  }

  /** Waits for the scheduler; for ever, where the process dies before. */
  async turn(process: Process, what: string): Promise<void> {
    await new Promise<void>((go) => this.#waiting.push({ process, what, go }));
    if (!process.isAlive) await never;
  }

  /** Gives so many turns, or as many as somebody waits for. */
  async turns(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      await quiet();
      this.#waiting = this.#waiting.filter(({ process }) => process.isAlive);
      const ready = this.#waiting.filter(({ process }) => !process.isStalled);
      const turn = ready[this.#pick(Math.max(1, ready.length))];
      if (turn === undefined) {
        if (!this.#wake()) return;
        continue;
      }
      this.#waiting = this.#waiting.filter((each) => each !== turn);
      this.#time += 1;
      turn.go();
    }
    await quiet();
  }

  /** Time goes on to the next timer of a process that lives. */
  #wake(): boolean {
    const timers = this.#timers.filter(({ process }) => process.isAlive && !process.isStalled);
    const next = timers.sort((a, b) => a.at - b.at)[0];
    if (next === undefined) return false;
    this.#timers = this.#timers.filter((each) => each !== next);
    this.#time = Math.max(this.#time, next.at);
    next.wake();
    return true;
  }
}

/** Resolves when everything has gone on as far as it can without a turn. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
