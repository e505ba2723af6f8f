/** The messages that wait for their turn: heard, edited, moved, taken back, and in the end taken. */
import {
  append,
  emptyList,
  listOf,
  type MessageEvent,
  type QueueEvent,
  sizeOf,
  toArray,
  type UserMessage,
  type UserPart,
} from "../kernel/index.js";
import type { AgentContext, QueuedMessage } from "./context.js";
import { addMessages } from "./context-functions.js";
import type { AgentSpec } from "./spec.js";

/** Makes a message of what a user said. */
export function userMessage(content: string | readonly UserPart[]): UserMessage {
  return { role: "user", content };
}

/** Returns true if no message with this id waits. */
export function isNew({ queue }: AgentContext, { id }: Pick<MessageEvent, "id">): boolean {
  return id === undefined || !hasQueued(queue, id);
}

/** Returns true if a message with this id still waits: one that was taken is part of the transcript. */
export function isQueued({ queue }: AgentContext, { id }: { readonly id: string }): boolean {
  return hasQueued(queue, id);
}

function hasQueued(queue: AgentContext["queue"], id: string): boolean {
  return sizeOf(queue) > 0 && toArray(queue).some((each) => each.id === id);
}

/** Returns the context with a message behind those that wait. */
export function queueMessage(context: AgentContext, event: MessageEvent): AgentContext {
  const said: QueuedMessage = {
    ...userMessage(event.content),
    ...(event.id === undefined ? {} : { id: event.id }),
  };
  return { ...context, queue: append(context.queue, said) };
}

/** Returns the context with a message that waits edited, removed, or at another place. */
export function changeQueue(context: AgentContext, event: QueueEvent): AgentContext {
  const before = toArray(context.queue);
  const at = before.findIndex(({ id }) => id === event.id);
  const rest = before.toSpliced(at, 1);
  const queue = () => {
    switch (event.type) {
      case "message.edited":
        return before.with(at, { ...userMessage(event.content), id: event.id });
      case "message.removed":
        return rest;
      case "message.moved":
        return rest.toSpliced(event.to, 0, before[at] as QueuedMessage);
      default:
        throw new Error(`No change of the queue for ${JSON.stringify(event satisfies never)}`);
    }
  };
  return { ...context, queue: listOf(queue()) };
}

/** Returns the context with all messages that wait in the transcript; they need an answer. */
export function takeQueue(context: AgentContext): AgentContext {
  return taken(context, toArray(context.queue), emptyList());
}

/**
 * Returns the context with the messages in the transcript that this turn takes: all that wait, or one
 * where the turn has none yet.
 */
export function takeForTurn({ queue: how }: AgentSpec, context: AgentContext): AgentContext {
  if (how === "all") return takeQueue(context);
  if (sizeOf(context.messages) > context.turnMessages) return context;
  const [first, ...rest] = toArray(context.queue);
  return taken(context, first === undefined ? [] : [first], listOf(rest));
}

function taken(
  context: AgentContext,
  said: readonly QueuedMessage[],
  queue: AgentContext["queue"],
): AgentContext {
  if (said.length === 0) return context;
  const messages = said.map(({ id: _id, ...message }) => message);
  return { ...addMessages(context, messages), queue, final: null };
}
