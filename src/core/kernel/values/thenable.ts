/**
 * Detects promises of any implementation, and functions that are declared async or as generators.
 */

/** Returns true when a value can be awaited. A value that cannot be looked at is no promise. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  try {
    return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
  } catch {
    return false;
  }
}

/**
 * Returns true when a value is a promise that will not be awaited. Its rejection is handled, since an
 * unhandled one would end the process.
 */
export function isUnawaited<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  if (!isThenable(value)) return false;
  Promise.resolve(value).then(undefined, () => {});
  return true;
}

const SPECIAL: { readonly [tag: string]: string } = {
  "[object AsyncFunction]": "an async function",
  "[object GeneratorFunction]": "a generator function",
  "[object AsyncGeneratorFunction]": "an async generator function",
};

/**
 * Names the kind of a function that is declared never to give its answer at once: its answer is always a
 * promise, or a generator. `undefined` of any other value.
 */
export function specialFunction(value: unknown): string | undefined {
  if (typeof value !== "function") return undefined;
  try {
    return SPECIAL[Object.prototype.toString.call(value)];
  } catch {
    // A function that cannot be inspected may be synchronous.
    return undefined;
  }
}

/**
 * The result of a function that must be synchronous.
 * @param what the function, as a message names it
 * @throws Error where it is a promise; no error of an engine's, whose words are told to nobody
 */
export function atOnce<T>(what: string, answer: T): T {
  if (!isUnawaited(answer)) return answer;
  throw new Error(`${what} returned a promise; it has to answer at once, without async.`);
}
