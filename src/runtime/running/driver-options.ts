/** The options of a run by which its driver decides. */
import type { DriverOptions } from "../../core/driver/live.js";
import type { HostOptions } from "./options.js";

export function driverOptions(options: HostOptions): DriverOptions {
  const { retry, llmTimeoutMs, modelDown, stores, timers, redact, maskCredentials } = options;
  const { approve, unattended } = options;
  const asked = approve !== undefined ? "host" : unattended === "deny" ? "denied" : "outside";
  const shown = { redact, maskCredentials };
  return {
    retry,
    llmTimeoutMs,
    modelDown,
    stores,
    timers,
    ...shown,
    approvals: asked,
    children: "host",
  };
}
