/** Clocks: the system's, and `virtualClock`, which moves only when it is told to. */

import { onAbort } from "./on-abort.js";
import type { Clock } from "./ports.js";

/** The longest delay that a timer of the platform takes at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** The platform's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, wake) {
    let left = ms;
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      const delay = Math.min(left, MAX_DELAY);
      left -= delay;
      timer = setTimeout(left > 0 ? next : wake, delay);
    };
    next();
    return () => clearTimeout(timer);
  },
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
};

/** A sleep on a clock's timers. */
function sleepOn(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let leave = () => {};
    const takeBack = clock.setTimer(Math.max(0, ms), () => {
      leave();
      resolve();
    });
    leave = onAbort(signal, () => {
      leave();
      takeBack();
      reject(signal?.reason);
    });
  });
}

/** A clock for tests: it stands still until it is moved. */
export interface VirtualClock extends Clock {
  /** Moves on by a time, waking every sleeper on the way in the order of their times. */
  advance(ms: number): void;
  /** Jumps to the next wake-up; false where nobody sleeps. */
  jump(): boolean;
  /** How many sleep. */
  readonly sleepers: number;
}

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** A virtual clock, beginning at a time in milliseconds since 1970. */
export function virtualClock(start = 0): VirtualClock {
  let now = start;
  let sleepers: Sleeper[] = [];
  const wakeUntil = (time: number) => {
    for (;;) {
      const due = sleepers.filter((each) => each.until <= time);
      if (due.length === 0) break;
      const next = due.reduce((a, b) => (b.until < a.until ? b : a));
      now = Math.max(now, next.until);
      sleepers = sleepers.filter((each) => each !== next);
      next.wake();
    }
    now = Math.max(now, time);
  };
  const clock: VirtualClock = {
    now: () => now,
    setTimer(ms, wake) {
      const sleeper: Sleeper = { until: now + Math.max(0, ms), wake };
      sleepers = [...sleepers, sleeper];
      return () => {
        sleepers = sleepers.filter((each) => each !== sleeper);
      };
    },
    sleep: (ms, signal) => sleepOn(clock, ms, signal),
    advance: (ms) => wakeUntil(now + ms),
    jump() {
      if (sleepers.length === 0) return false;
      wakeUntil(Math.min(...sleepers.map((each) => each.until)));
      return true;
    },
    get sleepers() {
      return sleepers.length;
    },
  };
  return clock;
}
