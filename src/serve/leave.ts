/**
 * Decides how a host lets go of a run: after a step of it (it waits for a person or a moment), or after a
 * failure (it is tried again, or parked). It holds nothing.
 */
import type { Owed } from "../core/driver/index.js";
import { faultOf } from "./mail-content.js";
import { LaterCode, type OpenRun } from "./open-run.js";
import { isOutage } from "./outage.js";
import { delayAfter, MAX_TRIES } from "./run-retries.js";
import type { Fault, Release } from "./store.js";

/** The way in which a run left this process. */
export type Left =
  /** It waits, has ended, or is for another host to go on with. */
  | "released"
  /** Another host owns it, or nobody knows. */
  | "lost";

/** Milliseconds after which a host with later code is sure to have taken a run. */
const LATER_MS = 5_000;
/** A run that sleeps for longer than any back-off is let go of. */
const SLEEP_MS = 61_000;
/** The codes of a journal that somebody else has written to. */
export const CONFLICT: RegExp = /^journal\.(?:conflict|exists|missing)$/;

/** The reason of a run whose owners ended without a word; `last` is what one of them said before, in passing. */
export function goneAfter(last: Fault | undefined): Fault {
  const why = last === undefined ? "." : `; the last one that said why: ${last.message}`;
  return {
    code: "run.parked",
    message: `The processes that had it open ended again and again${why}`,
  };
}

/** Returns how a run is let go of behind a take; `undefined` where it goes on here. */
export function releaseOf({ driver }: OpenRun, owed: Owed, now: number): Release | undefined {
  const { stands, more, wakeAt, broken } = owed;
  if (more || broken !== undefined) return undefined;
  if (stands === "ended") return {};
  if (stands === "drained") return { wakeIn: 0 };
  const wakeIn = wakeAt === undefined ? undefined : Math.max(0, wakeAt - now);
  if (stands === "waiting") return wakeIn === undefined ? {} : { wakeIn };
  const sleeps = wakeIn !== undefined && wakeIn > SLEEP_MS;
  return sleeps && driver.inFlight.attempts.length === 0 ? { wakeIn } : undefined;
}

/**
 * Returns how a run that cannot go on is let go of.
 * @param before the tries that came to nothing
 * @returns `isPassing`: it is no failure of the run
 */
export function afterFailure(
  thrown: unknown,
  before: number,
): { readonly release: Release; readonly isPassing: boolean } {
  const fault: Fault = faultOf(thrown);
  if (thrown instanceof LaterCode) {
    const { message } = thrown;
    const later = { code: "upgrade.refused", message };
    return { release: { wakeIn: LATER_MS, fault: later }, isPassing: true };
  }
  if (isOutage(thrown)) return { release: { fault, wakeIn: delayAfter(1) }, isPassing: true };
  // Somebody else has written to its journal: it is opened anew.
  if (CONFLICT.test(fault.code)) return { release: { wakeIn: 0 }, isPassing: false };
  const tries = before + 1;
  if (tries >= MAX_TRIES) return { release: { fault, park: true }, isPassing: false };
  return { release: { fault, wakeIn: delayAfter(tries) }, isPassing: false };
}
