/** `Randomness`: the port by which hosts and durable engines get unique ids and random numbers. */

/** Where chance comes from. Simulations draw it from a seed. */
export interface Randomness {
  /** Returns a name that no other call anywhere returns. */
  id(): string;
  /** Returns a number from 0 on and below 1. */
  fraction(): number;
}

/** The platform's own chance. */
export const systemRandomness: Randomness = {
  id: () => globalThis.crypto.randomUUID(),
  fraction: () => Math.random(),
};
