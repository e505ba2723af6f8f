/** What a model port may answer. A port may be anybody's, so its answer is data until it is checked. */
import {
  answerFault,
  exceeds,
  type Json,
  type JsonObject,
  ReckonerError,
  toJson,
  type Usage,
} from "../../core/kernel/index.js";
import type { Delta, ModelResponse } from "../ports.js";
import { MAX_RESULT_LENGTH } from "./result-length.js";

/** Characters of JSON in a usage that is worth keeping where its answer is not. */
const MAX_USAGE_LENGTH = 4_096;

/** An answer in which nothing is `undefined` that is left out. */
interface CheckedAnswer extends ModelResponse {
  readonly usage: Partial<Usage>;
}

/**
 * A model's answer as plain JSON.
 * @throws ReckonerError `llm.failed`, with what is wrong in words
 */
export function checkAnswer(raw: unknown): CheckedAnswer {
  const wrong = (what: string) => new ReckonerError("llm.failed", `The model's answer ${what}.`);
  let answer: Json;
  try {
    answer = toJson(raw, "answer");
  } catch (cause) {
    throw new ReckonerError("llm.failed", (cause as Error).message, { cause });
  }
  if (!isObject(answer)) throw wrong("is no object");
  const { content, usage = {} } = answer;
  const fault = answerFault(content);
  if (fault !== undefined) throw wrong(fault);
  if (!isObject(usage)) throw wrong("has a usage that is no object");
  if (exceeds(answer, MAX_RESULT_LENGTH)) throw wrong("is larger than 5 MiB of JSON");
  const { finishReason = "unknown", model, responseId, warnings } = answer;
  const texts: { readonly [name: string]: Json | undefined } = { finishReason, model, responseId };
  for (const name in texts) {
    if (texts[name] !== undefined && typeof texts[name] !== "string")
      throw wrong(`has a ${name} that is no text`);
  }
  if (warnings !== undefined && !Array.isArray(warnings))
    throw wrong("has warnings that are no list");
  return { finishReason, content, usage, model, responseId, warnings } as unknown as CheckedAnswer;
}

/** What an answer that is none says of its usage, as far as that can be read. */
export function toldUsage(raw: unknown): { readonly usage?: Partial<Usage> } {
  try {
    const usage = toJson((raw as Partial<ModelResponse>).usage);
    return isObject(usage) && !exceeds(usage, MAX_USAGE_LENGTH) ? { usage } : {};
  } catch {
    return {};
  }
}

/** A piece of an answer, or `undefined` where it is none: what cannot be shown is not shown. */
export function checkDelta(raw: unknown): Delta | undefined {
  try {
    const { type, text, toolCallId, toolName } = toJson<Partial<Delta>>(raw);
    if (type === undefined || !deltaTypes.has(type) || typeof text !== "string") return undefined;
    return {
      type,
      text,
      ...(typeof toolCallId === "string" ? { toolCallId } : {}),
      ...(typeof toolName === "string" ? { toolName } : {}),
    };
  } catch {
    return undefined;
  }
}

const deltaTypes: ReadonlySet<string> = new Set(["text", "reasoning", "tool-input"]);

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
