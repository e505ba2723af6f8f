/** Whether an effect may begin, or be repeated (P2). The only place that decides this. */
import type { Effect, Tool, ToolRegistry } from "../../core/kernel/index.js";
import type { StorePort } from "../ports.js";

/** The stores that a run was given, by name. */
export type Stores = { readonly [name: string]: StorePort };

/** A store by its own name; never something that every object has. */
export function storeNamed(stores: Stores | undefined, name: string): StorePort | undefined {
  return stores !== undefined && Object.hasOwn(stores, name) ? stores[name] : undefined;
}

/** Whether each attempt is marked as begun before it begins, since it may not be repeated at will. */
export function isMarked(effect: Effect, stores: Stores | undefined): boolean {
  if (effect.type === "tool") return true;
  return effect.type === "write" && storeNamed(stores, effect.store)?.idempotent === false;
}

/** How often an attempt of a tool may begin in all. */
export function attemptsOf(tool: Tool): number {
  return tool.retries + 1;
}

/**
 * Whether an effect that is owed may begin, or begin again: a model call, a read, a timer has no
 * effect in the world; a write carries its idempotency key; a child has a journal of its own. A tool
 * may where no attempt has begun, or where it is idempotent and has attempts left; a write to a store
 * that does not remember keys, where none has begun.
 * @param begun how many attempts have begun, of what is marked
 */
export function mayBegin(
  effect: Effect,
  begun: number,
  tools: ToolRegistry,
  stores: Stores | undefined,
): boolean {
  if (begun === 0) return true;
  if (effect.type === "write") return !isMarked(effect, stores);
  if (effect.type !== "tool") return true;
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

/**
 * Whether a store may be asked again after an attempt in this process.
 * @param lost whether nobody knows what that attempt did: its time was up
 */
export function mayAskAgain(
  { type }: Effect,
  { retries = 0, idempotent = true }: StorePort,
  attempt: number,
  lost: boolean,
): boolean {
  return attempt <= retries && (!lost || type === "read" || idempotent);
}
