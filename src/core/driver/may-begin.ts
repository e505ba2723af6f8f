/** The rules by which an effect may begin, or be repeated (P2). The only place that decides this. */
import type { Effect, Tool, ToolRegistry } from "../kernel/vocabulary/index.js";
import type { FailedAttempt } from "./arrived.js";
import { DEFAULT_ATTEMPTS, type DriverOptions, type StoreTraits } from "./options.js";
import { roundOf } from "./rounds.js";

/** The stores that a run was given, by name. */
export type Stores = { readonly [name: string]: StoreTraits };

/** The tools of the reasoner and the traits of stores, which say whether an effect may be repeated. */
export interface Traits {
  readonly tools: ToolRegistry;
  readonly options: Pick<DriverOptions, "stores" | "retry" | "models">;
}

/** A store by its own name; never something that every object has. */
export function storeNamed<Store>(
  stores: { readonly [name: string]: Store } | undefined,
  name: string,
): Store | undefined {
  return stores !== undefined && Object.hasOwn(stores, name) ? stores[name] : undefined;
}

/** A tool that can be called, by its own name. */
export function toolNamed(tools: ToolRegistry, name: string): Tool | undefined {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return tool?.execute === undefined ? undefined : tool;
}

/** Returns true if each attempt is marked as begun before it begins, since it may not be repeated at will. */
export function isMarked(effect: Effect, { tools, options }: Traits): boolean {
  if (effect.type === "tool") return toolNamed(tools, effect.name) !== undefined;
  return effect.type === "write" && storeNamed(options.stores, effect.store)?.idempotent === false;
}

/** Returns true if an effect that is carried out twice does something twice. */
export function isOnce(effect: Effect, { tools, options }: Traits): boolean {
  if (effect.type === "tool") return toolNamed(tools, effect.name)?.idempotent === false;
  return effect.type === "write" && storeNamed(options.stores, effect.store)?.idempotent === false;
}

/** Returns the maximal number of attempts of a tool. */
export function attemptsOf(tool: Tool): number {
  return tool.retries + 1;
}

/**
 * Returns true if an effect that was owed when the run was opened may begin, or begin again: a model call,
 * a read, a timer has no effect in the world; a write carries its idempotency key; of a
 * child each effect is judged by itself. A tool may where no attempt has begun, or where it is idempotent and has attempts left; a write
 * to a store that does not remember keys, where none has begun.
 * @param begun how many attempts have begun, of what is marked
 * @param failed how many of them came to nothing, each with another that was to follow
 */
export function mayBegin(
  effect: Effect,
  begun: number,
  failed: number,
  { tools, options }: Traits,
): boolean {
  if (begun <= failed) return true;
  // Nobody can say whether a store that is not there may be written to again.
  if (effect.type === "write") {
    const store = storeNamed(options.stores, effect.store);
    return store !== undefined && store.idempotent !== false;
  }
  if (effect.type !== "tool") return true;
  const tool = toolNamed(tools, effect.name);
  return tool === undefined || (tool.idempotent && begun < attemptsOf(tool));
}

/** A failed attempt; `lost` where nobody knows what it did, since its time was up. */
export interface Failure extends FailedAttempt {
  readonly lost?: true;
}

/**
 * Returns true if a model call came to nothing since the model is down: no connection, a time limit, an error that
 * passes, or one of a port that says nothing of itself.
 */
export function isDown(effect: Effect, { error, lost, refused }: Failure): boolean {
  if (effect.type !== "llm" || refused === true) return false;
  if (lost === true || error.transient === true) return true;
  const { transient, status, code } = error;
  return transient === undefined && status === undefined && code === "llm.failed";
}

/**
 * Returns true if another attempt may follow one that came to nothing.
 * @param count how many attempts there were
 * @param passes another model of the round may answer when it is asked again
 */
export function mayTryAgain(
  effect: Effect,
  count: number,
  { error, lost, refused }: Failure,
  { tools, options }: Traits,
  passes = false,
): boolean {
  if (effect.type === "llm") {
    const { round, isWhole } = roundOf(effect, count, options);
    // The next model of the list may take what this one refused.
    if (!isWhole) return true;
    if (!passes && (refused === true || error.transient !== true)) return false;
    return round < (options.retry?.attempts ?? DEFAULT_ATTEMPTS);
  }
  if (refused === true) return false;
  if (effect.type === "tool") {
    const tool = toolNamed(tools, effect.name);
    return tool !== undefined && count < attemptsOf(tool) && (lost !== true || tool.idempotent);
  }
  if (effect.type !== "read" && effect.type !== "write") return false;
  const { retries = 0, idempotent = true } = storeNamed(options.stores, effect.store) ?? {};
  return count <= retries && (lost !== true || effect.type === "read" || idempotent);
}
