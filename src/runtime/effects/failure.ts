/** Failures of effects: how long an attempt may take, what one that took longer is, and settlements. */
import type { Effect, EffectError, LlmFailed, ToolFailed, Usage } from "../../core/kernel/index.js";
import { DEFAULT_LLM_TIMEOUT } from "../running/options.js";
import type { AttemptPorts, Failure, PortDirective, Settling } from "./attempt.js";
import type { EffectHost } from "./effect-host.js";
import { storeNamed, toolNamed } from "./may-begin.js";

/** Milliseconds a call to a store may take, where the store does not say. */
const DEFAULT_STORE_TIMEOUT = 30_000;

/** Milliseconds an attempt may take. */
export function timeLimitOf(
  directive: PortDirective,
  { ports, options }: Pick<EffectHost, "ports" | "options">,
): number {
  if (directive.type === "llm") return options.llmTimeoutMs ?? DEFAULT_LLM_TIMEOUT;
  if (directive.type === "tool") return toolNamed(ports.tools, directive.name)?.timeoutMs ?? 0;
  return storeNamed(ports.stores, directive.store)?.timeoutMs ?? DEFAULT_STORE_TIMEOUT;
}

/** The failure of an attempt that took too long. */
export function lateFailure(
  directive: PortDirective,
  { tools, stores }: AttemptPorts,
  timeoutMs: number,
): Failure {
  const late = (code: string, message: string, more: Partial<EffectError> = {}): Failure => ({
    error: { code, message, ...more },
    lost: true,
  });
  if (directive.type === "llm") {
    const message = `The model did not answer within ${timeoutMs} ms.`;
    return late("llm.timeout", message, { transient: true });
  }
  if (directive.type === "tool") {
    const { name } = directive;
    const code = toolNamed(tools, name)?.idempotent === true ? "tool.timeout" : "tool.unknown";
    return late(code, `Tool ${name} did not finish within ${timeoutMs} ms.`);
  }
  const { name } = storeNamed(stores, directive.store) ?? { name: directive.store };
  const message = `The store ${name} did not answer within ${timeoutMs} ms`;
  return directive.type === "read"
    ? late("store.timeout", `${message}.`)
    : late("store.unknown", `${message}; whether it has written is not known.`);
}

/**
 * The settlement of an effect that failed.
 * @param paid what all attempts of a model call cost, as far as that is known
 */
export function failureOf(
  { type, id }: PortDirective,
  { error, lost, forModel, content }: Failure,
  count: number,
  paid?: Partial<Usage>,
): Settling {
  const attempts = count > 1 ? { attempts: count } : {};
  if (type === "llm") {
    const failed: Omit<LlmFailed, "at"> = { type: "llm.failed", id, error };
    return { ...failed, ...(paid === undefined ? {} : { usage: paid }), ...attempts };
  }
  if (type === "tool") {
    const late = error.code === "tool.unknown" ? "unknown" : "timeout";
    const reason = lost === true ? late : "error";
    const failed: Omit<ToolFailed, "at"> = { type: "tool.failed", id, reason, error };
    return {
      ...failed,
      ...(forModel === undefined ? {} : { forModel }),
      ...(content === undefined ? {} : { content }),
      ...attempts,
    };
  }
  return { type: type === "read" ? "read.failed" : "write.failed", id, error, ...attempts };
}

/** The settlement of an effect that had begun before a crash and may not begin again. */
export function interrupted(effect: Effect, begun: number): Settling {
  if (effect.type === "tool") {
    const message = `The process ended while tool ${effect.name} ran (attempt ${begun}).`;
    return failureOf(effect, { error: { code: "tool.unknown", message }, lost: true }, begun);
  }
  if (effect.type === "write") {
    const message = `The process ended while the store ${effect.store} was writing (attempt ${begun}); look whether it has, before it is written again.`;
    return failureOf(effect, { error: { code: "store.unknown", message } }, begun);
  }
  throw new Error(`A ${effect.type} may always begin again.`);
}
