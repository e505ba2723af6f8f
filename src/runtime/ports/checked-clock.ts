/**
 * Wraps a caller's clock: if it throws or returns something that is not a time, that is an error
 * with a code.
 */
import { atOnce, isThenable, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import { callHookQuietly } from "./call-hook.js";
import { systemClock } from "./clock.js";
import type { Clock } from "./ports.js";

/** A `Date` tells no later time; far behind it a further millisecond is none. */
const LAST = 8.64e15;

/** The clock, checked at each call: a run whose clock fails ends here, and waits for nothing. */
export function checkedClock(clock: Clock = systemClock): Clock {
  if (clock === systemClock) return clock;
  return {
    now() {
      const now: unknown = asked(() => atOnce("now()", clock.now()));
      if (typeof now === "number" && Math.abs(now) <= LAST) return now;
      throw failed("now() must return a time in milliseconds since 1970");
    },
    setTimer(ms, wake) {
      const takeBack: unknown = asked(() => atOnce("setTimer()", clock.setTimer(ms, wake)));
      // A timer that cannot be taken back wakes somebody who no longer waits.
      if (typeof takeBack === "function") return () => callHookQuietly(takeBack as () => unknown);
      throw failed("setTimer() must return a function that takes the timer back");
    },
    async sleep(ms, signal) {
      const slept = asked(() => clock.sleep(ms, signal));
      if (!isThenable(slept)) throw failed("sleep() must return a promise");
      try {
        await slept;
      } catch (thrown) {
        throw signal?.aborted === true
          ? thrown
          : failed(maskCredentials(messageOf(thrown)), thrown);
      }
    },
  };
}

/** Reads a caller's clock for a note, in whole milliseconds. @throws ReckonerError `port.failed` */
export function timeOfNote(clock: Clock | undefined): number {
  return Math.floor(checkedClock(clock).now());
}

function asked<T>(ask: () => T): T {
  try {
    return ask();
  } catch (thrown) {
    throw failed(maskCredentials(messageOf(thrown)), thrown);
  }
}

function failed(what: string, cause?: unknown): ReckonerError {
  return new ReckonerError("port.failed", `The clock failed: ${what}.`, { cause });
}
