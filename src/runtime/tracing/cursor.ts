/** The cursor of `ship`: for each run, how many of its ended events were delivered. */
import type { TraceEvent } from "../../core/trace/index.js";
import { groupBy } from "../../core/trace/index.js";

const FORMAT = "reckoner-trace-cursor/1";

/** How many events of each run were delivered. */
export type Cursor = ReadonlyMap<string, number>;

export function writeCursor(sent: Cursor): string {
  return JSON.stringify({ format: FORMAT, runs: [...sent] });
}

/** A cursor from its text; `undefined` where it is none. */
export function readCursor(text: string): Cursor | undefined {
  try {
    const { format, runs } = JSON.parse(text) as { format: unknown; runs: unknown };
    const isCursor = format === FORMAT && Array.isArray(runs) && runs.every(isEntry);
    return isCursor ? new Map(runs) : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(entry: unknown): entry is [string, number] {
  if (!Array.isArray(entry) || entry.length !== 2) return false;
  return typeof entry[0] === "string" && Number.isSafeInteger(entry[1]) && entry[1] >= 0;
}

/** An event that is over, and the how many-th of its run it is, from 1. */
export interface Due {
  readonly event: TraceEvent;
  readonly count: number;
}

/**
 * The events that are over and were not delivered, by the time at which they were over; of each run in
 * its own order, which grows at its end alone. A run of which there are several copies is one.
 */
export function dueEvents(events: readonly TraceEvent[], sent: Cursor): readonly Due[] {
  const over = events.filter(({ endSeq }) => endSeq !== undefined);
  const each = new Map(over.map((event) => [event.id, event])).values();
  const due = [...groupBy(each, ({ runId }) => runId)].flatMap(([runId, ofRun]) => {
    const inOrder = [...ofRun].sort((a, b) => (a.endSeq as number) - (b.endSeq as number));
    let latest = Number.NEGATIVE_INFINITY;
    return inOrder
      .map((event, i) => {
        latest = Math.max(latest, event.at + (event.durationMs ?? 0));
        return { event, count: i + 1, at: latest };
      })
      .slice(sent.get(runId) ?? 0);
  });
  return due.sort((a, b) => a.at - b.at);
}
