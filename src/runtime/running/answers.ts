/**
 * Converts decisions of people to what a run's driver takes, finds the reason why one was refused, and lists the
 * approvals that wait. `run`, hosts and engines use it.
 */

import {
  type Arrived,
  type Driver,
  type Path,
  type Refused,
  ROOT,
} from "../../core/driver/for-live-runs.js";
import { idFromRoot, parentOf } from "../../core/journal/for-live-runs.js";
import { owedBy, type RunState } from "../../core/kernel/machine/index.js";
import { tableGet, tableHas, toArray } from "../../core/kernel/values/index.js";
import type { ApprovalDecision } from "../../core/kernel/vocabulary/index.js";
import { checkDecision } from "../ports/check-event.js";
import { NEVER_ASKED, type Stale } from "./too-late.js";

/** A decision, as the driver takes it. */
export type Decided = Extract<Arrived, { type: "decided" }>;

/** Something that a run is told from outside. */
export type Arrival = Extract<
  Arrived,
  { type: "decided" | "event" | "settle" | "interrupt" | "drain" | "cancel" }
>;

/**
 * Returns a decision for the run that it is for.
 * @param id as `end.approvals` has it
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused` where it is no decision
 */
export function decided(id: string, decision: ApprovalDecision): Decided {
  const checked = checkDecision(id, decision);
  const [run, own] = parentOf(id);
  const of = run === ROOT ? {} : { run };
  return { type: "decided", ...of, id: own, decision: checked };
}

/** The id of a decision's approval, as `end.approvals` has it. */
export function idOf({ run = ROOT, id }: Decided): string {
  return idFromRoot(run, id);
}

/** Returns the reason why a decision was not taken. @param runs that are not over */
export function staleOf({ why, error, arrived }: Refused, runs: readonly TreeRun[]): Stale {
  if (error !== undefined) return { why: error.message, error };
  if (why === "ended") return { why: "its run has ended" };
  if (why === "overdue") return { why: "its deadline has passed" };
  return (arrived.type === "decided" ? whyNotAsked(runs, arrived) : undefined) ?? NEVER_ASKED;
}

/**
 * Returns the reason why nobody has asked for a decision.
 * @param runs that are not over; none where the run has not begun
 */
export function whyNotAsked(
  runs: readonly TreeRun[],
  { run = ROOT, id }: Decided,
): Stale | undefined {
  if (runs.length === 0) return { why: "its run has not begun" };
  const own = runs.find(({ path }) => path === run);
  if (own === undefined) return whyNoChild(runs, run);
  if (own.state.status !== "active") return { why: "its run has ended" };
  return tableGet(own.state.outstanding, id)?.type === "approval" ? undefined : NEVER_ASKED;
}

function whyNoChild(runs: readonly TreeRun[], path: Path): Stale {
  let [above, id] = parentOf(path);
  let parent = runs.find((each) => each.path === above);
  // A run whose parent is over, or has not begun, is so too.
  for (; parent === undefined; parent = runs.find((each) => each.path === above)) {
    [above, id] = parentOf(above);
  }
  const { outstanding, issued } = parent.state;
  if (tableGet(outstanding, id)?.type === "run") {
    return { why: "its child run has not begun", astray: true };
  }
  const isOver = toArray(issued).includes(id) && !tableHas(outstanding, id);
  return { why: isOver ? "its child run is over" : "there is no such child run", astray: true };
}

/** A run of a tree, and its state. */
export type TreeRun = Driver<never, unknown, unknown>["runs"][number];

/** The approvals of a tree that wait, by the ids by which they are decided, the root's first. */
export function openApprovals(runs: readonly TreeRun[]): readonly string[] {
  return runs.flatMap(({ path, state }) => approvalsOf(path, state));
}

function approvalsOf(path: Path, state: RunState<unknown>): readonly string[] {
  if (state.status !== "active") return [];
  return owedBy(state).flatMap(({ type, id }) =>
    type === "approval" ? [idFromRoot(path, id)] : [],
  );
}
