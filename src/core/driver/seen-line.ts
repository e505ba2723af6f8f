/**
 * Tells the lines of events from the other lines of a journal, even where only the part up to the event was
 * decoded; and gives a line the same event object that its step took. For `folded-tree.ts`.
 */
import type { BeginRecord, DecodedLine, Line } from "../journal/index.js";

/** The parts of an event's line that a fold needs. */
export type Seen = NonNullable<DecodedLine["glance"]> & { readonly begin?: BeginRecord };

/**
 * Returns a line with the very event that its step takes: values of the state that stand in an event are known
 * by their identity.
 */
export function steppedLine({ line, glance }: DecodedLine): Line {
  return glance === undefined || !("event" in line) ? line : { ...line, event: glance.event };
}

/** Returns true for the line of an event. */
export function isEventOf(seen: object): seen is Seen {
  return "event" in seen && !("type" in seen);
}
