/**
 * Tool results in parts (text, images, files): validation of the parts, and `ToolError`, an error
 * with parts.
 */
import type { Json, JsonObject } from "../values/json.js";
import { blobFault, isBlob } from "./blob-fault.js";
import type { ToolContentPart } from "./message.js";
import { shownBriefly } from "./size-limits.js";

/** A registered symbol, so that two copies of the package know each other's errors. */
const CONTENT: unique symbol = Symbol.for("reckoner.toolError") as never;

/**
 * Thrown by a tool that fails and says so to the model: the model reads its message, and its parts (a
 * screenshot, a log). Of any other error the model reads only that the tool failed.
 */
export class ToolError extends Error {
  readonly content: readonly ToolContentPart[];
  constructor(message: string, content: readonly ToolContentPart[] = [], options?: ErrorOptions) {
    super(message, options);
    this.name = "ToolError";
    this.content = content;
    Object.defineProperty(this, CONTENT, { value: true });
  }
}

/** Returns true if a thrown value is a {@link ToolError}, also of another copy of the package; it never throws. */
export function isToolError(thrown: unknown): thrown is ToolError {
  try {
    return typeof thrown === "object" && thrown !== null && CONTENT in thrown;
  } catch {
    // A thrown proxy may throw in turn.
    return false;
  }
}

/** The parts that a thrown value brings along; none where it brings none, or not well-formed ones. */
export function contentOfThrown(thrown: unknown): readonly ToolContentPart[] {
  if (!isToolError(thrown)) return [];
  try {
    const { content } = thrown;
    return toolContentFault(content as never) === undefined ? content : [];
  } catch {
    // A getter may throw.
    return [];
  }
}

/** The texts that each kind of part must have. */
const texts: { readonly [type: string]: readonly string[] } = {
  text: ["text"],
  image: ["image"],
  file: ["data", "mediaType"],
  custom: [],
};

/** Describes the fault of a value that should be parts of a result; `undefined` where it is some. */
export function toolContentFault(value: Json | undefined): string | undefined {
  if (!Array.isArray(value)) return "is not a list of parts";
  for (const [i, part] of value.entries()) {
    const fault = partFault(part);
    if (fault !== undefined) return `has a part ${i} that ${fault}`;
  }
  return undefined;
}

function partFault(part: Json): string | undefined {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return "is not an object";
  const { type, providerOptions } = part as JsonObject;
  const needed = typeof type === "string" && Object.hasOwn(texts, type) ? texts[type] : undefined;
  if (needed === undefined) {
    return `has type ${shownBriefly(type)}; text, image, file or custom is needed`;
  }
  if (isBlob(part as JsonObject)) {
    const fault = blobFault(part as JsonObject);
    return fault === undefined ? undefined : `is a file ${fault}`;
  }
  const lacking = needed.find((name) => typeof (part as JsonObject)[name] !== "string");
  if (lacking !== undefined)
    return `is ${type === "image" ? "an" : "a"} ${String(type)} without ${lacking}`;
  return type === "custom" && typeof providerOptions !== "object"
    ? "is custom without providerOptions"
    : undefined;
}
