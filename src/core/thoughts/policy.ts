/**
 * A policy decides what is done next. It is a pure function of the configuration and of what has been
 * done; how an operation is carried out is not its affair.
 */
import type { Json } from "../kernel/index.js";
import type { Entry, Reason } from "./context.js";
import type { Graph } from "./graph.js";
import type { Operation } from "./operation.js";
import type { Better } from "./walk.js";

/** What a policy may look at. */
export interface Progress {
  readonly graph: Graph;
  /** Whether high scores are good or low ones. */
  readonly better: Better;
  /** The budget that was met first, where one was. */
  readonly cut: Reason | null;
  /** What an operation has handed on; nothing where it is not done. */
  output(id: string): readonly Entry[];
}

/** Decides what is done next. */
export interface Policy {
  /** "plan", "explore", or a name of one's own. */
  readonly name: string;
  /** What beside the functions shapes it; part of the reasoner's fingerprint. */
  readonly configuration: Json;
  /** Budgets where the reasoner says nothing. */
  readonly defaults: { readonly maxNodes: number | null; readonly maxDepth: number | null };
  /** The operations that a run begins with. */
  readonly first: readonly string[];
  /** An operation by its id, from the configuration alone. */
  operation(id: string): Operation;
  /** The operations that come after one that is done; each starts when all it comes after are done. */
  next(id: string, progress: Progress): readonly string[];
  /** The thoughts among which the run's result is. */
  finals(progress: Progress): readonly Entry[];
}
