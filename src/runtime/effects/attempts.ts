/**
 * Carries a directive out by attempts, one after the other: each that may not be repeated at will begins
 * only when its start mark is durable, each has a time limit, and another one follows only where that is
 * allowed (P2).
 */
import { costTogether, pairKey, type Usage } from "../../core/kernel/index.js";
import type { Attempt, Failure, PortDirective, Settling } from "./attempt.js";
import { backOff } from "./back-off.js";
import type { EffectHost, EffectStart } from "./effect-host.js";
import { failureOf, lateFailure, timeLimitOf } from "./failure.js";
import { isMarked, mayTryAgain } from "./may-begin.js";
import { hasPort, perform } from "./perform.js";
import { type Limited, withinTime } from "./within-time.js";

/** @returns the settlement, or `undefined` where the effect was cancelled */
export async function runAttempts(
  directive: PortDirective,
  host: EffectHost,
  { stop, begun, marked, run: sees }: EffectStart,
): Promise<Settling | undefined> {
  const { id } = directive;
  const { runId, ports, clock } = host;
  const idempotencyKey = pairKey(runId, id);
  // Where nobody would be called, nothing begins.
  const begins = hasPort(directive, ports);
  const needsMark = begins && isMarked(directive, ports.stores);
  const timeoutMs = timeLimitOf(directive, host);
  // What attempts before this one have cost, whose answers were none.
  let paid: Partial<Usage> | undefined;
  for (let count = begun + 1; ; count++) {
    if (needsMark && !(marked && count === begun + 1)) {
      await host.mark({ id, attempt: count });
      // It may have been cancelled while its mark was written.
      if (stop.aborted || !host.isOwed(id)) return undefined;
    }
    if (begins) host.observe({ type: "started", id, attempt: count });
    const attempt: Attempt = { runId, directive, attempt: count, idempotencyKey, sees };
    const limited: Limited = await withinTime(clock, timeoutMs, stop, (signal) =>
      perform(attempt, ports, signal),
    );
    if (limited.type === "stopped") return undefined;
    if (limited.type === "settled") return settled(limited.settlement, count, paid);
    const failure: Failure =
      limited.type === "late" ? lateFailure(directive, ports, timeoutMs) : limited;
    if (failure.usage !== undefined) {
      paid = paid === undefined ? failure.usage : costTogether(paid, failure.usage);
    }
    if (!mayTryAgain(directive, count, failure, host)) {
      return failureOf(directive, failure, count, paid);
    }
    const next = await waited(directive, count, failure, host, stop);
    if (next === "stopped" || !host.isOwed(id)) return undefined;
    if (next !== "again") return failureOf(directive, { error: next }, count, paid);
  }
}

/** A settlement with how many attempts there were, and what all of them cost. */
function settled(settlement: Settling, count: number, paid: Partial<Usage> | undefined): Settling {
  if (count === 1) return settlement;
  if (settlement.type !== "llm.succeeded" || paid === undefined) {
    return { ...settlement, attempts: count };
  }
  const usage = { requests: count, ...costTogether(paid, settlement.usage) };
  return { ...settlement, usage, attempts: count };
}

/** Waits before another attempt; a tool is tried again at once. */
function waited(
  { type, id }: PortDirective,
  count: number,
  { error }: Failure,
  host: EffectHost,
  stop: EffectStart["stop"],
): ReturnType<typeof backOff> | "again" {
  if (type !== "tool") return backOff(id, count, error, host, stop);
  host.observe({ type: "retry", id, attempt: count + 1, delayMs: 0, error });
  return "again";
}
