/** Checks the arguments of the functions in `context-functions.ts`. */

import * as shapes from "../../kernel/shapes.js";
import { checkArgument } from "../../kernel/vocabulary/index.js";
import type { AgentContext } from "./context.js";

const CONTEXT: shapes.Shape = [isContext, "an agent's context, as newContext() makes it"];
/** A message, as far as these functions look at it. */
export const MESSAGE: shapes.Shape = [
  shapes.hasParts("role", "content"),
  "a message, with a role and its content",
];
/** Messages. */
export const MESSAGES: shapes.Shape = /* @__PURE__ */ shapes.listOf(MESSAGE);

/** Returns true when it looks like one: an agent asks several times a step. */
function isContext(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { messages, toolCalls, deps, usage } = value as Partial<AgentContext>;
  return (
    messages !== undefined && toolCalls !== undefined && deps !== undefined && usage !== undefined
  );
}

/**
 * Checks the context that a function was given.
 * @throws ReckonerError `option.invalid`
 */
export function checkContext(of: string, context: unknown): void {
  if (!isContext(context)) checkArgument(of, "context", context, CONTEXT);
}
