// What a function throws, for tests that look at its code and place.
import { isReckonerError, type ReckonerError } from "../../src/core/kernel/values/index.js";

/** The ReckonerError that a function throws; fails where it throws another one, or none. */
export function refusal(work: () => unknown): ReckonerError {
  let value: unknown;
  try {
    value = work();
  } catch (thrown) {
    if (isReckonerError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error(`nothing was refused; it returned ${String(value)}`);
}

/** The ReckonerError that a promise rejects with. */
export async function rejection(promise: PromiseLike<unknown> | unknown): Promise<ReckonerError> {
  try {
    await promise;
  } catch (thrown) {
    if (isReckonerError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}
