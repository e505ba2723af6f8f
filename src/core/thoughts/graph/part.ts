/** Tells the part of a divided problem that a thought is about. */
import type { Part } from "./thought.js";

/** The parts that one answer divided a thought into, each for its own thought. */
export function divided(split: string, of: number, about: readonly Part[]): (readonly Part[])[] {
  // Each of several things that it is about is divided: it comes back when all parts are there.
  const wholes = about.length === 0 ? [null] : about;
  return Array.from({ length: of }, (_, i) =>
    wholes.map((within, k) => ({
      split: k === 0 ? split : `${split}.${k}`,
      of,
      has: [i + 1],
      within,
    })),
  );
}

/**
 * Joins the parts of several thoughts into those of a thought that was made of them. Where all parts of a
 * division are there, it is about what was divided. Empty: it is about the whole.
 */
export function joined(sources: readonly (readonly Part[])[]): readonly Part[] {
  if (sources.some((parts) => parts.length === 0)) return [];
  const open = new Map<string, { readonly part: Part; readonly has: Set<number> }>();
  const queue = sources.flat();
  for (const part of queue) {
    const known = open.get(part.split) ?? { part, has: new Set<number>() };
    for (const each of part.has) known.has.add(each);
    if (known.has.size < part.of) open.set(part.split, known);
    else if (part.within === null) return [];
    else {
      open.delete(part.split);
      queue.push(part.within);
    }
  }
  return Array.from(open.values(), ({ part, has }) => ({
    ...part,
    has: [...has].sort((a, b) => a - b),
  }));
}
