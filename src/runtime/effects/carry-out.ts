/** Carries out one attempt of any effect: by a port, an approver, or a child run. */
import type { Attempt, Outcome } from "../../core/driver/live.js";
import { masked } from "../../core/driver/live.js";
import { type ApprovalDirective, escapeId, type RunDirective } from "../../core/kernel/index.js";
import type { Children } from "../children/children.js";
import { checkDecision } from "../running/check-event.js";
import { LazyAbort } from "../running/lazy-abort.js";
import type { HostOptions } from "../running/options.js";
import { type AttemptPorts, isForPort, type PortDirective } from "./attempt.js";
import { hasPort, performByPort } from "./by-port.js";
import { errorOf } from "./error-of.js";

/** The ports and children that carry effects out. */
export interface Carriers {
  readonly ports: AttemptPorts;
  readonly options: HostOptions;
  readonly children: Pick<Children, "run">;
}

/** Returns true if somebody is there to be called. */
export function hasCarrier({ directive }: Attempt, { ports }: Carriers): boolean {
  return isForPort(directive) ? hasPort(directive, ports) : false;
}

/** @returns what came of the attempt, at once where that is known at once; rejects where a journal fails */
export function carryOut(
  attempt: Attempt,
  { ports, options, children }: Carriers,
  stop: LazyAbort,
): Outcome | Promise<Outcome> {
  const { directive } = attempt;
  if (isForPort(directive)) return performByPort(attempt as Attempt<PortDirective>, ports, stop);
  if (directive.type === "approval") return askApprover(directive, options, stop);
  if (directive.type === "run") return runChild(directive, children, stop);
  throw new Error(`A ${directive.type} is carried out by nobody.`);
}

async function runChild(
  directive: RunDirective,
  children: Carriers["children"],
  stop: LazyAbort,
): Promise<Outcome> {
  const settlement = await children.run(directive, stop);
  return settlement === undefined ? { type: "stopped" } : { type: "settled", settlement };
}

async function askApprover(
  approval: ApprovalDirective,
  options: HostOptions,
  stop: LazyAbort,
): Promise<Outcome> {
  const { id } = approval;
  // The approver's own decision does not abort its signal; another's does.
  const withdrawn = new LazyAbort();
  const unlisten = stop.onAbort(() => withdrawn.abort(stop.reason));
  const settled = (decision: ReturnType<typeof checkDecision>): Outcome =>
    stop.aborted
      ? { type: "stopped" }
      : { type: "settled", settlement: { ...decision, type: "approval.decided", id } };
  try {
    // By the id with which anybody else can decide it.
    const asked = { ...approval, id: escapeId(id) };
    const decision = await options.approve?.(asked, { signal: withdrawn.signal });
    return settled(checkDecision(id, decision as never));
  } catch (thrown) {
    const { message } = masked(options, errorOf(thrown, "port.failed"));
    return settled({ approve: false, reason: `The approver failed: ${message}` });
  } finally {
    unlisten();
  }
}
