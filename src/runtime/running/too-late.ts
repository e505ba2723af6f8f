/**
 * Makes the errors for events and decisions that a run does not take any more: `run.ended`, `approval.stale`.
 */

import { type ErrorCode, ReckonerError } from "../../core/kernel/values/index.js";
import type { EffectError } from "../../core/kernel/vocabulary/index.js";

/** The error of whoever sends something to a run that takes nothing any more. */
export function runEnded(): ReckonerError {
  return new ReckonerError(
    "run.ended",
    "The run has ended or waits; nothing can be sent to it. Resume it if its status is waiting; else start a new one.",
  );
}

/** The reason why a decision does not count. */
export interface Stale {
  /** In words. */
  readonly why: string;
  /** It is about nothing that waits, so that those that do are told with it. */
  readonly astray?: true;
  /** The machine's own reason, by which it refuses a decision that fits nothing. */
  readonly error?: EffectError;
}

/** Nothing is known of an approval but that it does not wait. */
export const NEVER_ASKED: Stale = {
  why: "it was decided before, or never asked for",
  astray: true,
};

/**
 * Why a decision is refused.
 * @param id of the approval, and `open` those that wait, as `end.approvals` has them
 */
export function staleApproval(
  id: string,
  { why, astray, error }: Stale,
  open: readonly string[],
): ReckonerError {
  if (error !== undefined) return refusedBy(error, id);
  const waits = astray === true ? `; the run waits for ${named(open)}` : "";
  return new ReckonerError(
    "approval.stale",
    `No approval ${JSON.stringify(id)} is waiting: ${why}${waits}. Nothing was run.`,
    { place: id },
  );
}

/** The error of a settlement by hand that settles nothing. */
export function notSettled(id: string): ReckonerError {
  return new ReckonerError(
    "settlement.refused",
    `Nothing with the id ${JSON.stringify(id)} waits for a settlement by hand: it is not outstanding, runs here, or is settled otherwise (an approval by decide()).`,
    { place: id },
  );
}

/** An event or a decision that a machine refuses, as the error that its sender gets. */
export function refusedBy({ code, message }: EffectError, place?: string): ReckonerError {
  return new ReckonerError(code as ErrorCode, message, place === undefined ? {} : { place });
}

function named(open: readonly string[]): string {
  const first = open.slice(0, 3);
  if (open.length > first.length) first.push(`${open.length - first.length} more`);
  return first.length === 0 ? "no approval" : first.join(", ");
}
