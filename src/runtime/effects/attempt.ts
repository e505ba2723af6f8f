/** One attempt of an effect: bounded in time, abortable, its failure turned into data. */
import { type EffectError, isReckonerError, messageOf, toJson } from "../../core/kernel/index.js";
import { type Clock, ModelError } from "../ports.js";
import type { Stop } from "../running/stop.js";

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
export function attempt<T>(
  clock: Clock,
  timeoutMs: number,
  outer: Stop,
  work: (signal: () => AbortSignal) => T | Promise<T>,
): Attempted<T> | Promise<Attempted<T>> {
  if (outer.aborted) return { type: "aborted" };
  let inner: AbortController | undefined;
  let stop: { readonly reason: unknown } | undefined;
  const signal = () => {
    inner ??= new AbortController();
    if (stop !== undefined) inner.abort(stop.reason);
    return inner.signal;
  };
  let working: T | Promise<T>;
  try {
    working = work(signal);
  } catch (thrown) {
    return outer.aborted ? { type: "aborted" } : { type: "threw", thrown };
  }
  if (typeof (working as { then?: unknown } | null | undefined)?.then !== "function") {
    return outer.aborted ? { type: "aborted" } : { type: "returned", value: working as T };
  }
  return new Promise((resolve) => {
    let cancelTimer = () => {};
    let unlisten = () => {};
    const takeBack = () => {
      cancelTimer();
      unlisten();
    };
    const end = (type: "aborted" | "timeout", reason: unknown) => {
      stop = { reason };
      takeBack();
      inner?.abort(reason);
      resolve({ type });
    };
    cancelTimer = clock.setTimer(timeoutMs, () => {
      end("timeout", new Error(`timed out after ${timeoutMs} ms`));
    });
    unlisten = outer.onAbort(() => end("aborted", outer.reason));
    (working as Promise<T>).then(
      (value) => {
        takeBack();
        resolve({ type: "returned", value });
      },
      (thrown) => {
        takeBack();
        resolve({ type: "threw", thrown });
      },
    );
  });
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
