/**
 * Properties that are computed on first use: most models and tools never read their signal, and
 * most agents never read a flat transcript.
 */

const MAKE: unique symbol = Symbol("made when asked for");

interface Made {
  readonly [MAKE]: () => unknown;
}

/**
 * One getter for all of them: with a getter of its own V8 keeps each object as a dictionary, which
 * takes three times as long to make. It asks by name, so that it is there through a proxy as well, and
 * is the object's own, so that a copy has its value.
 */
const WHEN_ASKED: PropertyDescriptor & ThisType<Made> = {
  get() {
    return this[MAKE]();
  },
  enumerable: true,
  configurable: true,
};

/** The object with one property more. Each object has one at most. */
export function withLazyProperty<T extends object, Name extends string, Value>(
  object: T,
  name: Name,
  make: () => Value,
): T & { readonly [N in Name]: Value } {
  Object.defineProperty(object, MAKE, { value: make });
  return Object.defineProperty(object, name, WHEN_ASKED) as never;
}
