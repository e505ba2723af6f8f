/** The changes up to a time, which give the graph as of that time. */
import type { GraphChange } from "../vocabulary/change.js";

/**
 * The changes whose operations are of that time or earlier, in order. Of a transaction with several
 * times only the operations up to the moment are kept.
 */
export function changesUpTo(changes: readonly GraphChange[], time: number): readonly GraphChange[] {
  const first = changes.findIndex((change) => change.at > time);
  if (first < 0) return changes;
  const before = changes.slice(0, first);
  const { seq, key, operations, result } = changes[first] as GraphChange;
  // Times never go back: neither within a change nor from one to the next.
  let at = before.at(-1)?.at ?? 0;
  let count = 0;
  for (const operation of operations) {
    if (Math.max(at, operation.at) > time) break;
    at = Math.max(at, operation.at);
    count += 1;
  }
  if (count === 0) return before;
  const resolved = result.resolved.filter((name) => name.operation < count);
  return [
    ...before,
    {
      seq,
      at,
      key,
      operations: operations.slice(0, count),
      result: { seq, at, operations: count, resolved },
    },
  ];
}
