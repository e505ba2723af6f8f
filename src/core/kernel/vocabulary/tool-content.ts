/** `ToolError`, an error with parts (text, images, files), and the validation of a result's parts. */
import type { ToolContentPart } from "./message.js";
import { TOOL_CONTENT } from "./part-shapes.js";
import { misfit } from "./shapes.js";

/** A registered symbol, so that two copies of the package know each other's errors. */
const CONTENT: unique symbol = Symbol.for("reckoner.toolError");

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
    return toolContentFault(content) === undefined ? content : [];
  } catch {
    // A getter may throw.
    return [];
  }
}

/** Describes the fault of a value that should be parts of a result; `undefined` where it is some. */
export function toolContentFault(value: unknown): string | undefined {
  return misfit(value, TOOL_CONTENT, "content");
}
