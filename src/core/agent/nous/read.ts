/**
 * Reads messages and tool call records of the Nous agent context: names in snake_case, a tool's
 * result as a message of its own, arguments as an object or as text.
 */
import {
  type AssistantPart,
  type Json,
  type JsonObject,
  type Message,
  shownBriefly,
  type ToolCallPart,
  type UserPart,
} from "../../kernel/index.js";
import type { ToolCallRecord } from "../context.js";
import { resultMessage, toolOutput } from "../transcript.js";

/** Data of a shape that is still to be found out. */
export type Loose = { readonly [key: string]: Json };

/** A field by our name, or by the same name in snake_case. */
export function field(data: Loose, name: string): Json | undefined {
  const own = (key: string) => (Object.hasOwn(data, key) ? data[key] : undefined);
  return own(name) ?? own(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/**
 * A message of either shape.
 * @param names tool names by the ids of their calls, for results that do not say whose they are
 */
export function readMessage(
  value: Json,
  index: number,
  names: Map<string, string>,
  warnings: string[],
): Message {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`messages[${index}] must be an object`);
  }
  const message = value as Loose;
  const read = readByRole(message, index, names, warnings);
  if (read.role === "assistant" && typeof read.content !== "string") {
    for (const part of read.content) {
      if (part?.type === "tool-call") names.set(part.toolCallId, part.toolName);
    }
  }
  return read;
}

function readByRole(
  message: Loose,
  index: number,
  names: ReadonlyMap<string, string>,
  warnings: string[],
): Message {
  switch (message.role) {
    case "system":
      return { role: "system", ...common(message), content: textIn(message.content) };
    case "assistant": {
      const calls = field(message, "toolCalls");
      const content = partsIn<AssistantPart>(message.content);
      if (!Array.isArray(calls) || calls.length === 0) {
        return { role: "assistant", ...common(message), content };
      }
      const said: readonly AssistantPart[] =
        typeof content !== "string" ? content : content === "" ? [] : [textPart(content)];
      return {
        role: "assistant",
        ...common(message),
        content: [...said, ...calls.map((call) => readCall(call, index))],
      };
    }
    case "tool": {
      if (Array.isArray(message.content) && field(message, "toolCallId") === undefined) {
        return message as unknown as Message;
      }
      const callId = String(field(message, "toolCallId") ?? "");
      const name = message.name ?? names.get(callId) ?? "unknown";
      return resultMessage({ callId, name: String(name) }, toolOutput(message.content ?? ""));
    }
    default:
      if (message.role !== "user") {
        warnings.push(
          `messages[${index}] has the unknown role ${shownBriefly(message.role ?? null)}; it is read as the user's`,
        );
      }
      return { role: "user", ...common(message), content: partsIn<UserPart>(message.content) };
  }
}

/** What messages of every role may have beside their content. */
function common(message: Loose): { readonly providerOptions?: never } {
  const { providerOptions } = message;
  return providerOptions === undefined ? {} : { providerOptions: providerOptions as never };
}

const textPart = (text: string) => ({ type: "text" as const, text });

/** Text as it is, parts as parts; text parts of the seed hold their text in `content`. */
function partsIn<Part>(content: Json | undefined): string | readonly Part[] {
  if (!Array.isArray(content)) return textIn(content);
  return content.map((part: Json) => {
    // What is no part is refused later, with its place.
    if (typeof part !== "object" || part === null) return part as Part;
    const { type, text, content: inner } = part as Loose;
    return (type === "text" && text === undefined ? textPart(textIn(inner)) : part) as Part;
  });
}

function textIn(content: Json | undefined): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** `{id, name, arguments}`, or a provider's `{id, function: {name, arguments}}`. */
function readCall(value: Json, index: number): ToolCallPart {
  const call = value as Loose;
  const { name, arguments: given } = ((call?.function as Loose | undefined) ?? call ?? {}) as Loose;
  if (typeof call?.id !== "string" || typeof name !== "string") {
    throw new Error(`messages[${index}] has a tool call without an id or a name`);
  }
  const part = { type: "tool-call" as const, toolCallId: call.id, toolName: name };
  if (typeof given !== "string") return { ...part, input: given ?? {} };
  try {
    return { ...part, input: JSON.parse(given === "" ? "{}" : given) as JsonObject };
  } catch {
    return { ...part, input: given, malformed: true };
  }
}

/** A record of a tool call: ours, or the seed's `{id, name, arguments, result}`. */
export function readRecord(value: Json): ToolCallRecord {
  const record = value as Loose;
  if (typeof record?.id !== "string" || typeof record.name !== "string") {
    throw new Error("toolCalls has a record without an id or a name");
  }
  if (record.callId !== undefined) return record as unknown as ToolCallRecord;
  const failed = record.error !== undefined && record.error !== null;
  return {
    id: record.id,
    callId: record.id,
    name: record.name,
    input: record.input ?? record.arguments ?? {},
    status: failed ? "failed" : "succeeded",
    output: (failed ? record.error : (record.output ?? record.result)) ?? null,
  };
}
