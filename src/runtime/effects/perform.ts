/** Carries out an attempt for a host that drives drivers itself. */
import type { Attempt, Call, Outcome } from "../../core/driver/live.js";
import type { EffectError, Reasoner, RunDirective } from "../../core/kernel/index.js";
import { LazyAbort } from "../running/lazy-abort.js";
import { onAbort } from "../running/on-abort.js";
import type { HostOptions } from "../running/options.js";
import type { AttemptPorts } from "./attempt.js";
import { carryOut } from "./carry-out.js";

/** The ports that attempts of a run may call. */
export interface PerformPorts
  extends Pick<HostOptions, "model" | "stores" | "services" | "approve" | "maskCredentials">,
    Pick<AttemptPorts, "onDelta" | "onNotice"> {
  /** The reasoner of the run, whose tools are called. */
  readonly reasoner: Pick<Reasoner, "tools"> & { readonly children: object };
}

/** An outcome with the attempt that it is of: a driver takes it as it is. */
export type Report = Outcome & Call;

/**
 * Carries out one attempt of one directive: asks the model, calls the tool, the store or the approver. Decides
 * nothing, does not wait for a port that ignores the signal, and never rejects.
 * @param signal aborts the attempt, which then reports `stopped`
 */
export async function perform(
  attempt: Attempt,
  ports: PerformPorts,
  signal?: AbortSignal,
): Promise<Report> {
  const { run, id, directive } = attempt;
  const stop = new LazyAbort();
  const leave = onAbort(signal, () => stop.abort(signal?.reason));
  const { reasoner, approve, maskCredentials, ...rest } = ports;
  const carriers = {
    ports: { ...rest, tools: reasoner.tools },
    options: { approve, maskCredentials },
    children: NO_CHILDREN,
  };
  const outcome: Outcome =
    directive.type === "run"
      ? {
          type: "settled",
          settlement: { type: "run.failed", id, error: noChild(directive, reasoner) },
        }
      : await carryOut(attempt, carriers, stop);
  leave();
  return { ...outcome, run, id, attempt: attempt.attempt };
}

function noChild(
  { reasoner: name }: RunDirective,
  { children }: PerformPorts["reasoner"],
): EffectError {
  const message = Object.hasOwn(children, name)
    ? "A driver of one run carries out no child runs; run its parent with run()."
    : `The run has no reasoner ${name}.`;
  return { code: "port.missing", message };
}

const NO_CHILDREN = { run: async () => undefined };
