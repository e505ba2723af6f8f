/**
 * Types and checks the options that all engines have, and derives from them the parts of a run and the ports of
 * its attempts.
 */
import * as shapes from "../../core/kernel/shapes.js";
import {
  CARRYING,
  driverOptions,
  type HostOptions,
  type PerformPorts,
} from "../../runtime/for-hosts.js";
import type { AnyReasoner, MayDecide } from "../../serve/for-adapters.js";
import type { KeptRunParts } from "./turn-types.js";

/** Options of the runs of an engine. */
export interface EngineOptions
  extends Pick<
    HostOptions,
    | "model"
    | "stores"
    | "services"
    | "unseal"
    | "redact"
    | "maskCredentials"
    | "retry"
    | "llmTimeoutMs"
    | "llmTotalMs"
    | "maxDepth"
    | "concurrency"
  > {
  /** The code of the runs; of one id the newest first, and behind it what the runs were begun with. */
  readonly reasoners: readonly AnyReasoner[];
  /** Tells who may decide what. Default: everybody everything. */
  readonly mayDecide?: MayDecide | undefined;
}

/** The shapes of these options. */
export const ENGINE: shapes.Shapes<EngineOptions> = {
  reasoners: [
    (value) => shapes.LIST[0](value) && (value as readonly unknown[]).length > 0,
    "a list of reasoners, one or more",
  ],
  ...CARRYING,
  services: shapes.ANYTHING,
  mayDecide: shapes.PURE,
};

/** Returns the parts of a run that its options say. An engine has timers of its own: runs sleep in it. */
export function partsOf(
  options: EngineOptions,
): Pick<KeptRunParts, "opening" | "hidden" | "mayDecide"> {
  const { reasoners, redact, maskCredentials, mayDecide } = options;
  return {
    opening: {
      reasoners,
      options: driverOptions({ ...options, timers: "sleep", modelDown: "sleep" }),
    },
    hidden: { redact, maskCredentials },
    mayDecide,
  };
}

/** The ports that attempts call. */
export type EnginePorts = Omit<PerformPorts, "keep" | "onDelta" | "reasoner">;

/** Returns the ports that attempts call. */
export function portsOf(options: EngineOptions): EnginePorts {
  const { model, stores, services, unseal, maskCredentials } = options;
  return { model, stores, services, unseal, maskCredentials };
}
