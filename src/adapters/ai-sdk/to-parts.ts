/**
 * Converts the parts of a provider's answer (text, reasoning, tool calls, files, sources) to parts of an
 * assistant message.
 */

import { base64Of, type Json } from "../../core/kernel/values/index.js";
import {
  type AssistantPart,
  type Citation,
  type ProviderOptions,
  readArguments,
  type SourcePart,
  type ToolCallPart,
  type ToolOutput,
} from "../../core/kernel/vocabulary/index.js";
import { plainJson } from "./plain-json.js";
import type {
  Content,
  FileContent,
  Metadata,
  SourceContent,
  TextContent,
  ToolCallContent,
  ToolResultContent,
} from "./specification.js";

/**
 * Parts in their order. Left out: empty texts that carry nothing, and what a provider's own tool said
 * before it was done. A question for approval stands on its call.
 */
export function toParts(content: readonly Content[]): AssistantPart[] {
  const questions = new Map(
    content.flatMap((part) =>
      part.type === "tool-approval-request" ? [[part.toolCallId, part.approvalId] as const] : [],
    ),
  );
  return content.flatMap((part): AssistantPart[] => {
    const options = optionsOf(part.providerMetadata);
    switch (part.type) {
      case "text":
        return part.text === "" && options.providerOptions === undefined
          ? []
          : [{ type: "text", text: part.text, ...citationsOf(part), ...options }];
      case "reasoning":
        return [{ type: "reasoning", text: part.text, ...options }];
      case "file":
      case "reasoning-file":
        return [
          { type: part.type, data: dataOf(part), mediaType: part.mediaType, ...options } as const,
        ];
      case "source":
        return sourceOf(part);
      case "custom":
        return [{ type: "custom", kind: part.kind, ...options }];
      case "tool-call":
        return [{ ...toolCall(part, questions.get(part.toolCallId)), ...options }];
      case "tool-result":
        return part.preliminary === true ? [] : [{ ...toolResult(part), ...options }];
      default:
        return [];
    }
  });
}

function optionsOf(metadata: Metadata | undefined): { providerOptions?: ProviderOptions } {
  const providerOptions = plainJson(metadata) as ProviderOptions | null | undefined;
  return providerOptions == null ? {} : { providerOptions };
}

/** A source as it is, under our name for what the provider adds. */
function sourceOf(part: SourceContent | Citation["source"]): SourcePart[] {
  const { providerMetadata, ...source } = (plainJson(part) ?? {}) as { providerMetadata?: Json };
  return [{ ...source, ...optionsOf(providerMetadata as Metadata | undefined) } as SourcePart];
}

function citationsOf({ citations = [] }: TextContent): { citations?: readonly Citation[] } {
  const withSource = citations.flatMap((each) => {
    const { source, ...rest } = (plainJson(each) ?? {}) as Partial<Citation>;
    return source === undefined ? [] : sourceOf(source).map((of) => ({ source: of, ...rest }));
  });
  return withSource.length === 0 ? {} : { citations: withSource };
}

/** A file's base64 text, or its URL. */
function dataOf({ data }: FileContent): string {
  if (typeof data === "string" || data instanceof Uint8Array) return base64Of(data);
  if (data instanceof URL) return data.href;
  return data.type === "url" ? String(data.url) : base64Of(data.data);
}

function toolCall(part: ToolCallContent, approvalId: string | undefined): ToolCallPart {
  return {
    type: "tool-call",
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    ...argumentsOf(part.input),
    ...(part.providerExecuted === undefined ? {} : { providerExecuted: part.providerExecuted }),
    ...(approvalId === undefined ? {} : { approvalId }),
  };
}

/**
 * Arguments, parsed; other JSON than an object is kept as it is. Arguments that cannot be taken as they
 * are meant are the model's to mend: they are kept as their text, and the agent names the fault.
 */
function argumentsOf(args: unknown): Pick<ToolCallPart, "input" | "malformed"> {
  // Some clients give nothing, or parsed arguments, whatever the types say.
  if (args === undefined || args === null) return { input: {} };
  const text = typeof args === "string" ? args : textOf(args);
  const read = readArguments(text);
  return read.ok ? { input: read.input } : { input: text, malformed: true };
}

/** The JSON text of parsed arguments, or what else can be written of them. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function toolResult(part: ToolResultContent): AssistantPart {
  return {
    type: "tool-result",
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    output: outputOf(plainJson(part.result) ?? null, part.isError === true),
  };
}

function outputOf(value: Json, isError: boolean): ToolOutput {
  if (isError) return { type: "error-json", value };
  return typeof value === "string" ? { type: "text", value } : { type: "json", value };
}
