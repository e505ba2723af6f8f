/** Carries out an attempt for a host that drives drivers itself. */
import {
  type Arrived,
  type Attempt,
  type Call,
  childNamed,
  type Outcome,
} from "../../core/driver/live.js";
import type { Reasoner, ToolRegistry } from "../../core/kernel/index.js";
import { LazyAbort } from "../ports/lazy-abort.js";
import { onAbort } from "../ports/on-abort.js";
import type { HostOptions } from "../ports/options.js";
import type { AttemptPorts, Keep } from "./attempt.js";
import { carryOut } from "./carry-out.js";

/** A reasoner, as far as its tools and those of its children are called. */
interface Family extends Pick<Reasoner, "tools"> {
  readonly children: object;
}

/** The ports that attempts of a run may call. */
export interface PerformPorts
  extends Pick<
      HostOptions,
      "model" | "stores" | "services" | "unseal" | "approve" | "maskCredentials"
    >,
    Pick<AttemptPorts, "onDelta" | "onNotice"> {
  /**
   * Tells the driver of a handle, and ends when the lines of a take that says `kept` of its attempt are durable.
   * Absent: tools that keep handles fail with `handle.refused`.
   */
  readonly keep?: ((kept: Extract<Arrived, { type: "handle" }>) => Promise<void>) | undefined;
  /** The reasoner of the root, whose tools, and those of its children, are called. */
  readonly reasoner: Family;
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
  const { run, id } = attempt;
  const stop = new LazyAbort();
  const leave = onAbort(signal, () => stop.abort(signal?.reason));
  const { reasoner, approve, maskCredentials, keep, ...rest } = ports;
  const { attempt: count } = attempt;
  const own: Keep | undefined =
    keep && ((handle, due) => keep({ type: "handle", run, id, attempt: count, handle, due }));
  const carriers = {
    ports: { ...rest, tools: toolsOf(reasoner, attempt), keep: own },
    options: { approve, maskCredentials },
  };
  const outcome: Outcome = await carryOut(attempt, carriers, stop);
  leave();
  return { ...outcome, run, id, attempt: count };
}

/** Returns the tools of the run that an attempt is of. */
export function toolsOf(root: Family, { through }: Pick<Attempt, "through">): ToolRegistry {
  let found = root;
  for (const name of through) {
    const child = childNamed(found as never, name);
    if (child === undefined) return {};
    found = child;
  }
  return found.tools;
}
