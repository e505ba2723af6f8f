/**
 * Reads the snapshots of a run from its journal's port. They are untrusted: one is believed only if the
 * journal has a line (its mark) with its hash.
 */
import {
  type DecodedLine,
  isEventLine,
  openSnapshot,
  readSnapshotText,
  type Snapshot,
  type StoredText,
  snapshotMarkIn,
} from "../../core/journal/index.js";
import type { JournalPort, StoredSnapshot } from "../ports/ports.js";
import { readLines } from "./read-journal.js";

/** The snapshots that a port keeps; a store that fails is as good as none. */
export async function snapshotsOf(port: JournalPort): Promise<readonly StoredSnapshot[]> {
  try {
    const listed: readonly unknown[] = (await port.snapshots?.list()) ?? [];
    return listed.filter(isStored);
  } catch {
    return [];
  }
}

function isStored(listed: unknown): listed is StoredSnapshot {
  const { seq, size } = (listed ?? {}) as Partial<StoredSnapshot>;
  return Number.isSafeInteger(seq) && Number.isSafeInteger(size);
}

/** A snapshot that nothing has proved yet; in words what is wrong with it; `undefined` where it is gone. */
export async function readSnapshot(
  port: JournalPort,
  seq: number,
): Promise<StoredText | string | undefined> {
  try {
    const text = await port.snapshots?.read(seq);
    return text === undefined ? undefined : openSnapshot(text);
  } catch {
    return "it cannot be read";
  }
}

/** The rows of a port at the time when a snapshot was read. */
export interface KeptRows {
  /** The lengths of those that the snapshot names, by their names. */
  readonly named: ReadonlyMap<string, number>;
  /** Characters of the others, which nothing has proved. */
  readonly others: number;
}

/** A snapshot that a line of the journal proves. */
export interface ProvenSnapshot extends Snapshot {
  readonly rows: KeptRows;
}

/**
 * Reads a snapshot at the line that it says is its mark; the lines up to it are verified.
 * @returns in words why it is none
 */
export async function provenSnapshot(
  port: JournalPort,
  { claim, digest, text }: StoredText,
  { line, number }: Pick<DecodedLine, "line" | "number">,
): Promise<ProvenSnapshot | string> {
  if (number !== claim.lines || snapshotMarkIn(line)?.snapshot !== digest) {
    return "the journal has no mark of it";
  }
  try {
    const kept = (await port.snapshots?.rows()) ?? new Map<string, string>();
    const named = new Map<string, number>();
    const get = (name: string) => {
      const row = kept.get(name);
      if (row !== undefined) named.set(name, row.length);
      return row;
    };
    const snapshot = readSnapshotText(text, { get });
    if (typeof snapshot === "string") return snapshot;
    return { ...snapshot, rows: { named, others: lengthOf(kept) - lengthOf(named) } };
  } catch {
    return "its rows cannot be read";
  }
}

function lengthOf(rows: ReadonlyMap<string, string | number>): number {
  let sum = 0;
  for (const row of rows.values()) sum += typeof row === "string" ? row.length : row;
  return sum;
}

/** The snapshot of an event, where one is kept whose mark is in the journal; every line up to it is verified. */
export async function verifiedSnapshot(
  port: JournalPort,
  seq: number,
): Promise<Snapshot | undefined> {
  const stored = await readSnapshot(port, seq);
  if (typeof stored !== "object") return undefined;
  let hash = "";
  for await (const decoded of readLines(port)) {
    const { line, number } = decoded;
    if (isEventLine(line) && line.seq === seq) hash = decoded.hash;
    if (number !== stored.claim.lines) continue;
    const snapshot = await provenSnapshot(port, stored, decoded);
    // Behind an upgrade the run is no longer what the event left.
    return typeof snapshot === "object" && snapshot.place.hash === hash ? snapshot : undefined;
  }
  return undefined;
}
