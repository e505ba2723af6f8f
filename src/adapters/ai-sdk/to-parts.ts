/** The parts of an answer as parts of an assistant's message. */
import type {
  LanguageModelV3Content,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResult,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import {
  type AssistantPart,
  type Json,
  MAX_DEPTH,
  type ProviderOptions,
  type ToolCallPart,
  type ToolOutput,
  toJson,
} from "../../core/kernel/index.js";
import { plainJson } from "./plain-json.js";

/**
 * Parts in their order. Left out: empty texts that carry nothing, what a provider's own tool said
 * before it was done, sources, and requests for approval.
 */
export function toParts(content: readonly LanguageModelV3Content[]): AssistantPart[] {
  return content.flatMap((part): AssistantPart[] => {
    const options = optionsOf(part.providerMetadata);
    switch (part.type) {
      case "text":
        return part.text === "" && options.providerOptions === undefined
          ? []
          : [{ type: "text", text: part.text, ...options }];
      case "reasoning":
        return [{ type: "reasoning", text: part.text, ...options }];
      case "file":
        return [{ type: "file", data: base64(part.data), mediaType: part.mediaType, ...options }];
      case "tool-call":
        return [{ ...toolCall(part), ...options }];
      case "tool-result":
        return part.preliminary === true ? [] : [{ ...toolResult(part), ...options }];
      default:
        return [];
    }
  });
}

function optionsOf(metadata: SharedV3ProviderMetadata | undefined): {
  providerOptions?: ProviderOptions;
} {
  const providerOptions = plainJson(metadata) as ProviderOptions | null | undefined;
  return providerOptions == null ? {} : { providerOptions };
}

function toolCall(part: LanguageModelV3ToolCall): ToolCallPart {
  return {
    type: "tool-call",
    toolCallId: part.toolCallId,
    toolName: part.toolName,
    ...argumentsOf(part.input),
    ...(part.providerExecuted === undefined ? {} : { providerExecuted: part.providerExecuted }),
  };
}

/**
 * Arguments, parsed. What is no JSON, or JSON that the kernel refuses (`__proto__`, endless
 * nesting), is the model's to mend, so it is told and not thrown.
 */
function argumentsOf(text: string): Pick<ToolCallPart, "input" | "malformed"> {
  // Many models write nothing where a tool takes nothing.
  if (text.trim() === "") return { input: {} };
  try {
    // Half the kernel's depth leaves room for the state that the arguments become a part of.
    return { input: toJson(JSON.parse(text), "$", MAX_DEPTH / 2) };
  } catch {
    return { input: text, malformed: true };
  }
}

function toolResult(part: LanguageModelV3ToolResult): AssistantPart {
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

function base64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let bytes = "";
  for (const byte of data) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
