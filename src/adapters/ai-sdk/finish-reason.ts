/**
 * Reads why a model stopped. The provider's own word counts where it says more than the client's:
 * clients make `stop` of a pause, and `other` of calls that cannot be read.
 */
import type { FinishReason } from "../../core/kernel/vocabulary/index.js";
import type { StopReason } from "./specification.js";

const reasons: ReadonlySet<string> = new Set<FinishReason>([
  "stop",
  "length",
  "content-filter",
  "tool-calls",
  "error",
  "other",
]);

/** Providers' own words, in small letters. */
const words: { readonly [Reason in FinishReason]?: string } = {
  stop: "stop end_turn stop_sequence eos eos_token end complete completed",
  // OpenAI, Anthropic, Bedrock, Gemini, Mistral, Z.ai
  length:
    "length max_tokens max_output_tokens max_length model_length model_context_window_exceeded",
  "content-filter":
    "content_filter content_filtered content-filter guardrail_intervened refusal sensitive safety recitation language blocklist prohibited_content spii image_safety image_prohibited_content image_recitation model_armor jailbreak",
  "tool-calls": "tool_calls tool_call tool_use function_call",
  // Anthropic: the provider's own tools are at work, or the context was compacted.
  paused: "pause_turn compaction",
  // Gemini, Bedrock, DeepSeek, Mistral: the model wrote no valid call, or the server gave up.
  error:
    "error malformed_function_call unexpected_tool_call too_many_tool_calls malformed_model_output malformed_tool_use image_other no_image insufficient_system_resource failed",
};

const byWord: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(words).flatMap(([reason, list]) =>
    list.split(" ").map((word) => [word, reason as FinishReason] as const),
  ),
);

/** Returns the reason why the model stopped; `unknown` where nobody says. */
export function finishReasonOf(reason: StopReason | undefined): FinishReason {
  const { unified, raw } = typeof reason === "object" ? reason : { unified: reason, raw: reason };
  const unifiedReason =
    unified !== undefined && reasons.has(unified) ? (unified as FinishReason) : undefined;
  const own = raw === undefined ? undefined : byWord.get(raw.toLowerCase());
  if (own === undefined) return unifiedReason ?? "unknown";
  // A refusal, or a call, may stand beside a word that says only that the model has stopped.
  const saysLess = own === "stop" || own === "tool-calls";
  return saysLess && unifiedReason !== undefined && unifiedReason !== "other" ? unifiedReason : own;
}
