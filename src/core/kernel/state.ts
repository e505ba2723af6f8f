/** The state of a run: plain JSON, enough by itself to go on in another process. */
import type { CancelDirective, Directive, Effect } from "./directive.js";
import type { ErrorCode } from "./errors.js";
import type { IdSet } from "./id-set.js";

/** A statechart's value: the name of the active state, or of one in each region. */
export type StateValue = string | { readonly [region: string]: StateValue | undefined };

/** `active` until the run ends in one of the three ways. */
export type RunStatus = "active" | "done" | "failed" | "cancelled";

/** Why the kernel ended a run (K6): a stable code and the place, the same on every engine. */
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
  /** Directives issued and not settled, in the order of their issue: what a resumed run owes. */
  readonly outstanding: readonly Effect[];
  /** Every id that was ever issued. */
  readonly issued: IdSet;
  /** Set where the kernel ended the run. */
  readonly fault?: RunFault;
}

/**
 * Why an event changed nothing but the sequence number: it settles nothing that is outstanding
 * (`stale`), the present state does not handle it (`unhandled`), it starts a run that runs (`busy`),
 * or the run has ended (`ended`; then not even the sequence number changes).
 */
export interface Ignored {
  readonly reason: "stale" | "unhandled" | "busy" | "ended";
  readonly type: string;
  readonly id?: string;
}

/** What a start or a step comes to. */
export interface Step<Context = unknown> {
  readonly state: RunState<Context>;
  readonly directives: readonly Directive[];
  readonly ignored?: Ignored;
  /** What the machine threw, where the kernel ended the run; for people, never journalled. */
  readonly thrown?: unknown;
}

/** The kernel's own `cancel` for everything outstanding. */
export function cancelAll(outstanding: readonly Effect[]): CancelDirective[] {
  return outstanding.map(({ id }) => ({ type: "cancel", target: id }));
}
