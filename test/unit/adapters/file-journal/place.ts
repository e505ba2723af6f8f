// A folder of its own for each test, and what the tests of the journal file share.
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Owner, thisProcess } from "../../../../src/adapters/file-journal/owner.js";
import type { JournalPosition } from "../../../../src/runtime/index.js";

/** Where files lie in memory: for tests that sync thousands of times, and of which none is about a disk. */
export const IN_MEMORY: string = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** A folder that is removed when the test is over. */
export async function folder(within: string = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(within, "file-journal-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A journal's path in a folder of its own. */
export async function place(): Promise<string> {
  return join(await folder(), "run.jsonl");
}

export const START: JournalPosition = { lines: 0, bytes: 0 };

/** The position after a text of whole lines. */
export function endOf(text: string): JournalPosition {
  return { lines: text.split("\n").length - 1, bytes: Buffer.byteLength(text) };
}

export const bytesOf = (path: string): string => readFileSync(path).toString("latin1");

/** What a call is refused with: its code and its message. */
export async function refusal(call: unknown): Promise<string> {
  try {
    await call;
  } catch (thrown) {
    const { code, message } = thrown as Error & { code?: string };
    return `${code}: ${message}`;
  }
  throw new Error("It was not refused.");
}

export const dead: Partial<Owner> = { boot: "another-boot" };

/** A journal with one line, and a lock beside it. */
export async function lockedBy(owner: Partial<Owner>): Promise<string> {
  const path = await place();
  writeFileSync(path, "one\n");
  writeFileSync(`${path}.lock`, JSON.stringify({ ...thisProcess("stale"), ...owner }));
  return path;
}

/** The names in the folder of a path. */
export const filesBeside = (path: string): string[] => readdirSync(dirname(path)).sort();

const DESCRIPTORS = "/proc/self/fd";

/** The files below a folder that this process has open, where the system says so; other tests open others. */
export function openIn(folder: string): readonly string[] {
  if (!existsSync(DESCRIPTORS)) return [];
  return readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      const file = readlinkSync(join(DESCRIPTORS, descriptor));
      return file.startsWith(`${folder}/`) ? [file] : [];
    } catch {
      // The one by which they are listed is closed.
      return [];
    }
  });
}
