/**
 * Derives the options of a driver (retries, time limits, depth, who decides approvals) from those of the run or
 * the host that steps it.
 */
import type { DriverOptions } from "../../core/driver/for-live-runs.js";
import { modelNames } from "../ports/models.js";
import { DEFAULT_CONCURRENCY, type HostOptions } from "../ports/options.js";

export function driverOptions(options: HostOptions): DriverOptions {
  const { retry, llmTimeoutMs, llmTotalMs, modelDown, stores, timers, redact, maskCredentials } =
    options;
  const models = modelNames(options.model);
  const { approve, unattended, maxDepth, concurrency = DEFAULT_CONCURRENCY } = options;
  const asked = approve !== undefined ? "host" : unattended === "deny" ? "denied" : "outside";
  const shown = { redact, maskCredentials };
  return {
    retry,
    llmTimeoutMs,
    llmTotalMs,
    modelDown,
    ...(models === undefined ? {} : { models }),
    stores,
    timers,
    ...shown,
    approvals: asked,
    maxDepth,
    slots: Math.max(1, Math.floor(concurrency) || 1),
  };
}
