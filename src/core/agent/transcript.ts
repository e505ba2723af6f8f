/** The transcript: adding to it, and mending one that was cut off (P3). */
import {
  type Json,
  type Message,
  type ToolCallPart,
  type ToolMessage,
  type ToolOutput,
  type ToolResultPart,
  toolCallsOf,
} from "../kernel/index.js";
import { NOT_EXECUTED } from "./texts.js";

/** A result as the model reads it: text as text, anything else as JSON. */
export function resultMessage(
  call: { readonly callId: string; readonly name: string },
  output: ToolOutput,
): ToolMessage {
  const result: ToolResultPart = {
    type: "tool-result",
    toolCallId: call.callId,
    toolName: call.name,
    output,
  };
  return { role: "tool", content: [result] };
}

/** A tool's return value as the model reads it. */
export function toolOutput(value: Json): ToolOutput {
  return typeof value === "string" ? { type: "text", value } : { type: "json", value };
}

/**
 * Messages in which every tool call has a result: one that never got any is given the text for
 * calls that never started, right behind its message and in call order. Idempotent.
 */
export function patchDanglingToolCalls(messages: readonly Message[]): readonly Message[] {
  const dangling = danglingCalls(messages);
  if (dangling.size === 0) return messages;
  const patched: Message[] = [];
  let owed: readonly ToolCallPart[] = [];
  const settle = () => {
    for (const call of owed) patched.push(notExecuted(call));
    owed = [];
  };
  for (const message of messages) {
    // Results that are there stay first; what is owed comes right behind them.
    if (message.role !== "tool") settle();
    patched.push(message);
    if (message.role === "assistant") {
      owed = toolCallsOf(message).filter((call) => dangling.has(call));
    }
  }
  settle();
  return patched;
}

/** Messages without the results whose calls are not before them: a window cuts calls off. */
export function withoutOrphans(messages: readonly Message[]): readonly Message[] {
  const open = new Map<string, number>();
  let orphans = false;
  const kept = messages.flatMap((message): readonly Message[] => {
    for (const { toolCallId } of toolCallsOf(message)) {
      open.set(toolCallId, (open.get(toolCallId) ?? 0) + 1);
    }
    if (message.role !== "tool") return [message];
    const content = message.content.filter(({ toolCallId }) => {
      const calls = open.get(toolCallId) ?? 0;
      open.set(toolCallId, calls - 1);
      return calls > 0;
    });
    if (content.length === message.content.length) return [message];
    orphans = true;
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return orphans ? kept : messages;
}

/** The calls without a result. Providers re-use their ids, so each result answers one call before it. */
function danglingCalls(messages: readonly Message[]): ReadonlySet<ToolCallPart> {
  const open = new Map<string, ToolCallPart[]>();
  for (const message of messages) {
    if (typeof message.content === "string") continue;
    for (const part of message.content) {
      if (part.type === "tool-call" && part.providerExecuted !== true) {
        open.set(part.toolCallId, [...(open.get(part.toolCallId) ?? []), part]);
      }
      if (part.type === "tool-result") open.get(part.toolCallId)?.pop();
    }
  }
  return new Set([...open.values()].flat());
}

function notExecuted(call: ToolCallPart): ToolMessage {
  return resultMessage(
    { callId: call.toolCallId, name: call.toolName },
    { type: "error-text", value: NOT_EXECUTED },
  );
}
