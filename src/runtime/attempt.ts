/** One attempt of an effect: bounded in time, abortable, its failure turned into data. */
import { type EffectError, isReckonerError, messageOf, toJson } from "../core/kernel/index.js";
import { type Clock, ModelError } from "./ports.js";

/** What an attempt came to. */
export type Attempted<T> =
  | { readonly type: "returned"; readonly value: T }
  | { readonly type: "threw"; readonly thrown: unknown }
  | { readonly type: "timeout" }
  | { readonly type: "aborted" };

/**
 * Runs a function under a time limit. It does not wait for a function that ignores its signal: the
 * outcome is known when the time is up or the run is cancelled.
 * @param work is given its signal when it asks for it; one that never does costs none
 */
export async function attempt<T>(
  clock: Clock,
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: () => AbortSignal) => T | Promise<T>,
): Promise<Attempted<T>> {
  if (outer.aborted) return { type: "aborted" };
  let inner: AbortController | undefined;
  let stop: { readonly reason: unknown } | undefined;
  const signal = () => {
    inner ??= new AbortController();
    if (stop !== undefined) inner.abort(stop.reason);
    return inner.signal;
  };
  let takeBack = () => {};
  const stopped = new Promise<Attempted<T>>((resolve) => {
    const end = (type: "aborted" | "timeout", reason: unknown) => {
      stop = { reason };
      inner?.abort(reason);
      resolve({ type });
    };
    const onAbort = () => end("aborted", outer.reason);
    const cancelTimer = clock.setTimer(timeoutMs, () => {
      end("timeout", new Error(`timed out after ${timeoutMs} ms`));
    });
    outer.addEventListener("abort", onAbort, { once: true });
    takeBack = () => {
      cancelTimer();
      outer.removeEventListener("abort", onAbort);
    };
  });
  const worked = (async () => work(signal))().then(
    (value): Attempted<T> => ({ type: "returned", value }),
    (thrown): Attempted<T> => ({ type: "threw", thrown }),
  );
  try {
    return await Promise.race([worked, stopped]);
  } finally {
    takeBack();
  }
}

/** What was thrown, as data. */
export function errorOf(thrown: unknown, code: string): EffectError {
  const error =
    thrown instanceof ModelError
      ? thrown.error
      : { code: isReckonerError(thrown) ? thrown.code : code, message: messageOf(thrown) };
  try {
    return toJson<EffectError>(error);
  } catch {
    return { code, message: messageOf(thrown) };
  }
}
