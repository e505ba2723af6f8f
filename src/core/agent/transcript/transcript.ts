/**
 * Makes and reads the parts of a transcript: the result of a tool call as the model reads it, an answer's
 * parts with a distinct id for each tool call, the calls that still lack a result.
 */

import {
  append,
  itemAt,
  type Json,
  type List,
  sealJson,
  sizeOf,
  takeFirst,
  toArray,
} from "../../kernel/values/index.js";
import {
  type AssistantPart,
  isOurCall,
  type Message,
  type ProviderOptions,
  type ToolCallPart,
  type ToolContentPart,
  type ToolMessage,
  type ToolOutput,
  type ToolResultPart,
  toolCallsOf,
} from "../../kernel/vocabulary/index.js";
import type { SaidOutcome } from "../context/context.js";

/** A result as the model reads it: text as text, anything else as JSON. */
export function resultMessage(
  call: {
    readonly callId: string;
    readonly name: string;
    readonly providerOptions?: ProviderOptions | undefined;
    readonly approvalId?: string;
  },
  output: ToolOutput,
): ToolMessage {
  const result: ToolResultPart = {
    type: "tool-result",
    toolCallId: call.callId,
    toolName: call.name,
    output,
    ...(call.approvalId === undefined
      ? {}
      : { approvalId: call.approvalId, approved: isYes(output) }),
    ...(call.providerOptions === undefined ? {} : { providerOptions: call.providerOptions }),
  };
  return { role: "tool", content: [result] };
}

/** Returns true for the result that stands for a person's yes to a call of the provider's. */
function isYes({ type }: ToolOutput): boolean {
  return !(type.startsWith("error") || type === "execution-denied");
}

/** A tool's return value as the model reads it: the parts it gave, else text as text. */
export function toolOutput(value: Json, content?: readonly ToolContentPart[]): ToolOutput {
  if (content !== undefined) return { type: "content", value: content };
  return typeof value === "string" ? { type: "text", value } : { type: "json", value };
}

/**
 * Makes the output that the model reads where a call has no ordinary result: a text, and the parts it may
 * bring.
 */
export function errorOutput({ status, text, content = [] }: SaidOutcome): ToolOutput {
  if (status === "rejected" || status === "denied")
    return { type: "execution-denied", reason: text };
  if (status === "asked") return { type: "text", value: text };
  if (content.length === 0) return { type: "error-text", value: text };
  return { type: "error-content", value: [{ type: "text", text }, ...content] };
}

/** A result with a text before it. */
export function withNote(output: ToolOutput, note: string): ToolOutput {
  const first = { type: "text" as const, text: note };
  switch (output.type) {
    case "text":
    case "error-text":
      return { ...output, value: `${note}\n${output.value}` };
    case "content":
    case "error-content":
      return { ...output, value: [first, ...output.value] };
    case "execution-denied":
      return { ...output, reason: `${note}\n${output.reason ?? ""}` };
    default:
      return {
        type: output.type === "json" ? "content" : "error-content",
        value: [first, { type: "text", text: JSON.stringify(output.value) }],
      };
  }
}

/** The messages in which a call of the last answer has the arguments with which it ran. No request had it yet. */
export function asExecuted(
  { messages }: { readonly messages: List<Message> },
  { callId, input }: { readonly callId: string; readonly input: Json },
): List<Message> {
  for (let at = sizeOf(messages) - 1; at >= 0; at--) {
    const message = itemAt(messages, at) as Message;
    if (message.role !== "assistant") continue;
    if (typeof message.content === "string") return messages;
    const content = message.content.map((part) =>
      part.type === "tool-call" && part.toolCallId === callId ? { ...part, input } : part,
    );
    const rest = toArray(messages, at + 1);
    return append(takeFirst(messages, at), sealJson<Message>({ ...message, content }), ...rest);
  }
  return messages;
}

/** The calls of a message that are ours to carry out; the provider has carried out its own. */
export function ownCallsOf(message: Message | undefined): readonly ToolCallPart[] {
  return toolCallsOf(message).filter(isOwnCall);
}

/** The calls of a transcript's last answer that have no result: they are still to be carried out. */
export function openCalls(messages: List<Message>): readonly ToolCallPart[] {
  const answered = new Set<string>();
  for (let at = sizeOf(messages) - 1; at >= 0; at--) {
    const message = itemAt(messages, at) as Message;
    if (message.role === "tool") {
      for (const part of message.content) answered.add(part.toolCallId);
    } else if (message.role === "assistant") {
      return ownCallsOf(message).filter(({ toolCallId }) => !answered.has(toolCallId));
    }
  }
  return [];
}

/** Returns true when an answer has a call that is ours to carry out. */
export function callsOurs(content: readonly AssistantPart[]): boolean {
  return hasPart(content, isOwnCall);
}

/** By index: V8's own `some` takes seven times as long on an array that is frozen. */
function hasPart(
  content: readonly AssistantPart[],
  test: (part: AssistantPart) => boolean,
): boolean {
  for (let i = 0; i < content.length; i++) if (test(content[i] as AssistantPart)) return true;
  return false;
}

function isOwnCall(part: AssistantPart): part is ToolCallPart {
  return part.type === "tool-call" && isOurCall(part);
}

/**
 * An answer's parts as the transcript may have them: a call without arguments has some, as malformed
 * ones; what claims to be the result of a call of ours is left out, since we carry that out; and each
 * call of ours has an id of its own. The same array where there is nothing to do.
 */
export function takenContent(content: readonly AssistantPart[]): readonly AssistantPart[] {
  if (!hasPart(content, isOdd)) return withOwnIds(content);
  const own = new Set(content.filter(isOwnCall).map(({ toolCallId }) => toolCallId));
  const kept = content.filter((part) => part.type !== "tool-result" || !own.has(part.toolCallId));
  const whole = kept.map((part) =>
    part.type === "tool-call" && part.input === undefined
      ? { ...part, input: {}, malformed: true as const }
      : part,
  );
  const same = whole.length === content.length && whole.every((part, i) => part === content[i]);
  return withOwnIds(same ? content : whole);
}

/** Returns true when a part cannot stand in the transcript before somebody has looked at it. */
function isOdd(part: AssistantPart): boolean {
  return part.type === "tool-result" || (part.type === "tool-call" && part.input === undefined);
}

/**
 * An answer's parts, in which each call of ours has an id of its own: the k-th call with one id is
 * `id_k`, or the next that is free. Providers refuse the same id twice. The same array where the ids
 * differ already.
 */
export function withOwnIds(content: readonly AssistantPart[]): readonly AssistantPart[] {
  const calls = toolCallsOf({ role: "assistant", content });
  if (calls.length < 2) return content;
  const ids = new Set(calls.map(({ toolCallId }) => toolCallId));
  if (ids.size === calls.length) return content;
  // A provider's own call keeps its id: its result stands in the answer and knows it by that.
  const isOwn = ({ providerExecuted }: ToolCallPart) => providerExecuted !== true;
  const used = new Set(calls.filter((call) => !isOwn(call)).map(({ toolCallId }) => toolCallId));
  const times = new Map<string, number>();
  let renamed = false;
  const parts = content.map((part) => {
    if (part.type !== "tool-call" || !isOwn(part)) return part;
    const id = part.toolCallId;
    if (!used.has(id)) {
      used.add(id);
      return part;
    }
    let k = times.get(id) ?? 1;
    do k += 1;
    while (ids.has(`${id}_${k}`));
    times.set(id, k);
    renamed = true;
    return { ...part, toolCallId: `${id}_${k}` };
  });
  return renamed ? parts : content;
}
