/**
 * Takes the reports of a run's attempts, and decides whether each settles its effect, is followed by
 * another attempt, or has the effect wait for a model that is down.
 */
import type { PassingError } from "../journal/for-live-runs.js";
import type { EffectError } from "../kernel/vocabulary/index.js";
import type { Incoming, Outcome, Path, Settling } from "./arrived.js";
import { begin, isBegunMarked, markBegun } from "./begin-attempts.js";
import { masked, orInvalid } from "./door.js";
import type { Live, Owner } from "./effects.js";
import { failureOf, isSettlementOf, summed, unknownOf } from "./failures.js";
import { callOf } from "./hand-out.js";
import { type Failure, isOnce, mayTryAgain } from "./may-begin.js";
import { DEFAULT_ATTEMPTS } from "./options.js";
import { unfinished } from "./partials.js";
import { delayOf, downDelayOf } from "./retry-delay.js";
import { modelOfAttempt, roundOf } from "./rounds.js";
import type { Shared } from "./shared-by-runs.js";
import { takeFailure } from "./take-failure.js";
import { lateFailure } from "./time-limits.js";

/** The run whose attempts they are. */
interface Reported extends Owner {
  readonly path: Path;
  step(event: Incoming): undefined;
  stepFromOutside(event: Incoming): EffectError | undefined;
}

/** See the banner. */
export class Reports<Context> {
  readonly #run: Reported;
  readonly #shared: Shared<Context>;

  constructor(run: Reported, shared: Shared<Context>) {
    this.#run = run;
    this.#shared = shared;
  }

  /**
   * Takes what came of an attempt.
   * @returns the reason why it is refused: a report that is malformed, after which the attempt still runs, or an
   * approver's decision that the machine refuses, after which the approval waits for a person
   */
  take(live: Live, outcome: Outcome): EffectError | undefined {
    if (outcome.type === "stopped" && !this.#mustStop(live)) return this.#cutOff(live);
    if (outcome.type === "stopped" || live.phase === "stopping") {
      live.partial = unfinished(outcome) ?? live.partial;
      // If it is owed all the same when the turn is over, it begins again.
      this.#shared.effects.move(live, "queued");
    } else if (outcome.type === "failed") {
      if (live.effect.type !== "approval") return this.#failed(live, outcome);
      const message = `The approval ${live.effect.id} does not fail: report what is decided, or that it was stopped.`;
      return { code: "event.invalid", message };
    } else {
      const { settlement } = outcome;
      const { type, id } = live.effect;
      if (!isSettlementOf(live.effect, settlement)) {
        const message = `A ${settlement.type} of ${settlement.id} is no settlement of the ${type} ${id}.`;
        return { code: "event.invalid", message };
      }
      if (type !== "approval") {
        return this.#settle(live, summed(live.attempt, live.paid, settlement));
      }
      this.#shared.effects.move(live, "waiting");
      return this.#run.stepFromOutside(settlement);
    }
    return undefined;
  }

  /** Returns true if an attempt was stopped, or is held back before it begins. */
  #mustStop({ phase }: Live): boolean {
    return phase === "stopping" || this.#shared.winding.holdsBack(this.#run);
  }

  /** Somebody stopped an attempt that nobody told to stop, as a crash does. */
  #cutOff(live: Live): EffectError | undefined {
    const { effect, attempt, paid, handle } = live;
    if (isOnce(effect, this.#run.traits) && handle === undefined) {
      return this.#settle(live, summed(attempt, paid, unknownOf(effect, attempt, false)));
    }
    this.#shared.effects.move(live, "queued");
    return undefined;
  }

  #failed(live: Live, reported: Failure): EffectError | undefined {
    const { effect, attempt, down } = live;
    const { options, log, out, now } = this.#shared;
    // Before it goes into any mark, and to whoever is shown it.
    const failure = { ...reported, error: masked(options, reported.error) };
    const { error, usage } = failure;
    live.handle = undefined;
    const { passed, passing, round, isWhole, ...model } = takeFailure(live, failure, options);
    if (!mayTryAgain(effect, attempt, failure, this.#run.traits, passed)) {
      if (!this.#waitsForModel || passing === undefined)
        return this.#settle(live, failureOf(effect, failure, attempt, live.paid));
      this.#waitForModel(live, failure, passing);
      return undefined;
    }
    const delayMs = isWhole ? delayOf(effect, round, error, options) : 0;
    const { id } = effect;
    const until = now + delayMs;
    live.failed = attempt;
    const mark = {
      id,
      failed: attempt,
      ...(delayMs > 0 ? { until } : {}),
      ...(usage === undefined ? {} : { usage }),
      ...model,
      ...(isWhole || passing === undefined ? {} : { passing }),
      ...(down === undefined ? {} : { down }),
    };
    log.mark(mark, this.#run.path);
    out.show.push({ type: "retry", run: this.#run.path, id, attempt: attempt + 1, delayMs, error });
    if (delayMs > 0) this.#shared.effects.move(live, "delayed", until);
    else if (this.#shared.winding.holdsBack(this.#run)) this.#shared.effects.move(live, "queued");
    else this.#again(live);
    return undefined;
  }

  get #waitsForModel(): boolean {
    const { modelDown = "fail" } = this.#shared.options;
    return modelDown !== "fail";
  }

  /** A model is down: its call stays outstanding, and is made again later. */
  #waitForModel(live: Live, { error, usage }: Failure, passing: PassingError): void {
    const { log, out, now, options } = this.#shared;
    const { effect, attempt } = live;
    const { id } = effect;
    const { round } = roundOf(effect, attempt, options);
    const model = modelOfAttempt(effect, attempt, options);
    const tries = round - (options.retry?.attempts ?? DEFAULT_ATTEMPTS) + 1;
    const delayMs = downDelayOf(Math.max(1, tries));
    const until = delayMs === undefined ? undefined : now + delayMs;
    const { since = now } = live.down ?? {};
    const down = { ...passing, since };
    live.failed = attempt;
    live.down = down;
    const details = {
      ...(until === undefined ? {} : { until }),
      ...(usage === undefined ? {} : { usage }),
      ...(model === undefined ? {} : { model }),
    };
    log.mark({ id, failed: attempt, ...details, down }, this.#run.path);
    if (delayMs !== undefined) {
      out.show.push({
        type: "retry",
        run: this.#run.path,
        id,
        attempt: attempt + 1,
        delayMs,
        error,
      });
    }
    this.#shared.effects.move(live, "down", until);
    this.#shared.pace(this.#run.path);
  }

  /** An attempt is repeated at once, and keeps its slot. */
  #again(live: Live): void {
    this.#shared.out.begun.push(begin(this.#shared, live));
    if (isBegunMarked(live)) markBegun(this.#shared, live);
  }

  /** An effect is settled by what was reported of it. @returns why that is no settlement */
  #settle(live: Live, settlement: Settling): EffectError | undefined {
    const { phase, until } = live;
    // It has reported, and is not to be stopped.
    this.#shared.effects.move(live, "owed");
    const error = orInvalid(() => this.#run.step(this.#withPast(live, settlement)));
    if (error !== undefined) this.#shared.effects.move(live, phase, until);
    return error;
  }

  /**
   * An effect is settled by hand; what its attempts had cost and waited before is told all the same.
   * @returns why it is refused
   */
  settleByHand(live: Live, settlement: Settling): EffectError | undefined {
    return this.#run.stepFromOutside(
      this.#withPast(live, summed(live.failed, live.paid, settlement)),
    );
  }

  #withPast({ down, spent }: Live, settlement: Settling): Settling {
    // A clock may have been set back since, and nobody left who knows by how much.
    const waited =
      down === undefined ? {} : { waitedMs: Math.max(0, this.#shared.now - down.since) };
    return { ...settlement, ...(spent === undefined ? {} : { spent }), ...waited } as Settling;
  }

  /** Gives up an attempt whose time is up. */
  late(live: Live): void {
    this.#shared.out.stop.push({ ...callOf(live), why: "late" });
    const isTotal = live.latest !== undefined && live.latest <= this.#shared.now;
    this.#failed(live, lateFailure(live.effect, this.#run.traits, isTotal));
  }
}
