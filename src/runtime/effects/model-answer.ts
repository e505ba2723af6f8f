/** What a model port may answer. A port may be anybody's, so its answer is data until it is checked. */
import {
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

/**
 * A model's answer as plain JSON.
 * @throws ReckonerError `llm.failed`, with what is wrong in words
 */
export function checkAnswer(raw: unknown): ModelResponse {
  const wrong = (what: string) => new ReckonerError("llm.failed", `The model's answer ${what}.`);
  let answer: Json;
  try {
    answer = toJson(raw, "answer");
  } catch (cause) {
    throw new ReckonerError("llm.failed", (cause as Error).message, { cause });
  }
  if (!isObject(answer)) throw wrong("is no object");
  const { content, usage = {} } = answer;
  if (!Array.isArray(content)) throw wrong("has no list of parts as its content");
  content.forEach((part: Json, i) => {
    const fault = partFault(part);
    if (fault !== undefined) throw wrong(`has a part ${i} that ${fault}`);
  });
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
  return { finishReason, content, usage, model, responseId, warnings } as unknown as ModelResponse;
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

/** What parts must have as text. */
const texts: { readonly [type: string]: readonly string[] } = {
  text: ["text"],
  reasoning: ["text"],
  file: ["data", "mediaType"],
  "reasoning-file": ["data", "mediaType"],
  source: ["sourceType", "id"],
  custom: ["kind"],
  "tool-call": ["toolCallId", "toolName"],
  "tool-result": ["toolCallId", "toolName"],
};

function partFault(part: Json): string | undefined {
  if (!isObject(part) || typeof part.type !== "string") return "has no type";
  const needed = (Object.hasOwn(texts, part.type) && texts[part.type]) || [];
  const missing = needed.find((name) => typeof part[name] !== "string");
  return missing === undefined ? undefined : `is a ${part.type} without ${missing}`;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
