/** When may an effect begin? The one place that says it (P2). */
import type { Effect, Tool, ToolRegistry } from "../../core/kernel/index.js";

/** How often an attempt of a tool may begin in all. */
export function attemptsOf(tool: Tool): number {
  return tool.retries + 1;
}

/**
 * Whether an effect that is owed may begin, or begin again: a model call, a read, a timer has no
 * effect in the world; a write carries its idempotency key; a child has a journal of its own. A tool
 * may where no attempt has begun, or where it is idempotent and has attempts left.
 * @param begun how many attempts have begun
 */
export function mayBegin(effect: Effect, begun: number, tools: ToolRegistry): boolean {
  if (effect.type !== "tool" || begun === 0) return true;
  const tool = Object.hasOwn(tools, effect.name) ? tools[effect.name] : undefined;
  return tool === undefined || (tool.idempotent && begun < attemptsOf(tool));
}

/**
 * Whether a tool may be tried again after an attempt in this process.
 * @param lost whether nobody knows what that attempt did: its time was up
 */
export function mayTryAgain(tool: Tool, attempt: number, lost: boolean): boolean {
  return attempt < attemptsOf(tool) && (!lost || tool.idempotent);
}
