/**
 * Types of what a host hands to each of its runs: store, clock, ports, limits, and the cache of runs that wait.
 */
import type {
  BlobPort,
  Clock,
  HostOptions,
  PerformPorts,
  Randomness,
} from "../runtime/for-hosts.js";
import type { BoundedCache } from "./bounded-cache.js";
import type { MayDecide } from "./may-decide.js";
import type { ModelGates } from "./model-gates.js";
import type { Opening, OpenRun } from "./open-run.js";
import type { Answer } from "./run-host.js";
import type { Held, HostStore } from "./store.js";
import type { TenantGate } from "./tenant-limits.js";

/** The parts of a host that its runs share. */
export interface RunParts {
  readonly store: HostStore;
  /** The name under which the host owns runs. */
  readonly owner: string;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly ports: Omit<PerformPorts, "keep" | "onDelta" | "reasoner" | "blobs">;
  readonly blobs: BlobPort | undefined;
  readonly gates: ModelGates;
  readonly tenants: TenantGate;
  readonly opening: Omit<Opening, "now">;
  readonly hidden: Pick<HostOptions, "redact" | "maskCredentials">;
  readonly mayDecide?: MayDecide | undefined;
  /** Runs that wait, as they were open in this process, and the token of the last change of each. */
  readonly kept: BoundedCache<KeptRun>;
  /** Answers are durable, and so are lines. */
  committed(held: Held, answers: readonly Answer[]): void;
}

/** A run that waits, as its last owner left it. */
export interface KeptRun {
  readonly run: OpenRun;
  readonly token: string;
}
