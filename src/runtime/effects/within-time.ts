/** Carries an attempt out under a time limit. */
import { isThenable } from "../../core/kernel/index.js";
import type { Clock } from "../ports.js";
import { LazyAbort } from "../running/lazy-abort.js";
import type { Arrived } from "./attempt.js";

/** What came of an attempt, or that its time was up. */
export type Limited = Arrived | { readonly type: "late" };

/**
 * Carries an attempt out with a signal of its own, which is aborted when the time is up, or when the
 * effect is stopped: then there is no timer, and no listener, left behind.
 * @param outer stops the effect
 */
export function withinTime(
  clock: Clock,
  timeoutMs: number,
  outer: LazyAbort,
  attempt: (signal: LazyAbort) => Arrived | Promise<Arrived>,
): Limited | Promise<Limited> {
  if (outer.aborted) return { type: "stopped" };
  const signal = new LazyAbort();
  const arriving = attempt(signal);
  if (!isThenable(arriving)) return outer.aborted ? { type: "stopped" } : (arriving as Arrived);
  return limited(clock, timeoutMs, outer, signal, arriving as Promise<Arrived>);
}

async function limited(
  clock: Clock,
  timeoutMs: number,
  outer: LazyAbort,
  signal: LazyAbort,
  arriving: Promise<Arrived>,
): Promise<Limited> {
  const cancelTimer = clock.setTimer(timeoutMs, () => {
    signal.abort(new Error(`timed out after ${timeoutMs} ms`));
  });
  const unlisten = outer.onAbort(() => signal.abort(outer.reason));
  const arrived = await arriving;
  cancelTimer();
  unlisten();
  return arrived.type === "stopped" && !outer.aborted ? { type: "late" } : arrived;
}
