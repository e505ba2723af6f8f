/**
 * `Rule`: one demand that a family of model providers makes of requests, with a function that finds a request
 * which breaks it and one that mends it. Also helpers of rules. The rules are in the files beside this one,
 * their order in `all-rules.ts`.
 */
import type {
  AssistantPart,
  LlmDirective,
  Message,
  ToolCallPart,
  ToolResultPart,
} from "../../../core/kernel/vocabulary/index.js";
import type { Family, Target } from "./family.js";

/** A model request, as the model port is given it. */
export type Request = Omit<LlmDirective, "type" | "id" | "messages"> & {
  readonly messages: readonly Message[];
};

/** The result of a mend. */
export interface Mend {
  readonly request: Request;
  /** Notices: what the model does not read now, or is not held to, in words without counts or places. */
  readonly lost?: readonly string[];
  /** Undoes in an answer's parts what the mend did to definitions. */
  readonly back?: (content: readonly AssistantPart[]) => readonly AssistantPart[];
  /** The tools' names as they were, by those that are sent. */
  readonly names?: ReadonlyMap<string, string>;
}

/** A row. */
export interface Rule {
  readonly name: string;
  readonly families: readonly Family[];
  /** The demand of the family, in one sentence. */
  readonly demands: string;
  /** The source of the demand. */
  readonly source: string;
  /** A: a specification or an SDK; B: several reports; C: one report; U: widely said, no source. */
  readonly sure: "A" | "B" | "C" | "U";
  /**
   * The reason why the mended request is not the beginning of the next, where the unmended one is.
   * Absent: it is.
   */
  readonly prefix?: string;
  /** Models or servers of the families that the rule is for. Default: all. */
  only?(target: Target): boolean;
  /** Returns the part of a request that breaks the rule; `undefined` where none does. */
  fault(request: Request, target: Target): string | undefined;
  /** A request that keeps to the rule, from one that does not. */
  mend(request: Request, target: Target): Mend;
}

/** Each message, or what stands in its place; messages that stay keep their identity. */
export function mapMessages(
  request: Request,
  map: (message: Message, index: number) => Message | readonly Message[],
): Request {
  return { ...request, messages: request.messages.flatMap(map) };
}

/** Parts of a message, where its content is no text. */
export function partsOf(message: Message): readonly AssistantPart[] {
  return message.role === "assistant" && typeof message.content !== "string" ? message.content : [];
}

/** A model's message with its parts mapped; the same one where none changes. */
export function mapParts(
  message: Message,
  map: (part: AssistantPart) => AssistantPart | readonly AssistantPart[],
): Message {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const content = message.content.flatMap(map);
  const same =
    content.length === message.content.length &&
    content.every((part, i) => part === message.content[i]);
  return same ? message : { ...message, content };
}

/** Results of tools of ours, mapped; the same message where none changes. */
export function mapResults(
  message: Message,
  map: (part: ToolResultPart) => ToolResultPart,
): Message {
  if (message.role !== "tool") return message;
  const content = message.content.map(map);
  return content.every((part, i) => part === message.content[i])
    ? message
    : { ...message, content };
}

/** All calls of a transcript, in order. */
export function callsOf(messages: readonly Message[]): readonly ToolCallPart[] {
  return messages.flatMap((message) =>
    partsOf(message).filter((part): part is ToolCallPart => part.type === "tool-call"),
  );
}

/** The first message that breaks a rule, in words. */
export function firstFault(
  { messages }: Request,
  fault: (message: Message, index: number) => string | undefined,
): string | undefined {
  for (const [i, message] of messages.entries()) {
    const found = fault(message, i);
    if (found !== undefined) return `message ${i} (${message.role}) ${found}`;
  }
  return undefined;
}

/** A text of whitespace alone. */
export const isBlank = (text: string): boolean => text.trim() === "";

/** A user's message of one text, such as the library puts where a family needs one. */
export function userText(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}
