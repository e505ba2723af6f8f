/**
 * Snapshots of a tree of runs: the runs that are not over, what the journal remembers of them, and which of
 * their values it holds. A snapshot is believed where the journal has the mark with the digest of its text.
 */

import type { RunState } from "../kernel/machine/index.js";
import { asJson, digestOf, type Json } from "../kernel/values/index.js";
import { contentOf } from "./content.js";
import type { BeginRecord, Configuration, SnapshotMark } from "./line.js";
import type { JournalMemory } from "./memory.js";
import { inRows, type NamedRows } from "./shared-rows.js";
import { stateDigest } from "./state-text.js";
import type { WrittenContent } from "./written-values.js";

export const SNAPSHOT_FORMAT: string = "reckoner-snapshot/5";

/** The line of the newest event or upgrade: how many lines and bytes end with it, and its hash. */
export interface EventPlace {
  /** The event's place among those of the tree. */
  readonly seq: number;
  readonly lines: number;
  readonly bytes: number;
  readonly hash: string;
}

/** A state with what the journal remembers at it. */
export interface Remembered {
  readonly state: RunState;
  readonly memory: JournalMemory;
}

/** A run of a tree at a snapshot. */
export interface RunSnapshot extends Remembered {
  readonly run: string;
  readonly configuration: Configuration;
  /** Of a child the prepared input and the budget with which it began. */
  readonly begin?: Pick<BeginRecord, "input" | "budget">;
  /** The values of the run that the journal holds. */
  readonly written: WrittenContent;
}

/** A tree of runs at the mark of a snapshot. */
export interface Snapshot {
  readonly place: EventPlace;
  /** The root first, each before its children. */
  readonly runs: readonly RunSnapshot[];
  /** The outstanding effects in the order of their issue over the tree: their runs and ids. */
  readonly issued: readonly (readonly [run: string, id: string])[];
  /** The references that lines hold, and the characters that each stands for. */
  readonly references: readonly (readonly [string, number])[];
}

/** A snapshot as text. */
export interface EncodedSnapshot {
  readonly text: string | undefined;
  readonly mark: SnapshotMark;
  /** The rows that it names. */
  readonly rows: NamedRows;
}

/** No text is longer. */
const MAX_TEXT = 2 ** 29;

/** Returns a snapshot's text and its mark; no text where it would be longer than one can be. */
export function encodeSnapshot({ place, runs, issued, references }: Snapshot): EncodedSnapshot {
  const rows: NamedRows = new Map();
  const content = {
    place,
    runs: runs.map(({ state, memory, ...rest }) => ({
      ...rest,
      state: contentOf(asJson(state), inRows(rows)),
      memory: contentOf(asJson(memory) as Json),
    })),
    issued,
    references,
  };
  try {
    const text = JSON.stringify(content);
    return { text, mark: { snapshot: digestOf(text), size: text.length }, rows };
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return { text: undefined, mark: { snapshot: digestOf(""), size: MAX_TEXT }, rows };
  }
}

/** The place of a mark: how many lines and bytes end with its line. */
export interface MarkPlace {
  readonly lines: number;
  readonly bytes: number;
}

/** The claims of a stored snapshot: the place of its mark, and its run. */
export interface SnapshotClaim extends MarkPlace {
  readonly runId: string;
  /** The time of the run's newest event. */
  readonly at: number;
}

/** Returns the text of a snapshot as it is stored: what it claims to be in a line before it. */
export function storedSnapshot(
  text: string,
  { lines, bytes }: MarkPlace,
  { runId, at }: Pick<RunState, "runId" | "at">,
): string {
  const claim: SnapshotClaim = { lines, bytes, runId, at };
  return `${JSON.stringify({ format: SNAPSHOT_FORMAT, ...claim })}\n${text}`;
}

/** The digest that proves a state in its line. */
export function stateProof({ state, memory }: Remembered): string {
  return stateDigest(state, memory);
}
