/**
 * Messages, in the form of the AI SDK's `ModelMessage`, as plain JSON: binary content is base64 or
 * a URL. Provider-specific content has parts of its own.
 */

import { ReckonerError } from "../values/errors.js";
import type { Json, JsonObject } from "../values/json.js";
import { isList, type List, toArray } from "../values/list.js";

/** Options and metadata of one provider, by its name; kept and sent back untouched. */
export type ProviderOptions = { readonly [provider: string]: JsonObject };

/** Text, with what it refers to where the provider says so. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  /** For readers; what the provider needs to see again stands in `providerOptions`. */
  readonly citations?: readonly Citation[];
  readonly providerOptions?: ProviderOptions;
}

/** The source that a part of a model's text refers to. */
export interface Citation {
  readonly source: SourcePart;
  /** Where the part begins and ends in the text it belongs to, in UTF-16 units; the end excluded. */
  readonly startIndex?: number;
  readonly endIndex?: number;
  /** The passage of the source. */
  readonly citedText?: string;
}

/** A source that a model used: a page, or a document that it was given. */
export type SourcePart =
  | {
      readonly type: "source";
      readonly sourceType: "url";
      readonly id: string;
      readonly url: string;
      readonly title?: string;
      readonly providerOptions?: ProviderOptions;
    }
  | {
      readonly type: "source";
      readonly sourceType: "document";
      readonly id: string;
      readonly mediaType: string;
      readonly title: string;
      readonly filename?: string;
      readonly providerOptions?: ProviderOptions;
    };

/** A model's reasoning, with what the provider needs to see again (signatures, ids). */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly providerOptions?: ProviderOptions;
}

/** A file that a model made while it reasoned: base64 text or a URL. */
export interface ReasoningFilePart {
  readonly type: "reasoning-file";
  readonly data: string;
  readonly mediaType: string;
  readonly providerOptions?: ProviderOptions;
}

/**
 * A provider's own part: a compacted context with what is sealed in it, a fallback to another model. Its
 * content stands in `providerOptions`, and goes back as it came.
 */
export interface CustomPart {
  readonly type: "custom";
  /** `<provider>.<its kind>`: `openai.compaction`. */
  readonly kind: string;
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

/** The measures of a file by which it is paid; as far as they could be read. */
export interface FileMeasures {
  /** Pixels of an image. */
  readonly width?: number;
  readonly height?: number;
  readonly pages?: number;
  readonly seconds?: number;
}

/** A file that lies elsewhere: a message has only its id, and what is needed to reckon with it. */
export interface BlobPart {
  readonly type: "file";
  /** The id of the file where it lies. */
  readonly blob: string;
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  readonly measures?: FileMeasures;
  readonly filename?: string;
  readonly providerOptions?: ProviderOptions;
}

/**
 * A model's wish to call a tool. `input` is what it wrote: an object, other JSON where it wrote that,
 * and the raw text where it was not valid JSON.
 */
export interface ToolCallPart {
  readonly type: "tool-call";
  /** The provider's id of the call; never used as an id of ours. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Json;
  /** The arguments were not valid JSON; `input` holds the text as it came. */
  readonly malformed?: true;
  readonly providerExecuted?: boolean;
  /** The provider carries the call out once this question of its is answered: by an approval of the run. */
  readonly approvalId?: string;
  readonly providerOptions?: ProviderOptions;
}

/** The result of a tool call, as the model reads it. */
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
  /** The provider's question that this answers, and how. */
  readonly approvalId?: string;
  readonly approved?: boolean;
  readonly providerOptions?: ProviderOptions;
}

/**
 * The result's value: text, JSON or parts, or an error in one of the three; or that a person, or a
 * hook, did not let the call run, in the words that the model reads.
 */
export type ToolOutput =
  | { readonly type: "execution-denied"; readonly reason?: string }
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "json" | "error-json"; readonly value: Json }
  | { readonly type: "content" | "error-content"; readonly value: readonly ToolContentPart[] };

/** A part of a tool's result. A provider's own (`custom`) says what it is in `providerOptions`. */
export type ToolContentPart =
  | TextPart
  | ImagePart
  | FilePart
  | BlobPart
  | { readonly type: "custom"; readonly providerOptions: ProviderOptions };

/** A part of a user's message. */
export type UserPart = TextPart | ImagePart | FilePart | BlobPart;
/** A part of a model's message. */
export type AssistantPart =
  | TextPart
  | ReasoningPart
  | ReasoningFilePart
  | FilePart
  | SourcePart
  | CustomPart
  | ToolCallPart
  | ToolResultPart;

/** Instructions to the model. */
export interface SystemMessage {
  readonly role: "system";
  readonly content: string;
  readonly providerOptions?: ProviderOptions;
}
/** A message of a person. */
export interface UserMessage {
  readonly role: "user";
  readonly content: string | readonly UserPart[];
  readonly providerOptions?: ProviderOptions;
}
/** A message of the model: its words, and its tool calls. */
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
  const content: Message["content"] | undefined = (message as Partial<Message> | null)?.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) {
    throw new ReckonerError(
      "option.invalid",
      "textOf: what was given is not a message; pass one, with a content that is a string or a list of parts.",
    );
  }
  let text = "";
  for (const part of content) if (part.type === "text") text += part.text;
  return text;
}

/**
 * Returns true if a call waits for a result of ours: the provider carries out its own, but for those that it asks
 * an approval for.
 */
export function isOurCall({ providerExecuted, approvalId }: ToolCallPart): boolean {
  return providerExecuted !== true || approvalId !== undefined;
}

/**
 * Returns the messages of a directive, of a request or of an agent's context as an array: where they grow, they
 * are kept as a `List`.
 */
export function messagesOf({
  messages,
}: {
  readonly messages: List<Message> | readonly Message[];
}): readonly Message[] {
  return isList(messages) ? toArray(messages) : messages;
}

/** The tool calls of a message, in call order. */
export function toolCallsOf(message: Message | undefined): readonly ToolCallPart[] {
  if (message?.role !== "assistant" || typeof message.content === "string") return [];
  // By index: V8 takes four times as long for a frozen array's iterator, and for its filter.
  const calls: ToolCallPart[] = [];
  const { content } = message;
  for (let i = 0; i < content.length; i++) {
    const part = content[i] as AssistantPart;
    if (part.type === "tool-call") calls.push(part);
  }
  return calls;
}
