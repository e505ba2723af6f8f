/** Sorts integers in linear time (radix sort), so that an ordered traversal is linear. */

/** Below this many, comparing is quicker than counting. */
const FEW = 256;

/**
 * Sorts numbers in place, ascending.
 * @param ranks 32-bit unsigned
 * @param most no number is greater
 */
export function sortRanks(ranks: Uint32Array, most: number): void {
  if (ranks.length < FEW) {
    ranks.sort();
    return;
  }
  // Radix sort, a byte at a time from the lowest; bytes that no number has are passed over.
  let from: Uint32Array = ranks;
  let to: Uint32Array = new Uint32Array(ranks.length);
  const starts = new Uint32Array(257);
  for (let shift = 0; shift < 32 && most >>> shift > 0; shift += 8) {
    starts.fill(0);
    for (let i = 0; i < from.length; i++) {
      const digit = ((from[i] as number) >>> shift) & 255;
      starts[digit + 1] = (starts[digit + 1] as number) + 1;
    }
    for (let digit = 1; digit < 257; digit++) {
      starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
    }
    for (let i = 0; i < from.length; i++) {
      const rank = from[i] as number;
      const digit = (rank >>> shift) & 255;
      const place = starts[digit] as number;
      to[place] = rank;
      starts[digit] = place + 1;
    }
    [from, to] = [to, from];
  }
  if (from !== ranks) ranks.set(from);
}
