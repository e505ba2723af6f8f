/** A child run's end as the settlement of the `run` directive that started it. */
import type { ApprovalDirective, Json, Usage } from "../core/kernel/index.js";
import { toJson } from "../core/kernel/index.js";
import { errorOf } from "./attempt.js";
import type { Settling } from "./effect-host.js";
import type { End } from "./end.js";

/** @returns the settlement, or `undefined` where the child rests */
export function settlementOf(id: string, end: End): Settling | undefined {
  const { usage } = (end.context ?? {}) as { readonly usage?: Usage };
  const known = { id, runId: end.runId, ...(usage === undefined ? {} : { usage }) };
  switch (end.status) {
    case "waiting":
      return undefined;
    case "done":
      try {
        const output = toJson(end.output ?? null, "output") as Json;
        return { type: "run.succeeded", ...known, output };
      } catch (thrown) {
        return { type: "run.failed", ...known, error: errorOf(thrown, "run.failed") };
      }
    case "failed":
      return { type: "run.failed", ...known, error: end.error };
    case "cancelled": {
      const error = { code: "run.cancelled", message: "The child run was cancelled." };
      return { type: "run.failed", ...known, error };
    }
    default:
      throw new Error(`No settlement for ${JSON.stringify(end satisfies never)}`);
  }
}

/** A child's approvals under the ids by which its parent can decide them. */
export function approvalsOf(id: string, end: End): readonly ApprovalDirective[] {
  if (end.status !== "waiting") return [];
  return end.approvals.map((approval) => ({ ...approval, id: `${id}/${approval.id}` }));
}
