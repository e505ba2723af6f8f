// The lines of a tree of runs, as its one journal holds them.
import { encodeLine } from "../../src/core/journal/index.js";
import type { JsonObject } from "../../src/core/kernel/values/index.js";
import type { RunEvent } from "../../src/core/kernel/vocabulary/index.js";
import { type JournalPort, memoryJournal } from "../../src/runtime/index.js";

/** A line as JSON. */
interface TreeLine {
  readonly run?: string;
  readonly seq?: number;
  readonly begin?: JsonObject;
  readonly event?: RunEvent;
  readonly end?: { readonly status: string };
  readonly [part: string]: unknown;
}

/** The whole lines of a journal's text. */
export function treeLines(text: string): readonly TreeLine[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as TreeLine);
}

/** The lines of events and marks of one run, by its path. */
export function linesOf(text: string, path: string): readonly TreeLine[] {
  return treeLines(text).filter((line) => !("type" in line) && (line.run ?? "") === path);
}

/** The same as text. */
export function textOf(text: string, path: string): string {
  return linesOf(text, path)
    .map((line) => JSON.stringify(line))
    .join("\n");
}

/** The events of one run. */
export function eventsOf(text: string, path: string): readonly RunEvent[] {
  return linesOf(text, path).flatMap(({ event }) => event ?? []);
}

/** The beginning of a child, as its first line has it; `undefined` where it never began. */
export function beginOf(text: string, path: string): JsonObject | undefined {
  return linesOf(text, path)[0]?.begin;
}

/** The runs of a journal by their paths, the root first, with how each ended. */
export function endsIn(text: string): { readonly [path: string]: string | undefined } {
  const ends: Record<string, string | undefined> = { "": undefined };
  for (const { run = "", event, end } of treeLines(text)) {
    if (event !== undefined) ends[run] = end?.status;
  }
  return ends;
}

/** So many lines of a text, each whole. */
export function firstLines(text: string, count: number): string {
  const lines = text.split("\n").slice(0, count);
  return lines.map((line) => `${line}\n`).join("");
}

/** The text up to the first line that holds a part, without that one. */
export function upTo(text: string, part: string): string {
  const at = text.split("\n").findIndex((line) => line.includes(part));
  if (at < 0) throw new Error(`No line holds ${part}`);
  return firstLines(text, at);
}

/** A text of changed lines, chained anew: `undefined` leaves a line out. */
export function rechained(
  text: string,
  change: (line: TreeLine, at: number) => object | undefined,
): string {
  let previous = "";
  let made = "";
  for (const [at, { hash: _hash, ...line }] of treeLines(text).entries()) {
    const changed = change(line, at);
    if (changed === undefined) continue;
    const { text: own, hash } = encodeLine(JSON.stringify(changed).slice(0, -1), previous);
    previous = hash;
    made += `${own}\n`;
  }
  return made;
}

/** A journal in memory that holds the whole lines of a text, and can be forked. */
export async function journalOf(text: string, name?: string): Promise<JournalPort> {
  const journal = memoryJournal(name);
  const writer = await journal.open("create");
  await writer.append(text.split("\n").slice(0, -1), { lines: 0, bytes: 0 });
  await writer.close();
  return journal;
}
