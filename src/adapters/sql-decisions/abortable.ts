/** A promise that a signal can stop being waited for. What was begun goes on to its own end. */

/** Who waits on a signal: it has one listener, however many calls share it. */
const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();

/**
 * Waits for work, until a signal is aborted.
 * @throws the signal's reason
 */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: (reason: unknown) => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const stops = waitingOn(signal);
  stops.add(stop);
  if (signal.aborted) stop(signal.reason);
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stops.delete(stop);
    // Nobody waits for it any more.
    work.catch(() => undefined);
  }
}

function waitingOn(signal: AbortSignal): Set<(reason: unknown) => void> {
  const known = waiting.get(signal);
  if (known !== undefined) return known;
  const stops = new Set<(reason: unknown) => void>();
  waiting.set(signal, stops);
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop(signal.reason);
  });
  return stops;
}
