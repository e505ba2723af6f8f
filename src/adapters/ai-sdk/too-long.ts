/** Detects from an error that a request was too long for the model's context. */
import type { EffectError } from "../../core/kernel/vocabulary/index.js";

/** The words of providers for it, and in some a code. */
const WORDS: readonly RegExp[] = [
  // Anthropic, Bedrock
  /prompt is too long/,
  /input is too long for (?:the )?requested model/,
  /input length and `?max_tokens`? exceed/,
  /too many total text bytes/,
  // OpenAI, and what speaks its chat
  /context_length_exceeded/,
  /exceeds? the (?:model's )?context window/,
  /maximum context length (?:is|of) \d+/,
  // Gemini
  /input token count .{0,60}exceeds the maximum/,
  // xAI, Groq, Mistral, Copilot
  /maximum prompt length is \d+/,
  /reduce the length of the (?:messages|prompt)/,
  /too large for model with \d+ maximum context length/,
  /prompt .{0,60}exceeds the limit of \d+/,
  // llama.cpp, LM Studio, Kimi, MiniMax, Z.ai
  /exceeds? the available context size/,
  /greater than the context length/,
  /exceeded model token limit/,
  /context window exceeds limit/,
  /model_context_window_exceeded/,
];

/** An error as far as it is known, without its code. */
export function isTooLong({ message, status, detail }: Omit<EffectError, "code">): boolean {
  // Of a limit by the minute others may be said to be too many tokens.
  if (status === 429 || (status !== undefined && status >= 500)) return false;
  if (status === 413 && (detail === undefined || detail === "")) return true;
  const text = `${message} ${detail === undefined ? "" : JSON.stringify(detail)}`.toLowerCase();
  return WORDS.some((words) => words.test(text));
}
