/** The standing of a run, and the next moment at which a host is to take again. */
import type { DrivenRun, Shared } from "./driven-run.js";
import type { Stands } from "./owed.js";

/** The next moment at which something is due, on the host's clock; never in the past. */
export function wakeAt<Context>(
  run: DrivenRun<never, unknown, Context>,
  { now, offset, options, winding }: Shared<Context>,
): number | undefined {
  if (!run.isActive) return undefined;
  const { timers, limits } = run.effects;
  const sleeps = options.timers !== "rest";
  const times = [sleeps ? timers.first : undefined, limits.first, winding.wakeAt(now)];
  const known = times.filter((time): time is number => time !== undefined);
  if (known.length === 0) return undefined;
  return Math.max(now, Math.min(...known)) - offset;
}

/** @param more something that follows was left for the next take */
export function standing<Context>(
  run: DrivenRun<never, unknown, Context>,
  { now, options, winding }: Shared<Context>,
  more: boolean,
): Stands {
  const { busy, pending, resting, sleeping, asking } = run.effects;
  if (!run.isActive) return "ended";
  if (more || winding.interrupts) return "running";
  if (winding.drains) {
    return winding.leaves(run.effects, now) ? "drained" : "running";
  }
  if (pending > 0 || busy.size > resting) return "running";
  const due = run.effects.timers.first;
  if (due !== undefined && due <= now) return "running";
  const sleeps = sleeping > 0 && options.timers !== "rest";
  // Timers are waited for, unless somebody else has to decide, or a child waits as well.
  return sleeps && asking === 0 && resting === 0 ? "running" : "waiting";
}
