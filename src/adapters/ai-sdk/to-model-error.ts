/**
 * What the SDK or a provider throws, as data. Errors are read by their properties and not by their
 * classes: the user's provider package may bring its own copy of them, and an error inside a stream
 * is often a plain object.
 */
import { type EffectError, type Json, messageOf } from "../../core/kernel/index.js";
import { ModelError } from "../../runtime/index.js";
import { plainJson } from "./plain-json.js";
import { retryAfter } from "./retry-after.js";

/** An error page is no diagnosis; a journal line keeps as much of it. */
const MAX_DETAIL = 16_384;

const NETWORK_CODE =
  /^(?:ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E(?:NET|HOST)UNREACH|UND_ERR_(?:SOCKET|\w+_TIMEOUT)|ConnectionRefused|ConnectionClosed|FailedToOpenSocket)$/;
const NETWORK_MESSAGE = /^(?:fetch failed|failed to fetch|load failed|terminated|network error)$/i;
/** How providers name passing trouble in a stream, where there is no status. */
const PASSING = /overloaded|rate_limit|server_error|api_error|timeout|unavailable/;

type Properties = { readonly [name: string]: unknown };

/** A failed call as the interpreter wants it. What was aborted is never to be tried again. */
export function toModelError(thrown: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) {
    return failure({ message: "The model call was aborted.", transient: false }, thrown);
  }
  if (thrown instanceof ModelError) return thrown;
  const properties = propertiesOf(thrown);
  const status = statusOf(properties);
  const retryAfterMs = retryAfter(propertiesOf(properties.responseHeaders));
  const detail = detailOf(thrown, properties);
  return failure(
    {
      message: describe(thrown, properties),
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      transient: isTransient(thrown, properties, status),
      ...(detail === undefined ? {} : { detail }),
    },
    thrown,
  );
}

/** The failure of a stream that ended before the model had said why it stopped. */
export function truncated(): ModelError {
  return failure({ message: "The stream ended before the answer did.", transient: true });
}

function failure(error: Omit<EffectError, "code">, cause?: unknown): ModelError {
  return new ModelError({ code: "llm.failed", ...error }, cause === undefined ? {} : { cause });
}

function propertiesOf(value: unknown): Properties {
  return typeof value === "object" && value !== null ? (value as Properties) : {};
}

function describe(thrown: unknown, { message, error }: Properties): string {
  if (thrown instanceof Error) return messageOf(thrown);
  const inner = propertiesOf(error).message;
  for (const text of [message, inner, thrown]) {
    if (typeof text === "string" && text !== "") return text;
  }
  return "The model call failed.";
}

function statusOf({ statusCode, status, code }: Properties): number | undefined {
  return [statusCode, status, code].find(
    (each): each is number => Number.isInteger(each) && Number(each) >= 100 && Number(each) < 600,
  );
}

function isTransient(
  thrown: unknown,
  { name, isRetryable, type, code, error }: Properties,
  status: number | undefined,
): boolean {
  if (isRetryable === true) return true;
  if (status !== undefined)
    return status === 408 || status === 409 || status === 429 || status >= 500;
  if (thrown instanceof Error) return name === "TimeoutError" || isNetworkError(thrown);
  const inner = propertiesOf(error);
  return [type, code, inner.type, inner.code].some(
    (each) => typeof each === "string" && PASSING.test(each),
  );
}

function isNetworkError(error: Error): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string" && NETWORK_CODE.test(code)) return true;
    if (cause instanceof TypeError && NETWORK_MESSAGE.test(cause.message)) return true;
    cause = cause.cause;
  }
  return false;
}

/** What the other side said: the body of its answer, or what the SDK made of it. */
function detailOf(thrown: unknown, { responseBody, data }: Properties): Json | undefined {
  if (typeof responseBody === "string" && responseBody !== "") {
    if (responseBody.length > MAX_DETAIL) return responseBody.slice(0, MAX_DETAIL);
    try {
      return plainJson(JSON.parse(responseBody));
    } catch {
      return responseBody;
    }
  }
  return plainJson(data ?? (thrown instanceof Error ? undefined : thrown));
}
