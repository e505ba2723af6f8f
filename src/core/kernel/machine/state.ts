/** The state of a run: plain JSON, sufficient to continue in another process. */

import type { ErrorCode } from "../values/errors.js";
import type { Json } from "../values/json.js";
import type { Directive } from "../vocabulary/directive.js";
import type { IssuedIds } from "./issued-ids.js";
import type { Owed } from "./outstanding.js";
import type { History } from "./path.js";

/** A statechart's value: the name of the active state, or of one in each region. */
export type StateValue = string | { readonly [region: string]: StateValue | undefined };

/** `active` until the run ends in one of the three ways. */
export type RunStatus = "active" | "done" | "failed" | "cancelled";

/** The reason why the kernel ended a run (K6): a stable code and the place, the same on every engine. */
export interface RunFault {
  readonly code: ErrorCode;
  readonly place: string;
}

/** The state of a run. */
export interface RunState<Context = unknown> {
  /** Id of the reasoner. */
  readonly reasoner: string;
  /** Version of the reasoner. */
  readonly version: number;
  readonly runId: string;
  /** Sequence number of the last event; the start is 0. */
  readonly seq: number;
  /** Time of the last event, in milliseconds since 1970. */
  readonly at: number;
  readonly status: RunStatus;
  readonly value: StateValue;
  readonly context: Context;
  /** The outstanding directives by id, in the order of issue: what a resumed run carries out. */
  readonly outstanding: Owed;
  /** All ids that were issued, in order. */
  readonly issued: IssuedIds;
  /** The memory of history states, where the machine has some: ids of states. */
  readonly history?: History;
  /** The result of the machine's own `output`, if it has one and the run is done. */
  readonly output?: Json;
  /** Set if the kernel ended the run. */
  readonly fault?: RunFault;
}

/**
 * The reason why an event changed nothing but the sequence number: it settles nothing that is outstanding
 * (`stale`), the present state does not handle it (`unhandled`), it starts a run that runs (`busy`), the
 * reasoner refuses it (`refused`, with a code and a message; a decision that is refused leaves its
 * approval open), or the run has ended (`ended`; then not even the sequence number changes).
 */
export interface Ignored {
  readonly reason: "stale" | "unhandled" | "refused" | "busy" | "ended";
  readonly type: string;
  readonly id?: string;
  /** The stable code of the reasoner's refusal. */
  readonly code?: string;
  readonly message?: string;
}

/** Returns true if a settlement has left what is outstanding, whatever else was made of it. */
export function hasSettled(ignored: string | undefined): boolean {
  return ignored === undefined || ignored === "unhandled";
}

/** The result of `start` or `step`. */
export interface Step<Context = unknown> {
  readonly state: RunState<Context>;
  readonly directives: readonly Directive[];
  readonly ignored?: Ignored;
  /** The machine's error, if that ended the run; for people, never recorded. */
  readonly thrown?: unknown;
}
