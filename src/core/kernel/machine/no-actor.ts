/**
 * What XState hands to a machine's functions beside context and event: an actor, its system, and a
 * way to spawn more. A reasoner has no actor. Whoever touches one of them is refused, the same on
 * every path, and nothing of XState's own (its `sessionId` differs between processes) gets out.
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
