/**
 * Converts a tool's result to its form in a prompt. The versions of the specification differ most
 * in this.
 */
import type { ToolContentPart, ToolOutput } from "../../core/kernel/index.js";
import { base64Of } from "./base64.js";
import type { Dialect, Version } from "./specification.js";
import { type Files, filePart, takeFile } from "./to-file-part.js";

/** A result's output in the words of a dialect. */
export function toToolOutput(dialect: Dialect, output: ToolOutput, files: Files): object {
  const { version, plainErrors } = dialect;
  switch (output.type) {
    case "content":
      return { type: "content", value: output.value.map((part) => toPart(version, part, files)) };
    case "error-content":
      return toToolOutput(dialect, errorOf(output.value), files);
    case "error-text":
      return plainErrors ? { type: "text", value: output.value } : output;
    case "error-json":
      return plainErrors ? { type: "json", value: output.value } : output;
    default:
      return output;
  }
}

/** No version has an error in parts: as text where it is all text, else its parts say that it is one. */
function errorOf(parts: readonly ToolContentPart[]): ToolOutput {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length === parts.length) return { type: "error-text", value: texts.join("\n") };
  return { type: "content", value: [{ type: "text", text: "The tool call failed." }, ...parts] };
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
