/** Sinks for `ship`: an HTTP endpoint, a store. Any function is a sink, too. */
import { asJson, checkArguments, ReckonerError } from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { StorePort } from "../ports.js";
import type { TraceSink } from "./ship.js";

/** How events are sent. */
export interface HttpSinkOptions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that one request may take. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch | undefined;
}

const URL_TEXT: shapes.Shape = [
  (value) => typeof value === "string" && value !== "",
  "a URL, as a string",
];
const httpOptions: shapes.Shapes<HttpSinkOptions> = {
  headers: shapes.OBJECT,
  timeoutMs: shapes.TIMEOUT,
  fetch: shapes.FUNCTION,
};
const HTTP_OPTIONS: shapes.Shape = /* @__PURE__ */ shapes.optionsOf(httpOptions);

/**
 * POSTs batches as `{"events": […]}`, with `idempotency-key`. Whatever is not answered with a status
 * of 2xx is delivered again; redirects are not followed.
 */
export function httpSink(url: string, options: HttpSinkOptions = {}): TraceSink {
  checkArguments("httpSink", { url, options }, { url: URL_TEXT, options: HTTP_OPTIONS });
  const { headers = {}, timeoutMs = 30_000, fetch: send = fetch } = options;
  return async (events, { signal, key }) => {
    const response = await send(url, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key, ...headers },
      body: JSON.stringify({ events }),
      // A POST that is led elsewhere may come there as a GET, and be answered as if it had delivered.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    // Else the connection stays open until somebody has read it.
    await response.body?.cancel();
    if (response.ok) return;
    throw new ReckonerError(
      "trace.sink",
      `The sink answered ${response.status} ${response.statusText}`.trimEnd(),
      { place: new URL(url).origin },
    );
  };
}

/** Writes events to a store, one `{ op: "append", event }` each, under the batch's key. */
export function storeSink(store: StorePort): TraceSink {
  return async (events, { signal, key }) => {
    const operations = events.map((event) => asJson({ op: "append", event }));
    await store.write(operations, { signal, idempotencyKey: key });
  };
}
