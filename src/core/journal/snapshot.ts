/**
 * Snapshots: a state and the journal's memory at it. A snapshot is untrusted until its digest
 * equals that in the line at which it claims to be.
 */
import { asJson, type RunState } from "../kernel/index.js";
import { contentOf } from "./content.js";
import type { JournalMemory } from "./memory.js";
import { stateDigest } from "./state-text.js";

export const SNAPSHOT_FORMAT: string = "reckoner-snapshot/3";
/** The place in a journal at which a snapshot stands: behind the line of its state's last event. */
export interface SnapshotPlace {
  /** The event's place among those of the tree. */
  readonly seq: number;
  readonly lines: number;
  readonly bytes: number;
  /** Hash of that line. */
  readonly hash: string;
  /** Where the line begins behind which the last List was recorded; for reading on, no proof. */
  readonly listed: { readonly lines: number; readonly bytes: number };
}

/** A snapshot that was read. */
export interface Snapshot {
  readonly place: SnapshotPlace;
  readonly state: RunState;
  readonly memory: JournalMemory;
}

/** A state with what the journal remembers at it. */
export type Remembered = Pick<Snapshot, "state" | "memory">;

/** A snapshot's text. @throws RangeError where it would be longer than a string can be */
export function encodeSnapshot({ place, state, memory }: Snapshot): string {
  return JSON.stringify({
    format: SNAPSHOT_FORMAT,
    place,
    state: contentOf(asJson(state)),
    memory: contentOf(asJson(memory)),
  });
}

/** The digest that the line of a snapshot has to carry. */
export function snapshotDigest({ state, memory }: Remembered): string {
  return stateDigest(state, memory);
}
