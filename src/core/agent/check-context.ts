/** What the functions of the agent's context are given, by whoever writes a behaviour or drives one by hand. */
import { checkArguments, shapes } from "../kernel/index.js";

const CONTEXT: shapes.Shape = [
  shapes.hasParts("messages", "toolCalls", "deps", "usage"),
  "an agent's context, as newContext() makes it",
];
/** A message, as far as these functions look at it. */
export const MESSAGE: shapes.Shape = [
  shapes.hasParts("role", "content"),
  "a message, with a role and its content",
];
/** Messages. */
export const MESSAGES: shapes.Shape = /* @__PURE__ */ shapes.listOf(MESSAGE);

/**
 * Checks the context that a function was given, and what stands behind it.
 * @throws ReckonerError `option.invalid`
 */
export function checkContext(
  of: string,
  context: unknown,
  given: { readonly [name: string]: unknown } = {},
  known: { readonly [name: string]: shapes.Shape } = {},
): void {
  checkArguments(of, { context, ...given }, { context: CONTEXT, ...known });
}
