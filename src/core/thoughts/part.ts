/** Parts of a divided problem: what a thought is about that was made of others. */
import type { Part } from "./thought.js";

/** The parts that one answer divided a thought into, each for its own thought. */
export function divided(split: string, of: number, about: readonly Part[]): (readonly Part[])[] {
  // Of a thought that is about several things no single whole would come back.
  const within = about.length === 1 ? (about[0] as Part) : null;
  const rest = about.length > 1 ? about : [];
  return Array.from({ length: of }, (_, i) => [...rest, { split, of, has: [i + 1], within }]);
}

/**
 * What a thought is about that was made of several: their parts together. Where all parts of a division
 * are there, it is about what was divided. Empty: it is about the whole.
 */
export function joined(sources: readonly (readonly Part[])[]): readonly Part[] {
  if (sources.some((parts) => parts.length === 0)) return [];
  const open = new Map<string, Part>();
  const queue = sources.flat();
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    const known = open.get(part.split);
    const has = [...new Set([...(known?.has ?? []), ...part.has])].sort((a, b) => a - b);
    if (has.length < part.of) open.set(part.split, { ...part, has });
    else if (part.within === null) return [];
    else {
      open.delete(part.split);
      queue.push(part.within);
    }
  }
  return [...open.values()];
}
