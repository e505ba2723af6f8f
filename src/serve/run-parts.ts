/** The parts of a host that its runs share. */
import type { Clock, HostOptions, PerformPorts, Randomness } from "../runtime/for-hosts.js";
import type { ModelGates } from "./gates.js";
import type { MayDecide } from "./may-decide.js";
import type { Opening } from "./open-run.js";
import type { Answer } from "./run-host.js";
import type { Held, HostStore } from "./store.js";

/** The parts of a host that its runs share. */
export interface RunParts {
  readonly store: HostStore;
  /** The name under which the host owns runs. */
  readonly owner: string;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly ports: Omit<PerformPorts, "keep" | "onDelta" | "reasoner">;
  readonly gates: ModelGates;
  readonly opening: Omit<Opening, "now">;
  readonly hidden: Pick<HostOptions, "redact" | "maskCredentials">;
  readonly mayDecide?: MayDecide | undefined;
  /** Answers are durable, and so are lines. */
  committed(held: Held, answers: readonly Answer[]): void;
}
