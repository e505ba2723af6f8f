/**
 * Distinguishes failures of a host's store from failures of a run, so that a database which is away for a
 * while parks no run.
 */
import { isReckonerError } from "../core/kernel/values/index.js";

/** The store did not answer. */
export class Outage extends Error {}

/** Asks the store. @throws Outage where it does not answer; ReckonerErrors as they are */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (isReckonerError(thrown)) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Outage(message, { cause: thrown });
  }
}

/** Returns true where what failed is the store: it did not answer, or a journal's bytes could not be reached. */
export function isOutage(thrown: unknown): boolean {
  if (thrown instanceof Outage) return true;
  if (!isReckonerError(thrown) || !/^journal\.(?:unreadable|write)$/.test(thrown.code))
    return false;
  return thrown.cause !== undefined && !isReckonerError(thrown.cause);
}
