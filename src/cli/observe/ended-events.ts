/**
 * Selects the trace events that have ended since the last look, in the order of their ends, for `observe events
 * --follow`.
 */
import { groupBy } from "../../core/kernel/values/index.js";
import type { TraceEvent } from "../../trace/pure/index.js";

/**
 * Lists the events that have ended and are not in `printed`, by the time of their end. The events of one
 * run keep the order of its lines. An event that several copies of a run have is listed once.
 */
export function endedEvents(
  events: readonly TraceEvent[],
  printed: ReadonlySet<string>,
): readonly TraceEvent[] {
  const ended = events.filter(({ endSeq }) => endSeq !== undefined);
  const each = new Map(ended.map((event) => [event.id, event])).values();
  const timed = [...groupBy(each, ({ runId }) => runId).values()].flatMap((ofRun) => {
    let latest = Number.NEGATIVE_INFINITY;
    const inOrder = [...ofRun].sort((a, b) => (a.endSeq as number) - (b.endSeq as number));
    return inOrder.map((event) => {
      latest = Math.max(latest, event.at + (event.durationMs ?? 0));
      return { event, at: latest };
    });
  });
  const due = timed.filter(({ event }) => !printed.has(event.id)).sort((a, b) => a.at - b.at);
  return due.map(({ event }) => event);
}
