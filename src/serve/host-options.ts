/** Types of the options of `host`: its store and code, the ports of its runs, its limits. */
import type { HostOptions, Randomness } from "../runtime/for-hosts.js";
import type { Authorize } from "./http/fetch.js";
import type { MayDecide } from "./may-decide.js";
import type { ModelLimits } from "./model-gates.js";
import type { AnyReasoner } from "./open-run.js";
import type { HostStore } from "./store.js";
import type { TenantLimits } from "./tenant-limits.js";

/** Options of a host. */
export interface HostRunsOptions
  extends Pick<
    HostOptions,
    | "model"
    | "stores"
    | "blobs"
    | "services"
    | "unseal"
    | "redact"
    | "maskCredentials"
    | "retry"
    | "llmTimeoutMs"
    | "llmTotalMs"
    | "maxDepth"
    | "concurrency"
    | "clock"
  > {
  /** The code of the runs; of one id the newest first, and behind it what the runs were begun with. */
  readonly reasoners: readonly AnyReasoner[];
  readonly store: HostStore;
  /** Tells who may decide what. Default: everybody everything. */
  readonly mayDecide?: MayDecide | undefined;
  /** Milliseconds that a verb waits for its answer before it is `accepted`. Default 10 000. */
  readonly answerMs?: number | undefined;
  /** Milliseconds after which the runs of a process that is gone are others'. Default 10 000. */
  readonly leaseMs?: number | undefined;
  /** Milliseconds between two looks at the store, at most. Default 1 000. */
  readonly pollMs?: number | undefined;
  /** The number of runs that this process goes on with at once. Default 1 000. */
  readonly runs?: number | undefined;
  readonly limits?: HostLimits | undefined;
  /** Tells who makes a request; `fetch` needs it. */
  readonly authorize?: Authorize | undefined;
  /** The path that stands before the routes of `fetch` and `listen`, such as `/api`. Default: none. */
  readonly path?: string | undefined;
  readonly random?: Randomness | undefined;
}

/** Limits of a host. */
export interface HostLimits {
  /** Limits of each model, over all runs of this process. */
  readonly models?: ModelLimits | undefined;
  /** Limits of each tenant. */
  readonly tenants?: TenantLimits | undefined;
}
