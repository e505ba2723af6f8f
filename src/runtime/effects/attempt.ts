/** One attempt of an effect: with a timeout, abortable, its failure converted to data. */
import {
  cutText,
  type EffectError,
  exceeds,
  isReckonerError,
  isThenable,
  type Json,
  reasonOf,
  type ThrownFacts,
  thrownFacts,
  toJson,
} from "../../core/kernel/index.js";
import { type Clock, ModelError } from "../ports.js";
import type { LazyAbort } from "../running/lazy-abort.js";

/** The outcome of an attempt. */
export type Attempted<T> =
  | { readonly type: "returned"; readonly value: T }
  | { readonly type: "threw"; readonly thrown: unknown }
  | { readonly type: "timeout" }
  | { readonly type: "aborted" };

/**
 * Runs a function with a timeout. It does not wait for a function that ignores its signal: the
 * outcome is known when the time is up or the run is cancelled.
 * @param work is given its signal when it asks for it; one that never does costs none
 */
export function attempt<T>(
  clock: Clock,
  timeoutMs: number,
  outer: LazyAbort,
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
  if (!isThenable(working)) {
    return outer.aborted ? { type: "aborted" } : { type: "returned", value: working };
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
    // Anybody's `then` may throw, or settle twice; a promise of the platform's does neither. It is
    // listened to first of all: where the clock fails, nobody else would.
    Promise.resolve(working).then(
      (value) => {
        takeBack();
        resolve({ type: "returned", value });
      },
      (thrown) => {
        takeBack();
        resolve({ type: "threw", thrown });
      },
    );
    cancelTimer = clock.setTimer(timeoutMs, () => {
      end("timeout", new Error(`timed out after ${timeoutMs} ms`));
    });
    unlisten = outer.onAbort(() => end("aborted", outer.reason));
  });
}

/** Characters of JSON in what the other side said beside an error's text; more is left out. */
const MAX_DETAIL_LENGTH = 256 * 1024;
const MAX_CODE_LENGTH = 160;

/** Converts anything thrown to data, field by field, as far as it can be read. */
export function errorOf(thrown: unknown, code: string): EffectError {
  const given = givenBy(thrown);
  const field = (name: keyof EffectError): Json | undefined => {
    try {
      return toJson(given?.[name]);
    } catch {
      return undefined;
    }
  };
  const [known, message, detail] = [field("code"), field("message"), field("detail")];
  const numbers = (["status", "retryAfterMs"] as const).flatMap((name) => {
    const value = field(name);
    // A time in the past is ignored; the run's own delay applies.
    const isKept = typeof value === "number" && (name === "status" || value >= 0);
    return isKept ? [[name, value]] : [];
  });
  const transient = field("transient");
  return {
    code: typeof known === "string" && known !== "" ? cutText(known, MAX_CODE_LENGTH) : code,
    message: cutText(typeof message === "string" && message !== "" ? message : reasonOf(thrown)),
    ...Object.fromEntries(numbers),
    ...(typeof transient === "boolean" ? { transient } : {}),
    ...(detail === undefined || exceeds(detail, MAX_DETAIL_LENGTH) ? {} : { detail }),
  };
}

/**
 * What a tool threw, as data: for observers and the record also its name, stack, causes and fields.
 */
export function thrownByTool(thrown: unknown): EffectError {
  const error = errorOf(thrown, "tool.threw");
  const facts: ThrownFacts = thrownFacts(thrown);
  return { ...facts, ...error };
}

/** What a thrown value says of itself; it may be a proxy that throws in turn. */
function givenBy(thrown: unknown): Partial<EffectError> | undefined {
  try {
    if (thrown instanceof ModelError) return thrown.error;
    return isReckonerError(thrown) ? (thrown as EffectError) : undefined;
  } catch {
    return undefined;
  }
}
