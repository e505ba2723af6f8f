/**
 * Listens to an abort signal with one listener per signal, however many share it: a server's one
 * signal for all its runs would otherwise have thousands, and Node warns.
 */

/** Who is told, and what takes the listener away. */
interface Hearers {
  readonly calls: Set<() => void>;
  leave(): void;
}

const hearers = new WeakMap<AbortSignal, Hearers>();

/**
 * Calls a function when a signal is aborted, or at once where it is.
 * @param call must not throw
 * @returns takes it back
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
  if (signal?.aborted) call();
  if (signal === undefined || signal.aborted) return () => undefined;
  const all = hearers.get(signal) ?? listen(signal);
  all.calls.add(call);
  return () => {
    if (all.calls.delete(call) && all.calls.size === 0) all.leave();
  };
}

function listen(signal: AbortSignal): Hearers {
  const calls = new Set<() => void>();
  const tell = () => {
    for (const call of calls) call();
  };
  const leave = () => {
    signal.removeEventListener("abort", tell);
    hearers.delete(signal);
  };
  signal.addEventListener("abort", tell, { once: true });
  const all = { calls, leave };
  hearers.set(signal, all);
  return all;
}
