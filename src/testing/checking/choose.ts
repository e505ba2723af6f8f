/**
 * `Choose`: the source of all choices in a simulated run, so that the same description serves a
 * script that shrinks, a seed, and an exhaustive search.
 */
import type { Json } from "../../core/kernel/values/index.js";

/** Makes the choices of one answer, or of one step. */
export interface Choose {
  /** A number from 0 up to, not including, `options`. 0 is the plainest. */
  (options: number): number;
  /** A JSON value; `null` is the plainest. */
  value(): Json;
}

/** The plainest choices, for ever. */
export const plainest: Choose = chooser(() => 0, []);

/** Choices from numbers, in order; the plainest when they are used up. */
export function inOrder(numbers: readonly number[], values: readonly Json[]): Choose {
  let next = 0;
  return chooser(() => numbers[next++] ?? 0, values);
}

/** Choices from whole numbers, one after the other; values beside `null`, which is the plainest. */
export function chooser(draw: () => number, values: readonly Json[]): Choose {
  return choosing((options) => draw() % options, [null, ...values]);
}

/** Choices by a function that takes one of several, among values of which the first is the plainest. */
function choosing(take: (options: number) => number, values: readonly Json[]): Choose {
  const choose = (options: number) => (options < 2 ? 0 : take(options));
  return Object.assign(choose, { value: () => values[choose(values.length)] ?? null });
}

/** Spreads keys over numbers (FNV-1a); a hash of the kernel's would cost more than the step. */
export function spread(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * Choices from a seed (splitmix32): the same seed, the same choices, on every engine.
 * @param values what there is to choose from; the first is the plainest
 */
export function seeded(seed: number, values: readonly Json[]): Choose {
  let at = seed | 0;
  return choosing((options) => {
    at = (at + 0x9e3779b9) | 0;
    let mixed = Math.imul(at ^ (at >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % options;
  }, values);
}

/** The seed of one run of a check, so that it comes again without those before it. */
export function seedOfRun(seed: number, run: number, stride: number): number {
  // Seeds may be larger than what is mixed at once: times in nanoseconds, say.
  const high = Math.trunc(seed / 2 ** 32);
  return Math.imul(seed, 0x9e3779b1) ^ Math.imul(high, 0x27d4eb2f) ^ Math.imul(run + 1, stride);
}

/** The plainest choices among values, for ever. */
export function plainestOf(values: readonly Json[]): Choose {
  return choosing(() => 0, values);
}

/** The possible results of a function of choices. */
export interface Outcomes<T> {
  readonly found: readonly T[];
  /** True when there are no others; else there may be some. */
  readonly isAll: boolean;
}

/**
 * Returns the possible results of a function of choices, up to `most`: the plainest first, then those
 * that differ from it in one choice, then in two. A result that came before is left out.
 */
export function everyChoice<T>(
  make: (choose: Choose) => T,
  values: readonly Json[],
  most: number,
): Outcomes<Exclude<T, undefined>> {
  const found = new Map<string, Exclude<T, undefined>>();
  const ways: (readonly number[])[] = [[]];
  // Equal outcomes are no reason to continue.
  const limit = (most + 1) * 16;
  let tried = 0;
  for (; tried < Math.min(ways.length, limit) && found.size <= most; tried++) {
    const way = ways[tried] as readonly number[];
    const taken: { readonly at: number; readonly of: number }[] = [];
    const made = make(
      choosing((options) => {
        const at = (way[taken.length] ?? 0) % options;
        taken.push({ at, of: options });
        return at;
      }, values),
    );
    if (made !== undefined) {
      const text = JSON.stringify(made);
      if (!found.has(text)) found.set(text, made as Exclude<T, undefined>);
    }
    for (let index = way.length; index < taken.length; index++) {
      const before = taken.slice(0, index).map(({ at }) => at);
      const { of } = taken[index] as { readonly of: number };
      // One way more than are tried tells that there are others.
      for (let other = 1; other < of && ways.length <= limit; other++) {
        ways.push([...before, other]);
      }
    }
  }
  return {
    found: [...found.values()].slice(0, most),
    isAll: tried === ways.length && found.size <= most,
  };
}
