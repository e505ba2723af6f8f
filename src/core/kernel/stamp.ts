/**
 * What the kernel remembers of a value: that it has passed the JSON border, how deep it is, whether
 * it holds a List, and its hash. It is kept in private fields on the value itself, which nobody can
 * see, copy or forge; a WeakMap of all values of a long run would cost the garbage collector more
 * than the steps cost.
 */

/** A constructor that returns its argument, so that a subclass puts its private fields there. */
class Itself {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is the point
    return value;
  }
}

class Stamp extends Itself {
  /** Twice the height, and 1 where it holds a List: one field is cheaper than two. */
  readonly #facts: number;
  #hash: string | undefined = undefined;

  constructor(value: object, height: number, holdsList: boolean) {
    super(value);
    this.#facts = 2 * height + (holdsList ? 1 : 0);
  }

  static has(value: object): value is Stamp {
    return #hash in value;
  }

  static height(value: object): number {
    return #facts in value ? value.#facts >> 1 : 0;
  }

  static holdsList(value: object): boolean {
    return #facts in value && (value.#facts & 1) === 1;
  }

  static hash(value: object): string | undefined {
    return #hash in value ? value.#hash : undefined;
  }

  static setHash(value: object, hash: string): void {
    if (#hash in value) value.#hash = hash;
  }
}

/**
 * Marks a value as checked. It has to be frozen right after.
 * @param height how many objects and arrays lie in one another, this one included
 * @param holdsList whether it is a List or holds one, at any depth
 */
export function markPassed(value: object, height: number, holdsList: boolean): void {
  if (!Stamp.has(value)) new Stamp(value, height, holdsList);
}

/** Whether a value has passed the border. */
export function hasPassed(value: object): boolean {
  return Stamp.has(value);
}

/** How deep a value is that has passed the border; 0 for what is no object. */
export function heightOf(value: unknown): number {
  return typeof value === "object" && value !== null ? Stamp.height(value) : 0;
}

/** Whether a value that has passed the border is a List or holds one. */
export function holdsList(value: unknown): boolean {
  return typeof value === "object" && value !== null && Stamp.holdsList(value);
}

/** The hash of a value that has passed the border, where it was computed before. */
export function rememberedHash(value: object): string | undefined {
  return Stamp.hash(value);
}

/** Remembers a hash; only for what has passed the border, since only that can never change. */
export function rememberHash(value: object, hash: string): void {
  Stamp.setHash(value, hash);
}
