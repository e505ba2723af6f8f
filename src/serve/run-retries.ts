/** The tries of a run that fails, in a host and on an engine: so many, and it is parked. */

/** The maximal number of tries. */
export const MAX_TRIES = 5;
/** Milliseconds before the second try; doubled before each further one. */
const RETRY_MS = 1_000;

/** Returns the milliseconds before the next try. @param tries those that came to nothing, one at least */
export function delayAfter(tries: number): number {
  return RETRY_MS * 2 ** (tries - 1);
}
