/** Pseudo-random bits from a run's seed: the same seed and key give the same bits everywhere. */

/** 31 bits of a seed and a key. */
export function drawnBits(seed: string, key: string): number {
  let bits = 0x811c9dc5;
  for (const letter of `${seed}\n${key}`) {
    bits = Math.imul(bits ^ (letter.codePointAt(0) as number), 0x01000193);
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 1;
}
