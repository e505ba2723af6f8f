/**
 * Computes how long an attempt of an effect (a model call, a tool, a store) may take, and makes the failure
 * of one that took longer.
 */
import type { Effect, EffectError } from "../kernel/vocabulary/index.js";
import { type Failure, storeNamed, type Traits, toolNamed } from "./may-begin.js";
import {
  DEFAULT_LLM_TIMEOUT,
  DEFAULT_LLM_TOTAL,
  DEFAULT_STORE_TIMEOUT,
  type DriverOptions,
} from "./options.js";

/** The options that limit and repeat attempts. */
export interface Limits extends Traits {
  readonly options: Pick<
    DriverOptions,
    "stores" | "retry" | "models" | "llmTimeoutMs" | "llmTotalMs"
  >;
}

/** Milliseconds that an attempt may take; `undefined` where it may take as long as it likes. */
export function timeLimitOf(effect: Effect, { tools, options }: Limits): number | undefined {
  switch (effect.type) {
    case "llm":
      return options.llmTimeoutMs ?? DEFAULT_LLM_TIMEOUT;
    case "tool":
      return toolNamed(tools, effect.name)?.timeoutMs;
    case "read":
    case "write":
      return storeNamed(options.stores, effect.store)?.timeoutMs ?? DEFAULT_STORE_TIMEOUT;
    default:
      return undefined;
  }
}

/** Milliseconds that an attempt of a model call may take in all. */
export function totalLimitOf({ options }: Pick<Limits, "options">): number {
  return options.llmTotalMs ?? DEFAULT_LLM_TOTAL;
}

/** The failure of an attempt that took too long. @param isTotal its time in all is up, and not that of silence */
export function lateFailure(effect: Effect, limits: Limits, isTotal = false): Failure {
  const timeoutMs = timeLimitOf(effect, limits);
  const late = (code: string, message: string, more: Partial<EffectError> = {}): Failure => ({
    error: { code, message, ...more },
    lost: true,
  });
  switch (effect.type) {
    case "llm": {
      const message = isTotal
        ? `The model's answer was not whole within ${totalLimitOf(limits)} ms.`
        : `The model did not answer within ${timeoutMs} ms.`;
      return late("llm.timeout", message, { transient: true });
    }
    case "tool": {
      const { name } = effect;
      const code = toolNamed(limits.tools, name)?.idempotent ? "tool.timeout" : "tool.unknown";
      return late(code, `Tool ${name} did not finish within ${timeoutMs} ms.`);
    }
    case "read":
    case "write": {
      const { name } = storeNamed(limits.options.stores, effect.store) ?? { name: effect.store };
      const message = `The store ${name} did not answer within ${timeoutMs} ms`;
      return effect.type === "read"
        ? late("store.timeout", `${message}.`)
        : late("store.unknown", `${message}; whether it has written is not known.`);
    }
    default:
      throw new Error(`A ${effect.type} has no time limit.`);
  }
}
