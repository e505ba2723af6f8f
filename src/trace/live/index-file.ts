/**
 * The format of the trace index: for each journal, where reading ended and the events derived so
 * far. It may be deleted; a damaged one is ignored.
 */

import { digestOf } from "../../core/kernel/index.js";
import type { ReadPosition } from "../../runtime/journals/index.js";
import type { TracedRun } from "../pure/index.js";

/** Raised when events are derived otherwise, or more is kept: an older index is then of no use. */
const FORMAT = "reckoner-trace-index/5";

/** The runs of a journal as they were derived, up to a place in it. */
export interface IndexedTree {
  /** The root and its children, the root first. */
  readonly runs: readonly TracedRun[];
  readonly position: ReadPosition;
}

/** Trees by the names of their journals. */
export type IndexedTrees = ReadonlyMap<string, IndexedTree>;

/** An index as text. @param maxFieldLength with which the events were derived */
export function writeIndex(kept: IndexedTrees, maxFieldLength = 0): string {
  const body = JSON.stringify({ maxFieldLength, trees: [...kept] });
  return `${JSON.stringify({ format: FORMAT, digest: digestOf(body) })}\n${body}`;
}

/** An index from its text; empty where the text is none, or was made otherwise. */
export function readIndex(text: string, maxFieldLength = 0): IndexedTrees {
  const newline = text.indexOf("\n");
  const body = text.slice(newline + 1);
  try {
    const head = JSON.parse(text.slice(0, newline)) as { format?: unknown; digest?: unknown };
    if (head.format !== FORMAT || head.digest !== digestOf(body)) return new Map();
    const index = JSON.parse(body) as {
      readonly maxFieldLength: number;
      readonly trees: readonly [string, IndexedTree][];
    };
    return index.maxFieldLength === maxFieldLength ? new Map(index.trees) : new Map();
  } catch {
    return new Map();
  }
}
