/**
 * Summarises a trace event in a few words, such as `Tool call: Read (45ms)`, for printed events and causal
 * chains. The words are those of Mayros, an earlier system, for the types that it has.
 */

import type { TraceEvent } from "../trace-event.js";

/** As much of an event as its summary needs. */
export type Summarised = Pick<TraceEvent, "type" | "fields" | "durationMs">;

/** An event in one line: `Tool call: Read (45ms)`. */
export function eventSummary(event: Summarised): string {
  const { type, fields, durationMs = 0 } = event;
  const { toolName, model, totalTokens, description, chosen, parentId, childId, task, error } =
    fields;
  switch (type) {
    case "tool_call":
      return `Tool call: ${toolName ?? "unknown"} (${durationMs}ms)`;
    case "llm_call":
      return `LLM call: ${model ?? "unknown"} (${totalTokens ?? "?"} tokens, ${durationMs}ms)`;
    case "decision":
      return `Decision: ${description ?? "unknown"} -> ${chosen ?? "?"}`;
    case "delegation":
      return `Delegation: ${parentId ?? "?"} -> ${childId ?? "?"} (${task ?? "?"})`;
    case "error":
      return `Error: ${error ?? "unknown"}`;
    case "input":
      return `Input: ${fields.kind ?? "?"}${fields.content ? ` (${fields.content})` : ""}`;
    case "read":
      return `Read: ${fields.store ?? "?"} (${durationMs}ms)`;
    case "write":
      return `Write: ${fields.store ?? "?"} (${durationMs}ms)`;
    case "approval":
      return `Approval: ${fields.title ?? "?"} -> ${fields.decision ?? "waiting"}`;
    case "timer":
      return `Timer: until ${fields.until ?? "?"}`;
    default:
      return `Event: ${String(type)}`;
  }
}
