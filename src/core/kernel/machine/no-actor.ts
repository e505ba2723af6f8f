/**
 * Replaces the actor, system and `spawn` that XState passes to a machine's functions: a reasoner
 * has no actor. Using one of them is refused, in the same way on every path, and nothing of
 * XState's own (its `sessionId` differs between processes) gets out.
 */
import { EffectUsed } from "./fault.js";

/** Anything done with it throws {@link EffectUsed}. */
function untouchable(partOf: (key: unknown) => string): object {
  const refuse = (_target: object, key?: unknown): never => {
    throw new EffectUsed(partOf(key));
  };
  return new Proxy(Object.freeze({}), {
    get: refuse,
    has: refuse,
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
    getOwnPropertyDescriptor: refuse,
    isExtensible: refuse,
    preventExtensions: refuse,
  });
}

/** In place of the actor. A child that is spawned asks its parent for the system. */
export const noActor: object = /* @__PURE__ */ untouchable((key) =>
  key === "system" ? "spawn" : "self",
);

/** In place of the actor's system. */
export const noSystem: object = /* @__PURE__ */ untouchable(() => "system");

/** In place of `spawn`, where it is not XState that hands it out. */
export function noSpawn(): never {
  throw new EffectUsed("spawn");
}
