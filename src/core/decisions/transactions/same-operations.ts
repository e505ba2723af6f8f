/**
 * Whether a write repeats a recorded one: compares its operations with those of the change, in
 * which prefixes have been replaced by full ids.
 */
import { asJson, firstDifference, ReckonerError } from "../../kernel/index.js";
import type { GraphChange, Resolved, WriteResult } from "../vocabulary/change.js";
import type { CheckedOperation } from "../vocabulary/operation.js";

/**
 * What a write comes to whose key was used before: the first result.
 * @throws ReckonerError `store.key` where the operations are others
 */
export function firstResult(
  change: GraphChange,
  operations: readonly CheckedOperation[],
): WriteResult {
  if (areSame(change, operations)) return change.result;
  throw new ReckonerError(
    "store.key",
    `The idempotency key "${change.key}" was used before, for other operations; give each write a key of its own.`,
    { place: "idempotencyKey" },
  );
}

function areSame(change: GraphChange, operations: readonly CheckedOperation[]): boolean {
  if (operations.length !== change.operations.length) return false;
  const resolved = new Map<number, Resolved[]>();
  for (const name of change.result.resolved) {
    resolved.set(name.operation, [...(resolved.get(name.operation) ?? []), name]);
  }
  return operations.every((given, i) => {
    const recorded = asGiven(change.operations[i] as CheckedOperation, resolved.get(i) ?? []);
    return firstDifference(asJson(given), asJson(recorded)) === undefined;
  });
}

/** An operation as it was given: with the prefixes that were resolved. */
function asGiven(operation: CheckedOperation, names: readonly Resolved[]): CheckedOperation {
  if (names.length === 0) return operation;
  const given = Object.fromEntries(names.map((name) => [name.field, name.given]));
  return operation.type === "addEdge"
    ? { ...operation, edge: { ...operation.edge, ...given } }
    : { ...operation, ...given };
}
