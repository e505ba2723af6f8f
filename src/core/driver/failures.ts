/**
 * Makes the settlement of an effect whose attempts failed, or whose outcome is unknown after a crash, and
 * sums what its attempts cost.
 */
import {
  costTogether,
  type Effect,
  isSettlement,
  type LlmFailed,
  type RunEvent,
  type ToolFailed,
  type Usage,
} from "../kernel/vocabulary/index.js";
import type { Settling } from "./arrived.js";
import type { Failure } from "./may-begin.js";

/** Returns true for a settlement of an effect: of its kind, and by its id. */
export function isSettlementOf({ type, id }: Effect, settlement: Settling): boolean {
  const isOfKind = isSettlement(settlement as RunEvent) && settlement.type.startsWith(`${type}.`);
  return isOfKind && settlement.id === id;
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
