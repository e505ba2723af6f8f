/**
 * Carries out one attempt of any directive: calls the port of a model, a tool or a store (`perform-by-
 * port.ts`), or asks the approver of an approval. Live runs and `perform` use it.
 */
import { type Attempt, masked, type Outcome } from "../../core/driver/for-live-runs.js";
import { idFromRoot } from "../../core/journal/for-live-runs.js";
import type { ApprovalDirective } from "../../core/kernel/vocabulary/index.js";
import { checkDecision } from "../ports/check-event.js";
import { LazyAbort } from "../ports/lazy-abort.js";
import type { HostOptions } from "../ports/options.js";
import { type AttemptPorts, isForPort, type PortDirective } from "./call-port.js";
import { thrownByPort } from "./error-of.js";
import { hasPort, performByPort } from "./perform-by-port.js";

/** The ports that carry effects out, and the options by which a person is asked. */
export interface Carriers {
  readonly ports: AttemptPorts;
  readonly options: HostOptions;
}

/** Returns true if somebody is there to be called. */
export function hasCarrier({ directive }: Attempt, { ports }: Pick<Carriers, "ports">): boolean {
  return isForPort(directive) ? hasPort(directive, ports) : false;
}

/** @returns what came of the attempt, at once where that is known at once; never rejects */
export function carryOut(
  attempt: Attempt,
  { ports, options }: Carriers,
  stop: LazyAbort,
): Outcome | Promise<Outcome> {
  const { directive } = attempt;
  if (isForPort(directive)) return performByPort(attempt as Attempt<PortDirective>, ports, stop);
  if (directive.type === "approval") return askApprover(attempt.run, directive, options, stop);
  throw new Error(`A ${directive.type} is carried out by nobody.`);
}

async function askApprover(
  run: string,
  approval: ApprovalDirective,
  options: HostOptions,
  stop: LazyAbort,
): Promise<Outcome> {
  const { id } = approval;
  // The approver's own decision does not abort its signal; another's does.
  const withdrawn = new LazyAbort();
  if (stop.aborted) return { type: "stopped" };
  let leave: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const unlisten = stop.onAbort(() => {
    withdrawn.abort(stop.reason);
    leave();
  });
  const settled = (decision: ReturnType<typeof checkDecision>): Outcome =>
    stop.aborted
      ? { type: "stopped" }
      : { type: "settled", settlement: { ...decision, type: "approval.decided", id } };
  try {
    // By the id with which anybody else can decide it.
    const asked = { ...approval, id: idFromRoot(run, id) };
    const asking = options.approve?.(asked, { signal: withdrawn.signal });
    // An approver that does not hear the signal is not waited for.
    const decision = await Promise.race([asking, left]);
    return settled(checkDecision(id, decision as never));
  } catch (thrown) {
    const { message } = masked(options, thrownByPort(thrown, "port.failed"));
    return settled({ approve: false, reason: `The approver failed: ${message}` });
  } finally {
    unlisten();
  }
}
