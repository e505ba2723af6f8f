/** Checks that a transcript is valid (P3): every tool call has exactly one result, in its place. */
import {
  isOurCall,
  type Message,
  type ToolCallPart,
  toolCallsOf,
} from "../core/kernel/vocabulary/index.js";

/**
 * Describes the fault of a transcript; `undefined` where each tool call has exactly one result, behind
 * its message, before any other message and in call order, each result has its call, and the calls of one
 * answer have different ids.
 */
export function transcriptFault(messages: readonly Message[]): string | undefined {
  let owed: readonly ToolCallPart[] = [];
  for (const [i, message] of messages.entries()) {
    if (message.role !== "tool") {
      if (owed.length > 0) return `message ${i} (${message.role}) comes before ${missing(owed)}`;
      owed = toolCallsOf(message).filter(isOurCall);
      const twice = owed.find(({ toolCallId }, k) => owed.findIndex(hasId(toolCallId)) < k);
      if (twice !== undefined) return `message ${i} has two calls with the id ${twice.toolCallId}`;
      continue;
    }
    if (message.content.length === 0) return `message ${i} (tool) has no result`;
    for (const result of message.content) {
      const [due, ...rest] = owed;
      if (due === undefined)
        return `message ${i} has a result of ${result.toolCallId}, which is not due`;
      if (due.toolCallId !== result.toolCallId || due.toolName !== result.toolName) {
        return `message ${i} has a result of ${result.toolCallId} where that of ${due.toolCallId} is due`;
      }
      owed = rest;
    }
  }
  return owed.length > 0 ? `the transcript ends before ${missing(owed)}` : undefined;
}

const hasId = (id: string) => (call: ToolCallPart) => call.toolCallId === id;

function missing(calls: readonly ToolCallPart[]): string {
  return `the result of ${calls.map(({ toolCallId }) => toolCallId).join(", ")}`;
}
