/**
 * The identity of a tool call: its run, its id, and its idempotency key, the same before and after
 * a crash.
 */
import { pairKey } from "./pair-key.js";
import type { CallIdentity } from "./tool-context.js";

/** The identity of a call, for finding out its outcome. */
export function callIdentity(runId: string, id: string): CallIdentity {
  return { runId, id, idempotencyKey: pairKey(runId, id) };
}
