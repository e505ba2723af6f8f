/** One attempt of an effect: bounded in time, abortable, its failure turned into data. */
import { type EffectError, isReckonerError, messageOf, toJson } from "../core/kernel/index.js";
import { type Clock, ModelError } from "./ports.js";

/** What an attempt came to. */
export type Attempted<T> =
  | { readonly type: "returned"; readonly value: T }
  | { readonly type: "threw"; readonly thrown: unknown }
  | { readonly type: "timeout" }
  | { readonly type: "aborted" };

/** Given as a reason, since AbortController otherwise makes an error with a stack each time. */
const OVER = "over";

/**
 * Runs a function under a time limit. It does not wait for a function that ignores its signal: the
 * outcome is known when the time is up or the run is cancelled.
 */
export async function attempt<T>(
  clock: Clock,
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<Attempted<T>> {
  if (outer.aborted) return { type: "aborted" };
  const inner = new AbortController();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<Attempted<T>>((resolve) => {
    onAbort = () => {
      inner.abort(outer.reason);
      resolve({ type: "aborted" });
    };
    outer.addEventListener("abort", onAbort, { once: true });
  });
  const late = clock.sleep(timeoutMs, inner.signal).then(
    (): Attempted<T> => {
      inner.abort(new Error(`timed out after ${timeoutMs} ms`));
      return { type: "timeout" };
    },
    // The sleep is aborted once the outcome is known.
    () => new Promise<never>(() => {}),
  );
  const worked = (async () => work(inner.signal))().then(
    (value): Attempted<T> => ({ type: "returned", value }),
    (thrown): Attempted<T> => ({ type: "threw", thrown }),
  );
  try {
    return await Promise.race([worked, aborted, late]);
  } finally {
    // Ends the sleep, and whatever the work left behind that still listens.
    inner.abort(OVER);
    if (onAbort !== undefined) outer.removeEventListener("abort", onAbort);
  }
}

/** What was thrown, as data. */
export function errorOf(thrown: unknown, code: string): EffectError {
  const error =
    thrown instanceof ModelError
      ? thrown.error
      : { code: isReckonerError(thrown) ? thrown.code : code, message: messageOf(thrown) };
  try {
    return toJson(error) as unknown as EffectError;
  } catch {
    return { code, message: messageOf(thrown) };
  }
}
