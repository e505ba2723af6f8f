/**
 * Words the reason why something that was sent to a run was not taken, as its sender gets it: an error with a
 * code.
 */
import type { Arrived, Refused } from "../core/driver/index.js";
import { ReckonerError } from "../core/kernel/values/index.js";
import {
  idOf,
  notSettled,
  openApprovals,
  refusedBy,
  runEnded,
  staleApproval,
  staleOf,
} from "../runtime/for-hosts.js";
import { faultOf, parkedFor } from "./mail-content.js";
import type { AnyDriver } from "./open-run.js";
import type { Fault, Posted } from "./store.js";

/** Returns the error of what a take has refused; `undefined` where it took it. */
export function refusalOf(
  { runs }: AnyDriver,
  arrived: Arrived,
  all: readonly Refused[],
): ReckonerError | undefined {
  const refused = all.find((each) => each.arrived === arrived);
  if (refused === undefined) return undefined;
  if (arrived.type === "decided") {
    return staleApproval(idOf(arrived), staleOf(refused, runs), openApprovals(runs));
  }
  const { error, why } = refused;
  if (error !== undefined) return refusedBy(error);
  if (why === "ended") return runEnded();
  if (arrived.type === "settle") return notSettled(arrived.settlement.id);
  const code = why === "uninterruptible" ? "run.notInterruptible" : "event.invalid";
  return new ReckonerError(code, `The ${arrived.type} was refused: ${why}.`);
}

/** The error of whoever says something to a run that is not there. */
export function missingRun(id: string): ReckonerError {
  return new ReckonerError("run.missing", `There is no run ${id}; start it.`, { place: id });
}

/** The error of something that is said under the key of something else. */
export function otherWord(key: string): ReckonerError {
  const message = `Something else was said under the key ${key}, or somebody else said it; say this under another key.`;
  return new ReckonerError("event.key", message, { place: key });
}

/** The reason why something that was said will not be heard. */
export function notHeard(
  posted: Exclude<Posted, { type: "waits" | "answered" }>,
  id: string,
  key: string,
): Fault {
  if (posted.type === "parked") return parkedFor(id, posted.fault);
  return faultOf(posted.type === "missing" ? missingRun(id) : otherWord(key));
}

/** The error of a start of a run that is there with another input. */
export function otherRun(id: string): ReckonerError {
  const message = `The run ${id} was started with another input; take another id, or send it a message.`;
  return new ReckonerError("run.exists", message, { place: id });
}
