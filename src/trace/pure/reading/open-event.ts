/** The types of trace events that are still being derived, and may change until their effects are settled. */
import type { Json } from "../../../core/kernel/values/index.js";
import type { TraceEvent } from "../trace-event.js";

/** An event that is not over. */
export type Draft = { -readonly [K in keyof TraceEvent]: TraceEvent[K] };

/** An effect: its event, its directive, and what was issued with it. */
export interface Effect {
  readonly draft: Draft;
  /** Type of the directive. */
  readonly type: string;
  /** Id of the directive. */
  readonly id: string;
  /** The whole input of a tool: the event's field may be cut. */
  readonly input?: Json | undefined;
  /** The effects of the same step, this one among them. */
  readonly siblings: readonly Effect[];
  /** True when its settlement led to nothing by itself. */
  quiet: boolean;
}

/** Returns true when an effect waits for its settlement. */
export function isOpen({ draft }: Effect): boolean {
  return draft.status === "open";
}
