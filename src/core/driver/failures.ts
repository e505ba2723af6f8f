/** The ends of failed attempts: time limits, the error of one that is late, settlements, delays. */
import {
  costTogether,
  type Effect,
  type EffectError,
  type LlmFailed,
  type ToolFailed,
  type Usage,
} from "../kernel/index.js";
import type { Settling } from "./arrived.js";
import { type Failure, storeNamed, type Traits, toolNamed } from "./may-begin.js";
import {
  DEFAULT_LLM_TIMEOUT,
  DEFAULT_LLM_TOTAL,
  DEFAULT_MAX_RETRY_DELAY,
  DEFAULT_RETRY_DELAY,
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

/**
 * The settlement of an effect that failed.
 * @param count how many attempts there were
 * @param paid what all attempts of a model call cost, as far as that is known
 */
export function failureOf(
  { type, id }: Effect,
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
    const late = error.code === "tool.timeout" ? "timeout" : "unknown";
    const reason = lost === true ? late : "error";
    const failed: Omit<ToolFailed, "at"> = { type: "tool.failed", id, reason, error };
    return {
      ...failed,
      ...(forModel === undefined ? {} : { forModel }),
      ...(content === undefined ? {} : { content }),
      ...attempts,
    };
  }
  if (type === "run") return { type: "run.failed", id, error };
  return { type: type === "read" ? "read.failed" : "write.failed", id, error, ...attempts };
}

/**
 * The settlement of an effect that had begun before a crash and may not begin again.
 * @param isLost it may have begun behind the end of a journal that was longer once
 */
export function unknownOf(effect: Effect, begun: number, isLost: boolean): Settling {
  if (effect.type === "tool") {
    const [code, message] = isLost
      ? (["journal.short", `The journal lost its end: tool ${effect.name} may have run.`] as const)
      : ([
          "tool.unknown",
          `The process ended while tool ${effect.name} ran (attempt ${begun}).`,
        ] as const);
    return failureOf(effect, { error: { code, message }, lost: true }, begun);
  }
  if (effect.type === "write") {
    const message = `The process ended while the store ${effect.store} was writing (attempt ${begun}); look whether it has, before it is written again.`;
    return failureOf(effect, { error: { code: "store.unknown", message } }, begun);
  }
  throw new Error(`A ${effect.type} may always begin again.`);
}

/**
 * Milliseconds before the next attempt: as the other side asked, or doubled each time. A tool is tried
 * again at once.
 * @param failed how many attempts have failed
 */
export function delayOf(
  { type }: Effect,
  failed: number,
  { retryAfterMs }: EffectError,
  { retry }: Pick<DriverOptions, "retry">,
): number {
  if (type === "tool") return 0;
  const { delayMs = DEFAULT_RETRY_DELAY, maxDelayMs = DEFAULT_MAX_RETRY_DELAY } = retry ?? {};
  // A delay of 0 stays one, however often it is doubled.
  const doubled = delayMs === 0 ? 0 : delayMs * 2 ** (failed - 1);
  return Math.min(maxDelayMs, retryAfterMs ?? doubled);
}

/** Milliseconds before the first further attempt at a model that is down, and between two at most. */
const DOWN_DELAY = 30_000;
const MAX_DOWN_DELAY = 600_000;
/** Attempts at a model that is down: about a day of them. Then it is asked when somebody resumes the run. */
const MAX_DOWN_ATTEMPTS = 148;

/**
 * Milliseconds before the next attempt at a model that is down; `undefined` where none follows by itself.
 * @param tries the attempts that have failed since the model is down, the one that showed it included
 */
export function downDelayOf(tries: number): number | undefined {
  if (tries > MAX_DOWN_ATTEMPTS) return undefined;
  return Math.min(MAX_DOWN_DELAY, DOWN_DELAY * 2 ** (tries - 1));
}

/**
 * Returns a settlement with the number of its attempts and the cost of all of them.
 * @param paid the cost of the failed ones, as far as it is known
 */
export function summed(
  attempt: number,
  paid: Partial<Usage> | undefined,
  settlement: Settling,
): Settling {
  const attempts = attempt > 1 ? { attempts: attempt } : {};
  if (settlement.type === "llm.succeeded" && paid !== undefined) {
    const usage = { requests: attempt, ...costTogether(paid, settlement.usage) } as Usage;
    return { ...settlement, usage, ...attempts };
  }
  if (settlement.type === "llm.failed" && paid !== undefined) {
    return { ...settlement, usage: costTogether(paid, settlement.usage ?? {}), ...attempts };
  }
  const counted = /^(?:tool|read|write|llm)\./.test(settlement.type);
  return counted ? { ...settlement, ...attempts } : settlement;
}
