/** Calls user callbacks: what they throw becomes an error with a code. */
import { atOnce, isUnawaited, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";

/**
 * What a function of the caller's answers.
 * @param what the function, as a message names it
 * @throws ReckonerError `hook.failed` where it throws, or answers with a promise
 */
export function callHook<T>(what: string, ask: () => T): T {
  try {
    return atOnce("It", ask());
  } catch (cause) {
    const message = `The function ${what} failed: ${maskCredentials(messageOf(cause))}`;
    throw new ReckonerError("hook.failed", message, { cause, place: what });
  }
}

/** Calls a user's callback and ignores its errors. */
export function callHookQuietly(tell: () => unknown): void {
  try {
    isUnawaited(tell());
  } catch {
    // Errors here have no one to be reported to.
  }
}
