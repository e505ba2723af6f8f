// Databases of journals as each version of the tables left them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JournalStore } from "../../src/adapters/journal-tables/index.js";
import { textIn } from "./journal-text.js";

const FOLDER = join(import.meta.dirname, "../fixtures/journal-tables");

/** The statements that make such a database: those of each version up to it. */
export function leftBy(kind: "sqlite" | "postgres", version: number): string {
  const steps = readFileSync(join(FOLDER, `${kind}.sql`), "utf8").split(/^-- version \d+\n/m);
  return steps.slice(1, version + 1).join("");
}

/** Reads all of it, and goes on. */
export async function opensWhatWasLeft(store: JournalStore): Promise<void> {
  const journal = store.journal("run");
  const text = '{"n":1}\n{"t":"Grüße"}\n';
  expect(await textIn(journal)).toBe(text);
  expect(await journal.snapshots?.list()).toEqual([{ seq: 1, size: 9 }]);
  expect(await journal.snapshots?.read(1)).toBe('{"seq":1}');
  expect(await journal.notes?.list("checkpoints")).toEqual(["a note"]);
  const writer = await journal.open("append");
  await writer.append(["more"], { lines: 2, bytes: Buffer.byteLength(text) });
  await writer.close();
  expect(await textIn(journal)).toBe(`${text}more\n`);
}
