/**
 * Converts a tool's result to its form in a provider's prompt. The versions of the AI SDK's specification
 * differ most in this.
 */
import { base64Of } from "../../core/kernel/values/index.js";
import type { ToolContentPart, ToolOutput } from "../../core/kernel/vocabulary/index.js";
import type { Version } from "./specification.js";
import { type Files, filePart, takeFile } from "./to-file-part.js";

/** A result's output in the words of a version. */
export function toToolOutput(version: Version, output: ToolOutput, files: Files): object {
  if (output.type !== "content" && output.type !== "error-content") return output;
  return { type: "content", value: output.value.map((part) => toPart(version, part, files)) };
}

function toPart(version: Version, part: ToolContentPart, files: Files): object {
  if (part.type === "text") {
    const { citations: _forReaders, ...text } = part;
    return text;
  }
  if (part.type === "custom") return part;
  if (version === "v4") return filePart(version, part, files);
  const { data, mediaType = "image/*" } = takeFile(part, files);
  const options =
    part.providerOptions === undefined ? {} : { providerOptions: part.providerOptions };
  const image = part.type === "image" || mediaType.startsWith("image/");
  if (version === "v2") {
    return data instanceof URL
      ? { type: "text", text: data.href }
      : { type: "media", data: base64Of(data), mediaType };
  }
  if (data instanceof URL) {
    const url = data.href;
    return image ? { type: "image-url", url, ...options } : { type: "file-url", url, ...options };
  }
  const held = { data: base64Of(data), mediaType };
  if (image) return { type: "image-data", ...held, ...options };
  const { filename } = part as { readonly filename?: string };
  return {
    type: "file-data",
    ...held,
    ...(filename === undefined ? {} : { filename }),
    ...options,
  };
}
