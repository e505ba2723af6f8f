/**
 * Converts what the SDK or a provider throws to a ModelError. Errors are recognised by their
 * properties, not by their classes: the user's provider package may have its own copy of these
 * classes, and an error inside a stream is often a plain object.
 */
import { cutText, type Json, messageOf } from "../../core/kernel/values/index.js";
import {
  type EffectError,
  maskCredentials,
  withLanguageName,
} from "../../core/kernel/vocabulary/index.js";
import { MAX_RESULT_LENGTH, ModelError } from "../../runtime/for-adapters.js";
import type { AiSdkOptions } from "./options.js";
import { plainJson } from "./plain-json.js";
import { isRejectedCall } from "./rejected-call.js";
import { retryAfter, waitIn } from "./retry-after.js";
import { isTooLong } from "./too-long.js";
import type { Wire } from "./wire.js";

/** An error page is no diagnosis; a journal line keeps as much of it. */
const MAX_DETAIL = 16_384;

/** The number of causes of an error that are followed. */
const MAX_CAUSES = 5;

const NETWORK_CODE =
  /^(?:ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E(?:NET|HOST)UNREACH|UND_ERR_(?:SOCKET|\w+_TIMEOUT)|ConnectionRefused|ConnectionClosed|FailedToOpenSocket)$/;
const NETWORK_MESSAGE = /^(?:fetch failed|failed to fetch|load failed|terminated|network error)$/i;
/** The second is a piece of a stream that is not JSON: it was garbled or cut off on its way. */
const PASSING_NAME = /^(?:TimeoutError|AI_JSONParseError)$/;
/** The names that providers give passing trouble, where there is no status, or one that does not say it. */
const PASSING =
  /overloaded|rate_?limit|server_?error|api_error|time_?out|unavailable|throttl|model_?stream_?error/i;

/** The names that providers give an account that has run dry: a 429 that waiting does not end. */
const EXHAUSTED =
  /^(?:insufficient_\w*(?:quota|balance|funds|credits?)|enforced_spend_limit_reached|billing_\w+|quota_exhausted|credits?_\w+)$/i;

type Properties = { readonly [name: string]: unknown };

/** The facts of a failed call beside the error. */
export interface Failing {
  readonly signal: AbortSignal;
  readonly wire: Wire;
  readonly options: Pick<AiSdkOptions, "isRejectedCall" | "maskCredentials">;
}

/**
 * A failed call as the interpreter wants it. An aborted call is never to be tried again. It throws
 * nothing, whatever was thrown.
 */
export function toModelError(thrown: unknown, failing: Failing): ModelError {
  try {
    return read(thrown, failing);
  } catch {
    // A proxy, or a getter, that throws when it is looked at.
    return failure({
      message: "The model call failed with an error that cannot be read.",
      transient: false,
    });
  }
}

function read(thrown: unknown, { signal, wire, options }: Failing): ModelError {
  const masking = options.maskCredentials ?? true;
  const masked = <T extends Json>(value: T): T =>
    masking ? maskCredentials(value, wire.credentials) : value;
  const cause = masking ? maskedCause(thrown, masked) : thrown;
  if (signal.aborted) {
    return failure({ message: "The model call was aborted.", transient: false }, cause);
  }
  if (thrown instanceof ModelError) return thrown;
  if (wire.endless === true) return endless();
  const properties = propertiesOf(thrown);
  const status = statusOf(properties);
  // The error that ended a stream is better known from the wire: the clients do not pass all of it
  // on.
  const detail = wire.error ?? detailOf(thrown, properties);
  const names = namesIn(detail, ...(thrown instanceof Error ? [] : [thrown]));
  // A client that finds an error where it looked for an answer says only that it found none.
  const words = (isSuccess(status) ? messageIn(detail) : undefined) ?? describe(thrown, properties);
  const retryAfterMs = retryAfter(propertiesOf(properties.responseHeaders)) ?? waitIn(words);
  const error = {
    message: cutText(masked(words)),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    transient: isTransient(thrown, properties, status, names),
    ...(detail === undefined ? {} : { detail: bounded(masked(detail)) }),
  };
  const effectError: EffectError = { code: "llm.failed", ...error };
  if (isRejectedCall(error) || options.isRejectedCall?.(effectError) === true) {
    return failure({ ...error, transient: false }, cause, "llm.rejectedCall");
  }
  if (isTooLong(error)) return failure({ ...error, transient: false }, cause, "llm.tooLong");
  return failure(error, cause);
}

/** The failure of a stream that ended before the model had said why it stopped. */
export function truncated(): ModelError {
  return failure({ message: "The stream ended before the answer did.", transient: true });
}

/** The failure of a stream of which the client has left out pieces of tool calls. */
export function lostPieces(): ModelError {
  return failure({
    message: "The stream holds pieces of tool calls that belong to none of them.",
    transient: true,
  });
}

/** The failure of an answer that is larger than any may be. */
export function endless(): ModelError {
  const most = `${MAX_RESULT_LENGTH / 1024 / 1024} MiB`;
  return failure({
    message: `The model's answer is larger than ${most}, so it was given up; lower settings.maxOutputTokens.`,
    transient: false,
  });
}

function failure(
  error: Omit<EffectError, "code">,
  cause?: unknown,
  code: EffectError["code"] = "llm.failed",
): ModelError {
  return new ModelError({ code, ...error }, cause === undefined ? {} : { cause });
}

/**
 * Returns the error as far as it may be shown: an error of the SDK holds the request with the whole
 * conversation, and the headers of the answer.
 */
function maskedCause(thrown: unknown, masked: (text: string) => string, depth = 0): Error {
  const cause = new Error(masked(messageOf(thrown)));
  if (thrown instanceof Error) {
    cause.name = thrown.name;
    if (typeof thrown.stack === "string") cause.stack = masked(thrown.stack);
    // An error may be its own cause.
    if (thrown.cause !== undefined && depth < MAX_CAUSES) {
      cause.cause = maskedCause(thrown.cause, masked, depth + 1);
    }
  }
  return cause;
}

function propertiesOf(value: unknown): Properties {
  return typeof value === "object" && value !== null ? (value as Properties) : {};
}

function describe(thrown: unknown, { message, error }: Properties): string {
  if (thrown instanceof Error) {
    const words = messageOf(thrown);
    // A client throws one of the language's where there is no connection.
    return isNetworkError(thrown) ? words : withLanguageName(thrown, words);
  }
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
  { name, isRetryable }: Properties,
  status: number | undefined,
  names: readonly unknown[],
): boolean {
  if (names.some((each) => typeof each === "string" && EXHAUSTED.test(each))) return false;
  // A client knows the status alone; the body says more where that is of the server, or none.
  const isAnswer = isSuccess(status);
  const isOpen = status === undefined ? isRetryable !== false : isAnswer || status >= 500;
  if (isOpen && names.some((each) => typeof each === "string" && PASSING.test(each))) return true;
  if (status === 425 || isRetryable === true) return true;
  // Status 200, or an error in a stream: the code in it is one of HTTP's, or the body is garbled.
  const own = names.find((each): each is number => Number.isInteger(each));
  if (isAnswer) return own === undefined ? names.length === 0 : isPassingStatus(own);
  if (status === undefined && own !== undefined) return isPassingStatus(own);
  if (isRetryable === false) return false;
  if (status !== undefined) return isPassingStatus(status);
  if (!(thrown instanceof Error)) return false;
  return (typeof name === "string" && PASSING_NAME.test(name)) || isNetworkError(thrown);
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** Returns the message of an error that is in a body. */
function messageIn(detail: Json | undefined): string | undefined {
  const { error } = propertiesOf(detail);
  const { message } = propertiesOf(error);
  return typeof message === "string" && message !== "" ? message : undefined;
}

function isPassingStatus(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || status >= 500;
}

/** Returns the other side's names for the fault: types, codes and statuses in its answer. */
function namesIn(...values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((each) => {
    const { error, type, code, status } = propertiesOf(each);
    const inner = propertiesOf(error);
    return [inner.type, inner.code, inner.status, type, code, status].filter(
      (name) => (typeof name === "string" && name !== "error") || Number.isInteger(name),
    );
  });
}

function isNetworkError(error: Error): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string" && NETWORK_CODE.test(code)) return true;
    if (cause instanceof TypeError && NETWORK_MESSAGE.test(cause.message)) return true;
    cause = cause.cause;
  }
  return false;
}

/** Returns the other side's words: the body of its answer, or the SDK's reading of it. */
function detailOf(thrown: unknown, { responseBody, data }: Properties): Json | undefined {
  if (typeof responseBody === "string" && responseBody !== "") {
    try {
      return plainJson(JSON.parse(responseBody));
    } catch {
      return responseBody;
    }
  }
  return plainJson(data ?? (thrown instanceof Error ? undefined : thrown));
}

/** Cut after it was masked, lest half a key be left; what is too long as JSON is cut as text. */
function bounded(detail: Json): Json {
  const text = typeof detail === "string" ? detail : JSON.stringify(detail);
  return text.length > MAX_DETAIL ? text.slice(0, MAX_DETAIL) : detail;
}
