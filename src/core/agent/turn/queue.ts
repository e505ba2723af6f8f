/**
 * Keeps the user's messages that arrive while a turn is under way: adds, edits, moves and removes them, and
 * takes them into the transcript when a turn has room for them.
 */
import { append, emptyList, listOf, sizeOf, toArray } from "../../kernel/values/index.js";
import type {
  MessageEvent,
  QueueEvent,
  UserMessage,
  UserPart,
} from "../../kernel/vocabulary/index.js";
import { reachedLimit } from "../budget/limits.js";
import type { AgentContext, QueuedMessage } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { addMessages } from "../extend/context-functions.js";

/** Makes a message of what a user said. */
export function userMessage(content: string | readonly UserPart[]): UserMessage {
  return { role: "user", content };
}

/** Returns true if a message with this id still waits: one that was taken is part of the transcript. */
export function isQueued({ queue }: AgentContext, id: string): boolean {
  return sizeOf(queue) > 0 && toArray(queue).some((each) => each.id === id);
}

/** Returns the context with a message behind those that wait. */
export function queueMessage(context: AgentContext, event: MessageEvent): AgentContext {
  const message: QueuedMessage = {
    ...userMessage(event.content),
    ...(event.id === undefined ? {} : { id: event.id }),
  };
  return { ...context, queue: append(context.queue, message) };
}

/** Returns the context with a message that waits edited, removed, or at another place. */
export function changeQueue(context: AgentContext, event: QueueEvent): AgentContext {
  const before = toArray(context.queue);
  const at = before.findIndex(({ id }) => id === event.id);
  if (at < 0) return context;
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
export function takeForTurn(spec: AgentSpec, context: AgentContext): AgentContext {
  const isBegun = sizeOf(context.messages) > context.turnMessages;
  // A message to a turn that comes to nothing is the next turn's.
  if (isBegun && spec.conversation && isOver(context)) return context;
  if (spec.queue === "all") return takeQueue(context);
  if (isBegun) return context;
  const [first, ...rest] = toArray(context.queue);
  return taken(context, first === undefined ? [] : [first], listOf(rest));
}

function isOver(context: AgentContext): boolean {
  return context.error !== null || reachedLimit(context) !== null;
}

/** Returns the context with all messages that wait in the transcript, where no turn comes that takes them. */
export function takeAtEnd({ conversation }: AgentSpec, context: AgentContext): AgentContext {
  return conversation ? context : takeQueue(context);
}

function taken(
  context: AgentContext,
  queued: readonly QueuedMessage[],
  queue: AgentContext["queue"],
): AgentContext {
  if (queued.length === 0) return context;
  const messages = queued.map(({ id: _id, ...message }) => message);
  return { ...addMessages(context, messages), queue, final: null };
}
