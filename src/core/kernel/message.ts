/**
 * Messages: the JSON subset of the AI SDK's `ModelMessage`, so that nothing has to be translated on
 * the way to a provider. Binary content is base64 text or a URL.
 */
import type { Json, JsonObject } from "./json.js";

/** Options and metadata of one provider, by its name; kept and sent back untouched. */
export type ProviderOptions = { readonly [provider: string]: JsonObject };

/** Text. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly providerOptions?: ProviderOptions;
}

/** A model's reasoning, with what the provider needs to see again (signatures, ids). */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly providerOptions?: ProviderOptions;
}

/** An image: base64 text or a URL. */
export interface ImagePart {
  readonly type: "image";
  readonly image: string;
  readonly mediaType?: string;
  readonly providerOptions?: ProviderOptions;
}

/** A file: base64 text or a URL. */
export interface FilePart {
  readonly type: "file";
  readonly data: string;
  readonly mediaType: string;
  readonly filename?: string;
  readonly providerOptions?: ProviderOptions;
}

/** A model's wish to call a tool. `input` is the raw text where it was not valid JSON. */
export interface ToolCallPart {
  readonly type: "tool-call";
  /** The provider's id of the call; never used as an id of ours. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
  /** The arguments were not valid JSON; `input` holds the text as it came. */
  readonly malformed?: true;
  readonly providerExecuted?: boolean;
  readonly providerOptions?: ProviderOptions;
}

/** What a tool call came to, as the model reads it. */
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
  readonly providerOptions?: ProviderOptions;
}

/** The result's value: text, JSON, or an error in one of the two. */
export type ToolOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "json" | "error-json"; readonly value: Json };

/** A part of a user's message. */
export type UserPart = TextPart | ImagePart | FilePart;
/** A part of a model's message. */
export type AssistantPart = TextPart | ReasoningPart | FilePart | ToolCallPart | ToolResultPart;

/** Instructions to the model. */
export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
  readonly providerOptions?: ProviderOptions;
}
/** What a person says. */
export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly UserPart[];
  readonly providerOptions?: ProviderOptions;
}
/** What the model says, and which tools it calls. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string | readonly AssistantPart[];
  readonly providerOptions?: ProviderOptions;
}
/** Results of tool calls. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultPart[];
  readonly providerOptions?: ProviderOptions;
}
/** Any message of a transcript. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** The text of a message, its text parts joined. */
export function textOf(message: Message | undefined): string {
  if (message === undefined) return "";
  if (typeof message.content === "string") return message.content;
  let text = "";
  for (const part of message.content) if (part.type === "text") text += part.text;
  return text;
}

/** The tool calls of a message, in call order. */
export function toolCallsOf(message: Message | undefined): readonly ToolCallPart[] {
  if (message?.role !== "assistant" || typeof message.content === "string") return [];
  return message.content.filter((part): part is ToolCallPart => part.type === "tool-call");
}
