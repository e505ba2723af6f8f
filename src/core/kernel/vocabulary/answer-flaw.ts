/**
 * Judges a model's answer: one that is empty, cut off, filtered or marked as faulty has a flaw, so its tool
 * calls are not run and its text is no output. The agent and the Graph of Thoughts ask once more instead.
 */
import type { FinishReason } from "./event.js";
import { type AssistantPart, isOurCall } from "./message.js";
import { spokenText } from "./spoken-text.js";

/**
 * The reason why an answer is not believed: it says nothing (reasoning alone is nothing), it was cut off
 * at the limit of its length, a filter stopped it, or its provider calls it faulty.
 */
export type AnswerFlaw = "empty" | "truncated" | "filtered" | "faulty";

/** An answer, as far as it is judged. */
export interface JudgedAnswer {
  readonly content: readonly AssistantPart[];
  readonly finishReason: FinishReason;
}

/**
 * The flaw of an answer, `null` where there is none. An answer with a flaw calls no tool, and its text
 * is not the run's output.
 */
export function answerFlaw({ content, finishReason }: JudgedAnswer): AnswerFlaw | null {
  if (finishReason === "length") return "truncated";
  if (finishReason === "content-filter") return "filtered";
  if (finishReason === "error") return "faulty";
  // A provider that has not finished its own tools says the rest when it is asked again.
  if (finishReason === "paused") return null;
  let says = false;
  for (let i = 0; i < content.length; i++) {
    const part = content[i] as AssistantPart;
    if (part.type === "tool-call" && isOurCall(part)) {
      // Nobody knows a reason that is neither a stop nor a call: the calls may be unfinished.
      return finishReason === "other" ? "faulty" : null;
    }
    if (part.type === "file") says = true;
    if (part.type === "text" && !says) says = spokenText(part.text).trim() !== "";
  }
  return says ? null : "empty";
}
