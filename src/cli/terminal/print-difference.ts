/**
 * Prints the first difference of a replay: its place, the recorded and the computed value, shortened to what
 * differs.
 */
import type { Difference } from "../../core/journal/index.js";
import type { Json } from "../../core/kernel/values/index.js";
import { slice } from "./truncate.js";

/** Values up to this many characters are shown whole. */
const WHOLE = 600;
/** Characters on each side of what differs. */
const CONTEXT = 80;

/** The marks of the two values. */
export interface Marks {
  readonly recorded: (text: string) => string;
  readonly computed: (text: string) => string;
}

/** Several lines, without the last newline. */
export function printDifference(difference: Difference, marks: Marks): string {
  const { seq, event, path, recorded, computed } = difference;
  const [left, right] = sidesOf(recorded, computed);
  return [
    `first difference at event ${seq} (${event}), ${path}`,
    `  recorded: ${marks.recorded(left)}`,
    `  computed: ${marks.computed(right)}`,
  ].join("\n");
}

/** The texts of two values that differ, as all that prints a difference shows them. */
export function sidesOf(
  left: Json | undefined,
  right: Json | undefined,
): readonly [string, string] {
  return shortened(textOf(left), textOf(right));
}

function textOf(value: Json | undefined): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** Two texts, each cut to the part in which it differs from the other, if it is long. */
export function shortened(left: string, right: string): readonly [string, string] {
  if (left.length <= WHOLE && right.length <= WHOLE) return [left, right];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  return [excerpt(left, start, tail), excerpt(right, start, tail)];
}

function excerpt(text: string, start: number, tail: number): string {
  const from = Math.max(0, start - CONTEXT);
  const end = Math.min(text.length, text.length - tail + CONTEXT);
  const until = Math.min(end, from + WHOLE);
  const before = from === 0 ? "" : `(${from} characters)…`;
  const after = until === text.length ? "" : `…(${text.length - until} characters)`;
  return `${before}${slice(text, from, until)}${after}`;
}
