/** The interface between effects and the interpreter. */
import type { StartMark } from "../../core/journal/index.js";
import type {
  ApprovalDecision,
  EffectError,
  RunContext,
  RunDirective,
} from "../../core/kernel/index.js";
import type { Clock } from "../ports.js";
import type { End } from "../running/end.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import type { Observation } from "../running/observation.js";
import type { HostOptions } from "../running/options.js";
import type { AttemptPorts, Settling } from "./attempt.js";

/** An event before it is stamped with the time. */
export type Incoming = Settling | { readonly type: string };

/** What effects need of the interpreter. */
export interface EffectHost {
  readonly runId: string;
  /** Whom attempts call; pieces of answers are shown there. */
  readonly ports: AttemptPorts;
  readonly options: HostOptions;
  readonly clock: Clock;
  observe(observation: Observation): void;
  /**
   * Whether an effect is still outstanding in the newest state: if not, it does not begin, and is
   * not marked.
   */
  isOwed(id: string): boolean;
  /** Resolves when the mark is durable. */
  mark(mark: StartMark): Promise<void>;
  /** Releases an effect's slot while it waits, and acquires one again. */
  withoutSlot(id: string, wait: () => Promise<void>): Promise<void>;
}

/** How an effect is started. */
export interface EffectStart {
  readonly stop: LazyAbort;
  /** Attempts that began earlier, in this process or another. */
  readonly begun: number;
  /** The next attempt's mark is durable already. */
  readonly marked: boolean;
  /** What tools see of the run. */
  readonly run: Omit<RunContext, "id" | "idempotencyKey" | "retry">;
}

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
  /** Effects that were held begin after all. */
  goOn(): void;
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
