/**
 * Types of what a route is called with: the request's parts, its sender, and the runs that the sender may see.
 */
import type * as shapes from "../../core/kernel/shapes.js";
import type { Clock } from "../../runtime/for-hosts.js";
import type { LiveDelta } from "../page/index.js";
import type { Sender } from "../run-host.js";
import type { TenantRuns } from "../tenant-runs.js";
import type { ReadRuns } from "./read-runs.js";
import type { SlowReaders } from "./slow-readers.js";

/** A path that stands before all routes. */
export const HTTP_PATH: shapes.Shape = [
  (value) => typeof value === "string" && /^(?:\/[^/?#]+)*$/.test(value),
  "a path that begins with a slash and ends with none",
];

/** The runs that whoever asks may see. */
export interface ServedRuns extends TenantRuns {
  /**
   * Hears of a run's lines (`undefined`) and of what streams in. Absent: lines are looked for.
   * @returns stops hearing
   */
  readonly hear?: (id: string, hear: (delta: LiveDelta | undefined) => void) => () => void;
  /** Runs as far as requests before have read them. Absent: each reads a run from its beginning. */
  readonly kept?: Pick<ReadRuns, "take" | "keep">;
  /** Asks for all that has streamed in so far. */
  readonly want?: (id: string) => void;
}

/** The one who makes a request, as `authorize` knows them. */
export interface Who {
  /** The tenant whose runs they see; absent: those of no tenant. */
  readonly tenant?: string | undefined;
  /** The person, by an id: runs are begun for them, and they decide. */
  readonly person?: string | undefined;
  /** The role in which they decide. */
  readonly role?: string | undefined;
}

/** A request that fits a route. */
export interface Call {
  readonly runs: ServedRuns;
  /** The parts of the path, by their names. */
  readonly parts: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly sender: Sender;
  /** Aborted when whoever asked is gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly slow: SlowReaders;
}

/** Its parts are checked by its route's shapes, and by the verb. */
type Body = { readonly [part: string]: unknown };
