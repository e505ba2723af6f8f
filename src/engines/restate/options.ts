/** Types of the options of `restateEngine`. */
import type { Json } from "../../core/kernel/values/index.js";
import type { Clock, Delta } from "../../runtime/for-hosts.js";
import type { EngineOptions } from "../shared/index.js";

/** A piece of an answer of a run, and the call that it is of. */
export interface RunDelta extends Delta {
  /** The id of the root run. */
  readonly runId: string;
  /** The path of the run in the tree: "" for the root. */
  readonly run: string;
  /** The id of the model call's directive. */
  readonly id: string;
  readonly attempt: number;
}

/** A word of a tool's progress, and the call that it is of. */
export interface RunProgress extends Omit<RunDelta, keyof Delta> {
  /** The words of the tool, as JSON. */
  readonly data: Json;
}

/** Options of an engine on Restate. */
export interface RestateEngineOptions extends EngineOptions {
  /** The name of the virtual object, and the first part of the service's. Default `reckoner`. */
  readonly name?: string | undefined;
  /** Sees the pieces of answers as they come, in the worker: hand them to a topic of yours. Must not throw. */
  readonly onDelta?: ((delta: RunDelta) => void) | undefined;
  /** Sees how far tools are, as `context.progress` tells it, in the worker. Must not throw. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /** The time of events. Default: the worker's. */
  readonly clock?: Pick<Clock, "now"> | undefined;
}
