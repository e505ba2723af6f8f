/** The options of `run` and `resume`, with their defaults. */

import type { RunParent } from "../../core/journal/index.js";
import type {
  ApprovalDecision,
  ApprovalDirective,
  Budget,
  Json,
  RunEvent,
  UserPart,
} from "../../core/kernel/index.js";
import type { Clock, Delta, JournalPort, ModelPort, StorePort } from "../ports.js";
import type { Observation, Observer } from "./observation.js";

/** How transient failures of model calls are repeated. */
export interface RetryPolicy {
  /** Attempts in all. Default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt; doubles with each further one. Default 500. */
  readonly delayMs?: number | undefined;
  /** The longest delay, also where the provider asks for more. Default 60 000. */
  readonly maxDelayMs?: number | undefined;
}

/** What an approver is given beside the directive. */
export interface ApprovalCall {
  readonly signal: AbortSignal;
}

/** Decides an approval while the run is live. */
export type Approver = (
  approval: ApprovalDirective,
  call: ApprovalCall,
) => ApprovalDecision | Promise<ApprovalDecision>;

/**
 * What a redaction hook sees: every event, the input of the start among them, every delta, every
 * failed attempt and every notice.
 */
export type Redactable =
  | RunEvent
  | { readonly type: "start"; readonly at: number; readonly input: Json }
  | { readonly type: "delta"; readonly id: string; readonly delta: Delta }
  | Extract<Observation, { readonly type: "retry" | "notice" }>;

/** What both a new and a resumed run are given. */
export interface HostOptions {
  /** The model, or several by the names that directives use. */
  readonly model?: ModelPort | { readonly [name: string]: ModelPort } | undefined;
  /** The stores that `read` and `write` directives name. */
  readonly stores?: { readonly [name: string]: StorePort } | undefined;
  /** Live handles for tools; never journalled. */
  readonly services?: unknown;
  readonly clock?: Clock | undefined;
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal | undefined;
  /** How many effects run side by side, those of child runs included. Default 16. */
  readonly concurrency?: number | undefined;
  /** Milliseconds a model call may take. Default 300 000. */
  readonly llmTimeoutMs?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** Decides approvals while the run is live. */
  readonly approve?: Approver | undefined;
  /**
   * What happens to an approval that nobody is there to decide: `wait` rests the run, `deny` denies
   * it. Default: `wait` where there is a journal, `deny` where there is none.
   */
  readonly unattended?: "wait" | "deny" | undefined;
  /** Whether a run that waits for nothing but a timer sleeps until then or rests. Default `sleep`. */
  readonly timers?: "sleep" | "rest" | undefined;
  /** Sees every event before the machine does; what it removes is in no state and no byte. */
  readonly redact?: ((value: Redactable) => unknown) | undefined;
  /** Credentials that errors and notices repeat are masked. Default true. */
  readonly maskCredentials?: boolean | undefined;
  readonly observers?: readonly Observer[] | undefined;
  /** How deep runs may start runs. Default 8; 0 starts none. What has begun goes on, however deep. */
  readonly maxDepth?: number | undefined;
}

/** What a new run is given. */
export interface RunOptions extends HostOptions {
  /** A path (on Node) or a port. Without one the journal is kept in memory. */
  readonly journal?: string | JournalPort | undefined;
  /** Default: a random UUID. */
  readonly runId?: string | undefined;
  /** Where the machine wants randomness, it draws it from this. */
  readonly seed?: string | undefined;
  /** Where the reasoner's configuration lies; a hint for those who resume. */
  readonly config?: string | undefined;
  /** The run that starts this one; kept in the header. */
  readonly parent?: RunParent | undefined;
  /** What the run may spend of its parent's budget; kept in the header. */
  readonly budget?: Budget | undefined;
  /**
   * The journal of a run whose last context this one begins with: an agent goes on with its messages
   * and deps. The new journal refers to it and copies nothing, so keep both.
   */
  readonly from?: string | JournalPort | undefined;
}

/** What a resumed run is given. */
export interface ResumeOptions extends HostOptions {
  /**
   * A run that was recorded under another configuration (another prompt, other tools, another
   * version) goes on under the one at hand, from here on, and its journal says so. Its children are
   * upgraded with it: all or none. Default: it is refused.
   */
  readonly upgrade?: boolean | undefined;
  /**
   * Decisions by the ids of approvals, children's included (`<run directive>:<approval>`). One that
   * names no waiting approval is refused, and nothing is run.
   */
  readonly approvals?: { readonly [id: string]: ApprovalDecision } | undefined;
  /** What the user says. */
  readonly messages?: readonly (string | readonly UserPart[])[] | undefined;
  /** Events of the machine's own. */
  readonly events?:
    | readonly { readonly type: string; readonly [key: string]: unknown }[]
    | undefined;
}

/** Default of `concurrency`: effects that run in parallel. */
export const DEFAULT_CONCURRENCY = 16;
/** Default of `llmTimeoutMs`: milliseconds of one model call. */
export const DEFAULT_LLM_TIMEOUT = 300_000;
/** Default of `maxDepth`: how deep child runs may be nested. */
export const DEFAULT_MAX_DEPTH = 8;
/** Default of `retry.attempts`: attempts of a model call, the first one included. */
export const DEFAULT_ATTEMPTS = 3;
/** Default of `retry.delayMs`: milliseconds before the second attempt; doubled before each further one. */
export const DEFAULT_RETRY_DELAY = 500;
/** Default of `retry.maxDelayMs`: milliseconds between two attempts, at most. */
export const DEFAULT_MAX_RETRY_DELAY = 60_000;
