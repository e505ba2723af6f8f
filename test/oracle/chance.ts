// Chance that follows from a seed and words alone, never from who asked before: so what the scripted
// world does to an effect is the same in whatever order, and in whichever process, it is asked.

/** Numbers from 0 to 1, 1 left out. */
export type Chance = () => number;

/** The numbers that belong to these words (FNV-1a, then mulberry32). */
export function chanceOf(...words: readonly (string | number)[]): Chance {
  let state = 0x811c9dc5;
  for (const letter of words.join("\u0000")) {
    state = Math.imul(state ^ (letter.codePointAt(0) as number), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number between two, both included. */
export function whole(chance: Chance, from: number, to: number): number {
  return from + Math.floor(chance() * (to - from + 1));
}

/** One of a list. */
export function oneOf<T>(chance: Chance, list: readonly T[]): T {
  return list[Math.floor(chance() * list.length)] as T;
}
