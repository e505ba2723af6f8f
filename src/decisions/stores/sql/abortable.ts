/** Stops waiting for a SQL call as soon as a signal aborts. The call itself is not stopped. */
import { onAbort } from "../../../runtime/for-adapters.js";

/**
 * Waits for work, until a signal is aborted.
 * @throws the signal's reason
 */
export async function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    leave();
    // Nobody waits for it any more.
    work.catch(() => undefined);
  }
}
