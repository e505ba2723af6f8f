/** Reads snapshots from a port. They are untrusted, and only save time. */
import {
  type Configuration,
  type DecodedLine,
  decodeSnapshot,
  firstConfiguration,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  isUpgradeLine,
  type Snapshot,
  snapshotDigest,
} from "../../core/journal/index.js";
import type { JournalPort, StoredSnapshot } from "../ports.js";
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
  let header: HeaderLine | undefined;
  let configuration: Configuration | undefined;
  for await (const decoded of readLines(port)) {
    const { line } = decoded;
    if (isHeaderLine(line)) [header, configuration] = [line, firstConfiguration(line)];
    if (isUpgradeLine(line)) configuration = line.upgrade.to;
    if (header === undefined || configuration === undefined) continue;
    if (!isEventLine(line) || line.seq !== seq) continue;
    return unfit(snapshot, decoded, header, configuration) === undefined ? snapshot : undefined;
  }
  return undefined;
}

/** In words why a snapshot is not the state at a line. */
export function unfit(
  { state, memory, place }: Snapshot,
  { line, hash, number }: DecodedLine,
  { runId, reasoner }: HeaderLine,
  { version }: Configuration,
): string | undefined {
  if (!("event" in line) || "type" in line || "run" in line)
    return "it stands at no event of the root";
  if (hash !== place.hash || number !== place.lines) return "it is of another journal";
  const named =
    state.runId === runId &&
    state.reasoner === reasoner.id &&
    state.version === version &&
    place.seq === line.seq &&
    state.at === line.event.at;
  if (!named) return "its state is of another run or event";
  return snapshotDigest({ state, memory }) === line.state
    ? undefined
    : "its state is not the one that its line proves";
}
