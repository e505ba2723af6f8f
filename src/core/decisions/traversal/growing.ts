/** Typed arrays that grow, for millions of numbers. */

type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** The array itself where it has room for one more at `size`, else a copy with twice the room. */
export function withRoom<T extends Numbers>(array: T, size: number): T {
  if (size < array.length) return array;
  const make = array.constructor as new (length: number) => T;
  const larger = new make(Math.max(16, array.length * 2, size + 1));
  larger.set(array as never);
  return larger;
}
