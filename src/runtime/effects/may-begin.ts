/** Whether an effect may begin, or be repeated (P2). The only place that decides this. */
import type { Effect, Tool, ToolRegistry } from "../../core/kernel/index.js";
import type { StorePort } from "../ports.js";
import { DEFAULT_ATTEMPTS } from "../running/options.js";
import type { Failure, PortDirective } from "./attempt.js";
import type { EffectHost } from "./effect-host.js";

/** The stores that a run was given, by name. */
export type Stores = { readonly [name: string]: StorePort };

/** A store by its own name; never something that every object has. */
export function storeNamed(stores: Stores | undefined, name: string): StorePort | undefined {
  return stores !== undefined && Object.hasOwn(stores, name) ? stores[name] : undefined;
}

/** A tool that can be called, by its own name; never something that every object has. */
export function toolNamed(tools: ToolRegistry, name: string): Tool | undefined {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return tool?.execute === undefined ? undefined : tool;
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
  // Of a store that is not there nobody can say whether it may be written to again.
  if (effect.type === "write") {
    const store = storeNamed(stores, effect.store);
    return store !== undefined && !isMarked(effect, stores);
  }
  if (effect.type !== "tool") return true;
  const tool = toolNamed(tools, effect.name);
  return tool === undefined || (tool.idempotent && begun < attemptsOf(tool));
}

/**
 * Whether another attempt may follow one that came to nothing in this process.
 * @param count how many attempts there were
 * @param failure `lost`: nobody knows what the last one did, since its time was up; `refused`: the port
 * would say the same again
 */
export function mayTryAgain(
  effect: PortDirective,
  count: number,
  { error, lost, refused }: Failure,
  { ports, options }: Pick<EffectHost, "ports" | "options">,
): boolean {
  if (refused === true) return false;
  if (effect.type === "llm") {
    return error.transient === true && count < (options.retry?.attempts ?? DEFAULT_ATTEMPTS);
  }
  if (effect.type === "tool") {
    const tool = toolNamed(ports.tools, effect.name);
    return tool !== undefined && count < attemptsOf(tool) && (lost !== true || tool.idempotent);
  }
  const { retries = 0, idempotent = true } = storeNamed(ports.stores, effect.store) ?? {};
  return count <= retries && (lost !== true || effect.type === "read" || idempotent);
}
