/**
 * Tells an Aggregate operation for which a model merges several thoughts into one from one that only counts
 * votes or weights.
 */
import type { AggregationStrategy, OperationKind } from "./operation.js";

/** Returns true when a model makes one thought of several; votes and weights merge nothing. */
export function isMerge({
  kind,
  strategy = "synthesis",
}: {
  readonly kind: OperationKind;
  readonly strategy?: AggregationStrategy | undefined;
}): boolean {
  return kind === "aggregate" && strategy === "synthesis";
}
