/**
 * Validates what a provider's client returns before it is read. A client may be third-party code; a
 * malformed answer is reported as such, not as a TypeError.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { isObject, messageOf } from "../../core/kernel/values/index.js";
import { ModelError, type ModelResponse } from "../../runtime/for-adapters.js";
import type { Answer, Content, StopReason, StreamPart } from "./specification.js";
import { toResponse } from "./to-response.js";

type Loose = { readonly [name: string]: unknown };

/**
 * A client's answer with what may be left out, or is of no use, left out.
 * @throws ModelError where it is none: no object, or without a list of parts
 */
export function checkedAnswer(result: unknown): Answer {
  const answer = objectOf(result, "an answer");
  const { content, finishReason, usage, response, warnings } = answer;
  if (!Array.isArray(content)) throw broken("an answer without a list of parts as its content");
  const { id, modelId } = isObject(response) ? response : {};
  return {
    ...(answer as unknown as Answer),
    content: content.map((part) => objectOf(part, "a part of an answer") as unknown as Content),
    finishReason: checkedReason(finishReason),
    usage: isObject(usage) ? usage : {},
    response: {
      ...(typeof id === "string" ? { id } : {}),
      ...(typeof modelId === "string" ? { modelId } : {}),
    },
    warnings: Array.isArray(warnings) ? warnings : [],
  };
}

/** Returns the reason why the model stopped, as far as that was said. */
function checkedReason(reason: unknown): StopReason {
  if (typeof reason === "string") return reason;
  const { unified, raw } = isObject(reason) ? reason : {};
  return {
    unified: typeof unified === "string" ? unified : "unknown",
    ...(typeof raw === "string" ? { raw } : {}),
  };
}

/**
 * The stream of a client's answer.
 * @throws ModelError where there is none
 */
export function checkedStream(result: unknown): ReadableStream<StreamPart> {
  const { stream } = objectOf(result, "an answer");
  if (shapes.hasMethods("getReader")(stream)) return stream as ReadableStream<StreamPart>;
  throw broken("an answer without a stream");
}

/**
 * A piece of a stream.
 * @throws ModelError where it is none
 */
export function checkedPart(piece: unknown): StreamPart {
  return objectOf(piece, "a piece of a stream") as StreamPart;
}

/**
 * An answer as a settlement carries it.
 * @throws ModelError where something in it cannot be read
 */
export function readAnswer(answer: Answer): ModelResponse {
  try {
    return toResponse(answer);
  } catch (cause) {
    throw broken(`an answer that cannot be read (${messageOf(cause)})`, cause);
  }
}

function objectOf(value: unknown, what: string): Loose {
  if (isObject(value)) return value;
  const kind = value === undefined || value === null ? "nothing" : `a ${typeof value}`;
  throw broken(`${Array.isArray(value) ? "a list" : kind} for ${what}`);
}

/** Asked again, such a client would answer so again. */
function broken(what: string, cause?: unknown): ModelError {
  const message = `The model's client gave ${what}; its package, or what is wrapped around it, does not keep to the AI SDK's specification.`;
  const error = { code: "llm.failed", message, transient: false };
  return new ModelError(error, cause === undefined ? {} : { cause });
}
