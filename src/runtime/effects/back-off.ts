/**
 * Waits between two attempts of a call: observers are notified, and the concurrency slot is
 * released.
 */
import type { EffectError } from "../../core/kernel/index.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import { DEFAULT_MAX_RETRY_DELAY, DEFAULT_RETRY_DELAY } from "../running/options.js";
import type { EffectHost } from "./effect-host.js";
import { errorOf } from "./error-of.js";

/**
 * Waits as the run's retry policy says, or as the other side asked.
 * @param failed how many attempts have failed
 * @returns `again`; `stopped` where the effect was cancelled; the error where the clock failed
 */
export async function backOff(
  id: string,
  failed: number,
  error: EffectError,
  host: EffectHost,
  stop: LazyAbort,
): Promise<"again" | "stopped" | EffectError> {
  const { delayMs = DEFAULT_RETRY_DELAY, maxDelayMs = DEFAULT_MAX_RETRY_DELAY } =
    host.options.retry ?? {};
  const wait = Math.min(maxDelayMs, error.retryAfterMs ?? doubled(delayMs, failed - 1));
  host.observe({ type: "retry", id, attempt: failed + 1, delayMs: wait, error });
  try {
    await host.withoutSlot(id, () => host.clock.sleep(wait, stop.signal));
  } catch (thrown) {
    return stop.aborted ? "stopped" : errorOf(thrown, "port.failed");
  }
  return stop.aborted ? "stopped" : "again";
}

/** Doubled so often; a delay of 0 stays one, however often. */
function doubled(ms: number, times: number): number {
  return ms === 0 ? 0 : ms * 2 ** times;
}
