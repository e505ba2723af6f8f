/**
 * Validates an event before a run takes it: it is JSON with a type and a time, a settlement has an id, and
 * its fields are those of its type (`event-shapes.ts`).
 */

import { ReckonerError } from "../values/errors.js";
import { type Json, toJson } from "../values/json.js";
import { type IncomingEvent, type RunEvent, settles } from "./event.js";
import { EVENTS } from "./event-shapes.js";
import { misfit } from "./shapes.js";

/**
 * An event as it may enter a run: JSON, with a type and a time, and an id where it settles.
 * @throws ReckonerError `event.invalid`, `json.refused`
 */
export function parseEvent(raw: IncomingEvent): RunEvent & { readonly id?: Json } {
  const event = toJson(raw, "$") as RunEvent & { readonly id?: Json };
  const invalid = (what: string) => new ReckonerError("event.invalid", `The event ${what}.`);
  if (typeof event !== "object" || event === null || typeof event.type !== "string") {
    throw invalid("has no type");
  }
  if ((event.type as string) === "*") throw invalid("has the type *, which stands for every other");
  if (event.type.startsWith("xstate.")) throw invalid(`${event.type} is one of XState's own`);
  checkTime(event.at, `${event.type}.at`);
  if (settles[event.type] !== undefined && typeof event.id !== "string") {
    throw invalid(`${event.type} settles a directive, so it needs the directive's id`);
  }
  const shape = EVENTS[event.type];
  const fault = shape === undefined ? undefined : misfit(event, shape);
  if (fault !== undefined) throw invalid(`${event.type} cannot be taken: ${fault}`);
  return event;
}

/** @throws ReckonerError `event.invalid` where it is no time */
export function checkTime(at: unknown, what: string): void {
  if (typeof at === "number" && Number.isFinite(at)) return;
  throw new ReckonerError("event.invalid", `${what} must be a time in milliseconds since 1970.`);
}
