/** The options of a driver: data, but for the redaction hook, which is synchronous. */

/** The traits of a store. */
export interface StoreTraits {
  readonly name: string;
  /** The number of repetitions of a call that threw or took too long. Default 0. */
  readonly retries?: number | undefined;
  /** Milliseconds that a call may take. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** True if it remembers idempotency keys. Default true. */
  readonly idempotent?: boolean | undefined;
}

/** The options of a driver. */
export interface DriverOptions {
  /** The repetition of failed calls of models and stores. */
  readonly retry?: RetryOptions | undefined;
  /**
   * The end of a model call whose attempts came to nothing since the model is down: the call has failed, or the run
   * waits for the model (`wait`), or sleeps until its next attempt (`sleep`). Default `fail`.
   */
  readonly modelDown?: "fail" | "wait" | "sleep" | undefined;
  /**
   * The names of the models that a call asks one after the other until one answers: one list for all calls, or
   * lists by the names that directives use. Default: one model, which the host knows.
   */
  readonly models?: readonly string[] | { readonly [name: string]: readonly string[] } | undefined;
  /** Milliseconds for which a model call may be silent: until its answer, or since its last `progress`. Default 300 000. */
  readonly llmTimeoutMs?: number | undefined;
  /** Milliseconds that one model call may take in all. Default 3 600 000. */
  readonly llmTotalMs?: number | undefined;
  /** The number of models, tools and stores that are called at the same time. Default: without limit. */
  readonly slots?: number | undefined;
  readonly stores?: { readonly [name: string]: StoreTraits } | undefined;
  /** The standing of a run that waits for a timer alone: `waiting` (`return`) or `running` (`sleep`, the default). */
  readonly timers?: "sleep" | "return" | undefined;
  /** The number of levels of child runs. Default 8. */
  readonly maxDepth?: number | undefined;
  /** The one who decides approvals: `host` (an attempt), `denied` (nobody: all are denied), `outside` (a person, some day). */
  readonly approvals: "host" | "denied" | "outside";
  /** False where nobody keeps snapshots: then no mark of one is written. Default true. */
  readonly snapshots?: boolean | undefined;
  /**
   * False where nobody reads the lines of a run that `openDriver` begins (a simulation): none are made, so that
   * nothing is proved and nothing can go on from them. Default true.
   */
  readonly lines?: boolean | undefined;
  /** Sees each event before the machine does, and returns what is left of it. Must be pure. */
  readonly redact?: ((value: never) => unknown) | undefined;
  /** Masks credentials in errors. Default true. */
  readonly maskCredentials?: boolean | undefined;
}

/** The repetition of calls. */
export interface RetryOptions {
  /** Attempts of a model call, the first one included; of one that asks several models, rounds. Default 3. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second attempt, doubled before each further one. Default 500. */
  readonly delayMs?: number | undefined;
  /** Milliseconds between two attempts, at most. Default 60 000. */
  readonly maxDelayMs?: number | undefined;
}

/** Default of `maxDepth`: levels of child runs. */
export const DEFAULT_MAX_DEPTH = 8;
/** Default of `llmTimeoutMs`: milliseconds of silence of a model. */
export const DEFAULT_LLM_TIMEOUT = 300_000;
/** Default of `llmTotalMs`: milliseconds of one model call. */
export const DEFAULT_LLM_TOTAL = 3_600_000;
/** Default of `retry.attempts`: attempts of a model call, the first one included. */
export const DEFAULT_ATTEMPTS = 3;
/** Default of `retry.delayMs`: milliseconds before the second attempt. */
export const DEFAULT_RETRY_DELAY = 500;
/** Default of `retry.maxDelayMs`: milliseconds between two attempts, at most. */
export const DEFAULT_MAX_RETRY_DELAY = 60_000;
/** Milliseconds a call of a store may take, where the store does not say. */
export const DEFAULT_STORE_TIMEOUT = 30_000;
