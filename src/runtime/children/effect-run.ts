/** The end of a child run as its parent takes it. */
import { type Settling, settlementOf as settledBy } from "../../core/driver/live.js";
import { type ApprovalDirective, type Json, pairKey } from "../../core/kernel/index.js";
import type { End } from "../running/end.js";

/** @returns the settlement, or `undefined` where the child rests */
export function settlementOf(id: string, end: End): Settling | undefined {
  const { runId, usage } = end;
  if (end.status !== "waiting") {
    const output = end.status === "done" ? (end.output as Json | undefined) : undefined;
    const error = end.status === "failed" ? end.error : undefined;
    return settledBy(id, { runId, usage, status: end.status, output, error });
  }
  const { drained, modelDown, approvals, wakeAt } = end;
  if (drained === true || modelDown !== undefined) return undefined;
  if (approvals.length > 0 || wakeAt !== undefined) return undefined;
  return settledBy(id, { runId, usage, status: "active", output: end.output as Json | undefined });
}

/** A child's approvals under the ids by which its parent can decide them. */
export function approvalsOf(id: string, end: End): readonly ApprovalDirective[] {
  if (end.status !== "waiting") return [];
  return end.approvals.map((approval) => ({ ...approval, id: pairKey(id, approval.id) }));
}
