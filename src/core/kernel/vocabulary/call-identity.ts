/**
 * The identity of a tool call: its run, its id, and its idempotency key, the same before and after
 * a crash.
 */
import { pairKey } from "./pair-key.js";
import type { CallIdentity } from "./tool.js";

/** All that says which call it is, for whoever has to find out what came of it. */
export function callIdentity(runId: string, id: string): CallIdentity {
  return { runId, id, idempotencyKey: pairKey(runId, id) };
}
