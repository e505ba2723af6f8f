/**
 * The running effects of one run: started under the scheduler's limit, with their attempts counted.
 * What they report is withheld until the line that issues them is durable.
 */
import type { StartMark } from "../../core/journal/index.js";
import type { Effect, LlmDirective, Reasoner, RunState } from "../../core/kernel/index.js";
import type { Children } from "../children/children.js";
import type { EffectHost, Incoming } from "../effects/effect-host.js";
import { carryOut } from "../effects/effects.js";
import type { Clock } from "../ports.js";
import { EarlyModelCalls } from "./early-model-calls.js";
import type { LazyAbort } from "./lazy-abort.js";
import type { Observation } from "./observation.js";
import type { ObservationPublisher } from "./observation-publisher.js";
import type { HostOptions } from "./options.js";
import { Partials } from "./partials.js";
import { runContextOf } from "./run-context.js";
import { Scheduler } from "./scheduler.js";
import type { Slots } from "./slots.js";

/** What the effects of a run need, and where their settlements go. */
export interface EffectRunnerParts<Context> {
  readonly runId: string;
  readonly reasoner: Pick<Reasoner<never, unknown, Context>, "tools">;
  readonly options: HostOptions;
  readonly clock: Clock;
  readonly slots: Slots;
  /** How many attempts of each outstanding, marked effect had begun before this process. */
  readonly attempts: ReadonlyMap<string, number>;
  readonly children: Children;
  readonly show: ObservationPublisher<Context>;
  /** The newest state whose line is durable: what tools may see. */
  durable(): RunState<Context>;
  /** Whether an effect is still outstanding in the newest state, durable or not. */
  isOwed(id: string): boolean;
  /** Resolves when the mark is durable. */
  mark(mark: StartMark): Promise<void>;
  /** Posts the settlement of an effect. */
  post(settlement: Incoming): void;
  /** An effect was stopped, and will not settle. */
  stopped(): void;
  /** The journal failed: the run cannot continue. */
  fail(thrown: unknown): void;
}

/** Runs the effects of one live run. */
export class EffectRunner<Context> {
  readonly scheduler: Scheduler;
  /** What models have written of answers that are not there yet. */
  readonly partials: Partials = new Partials();
  /** Model calls whose lines are still being written. */
  readonly ahead: EarlyModelCalls = new EarlyModelCalls();
  readonly #parts: EffectRunnerParts<Context>;
  readonly #attempts: Map<string, number>;
  /** Effects whose first attempts are marked and have not begun. */
  readonly #unbegun = new Set<string>();
  readonly #host: EffectHost;
  /** What observers were told that is done to requests. */
  readonly #mended = new Set<string>();

  constructor(parts: EffectRunnerParts<Context>) {
    const { runId, reasoner, options, clock, show } = parts;
    this.#parts = parts;
    this.#attempts = new Map(parts.attempts);
    this.scheduler = new Scheduler(
      parts.slots,
      (effect, stop) => void this.#carryOut(effect, stop),
    );
    this.#host = {
      runId,
      ports: {
        tools: reasoner.tools,
        model: options.model,
        stores: options.stores,
        services: options.services,
        onDelta: ({ directive: { id }, attempt }, delta, streamed) => {
          this.partials.take(id, streamed);
          this.ahead.show(id, () => show.delta(id, attempt, delta));
        },
        onNotice: (code, message) => {
          // What is done to a request is done to each that follows.
          if (code === "request.mended" && this.#mended.has(message)) return;
          if (code === "request.mended") this.#mended.add(message);
          show.notice(code, message);
        },
      },
      options,
      clock,
      observe: (observation) => {
        const { type } = observation;
        if (type === "started") this.partials.begin(observation.id, observation.attempt);
        // What an attempt wrote that failed is void, also before the next one begins.
        if (type === "retry") this.partials.begin(observation.id, observation.attempt - 1);
        this.ahead.show("id" in observation ? observation.id : undefined, () =>
          show.ifObserved(observation as Observation<Context>),
        );
      },
      isOwed: (id) => parts.isOwed(id),
      mark: async (mark) => {
        this.#attempts.set(mark.id, mark.attempt);
        await parts.mark(mark);
      },
      withoutSlot: (id, wait) => this.scheduler.withoutSlot(id, wait),
    };
  }

  /** How many attempts of an effect have begun, of what is marked. */
  begun(id: string): number {
    return (this.#attempts.get(id) ?? 0) - (this.#unbegun.has(id) ? 1 : 0);
  }

  /** The first attempt of an effect is marked in the line that issues it. */
  markFirst(id: string): void {
    this.#attempts.set(id, 1);
    this.#unbegun.add(id);
  }

  /** Begins a model call whose line is being written. */
  callAhead(call: LlmDirective): void {
    this.ahead.begin(call.id);
    this.scheduler.submit(call, true);
  }

  /** Effects are settled or cancelled, and the lines that say so are durable. */
  end(ids: readonly string[], reason: Error): void {
    this.scheduler.cancel(ids, reason);
    for (const id of ids) {
      this.#attempts.delete(id);
      this.#unbegun.delete(id);
      this.partials.drop(id);
    }
  }

  async #carryOut(effect: Effect, stop: LazyAbort): Promise<void> {
    const { children, show, durable, isOwed, post, stopped, fail } = this.#parts;
    const { id } = effect;
    const begun = this.begun(id);
    const marked = this.#unbegun.delete(id);
    const run = runContextOf(durable());
    try {
      const settlement = !isOwed(id)
        ? await undefined
        : effect.type === "run"
          ? await children.run(effect, stop)
          : await carryOut(effect, this.#host, { stop, begun, marked, run });
      // Its slot is given up when what came of it is durable.
      if (settlement !== undefined && !stop.aborted) return post(settlement);
      if (settlement !== undefined) {
        const { type } = settlement;
        this.ahead.show(id, () =>
          show.notice("late", `${type} ${id} came after it was cancelled and was dropped.`),
        );
      }
    } catch (thrown) {
      // Only the journal throws here: without it nothing may go on.
      fail(thrown);
    }
    this.scheduler.release(id, stop);
    stopped();
  }
}
