/** How a live run holds its children, and opens them. */
import type { ApprovalDecision, EffectError, RunDirective } from "../../core/kernel/index.js";
import type { End } from "../running/end.js";

/** A child run, as its parent holds it. */
export interface ChildRun {
  /** How it ended, or that it rests. Rejects where its journal cannot be written or read. */
  readonly end: Promise<End>;
  /**
   * Decides one of its approvals, or one of its own children's.
   * @returns `over` where the child takes nothing any more, `stale` where that approval does not wait
   */
  decide(id: string, decision: ApprovalDecision): "taken" | "over" | "stale";
  /** The approvals that wait in it while it is live, by the ids by which it is told of them. */
  approvals(): readonly string[];
  /** Ends it. */
  cancel(): void;
  /** Effects that wait for a slot do not begin, since the parent is about to be cancelled. */
  hold(): void;
  /** Lets what runs in it settle within a time, and leaves the rest to another process. */
  drain(ms: number): void;
  /** Stops it without ending the run: a later resume continues it. */
  abandon(): void;
}

/** How a live run opens its children. */
export interface ChildRuns {
  /**
   * Starts a child, or goes on with it where its journal is there already.
   * @param begun is called when the child's journal is there, before anything else of it begins;
   * resolves when that is marked
   * @returns an error where there can be no such child
   */
  open(directive: RunDirective, begun: () => Promise<void>): ChildRun | EffectError;
  /** Whether a child that had begun in another process waits to go on. */
  owed(id: string): boolean;
  /** The approvals that wait in such a child. */
  approvals(id: string): readonly string[];
  /** Children that were cancelled in another process and had not ended, by directive. */
  orphans(): readonly string[];
  /** Goes on with one of those. */
  take(id: string): ChildRun | undefined;
}
