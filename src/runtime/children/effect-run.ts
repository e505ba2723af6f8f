/** Converts the end of a child run to the settlement of the `run` directive that started it. */

import type { Settling } from "../../core/driver/live.js";
import {
  type ApprovalDirective,
  type EffectError,
  type Json,
  pairKey,
  toJson,
} from "../../core/kernel/index.js";
import { errorOf } from "../effects/error-of.js";
import { isTooLong } from "../effects/result-length.js";
import type { End } from "../running/end.js";

/** @returns the settlement, or `undefined` where the child rests */
export function settlementOf(id: string, end: End): Settling | undefined {
  const known = { id, runId: end.runId, usage: end.usage };
  const failed = (error: EffectError) => ({ type: "run.failed", ...known, error }) as const;
  switch (end.status) {
    case "waiting":
      if (end.drained === true || end.modelDown !== undefined) return undefined;
      if (end.approvals.length > 0 || end.wakeAt !== undefined) return undefined;
      // Nobody can send an event to a child: its output so far is final.
      return end.output === undefined
        ? failed({ code: "run.failed", message: "The child run rests and waits for nobody." })
        : checked({ type: "run.succeeded", ...known, output: end.output as Json }, failed);
    case "done":
      return checked(
        { type: "run.succeeded", ...known, output: (end.output ?? null) as Json },
        failed,
      );
    case "failed":
      return checked(failed(end.error), failed);
    case "cancelled":
      return failed({ code: "run.cancelled", message: "The child run was cancelled." });
    default:
      throw new Error(`No settlement for ${JSON.stringify(end satisfies never)}`);
  }
}

/** A settlement that fits into the parent's journal. */
function checked(settlement: Settling, failed: (error: EffectError) => Settling): Settling {
  try {
    // What is around an output makes it deeper, and has to pass the border as well.
    toJson(settlement, "settlement");
    if (!isTooLong(settlement)) return settlement;
    const message = "The child run's output is larger than 5 MiB of JSON; have it say where it is.";
    return failed({ code: "tool.result", message });
  } catch (thrown) {
    return failed({ code: "tool.result", message: errorOf(thrown, "tool.result").message });
  }
}

/** A child's approvals under the ids by which its parent can decide them. */
export function approvalsOf(id: string, end: End): readonly ApprovalDirective[] {
  if (end.status !== "waiting") return [];
  return end.approvals.map((approval) => ({ ...approval, id: pairKey(id, approval.id) }));
}
