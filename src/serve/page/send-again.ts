/**
 * `sendAgain`: a `fetch` that repeats requests to a host which is away for a while. It runs in a browser's page,
 * and imports nothing.
 */

/** Options of {@link sendAgain}. */
export interface SendAgainOptions {
  /** Sends a request. Default: `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds before the first repetition, doubled up to five seconds. Default 500. */
  readonly delayMs?: number | undefined;
}

const DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
const KEY = "idempotency-key";
/** A proxy says that nobody is behind it, or a host that it was drained. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Makes a `fetch` for the transport of a chat: while nobody is there to hear a request, it is sent again and again,
 * until its signal aborts. A message that comes twice is one, by its id, and so is anything else that is posted, by a
 * header `Idempotency-Key` that each request gets.
 */
export function sendAgain(options: SendAgainOptions = {}): typeof fetch {
  const { fetch: send = fetch, delayMs = DELAY_MS } = options;
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const signal = init?.signal ?? request?.signal;
    const named = { ...init, headers: namedHeaders(request, init) };
    for (let wait = delayMs; ; wait = Math.min(2 * wait, MAX_DELAY_MS)) {
      const answer = await send(request?.clone() ?? input, named).catch((thrown: unknown) => {
        if (signal?.aborted || !(thrown instanceof TypeError)) throw thrown;
        return undefined;
      });
      if (answer !== undefined && !AWAY.has(answer.status)) return answer;
      await answer?.body?.cancel();
      await pause(wait, signal);
    }
  };
}

/** The headers of a request, with a name for what it posts. */
function namedHeaders(request: Request | undefined, init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers ?? request?.headers);
  const method = init?.method ?? request?.method;
  if (method === "POST" && !headers.has(KEY)) headers.set(KEY, randomName());
  return headers;
}

/** A page without TLS has no `randomUUID`. */
function randomName(): string {
  // biome-ignore lint/style/noRestrictedGlobals: a page has no ports
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @throws the reason of the signal once it aborts */
function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    // biome-ignore lint/style/noRestrictedGlobals: a page has no ports
    setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
  });
}

/** The reason why a host has not taken what a page sent. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Returns the reason that the `error` of a chat has, where a host refused what was sent; `undefined` for others. */
export function refusalIn(error: Error | undefined): Refusal | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(error?.message ?? "");
  } catch {
    return undefined;
  }
  const { error: inner = answer } = (answer ?? {}) as { readonly error?: unknown };
  const { code, message } = (inner ?? {}) as Partial<Refusal>;
  return typeof code === "string" && typeof message === "string" ? { code, message } : undefined;
}
