/**
 * The events of a trace, each with its causes. They are derived from journals and contain nothing
 * that the journal does not.
 */

/** Every type of event, in the order in which they are counted. */
export const traceEventTypes = [
  "input",
  "llm_call",
  "tool_call",
  "decision",
  "delegation",
  "read",
  "write",
  "approval",
  "timer",
  "error",
] as const;

/**
 * `input` came from outside: the start, a user's message, a cancel. `delegation` is a child run.
 * `decision` and `error` say what another event came to; all else is an effect or a tool call.
 */
export type TraceEventType = (typeof traceEventTypes)[number];

/**
 * The status of an event. `open`: not settled; `rejected`: by a person or a hook; `unknown`: it
 * had started, and its outcome is not known; `unrecorded`: the call ended, and the journal does not
 * contain its result.
 */
export type TraceStatus =
  | "open"
  | "succeeded"
  | "failed"
  | "rejected"
  | "not-executed"
  | "unknown"
  | "cancelled"
  | "unrecorded";

/** An event of a trace. */
export interface TraceEvent {
  /** `<run id>#<directive id>`; of what has no directive `<run id>#@<seq>`, see `traceId`. */
  readonly id: string;
  readonly type: TraceEventType;
  /** Id of the reasoner. */
  readonly agentId: string;
  readonly runId: string;
  /** Run id of the first run of a chain of links; a child's is its parent's. See `assemble`. */
  readonly session: string;
  /** When it began, ISO 8601. */
  readonly timestamp: string;
  /** The same in milliseconds since 1970. */
  readonly at: number;
  /** The last settlement, or the input, that the transition which issued it waited for. */
  readonly parentEvent?: string;
  /** All that it waited for, the parent first. */
  readonly causes: readonly string[];
  /** Milliseconds from the directive to its settlement; absent where nothing was measured. */
  readonly durationMs?: number;
  readonly status: TraceStatus;
  /** The facts of it, by names that depend on the type; JSON where the value is not a string. */
  readonly fields: { readonly [name: string]: string };
  /** Sequence number of the journal's event with which it began. */
  readonly seq: number;
  /** Sequence number of the journal's event with which it was over. */
  readonly endSeq?: number;
}

/** A time as ISO 8601; the number itself where no date can be so far away. */
export function isoTime(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);
}
