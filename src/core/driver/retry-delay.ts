/** The delays between the attempts of an effect. */
import type { Effect, EffectError } from "../kernel/vocabulary/index.js";
import { DEFAULT_MAX_RETRY_DELAY, DEFAULT_RETRY_DELAY, type DriverOptions } from "./options.js";

/**
 * Milliseconds before the next attempt: as the other side asked, or doubled each time. A tool is tried
 * again at once.
 * @param failed how many attempts have failed
 */
export function delayOf(
  { type }: Effect,
  failed: number,
  { retryAfterMs }: EffectError,
  { retry }: Pick<DriverOptions, "retry">,
): number {
  if (type === "tool") return 0;
  const { delayMs = DEFAULT_RETRY_DELAY, maxDelayMs = DEFAULT_MAX_RETRY_DELAY } = retry ?? {};
  // A delay of 0 stays one, however often it is doubled.
  const doubled = delayMs === 0 ? 0 : delayMs * 2 ** (failed - 1);
  return Math.min(maxDelayMs, retryAfterMs ?? doubled);
}

/** Milliseconds before the first further attempt at a model that is down, and between two at most. */
const DOWN_DELAY = 30_000;
const MAX_DOWN_DELAY = 600_000;
/** Attempts at a model that is down: about a day of them. Then it is asked when somebody resumes the run. */
const MAX_DOWN_ATTEMPTS = 148;

/**
 * Milliseconds before the next attempt at a model that is down; `undefined` where none follows by itself.
 * @param tries the attempts that have failed since the model is down, the one that showed it included
 */
export function downDelayOf(tries: number): number | undefined {
  if (tries > MAX_DOWN_ATTEMPTS) return undefined;
  return Math.min(MAX_DOWN_DELAY, DOWN_DELAY * 2 ** (tries - 1));
}
