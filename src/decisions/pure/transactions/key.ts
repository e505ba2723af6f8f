/**
 * Recognises a repeated write to a decision graph by its idempotency key and the digest of its operations,
 * and refuses other operations under the same key.
 */
import {
  canonical,
  isJsonObject,
  type Json,
  ReckonerError,
  sha256,
} from "../../../core/kernel/values/index.js";

/**
 * The digest of a write's operations, as they were given: two writes of one digest are the same. The
 * times of the operations do not count, since a call that is repeated comes at another time.
 */
export function digestOf(operations: readonly Json[]): string {
  const timeless = operations.map((operation) => {
    if (!isJsonObject(operation)) return operation;
    const { at: _at, ...rest } = operation;
    return rest;
  });
  return sha256(canonical(timeless));
}

/** @throws ReckonerError `store.key` if a key was used for other operations */
export function refuseOtherKey(key: string, used: string, digest: string): void {
  if (used === digest) return;
  throw new ReckonerError(
    "store.key",
    `The idempotency key "${key}" was used before, for other operations; give each write a key of its own.`,
    { place: "idempotencyKey" },
  );
}
