/** What a model answered, in our words: parts, finish reason, usage. All of it is plain JSON. */
import type { LanguageModelV2Usage, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { FinishReason, Json, Usage } from "../../core/kernel/index.js";
import type { ModelResponse } from "../../runtime/index.js";
import type { Answer } from "./answer.js";
import { plainJson } from "./plain-json.js";
import { toParts } from "./to-parts.js";

/** An answer as a settlement carries it. */
export function toResponse(answer: Answer): ModelResponse {
  const warnings = warningsOf(answer);
  const { modelId, id } = answer.response ?? {};
  return {
    content: toParts(answer.content),
    finishReason: finishReasonOf(answer.finishReason),
    usage: usageOf(answer),
    ...(modelId === undefined ? {} : { model: modelId }),
    ...(id === undefined ? {} : { responseId: id }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function finishReasonOf(reason: Answer["finishReason"] | undefined): FinishReason {
  return (typeof reason === "object" ? reason.unified : reason) ?? "unknown";
}

function usageOf({ usage, providerMetadata }: Answer): Partial<Usage> {
  const counts = isShort(usage)
    ? {
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        totalTokens: usage.totalTokens,
        cacheCreationInputTokens: providerMetadata?.anthropic?.cacheCreationInputTokens,
        cacheReadInputTokens: usage.cachedInputTokens,
      }
    : {
        inputTokens: usage.inputTokens.total,
        outputTokens: usage.outputTokens.total,
        totalTokens: undefined,
        cacheCreationInputTokens: usage.inputTokens.cacheWrite,
        cacheReadInputTokens: usage.inputTokens.cacheRead,
      };
  const inputTokens = count(counts.inputTokens);
  const outputTokens = count(counts.outputTokens);
  return {
    inputTokens,
    outputTokens,
    totalTokens: count(counts.totalTokens) || inputTokens + outputTokens,
    cacheCreationInputTokens: count(counts.cacheCreationInputTokens),
    cacheReadInputTokens: count(counts.cacheReadInputTokens),
  };
}

/** Whether usage is told as the older interface tells it: one number for each side. */
function isShort(
  usage: LanguageModelV3Usage | LanguageModelV2Usage,
): usage is LanguageModelV2Usage {
  return typeof usage.inputTokens !== "object";
}

function count(tokens: unknown): number {
  return typeof tokens === "number" && Number.isFinite(tokens) ? tokens : 0;
}

function warningsOf({ warnings, content }: Answer): Json[] {
  const told = (warnings ?? []).flatMap((warning) => plainJson(warning) ?? []);
  // The provider would wait for an answer that nobody here can give.
  const unanswered = content.filter((part) => part.type === "tool-approval-request");
  return [
    ...told,
    ...unanswered.map((part) => ({
      type: "other",
      message: `The provider asked for approval of its tool call ${part.toolCallId}; that is not supported, and the request was left out.`,
    })),
  ];
}
