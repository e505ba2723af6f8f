/**
 * Asks a model outside of any run, with the retries and time limits that a run has, and returns the event
 * that settles the call. A redrive with a live model uses it.
 */
import {
  delayOf,
  failureOf,
  isDown,
  lateFailure,
  mayTryAgain,
  modelOfAttempt,
  roundOf,
  type Settling,
  timeLimitOf,
} from "../../core/driver/for-live-runs.js";
import {
  costTogether,
  type LlmDirective,
  noUsage,
  pairKey,
  type Usage,
} from "../../core/kernel/vocabulary/index.js";
import { LazyAbort } from "../ports/lazy-abort.js";
import { modelNames } from "../ports/models.js";
import type { HostOptions } from "../ports/options.js";
import type { Clock } from "../ports/ports.js";
import { performLlm } from "./perform-llm.js";

/** @returns the settlement, with what all attempts cost */
export async function askModel(
  directive: LlmDirective,
  model: NonNullable<HostOptions["model"]>,
  { at, runId }: { readonly at: number; readonly runId: string },
  clock: Clock,
): Promise<Settling> {
  const options = { models: modelNames(model) };
  const limits = { tools: {}, options };
  const { id } = directive;
  const idempotencyKey = pairKey(runId, id);
  const sees = { at, deps: {}, usage: noUsage };
  let paid: Partial<Usage> | undefined;
  let passes = false;
  for (let attempt = 1; ; attempt++) {
    const stop = new LazyAbort();
    const cancelTimer = clock.setTimer(timeLimitOf(directive, limits) ?? 0, () =>
      stop.abort("late"),
    );
    const named = modelOfAttempt(directive, attempt, options);
    const call = { run: "", through: [], runId, id, directive, attempt, idempotencyKey, sees };
    const asked = named === undefined ? call : { ...call, model: named };
    const outcome = await performLlm(asked, { model, tools: {} }, stop);
    cancelTimer();
    if (outcome.type === "settled") {
      const attempts = attempt > 1 ? { attempts: attempt } : {};
      const { usage } = outcome.settlement as { readonly usage: Partial<Usage> };
      const spent = paid === undefined ? usage : costTogether(paid, usage);
      return {
        ...outcome.settlement,
        usage: { requests: attempt, ...spent },
        ...attempts,
      } as Settling;
    }
    const failure = outcome.type === "failed" ? outcome : lateFailure(directive, limits);
    if (failure.usage !== undefined) {
      paid = paid === undefined ? failure.usage : costTogether(paid, failure.usage);
    }
    if (!mayTryAgain(directive, attempt, failure, limits, passes)) {
      return failureOf(directive, failure, attempt, paid);
    }
    const { round, isWhole } = roundOf(directive, attempt, options);
    passes = !isWhole && (passes || isDown(directive, failure));
    if (isWhole) await clock.sleep(delayOf(directive, round, failure.error, {}));
  }
}
