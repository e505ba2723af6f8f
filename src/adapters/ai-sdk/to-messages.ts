/**
 * Our messages as the SDK's. They are a subset of its own and go as they are, but for what a
 * provider would refuse: arguments that are no object, and an assistant that said nothing.
 */
import type { ModelMessage } from "ai";
import type { AssistantPart, Message } from "../../core/kernel/index.js";

/** A transcript as the SDK wants it. Nothing is changed in place. */
export function toMessages(messages: readonly Message[]): ModelMessage[] {
  return messages.filter(saysSomething).map(sendable) as ModelMessage[];
}

function saysSomething(message: Message): boolean {
  return message.role !== "assistant" || message.content.length > 0;
}

function sendable(message: Message): Message {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  return message.content.some(hasNoObject)
    ? { ...message, content: message.content.map(withObject) }
    : message;
}

function hasNoObject(part: AssistantPart): boolean {
  if (part.type !== "tool-call") return false;
  return typeof part.input !== "object" || part.input === null || Array.isArray(part.input);
}

function withObject(part: AssistantPart): AssistantPart {
  return hasNoObject(part) ? ({ ...part, input: {} } as AssistantPart) : part;
}
