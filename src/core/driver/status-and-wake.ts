/**
 * Computes, for the result of a driver's `take`, the status of its tree of runs (at work, waiting, ended or
 * drained) and the moment at which its host is to call `take` again.
 */
import type { DownError } from "../journal/for-live-runs.js";
import type { Live } from "./effects.js";
import type { Stands } from "./owed-by-host.js";
import type { Shared } from "./shared-by-runs.js";

/** The next moment at which something is due, on the host's clock; never in the past. */
export function wakeAt<Context>(
  isOver: boolean,
  { now, offset, options, winding, effects }: Shared<Context>,
): number | undefined {
  if (isOver) return undefined;
  const { timers, limits, delays, busy, pending } = effects;
  const { polled, next } = pollsOf(effects, now);
  // A host that returns where only a timer is waited for is there all the same while something goes on.
  const sleeps = options.timers !== "return" || pending > 0 || busy.size > polled;
  const polls = sleeps ? next : undefined;
  const timer = sleeps ? timers.first : undefined;
  const times = [timer, polls, limits.first, delays.first, winding.wakeAt(now)];
  const moments = times.filter((time): time is number => time !== undefined);
  if (moments.length === 0) return undefined;
  return Math.max(now, Math.min(...moments)) - offset;
}

/**
 * @param isOver the root has ended, and nothing runs on
 * @param more something that follows was left for the next take
 */
export function standing<Context>(
  isOver: boolean,
  { now, options, winding, effects }: Shared<Context>,
  more: boolean,
): Stands {
  const { busy, pending, sleeping, asking, down } = effects;
  if (more) return "running";
  if (isOver) return "ended";
  if (winding.interrupts) return "running";
  if (winding.drains) {
    return winding.leaves(effects, now) ? "drained" : "running";
  }
  const { polled, next } = pollsOf(effects, now);
  if (pending > 0 || busy.size > polled) return "running";
  const due = effects.timers.first;
  if (due !== undefined && due <= now) return "running";
  // A model that is down is slept for where the host says so, and some attempt is to follow.
  if (down > 0 && (options.modelDown !== "sleep" || effects.delays.first === undefined)) {
    return "waiting";
  }
  const isAsleep = sleeping > 0 || next !== undefined;
  const sleeps = down > 0 || (isAsleep && options.timers !== "return");
  // Timers are waited for, unless somebody else has to decide.
  return sleeps && asking === 0 ? "running" : "waiting";
}

/** The number of attempts whose ports have nothing to look for before a later moment, and the first such moment. */
export function pollsOf(
  { busy }: Shared<never>["effects"],
  now: number,
): { readonly polled: number; readonly next: number | undefined } {
  let polled = 0;
  let next: number | undefined;
  for (const { handle, phase } of busy) {
    if (phase !== "running" || handle?.due === undefined || handle.due <= now) continue;
    polled += 1;
    if (next === undefined || handle.due < next) next = handle.due;
  }
  return { polled, next };
}

/** The error of a model that is waited for, and its next attempt, as events have times. */
export interface Down {
  readonly error: DownError;
  readonly until: number | undefined;
}

/** Returns the wait for a model that is over first. */
export function firstDown(lives: Iterable<{ readonly live: Live }>): Down | undefined {
  let first: Down | undefined;
  for (const { live } of lives) {
    const { phase, down, until = Number.POSITIVE_INFINITY } = live;
    if (phase !== "down" || down === undefined) continue;
    if (until < (first?.until ?? Number.POSITIVE_INFINITY)) first = { error: down, until };
    else first ??= { error: down, until: live.until };
  }
  return first;
}
