/**
 * Detects from an error that the provider rejected a tool call which the model made: some providers
 * validate calls, and answer 400 or break off the stream. A retry would fail again; the model has
 * to be told.
 */
import type { EffectError } from "../../core/kernel/vocabulary/index.js";

/** Groq's words for it, wherever they stand: a router passes them on in a text of its own. */
const MARKS = /tool_use_failed|failed_generation/;

/** The words of others for it. None of these may be said of calls that we send back in the transcript. */
const WORDS =
  /tool call validation failed|failed to call a function|attempted to call (?:a )?tool .{0,200}not in request|(?:model|assistant) (?:has )?(?:generated|produced|emitted|returned|output) (?:an? )?(?:invalid|malformed|unparsable) (?:sequence as part of tool ?use|(?:tool|function)[ _-]?(?:call|use))/i;

/** An error as far as it is known, without its code. */
export function isRejectedCall({ message, status, detail }: Omit<EffectError, "code">): boolean {
  // Inside a stream there is no status; 424 is what Bedrock says of its model's mistakes.
  if (status !== undefined && ![400, 422, 424].includes(status)) return false;
  const text = detail === undefined ? "" : JSON.stringify(detail);
  return MARKS.test(text) || WORDS.test(message) || WORDS.test(text);
}
