/** Validates what a model port returns, since a port may be third-party code. */

import * as shapes from "../../core/kernel/shapes.js";
import {
  exceeds,
  isJsonObject,
  type Json,
  ReckonerError,
  toJson,
} from "../../core/kernel/values/index.js";
import { ANSWER, type Usage } from "../../core/kernel/vocabulary/index.js";
import type { Delta, ModelResponse } from "../ports/ports.js";
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
  const fault = shapes.misfit(answer, MODEL_ANSWER);
  if (fault !== undefined) throw wrong(`cannot be taken: ${fault}`);
  if (exceeds(answer, MAX_RESULT_LENGTH)) throw wrong("is larger than 5 MiB of JSON");
  const {
    content,
    usage = {},
    finishReason = "unknown",
    ...rest
  } = answer as unknown as CheckedAnswer;
  const { model, responseId, warnings, providerMetadata } = rest;
  const parts = { finishReason, content, usage, model, responseId, warnings, providerMetadata };
  return parts as CheckedAnswer;
}

const MODEL_ANSWER: shapes.Shape = /* @__PURE__ */ shapes.open(
  {
    content: ANSWER,
    usage: shapes.OBJECT,
    finishReason: shapes.TEXT,
    model: shapes.TEXT,
    responseId: shapes.TEXT,
    warnings: shapes.LIST,
    providerMetadata: shapes.OBJECT,
  },
  "content",
);

/**
 * Whether the provider ended an answer with an error before the model had said anything: that is no
 * answer. One that says something is one, and has `error` as its finish reason.
 */
export function endedInError({ finishReason, content }: ModelResponse): boolean {
  if (finishReason !== "error") return false;
  return content.every((part) =>
    part.type === "text" ? part.text.trim() === "" : part.type === "reasoning",
  );
}

/** What an answer that is none says of its usage, as far as that can be read. */
export function reportedUsage(raw: unknown): { readonly usage?: Partial<Usage> } {
  try {
    const usage = toJson((raw as Partial<ModelResponse>).usage);
    return isJsonObject(usage) && !exceeds(usage, MAX_USAGE_LENGTH) ? { usage } : {};
  } catch {
    return {};
  }
}

/**
 * The pieces of one answer, as they are shown: text is cut by a provider where it likes, in the middle
 * of a surrogate pair too, and half of one is not a string. It waits for the other half.
 */
export class Pieces {
  #half: Delta | undefined;

  /** What there is to show of a piece; nothing where it is none, or has to wait. */
  take(raw: unknown): readonly Delta[] {
    const piece = checkDelta(raw);
    if (piece === undefined) return [];
    const half = this.#half;
    const goesOn = half?.type === piece.type && half.toolCallId === piece.toolCallId;
    const before = goesOn ? [] : this.end();
    const text = goesOn ? half.text + piece.text : piece.text;
    const cut = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
    this.#half = cut < text.length ? { ...piece, text: text.slice(cut) } : undefined;
    if (cut === 0 && text !== "") return before;
    return [...before, { ...piece, text: toJson<string>(text.slice(0, cut)) }];
  }

  /** What waits for a half that does not come. */
  end(): readonly Delta[] {
    const half = this.#half;
    this.#half = undefined;
    return half === undefined ? [] : [{ ...half, text: toJson<string>(half.text) }];
  }
}

/** A piece of an answer, or `undefined` where it is none: what cannot be shown is not shown. */
export function checkDelta(raw: unknown): Delta | undefined {
  try {
    // As the model sent it: the border would make something else of half a surrogate pair.
    const { text, ...rest } = raw as Delta;
    const { type, toolCallId, toolName } = toJson<Partial<Delta>>(rest);
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
