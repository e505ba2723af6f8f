/**
 * The parts of the AI SDK's provider specification that are used here: what versions 2, 3 and 4 (of
 * `ai` 5, 6 and 7) have in common, and where they differ. It is copied and not imported, so that no
 * version of the SDK is needed to load or compile this module.
 */

/** Versions of the specification that are spoken here, with the major of `ai` each belongs to. */
export const versions: { readonly [version: string]: number } = { v2: 5, v3: 6, v4: 7 };

/** A version of the specification that is spoken here. */
export type Version = "v2" | "v3" | "v4";

/** A language model of any version, as its provider made it. */
export interface LanguageModelObject {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  /** Asks once, for a whole answer. */
  doGenerate(options: never): PromiseLike<unknown>;
  /** Asks once, for a stream of parts. */
  doStream(options: never): PromiseLike<unknown>;
}

/** A language model of the AI SDK: one that a provider made, or an id of its default provider. */
export type AiSdkModel = string | LanguageModelObject;

/** A language model as it is called here. */
export interface SpecModel {
  readonly specificationVersion: Version;
  readonly provider: string;
  readonly modelId: string;
  /** Media types to the URLs that the provider fetches itself. */
  readonly supportedUrls: PromiseLike<SupportedUrls> | SupportedUrls;
  doGenerate(options: CallOptions): PromiseLike<Answer>;
  doStream(options: CallOptions): PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;
}

export type SupportedUrls = Record<string, RegExp[]>;

/** Metadata and options of providers, by their names. */
export type Metadata = { readonly [provider: string]: { readonly [name: string]: unknown } };

/** The options of a model's call; other settings are passed on as they are. */
export interface CallOptions {
  readonly prompt: readonly object[];
  readonly tools?: readonly object[];
  readonly toolChoice?: object;
  readonly responseFormat?: object;
  readonly providerOptions: object;
  readonly stopSequences?: string[];
  readonly abortSignal: AbortSignal;
}

interface Described {
  readonly providerMetadata?: Metadata | undefined;
}

/** Data of a file: bytes, base64 or a URL; version 4 says which. */
export type FileData =
  | string
  | Uint8Array
  | URL
  | { readonly type: "data"; readonly data: string | Uint8Array }
  | { readonly type: "url"; readonly url: URL | string };

export interface TextContent extends Described {
  readonly type: "text";
  readonly text: string;
  readonly citations?: readonly unknown[];
}
export interface ReasoningContent extends Described {
  readonly type: "reasoning";
  readonly text: string;
}
export interface FileContent extends Described {
  readonly type: "file" | "reasoning-file";
  readonly mediaType: string;
  readonly data: FileData;
}
export interface SourceContent extends Described {
  readonly type: "source";
  readonly sourceType: "url" | "document";
  readonly id: string;
}
export interface CustomContent extends Described {
  readonly type: "custom";
  readonly kind: string;
}
export interface ToolCallContent extends Described {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** JSON, or what the model took for it. */
  readonly input: string;
  readonly providerExecuted?: boolean;
}
export interface ToolResultContent extends Described {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: unknown;
  readonly isError?: boolean;
  readonly preliminary?: boolean;
}
export interface ApprovalRequestContent extends Described {
  readonly type: "tool-approval-request";
  readonly approvalId: string;
  readonly toolCallId: string;
}

/** A part of an answer. */
export type Content =
  | TextContent
  | ReasoningContent
  | FileContent
  | SourceContent
  | CustomContent
  | ToolCallContent
  | ToolResultContent
  | ApprovalRequestContent;

/** The reason why the model stopped: in one word (version 2), or with the provider's own word beside ours. */
export type StopReason = string | { readonly unified: string; readonly raw?: string | undefined };

/** Usage: one number for each side (version 2), or each side in detail. */
export interface TokenUsage {
  readonly inputTokens?: number | undefined | { readonly [count: string]: number | undefined };
  readonly outputTokens?: number | undefined | { readonly [count: string]: number | undefined };
  readonly totalTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** The facts that are known of a response. */
export interface ResponseInfo {
  readonly id?: string | undefined;
  readonly modelId?: string | undefined;
}

/** A model's answer, in its provider's form. */
export interface Answer extends Described {
  readonly content: readonly Content[];
  readonly finishReason: StopReason;
  readonly usage: TokenUsage;
  readonly response?: ResponseInfo | undefined;
  readonly warnings?: readonly unknown[];
}

interface Piece<Type extends string> extends Described {
  readonly type: Type;
  readonly id: string;
}

/** A part of a streamed answer. */
export type StreamPart =
  | { readonly type: "stream-start"; readonly warnings: readonly unknown[] }
  | ({ readonly type: "response-metadata" } & ResponseInfo)
  | Piece<"text-start" | "reasoning-start" | "reasoning-end" | "tool-input-end">
  | (Piece<"text-end"> & { readonly citations?: readonly unknown[] })
  | (Piece<"text-delta" | "reasoning-delta" | "tool-input-delta"> & { readonly delta: string })
  | (Piece<"tool-input-start"> & { readonly toolName: string })
  | Exclude<Content, TextContent | ReasoningContent>
  | ({
      readonly type: "finish";
      readonly finishReason: StopReason;
      readonly usage: TokenUsage;
    } & Described)
  | { readonly type: "ping" | "raw" }
  | { readonly type: "error"; readonly error: unknown };
