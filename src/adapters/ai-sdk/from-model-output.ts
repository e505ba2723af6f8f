/** Converts what a tool of the AI SDK returns for the model (`toModelOutput`) to a tool result. */
import { base64Of, type Json, resultJson } from "../../core/kernel/values/index.js";
import {
  type ToolContentPart,
  ToolError,
  type ToolReturn,
  withContent,
} from "../../core/kernel/vocabulary/index.js";
import { plainJson } from "./plain-json.js";

type Loose = { readonly [name: string]: unknown };

/**
 * The tool's own output, with what the model is to read instead of it.
 * @throws ToolError where that is an error, or a refusal
 */
export function fromModelOutput(output: Json, modelOutput: unknown): Json | ToolReturn<Json> {
  const { type, value, reason } = (modelOutput ?? {}) as Loose;
  switch (type) {
    case "text":
      return value === output ? output : withContent(output, [textPart(String(value))]);
    case "json":
      return withContent(output, [textPart(jsonText(value))]);
    case "content":
      return Array.isArray(value) ? withContent(output, value.map(partOf)) : output;
    case "error-text":
      throw new ToolError(String(value));
    case "error-json":
      throw new ToolError(jsonText(value));
    case "execution-denied":
      throw new ToolError(String(reason ?? "The tool refused to run."));
    default:
      return output;
  }
}

function jsonText(value: unknown): string {
  return JSON.stringify(resultJson(value).json ?? null);
}

function textPart(text: string): ToolContentPart {
  return { type: "text", text };
}

/** A part in any of the forms that the SDK has had. */
function partOf(raw: unknown): ToolContentPart {
  const part = (raw ?? {}) as Loose;
  const { type, mediaType, filename } = part;
  const providerOptions = plainJson(part.providerOptions);
  const options = providerOptions == null ? {} : { providerOptions: providerOptions as never };
  const named = typeof filename === "string" ? { filename } : {};
  const kind = String(type);
  if (kind === "text") return { ...textPart(String(part.text)), ...options } as ToolContentPart;
  if (kind === "custom") {
    return { type: "custom", providerOptions: (providerOptions ?? {}) as never };
  }
  const data = dataOf(part);
  if (data === undefined) {
    return textPart(`[not supported: a part of type ${kind} that the tool gave to read]`);
  }
  const media = typeof mediaType === "string" ? mediaType : undefined;
  if (kind.startsWith("image") || media === "image" || media?.startsWith("image/") === true) {
    return {
      type: "image",
      image: data,
      ...(media === undefined ? {} : { mediaType: media }),
      ...options,
    };
  }
  return {
    type: "file",
    data,
    mediaType: media ?? "application/octet-stream",
    ...named,
    ...options,
  };
}

/** Base64 or a URL; `undefined` where a part refers to a file that only its provider knows. */
function dataOf({ data, url }: Loose): string | undefined {
  if (url !== undefined) return String(url);
  if (typeof data === "string" || data instanceof Uint8Array) return base64Of(data);
  if (data instanceof URL) return data.href;
  const inner = (data ?? {}) as Loose;
  if (inner.type === "text") return base64Of(new TextEncoder().encode(String(inner.text)));
  return inner.type === "data" || inner.type === "url"
    ? dataOf({ data: inner.data, url: inner.url })
    : undefined;
}
