/**
 * Asks the host's option `mayDecide` whether a person may decide an approval, before the decision is given to
 * the run.
 */
import type { TreeRun } from "../core/driver/index.js";
import { idFromRoot } from "../core/journal/index.js";
import { owedBy, type RunState } from "../core/kernel/machine/index.js";
import { ReckonerError } from "../core/kernel/values/index.js";
import type { ApprovalDirective } from "../core/kernel/vocabulary/index.js";
import { idOf } from "../runtime/for-hosts.js";
import { faultOf, type Word } from "./mail-content.js";

/**
 * Tells who may decide what. Must be synchronous and depend on nothing else: it is asked by whichever process
 * has the run.
 * @returns false, or the reason, where the person may not
 */
export type MayDecide = (asked: {
  /** By the id by which it is decided. */
  readonly approval: ApprovalDirective;
  readonly by: string | undefined;
  readonly role: string | undefined;
}) => boolean | string;

/** Returns why a person may not decide; `undefined` where the person may, or nothing is decided. */
export function refusesDecision(
  runs: readonly TreeRun[],
  { arrived, by, role }: Extract<Word, { type: "arrived" }>,
  mayDecide: MayDecide | undefined,
): ReckonerError | undefined {
  if (arrived.type !== "decided" || mayDecide === undefined) return undefined;
  const wanted = idOf(arrived);
  // One that does not wait is refused by its run.
  const approval = approvalOf(runs, wanted);
  if (approval === undefined) return undefined;
  const may = asked(mayDecide, { approval, by, role });
  if (may === true) return undefined;
  const why =
    may === false ? `${by ?? "nobody"}${role === undefined ? "" : ` as ${role}`} may not` : may;
  return new ReckonerError("run.forbidden", `The approval ${wanted} is not decided: ${why}.`, {
    place: wanted,
  });
}

function asked(mayDecide: MayDecide, about: Parameters<MayDecide>[0]): boolean | string {
  try {
    return mayDecide(about);
  } catch (thrown) {
    return `mayDecide threw: ${faultOf(thrown).message}`;
  }
}

function approvalOf(runs: readonly TreeRun[], wanted: string): ApprovalDirective | undefined {
  for (const { path, state } of runs) {
    for (const each of owedBy(state as RunState)) {
      if (each.type !== "approval" || idFromRoot(path, each.id) !== wanted) continue;
      return { ...each, id: wanted };
    }
  }
  return undefined;
}
