/** Tells merges from votes. */
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
