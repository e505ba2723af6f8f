/**
 * What the kernel remembers of a value: that it has passed the JSON border, and its hash. It is kept
 * in a private field on the value itself, which nobody can see, copy or forge; a WeakMap of all
 * values of a long run would cost the garbage collector more than the steps cost.
 */

/** A constructor that returns its argument, so that a subclass puts its private fields there. */
class Itself {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is the point
    return value;
  }
}

class Stamp extends Itself {
  #hash: string | undefined = undefined;

  static has(value: object): boolean {
    return #hash in value;
  }

  static hash(value: object): string | undefined {
    return #hash in value ? value.#hash : undefined;
  }

  static setHash(value: object, hash: string): void {
    if (#hash in value) value.#hash = hash;
  }
}

/** Marks a value as checked. It has to be frozen by then or right after. */
export function markPassed(value: object): void {
  if (!Stamp.has(value)) new Stamp(value);
}

/** Whether a value has passed the border. */
export function hasPassed(value: object): boolean {
  return Stamp.has(value);
}

/** The hash of a value that has passed the border, where it was computed before. */
export function rememberedHash(value: object): string | undefined {
  return Stamp.hash(value);
}

/** Remembers a hash; only for what has passed the border, since only that can never change. */
export function rememberHash(value: object, hash: string): void {
  Stamp.setHash(value, hash);
}
