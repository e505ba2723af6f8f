/** Converts a model's answer to a ModelResponse: parts, finish reason, usage, all plain JSON. */
import type { Json } from "../../core/kernel/values/index.js";
import type { ProviderOptions, Usage } from "../../core/kernel/vocabulary/index.js";
import type { ModelResponse } from "../../runtime/index.js";
import { finishReasonOf } from "./finish-reason.js";
import { plainJson } from "./plain-json.js";
import type { Answer, ApprovalRequestContent } from "./specification.js";
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
    ...metadataOf(answer),
  };
}

/** The provider's metadata of the whole answer. */
function metadataOf({ providerMetadata }: Answer): { providerMetadata?: ProviderOptions } {
  const options = plainJson(providerMetadata) as ProviderOptions | null | undefined;
  return options == null || Object.keys(options).length === 0 ? {} : { providerMetadata: options };
}

function usageOf({ usage = {}, providerMetadata }: Answer): Partial<Usage> {
  const input = usage.inputTokens ?? undefined;
  const output = usage.outputTokens ?? undefined;
  const outputTokens = count(typeof output === "object" ? output.total : output);
  const reasoning = typeof output === "object" ? output.reasoning : usage.reasoningTokens;
  // Version 2 tells one number for each side, and of the cache elsewhere.
  const { cacheWrite, cacheRead } =
    typeof input === "object"
      ? input
      : {
          cacheWrite: providerMetadata?.anthropic?.cacheCreationInputTokens,
          cacheRead: usage.cachedInputTokens,
        };
  const cached = count(cacheWrite) + count(cacheRead);
  // In version 2 Anthropic's input is without what came from the cache and what went into it.
  const inputTokens =
    typeof input === "object"
      ? count(input.total)
      : count(input) + (providerMetadata?.anthropic === undefined ? 0 : cached);
  return {
    inputTokens,
    outputTokens,
    totalTokens: Math.max(count(usage.totalTokens), inputTokens + outputTokens),
    cacheCreationInputTokens: count(cacheWrite),
    cacheReadInputTokens: count(cacheRead),
    ...(reasoning === undefined ? {} : { reasoningTokens: count(reasoning) }),
  };
}

function count(tokens: unknown): number {
  return typeof tokens === "number" && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}

function warningsOf({ warnings, content }: Answer): Json[] {
  const providerWarnings = (warnings ?? []).flatMap((warning) => plainJson(warning) ?? []);
  const calls = new Set(content.map((part) => part.type === "tool-call" && part.toolCallId));
  // The provider would wait for an answer that nobody here can give.
  const unanswered = content.filter(
    (part) => part.type === "tool-approval-request" && !calls.has(part.toolCallId),
  ) as readonly ApprovalRequestContent[];
  return [
    ...providerWarnings,
    ...unanswered.map((part) => ({
      type: "other",
      message: `The provider asked for approval of ${part.toolCallId}, which is no tool call of its answer; the request was left out.`,
    })),
  ];
}
