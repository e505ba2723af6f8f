/**
 * Says how often a run that cannot go on, since its journal cannot be opened, say, is tried before it is parked,
 * and the delay before each try. Hosts and durable engines use it; calls within a run are retried by its driver.
 */

/** The maximal number of tries. */
export const MAX_TRIES = 5;
/** Milliseconds before the second try; doubled before each further one. */
const RETRY_MS = 1_000;

/** Returns the milliseconds before the next try. @param tries those that came to nothing, one at least */
export function delayAfter(tries: number): number {
  return RETRY_MS * 2 ** (tries - 1);
}
