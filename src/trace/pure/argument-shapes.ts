/** Validators for the arguments of trace queries and printers. */
import * as shapes from "../../core/kernel/shapes.js";

/** An event of a trace. */
const EVENT: shapes.Shape = [
  /* @__PURE__ */ shapes.hasParts("id", "type", "at", "fields"),
  "an event of a trace",
];
/** Events, as a trace has them. */
export const EVENTS: shapes.Shape = /* @__PURE__ */ shapes.listOf(EVENT);
/** Anything that can be gone through. */
export const ITERABLE: shapes.Shape = [
  (value) =>
    typeof (value as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] ===
      "function" && typeof value !== "string",
  "a list, or something else to go through",
];
/** A trace. */
export const TRACE: shapes.Shape = [
  /* @__PURE__ */ shapes.hasParts("events", "runs", "defects"),
  "a trace: new Trace(events)",
];
/** The format of a text. */
export const FORMAT: shapes.Shape = /* @__PURE__ */ shapes.oneOf("json", "terminal");
/** The format of a list of events. */
export const EVENTS_FORMAT: shapes.Shape = /* @__PURE__ */ shapes.oneOf(
  "json",
  "terminal",
  "markdown",
);
/** Lines of a journal. */
export const LINES: shapes.Shape = [
  (value) => Array.isArray((value as { readonly lines?: unknown } | null | undefined)?.lines),
  "an object with a run's lines, as sourceLines() reads them",
];
/** A session's events as trees. */
export const TREE: shapes.Shape = [
  /* @__PURE__ */ shapes.hasParts("events", "depth", "defects"),
  "what buildFromSession() gives",
];
/** The chain of causes of an event. */
export const CHAIN: shapes.Shape = [
  (value) => Array.isArray((value as { readonly chain?: unknown } | null | undefined)?.chain),
  "what explainAction() gives",
];
