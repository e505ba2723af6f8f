/** Promises of anybody's, not only the platform's own; another realm's is no instance of this one's. */

/** Whether a value can be awaited. What cannot be looked at is no promise. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  try {
    return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
  } catch {
    return false;
  }
}
