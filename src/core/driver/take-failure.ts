/**
 * Records a failed attempt of an effect: its cost, the model that it asked, and whether this error, or one
 * before it in the same round of models, shows that a model is only down.
 */
import { type PassingError, spentWith } from "../journal/for-live-runs.js";
import { costTogether } from "../kernel/vocabulary/index.js";
import { keptError } from "./door.js";
import type { Live } from "./effects.js";
import { type Failure, isDown } from "./may-begin.js";
import type { DriverOptions } from "./options.js";
import { modelOfAttempt, roundOf } from "./rounds.js";

/** A failed attempt among those of its round. */
export interface TakenFailure extends ReturnType<typeof roundOf> {
  /** The model that was asked, where the call may ask several. */
  readonly model?: string;
  /** True if an error before it in the round passes. */
  readonly passed: boolean;
  /** The first error of the round that passes, this one included. */
  readonly passing: PassingError | undefined;
}

/** Takes a failed attempt into account. */
export function takeFailure(live: Live, failure: Failure, options: DriverOptions): TakenFailure {
  const { effect, attempt, paid, passing: before } = live;
  const { usage, error } = failure;
  const model = modelOfAttempt(effect, attempt, options);
  if (usage !== undefined) {
    live.paid = paid === undefined ? usage : costTogether(paid, usage);
    live.spent = spentWith(live.spent, model, usage);
  }
  const kept = () => keptError(options, { id: effect.id, attempt, error });
  const passing = before ?? (isDown(effect, failure) ? kept() : undefined);
  const { round, isWhole } = roundOf(effect, attempt, options);
  live.passing = isWhole ? undefined : passing;
  const named = model === undefined ? {} : { model };
  return { round, isWhole, passed: before !== undefined, passing, ...named };
}
