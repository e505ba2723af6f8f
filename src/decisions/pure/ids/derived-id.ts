/**
 * Derives the new ids of a write to a decision graph from the run and its directive, or from the write's
 * idempotency key, so that a replay or a repetition makes the same ones (K1).
 */

import { canonical, sha256 } from "../../../core/kernel/values/index.js";
import type { CallOrigin } from "../../../core/kernel/vocabulary/index.js";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * The id of what a directive adds: 32 hexadecimal digits, the first 128 bits of SHA-256 over the
 * canonical JSON of `[runId, id, index]`.
 * @param origin the run, and the path of the directive that adds it
 * @param index its place among what the directive adds, counted from 0
 */
export function derivedId({ runId, id }: Omit<CallOrigin, "at">, index: number): string {
  const hash = sha256(canonical([runId, id, index]));
  let digits = "";
  // Two of its characters are twelve bits, three digits.
  for (let i = 0; digits.length < 32; i += 2) {
    const bits = alphabet.indexOf(hash[i] as string) * 64 + alphabet.indexOf(hash[i + 1] as string);
    digits += bits.toString(16).padStart(3, "0");
  }
  return digits.slice(0, 32);
}
