/** `observe events --follow`: prints the events of live runs as they end. */

import { visibleJson } from "../../core/kernel/values/index.js";
import { systemClock } from "../../runtime/index.js";
import type { JournalTraces } from "../../trace/live/index.js";
import {
  formatEvent,
  formatEvents,
  printedIds,
  queryEvents,
  type TraceFilter,
  type TraceFormat,
} from "../../trace/pure/index.js";
import { type Io, print } from "../terminal/io.js";
import { endedEvents } from "./ended-events.js";
import { observe } from "./load-traces.js";

/** Milliseconds between two looks. */
const INTERVAL = 300;

/**
 * Prints events as they come, until all runs have ended or somebody interrupts. JSON is one event a
 * line, since nobody knows when the document would end.
 * @returns the exit code
 */
export async function followEvents(
  io: Io,
  traces: JournalTraces,
  filter: TraceFilter,
  format: TraceFormat | "markdown",
): Promise<number> {
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const printed = new Set<string>();
  let headed = false;
  try {
    for (;;) {
      const { trace, unread } = await observe(io, traces, true);
      const ended = endedEvents(trace.events, printed);
      for (const { id } of ended) printed.add(id);
      const events = queryEvents(ended, filter);
      if (format === "json")
        for (const event of events) print(io, visibleJson(JSON.stringify(event)));
      else if (format === "terminal") {
        // The runs that there are, and not a look's events, decide if an id needs its run.
        const idOf = printedIds(trace.events.map(({ id }) => id));
        for (const event of events) print(io, formatEvent(event, idOf(event.id)));
      } else if (events.length > 0) {
        const rows = formatEvents(events, format).split("\n");
        print(io, rows.slice(headed ? 2 : 0).join("\n"));
        headed = true;
      }
      if (unread.length > 0) return 2;
      const { runs } = trace;
      if (runs.length > 0 && runs.every(({ ended }) => ended)) return 0;
      await systemClock.sleep(INTERVAL, stop.signal).catch(() => undefined);
      // Nobody reads any more what would be printed (`| head`).
      if (stop.signal.aborted || !io.stdout.writable) return 0;
    }
  } finally {
    forget();
  }
}
