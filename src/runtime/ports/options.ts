/** The options of `run` and `resume`, with their defaults. */

import type { Json } from "../../core/kernel/values/index.js";
import type {
  ApprovalDecision,
  ApprovalDirective,
  Budget,
  RunEvent,
  UserPart,
} from "../../core/kernel/vocabulary/index.js";
import type { BlobPort } from "./blobs.js";
import type { SettledByHand } from "./check-event.js";
import type { ModelOption } from "./models.js";
import type { Observation, Observer } from "./observation.js";
import type { Clock, Delta, JournalPort, StorePort, Unseal } from "./ports.js";

/** The repetition of model calls that failed in passing. */
export interface RetryPolicy {
  /** Attempts in all. Default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt; doubles with each further one. Default 500. */
  readonly delayMs?: number | undefined;
  /** The longest delay, also where the provider asks for more. Default 60 000. */
  readonly maxDelayMs?: number | undefined;
}

/** The arguments of an approver beside the directive. */
export interface ApprovalCall {
  readonly signal: AbortSignal;
}

/** Decides an approval while the run is live. */
export type Approver = (
  approval: ApprovalDirective,
  call: ApprovalCall,
) => ApprovalDecision | Promise<ApprovalDecision>;

/**
 * The values that a redaction hook sees: every event, the input of the start among them, every delta, every
 * word of a tool's progress, every failed attempt and every notice.
 */
export type Redactable =
  | RunEvent
  | { readonly type: "start"; readonly at: number; readonly input: Json }
  | { readonly type: "delta"; readonly id: string; readonly delta: Delta }
  | Extract<Observation, { readonly type: "retry" | "notice" | "progress" }>;

/** The options of new and of resumed runs. */
export interface HostOptions {
  /** The model, or `models([…])`, asked one after the other; or several of these by the names that directives use. */
  readonly model?: ModelOption | undefined;
  /** The stores, by the names in `read` and `write` directives. */
  readonly stores?: { readonly [name: string]: StorePort } | undefined;
  /**
   * The store of files: a part with more than 64 KiB of what enters the run becomes one that names its file, and a model
   * that is asked is given its content. Default: files stay in their messages.
   */
  readonly blobs?: BlobPort | undefined;
  /** Live handles for tools; never journalled. */
  readonly services?: unknown;
  readonly clock?: Clock | undefined;
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal | undefined;
  /** How many effects run in parallel, those of child runs included. Default 16. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for which a model may be silent: until its answer, or since something streamed in. Default 300 000. */
  readonly llmTimeoutMs?: number | undefined;
  /** Milliseconds a model call may take in all. Default 3 600 000. */
  readonly llmTotalMs?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** Decides approvals while the run is live. */
  readonly approve?: Approver | undefined;
  /**
   * What happens to an approval that nobody decides while the run is live: with `wait` the run
   * waits, with `deny` it is denied. Default: `wait` if there is a journal, otherwise `deny`.
   */
  readonly unattended?: "wait" | "deny" | undefined;
  /**
   * A run that waits only for a timer sleeps in this process until then (`sleep`), or its promise returns with the
   * status `waiting` (`return`). Default `sleep`.
   */
  readonly timers?: "sleep" | "return" | undefined;
  /**
   * Redacts every event before the machine gets it; what it removes is in no state and no byte of
   * the journal.
   */
  readonly redact?: ((value: Redactable) => unknown) | undefined;
  /**
   * Opens a sealed text, one that begins with `sealed:`, for the model, the tool or the store that is called: the
   * state and the journal hold it sealed, as `redact` has sealed it. What throws here fails the attempt.
   */
  readonly unseal?: Unseal | undefined;
  /** Masks credentials in errors and notices. Default true. */
  readonly maskCredentials?: boolean | undefined;
  readonly observers?: readonly Observer[] | undefined;
  /**
   * How deep child runs may be nested. Default 8; 0 allows none. Children that have begun continue
   * at any depth.
   */
  readonly maxDepth?: number | undefined;
  /**
   * The end of a model call whose attempts came to nothing since the model is down (no connection, a time limit, an
   * error that passes, a port that says nothing of itself): with `fail` the call has failed; with `wait` the run is
   * `waiting` for the model, with the next attempt in `wakeAt`, and `resume` or a new message asks at once; with
   * `sleep` it stays in this process until then. Default `wait`, and `fail` with a journal in memory.
   */
  readonly modelDown?: "fail" | "wait" | "sleep" | undefined;
}

/** The options of a new run. */
export interface RunOptions extends HostOptions {
  /** A path (on Node) or a port. Without one the journal is kept in memory. */
  readonly journal?: string | JournalPort | undefined;
  /** Default: a random UUID. */
  readonly runId?: string | undefined;
  /** The seed of the machine's randomness. */
  readonly seed?: string | undefined;
  /** The path of the config, recorded as a hint for `resume`. */
  readonly config?: string | undefined;
  /**
   * The tenant that the run belongs to. It is kept in the header and never changes. Default: that of the
   * journal, where its database has tenants.
   */
  readonly tenant?: string | undefined;
  /** The person for whom it runs: by this id `forget` finds it. It is kept in the header and never changes. */
  readonly person?: string | undefined;
  /** Words by which it is found in an index; an event `run.tagged` with other `tags` replaces them. */
  readonly tags?: readonly string[] | undefined;
  /** The id of the key with which `redact` seals texts, kept in the header: whoever opens them asks for it there. */
  readonly keyId?: string | undefined;
  /** The part of its parent's budget that the run may spend; kept in the header. */
  readonly budget?: Budget | undefined;
  /**
   * The journal of a run to continue: this run starts with its last context (an agent with its
   * messages and deps). The new journal links to it and copies nothing, so keep both.
   */
  readonly from?: string | JournalPort | undefined;
}

/** The options of a resumed run. */
export interface ResumeOptions extends HostOptions {
  /**
   * Continue under the present configuration if the run was recorded under another one (other
   * prompt, tools or version). The journal records it; children are upgraded too, all or none.
   * Default: such a run is refused.
   */
  readonly upgrade?: boolean | undefined;
  /**
   * Continue a journal that is shorter than one of its snapshots proves it was: what is outstanding at its end may
   * have begun since, and is unknown. Default: such a journal is refused.
   */
  readonly acceptLoss?: boolean | undefined;
  /**
   * Decisions by the ids of approvals, children's included (`<run directive>:<approval>`). One that
   * names no waiting approval is refused, and nothing is run.
   */
  readonly approvals?: { readonly [id: string]: ApprovalDecision } | undefined;
  /** User messages. */
  readonly messages?: readonly (string | readonly UserPart[])[] | undefined;
  /**
   * Settlements by hand, of what is outstanding and nobody here carries out: what came of a tool that was cut off by
   * a crash, say. One that settles nothing is refused, and nothing is run.
   */
  readonly settle?: readonly SettledByHand[] | undefined;
  /** Other events, such as your machine's own. Settlements are refused. */
  readonly events?:
    | readonly { readonly type: string; readonly [key: string]: unknown }[]
    | undefined;
}

/** Default of `concurrency`: effects that run in parallel. */
export const DEFAULT_CONCURRENCY = 16;
export {
  DEFAULT_ATTEMPTS,
  DEFAULT_LLM_TIMEOUT,
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_RETRY_DELAY,
  DEFAULT_RETRY_DELAY,
} from "../../core/driver/for-live-runs.js";
