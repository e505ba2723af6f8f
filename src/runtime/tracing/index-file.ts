/**
 * The format of the trace index: for each journal, where reading ended and the events derived so
 * far. It may be deleted; a damaged one is ignored.
 */
import { digestOf } from "../../core/kernel/index.js";
import type { TracedRun } from "../../core/trace/index.js";
import type { ReadPosition } from "../journals/line-stream.js";

/** Raised when events are derived otherwise, or more is kept: an older index is then of no use. */
const FORMAT = "reckoner-trace-index/4";

/** A run as it was derived, up to a place in its journal. */
export interface IndexedRun {
  readonly run: TracedRun;
  /** Hash of its header's line: by it its children know it. */
  readonly hash: string;
  readonly position: ReadPosition;
}

/** Runs by the names of their journals. */
export type IndexedRuns = ReadonlyMap<string, IndexedRun>;

/** An index as text. @param maxFieldLength with which the events were derived */
export function writeIndex(kept: IndexedRuns, maxFieldLength = 0): string {
  const body = JSON.stringify({ maxFieldLength, runs: [...kept] });
  return `${JSON.stringify({ format: FORMAT, digest: digestOf(body) })}\n${body}`;
}

/** An index from its text; empty where the text is none, or was made otherwise. */
export function readIndex(text: string, maxFieldLength = 0): IndexedRuns {
  const newline = text.indexOf("\n");
  const body = text.slice(newline + 1);
  try {
    const head = JSON.parse(text.slice(0, newline)) as { format?: unknown; digest?: unknown };
    if (head.format !== FORMAT || head.digest !== digestOf(body)) return new Map();
    const index = JSON.parse(body) as {
      readonly maxFieldLength: number;
      readonly runs: readonly [string, IndexedRun][];
    };
    return index.maxFieldLength === maxFieldLength ? new Map(index.runs) : new Map();
  } catch {
    return new Map();
  }
}
