/** What is said to somebody who comes too late. */
import { ReckonerError } from "../../core/kernel/index.js";

/** Why nothing can be sent to a run any more. */
export function runEnded(): ReckonerError {
  return new ReckonerError(
    "run.ended",
    "The run has ended or rests; nothing can be sent to it. Resume one that rests; where it has ended, start a new one.",
  );
}

/** Why a decision is refused. */
export function staleApproval(id: string, why: string): ReckonerError {
  return new ReckonerError(
    "approval.stale",
    `No approval ${JSON.stringify(id)} is waiting: ${why}. Nothing was run.`,
    { place: id },
  );
}
