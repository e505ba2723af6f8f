/** What a model port may answer. A port may be anybody's, so its answer is data until it is checked. */
import { type Json, type JsonObject, ReckonerError, toJson } from "../core/kernel/index.js";
import { MAX_RESULT_LENGTH } from "./effect-tool.js";
import type { ModelResponse } from "./ports.js";

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
  if (JSON.stringify(answer).length > MAX_RESULT_LENGTH) {
    throw wrong("is larger than 5 MiB of JSON");
  }
  return { finishReason: "unknown", ...answer, content, usage } as unknown as ModelResponse;
}

function partFault(part: Json): string | undefined {
  if (!isObject(part) || typeof part.type !== "string") return "has no type";
  const needed: readonly string[] =
    part.type === "text" || part.type === "reasoning"
      ? ["text"]
      : part.type === "tool-call"
        ? ["toolCallId", "toolName"]
        : [];
  const missing = needed.find((name) => typeof part[name] !== "string");
  return missing === undefined ? undefined : `is a ${part.type} without ${missing}`;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
