/** The context that tools get: `deps`, `usage`, ids. */
import { noUsage, type RunContext, type RunState } from "../../core/kernel/index.js";

/** What tools see of a run: `deps` and `usage` of its context, where the machine has them. */
export function runContextOf({
  runId,
  at,
  context,
}: RunState<unknown>): Omit<RunContext, "id" | "idempotencyKey" | "retry"> {
  const { deps, usage } = (context ?? {}) as Partial<RunContext>;
  return { runId, at, deps: deps ?? {}, usage: usage ?? noUsage };
}
