/**
 * Stores the lines of a journal as texts by key, each text under the number of its first line, and reads them
 * back by page.
 */
import { LINES_LENGTH, linesFrom } from "../../serve/for-adapters.js";
import type { Kept } from "./kept.js";

/** Texts that are read at once. */
const TEXTS = 100;
const DIGITS = 10;

/** The journal of a run itself: its forks have names. */
export const FIRST = "";

/** Returns the key of lines that begin with a number, from 0. */
export function linesKey(fork: string, number: number): string {
  return `${prefixOf(fork)}${String(number).padStart(DIGITS, "0")}`;
}

/** Returns the lines of such a text. */
export function linesIn(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

/** Returns a page of lines, from a number on. */
export async function keptLines(
  kept: Kept,
  fork: string,
  from: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let length = 0;
  for await (const { start, text } of keptTexts(kept, fork, from)) {
    lines.push(...linesIn(text).slice(Math.max(0, from - start)));
    length += text.length;
    if (length >= LINES_LENGTH && lines.length > 0) break;
  }
  return linesFrom(lines, 0);
}

/** Reads the texts of a journal one by one, from the one that holds a line on. */
export async function* keptTexts(
  kept: Kept,
  fork: string,
  from = 0,
): AsyncGenerator<{ readonly start: number; readonly text: string }> {
  const keys = await kept.keys(prefixOf(fork));
  const starts = keys.map((key) => Number(key.slice(-DIGITS)));
  const behind = starts.findIndex((start) => start > from);
  const first = Math.max(0, (behind < 0 ? starts.length : behind) - 1);
  for (let at = first; at < keys.length; at += TEXTS) {
    const wanted = keys.slice(at, at + TEXTS);
    const texts = await kept.get(wanted);
    for (const [n, text = ""] of texts.entries()) yield { start: starts[at + n] as number, text };
  }
}

function prefixOf(fork: string): string {
  return `lines/${fork}/`;
}
