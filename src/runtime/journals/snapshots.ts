/** Snapshots as a port keeps them: hostile, and worth no more than the time that they save. */
import { decodeSnapshot, type Snapshot, snapshotDigest } from "../../core/journal/index.js";
import type { JournalPort, StoredSnapshot } from "../ports.js";
import { readLines } from "./read-journal.js";

/** The snapshots that a port keeps; a store that fails is as good as none. */
export async function snapshotsOf(port: JournalPort): Promise<readonly StoredSnapshot[]> {
  try {
    return (await port.snapshots?.list()) ?? [];
  } catch {
    return [];
  }
}

/** A snapshot; in words what is wrong with it; `undefined` where it is gone. */
export async function readSnapshot(
  port: JournalPort,
  seq: number,
): Promise<Snapshot | string | undefined> {
  try {
    const text = await port.snapshots?.read(seq);
    return text === undefined ? undefined : decodeSnapshot(text);
  } catch {
    return "it cannot be read";
  }
}

/**
 * The snapshot of an event, where one is kept that its line proves; the lines up to it are verified.
 */
export async function verifiedSnapshot(
  port: JournalPort,
  seq: number,
): Promise<Snapshot | undefined> {
  const snapshot = await readSnapshot(port, seq);
  if (typeof snapshot !== "object") return undefined;
  for await (const { line, hash } of readLines(port)) {
    if (!("event" in line) || line.seq !== seq) continue;
    const same = hash === snapshot.place.hash && line.state === snapshotDigest(snapshot);
    return same && snapshot.state.seq === seq ? snapshot : undefined;
  }
  return undefined;
}
