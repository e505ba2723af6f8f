/**
 * Makes the observations of a run and its children (steps, deltas, progress, notices) from what the loop
 * reports, and shows them to the run's observers.
 */
import type { Path, Shown } from "../../core/driver/for-live-runs.js";
import { type Json, messageOf } from "../../core/kernel/values/index.js";
import { type NoticeCode, type Observation, observedIn } from "../ports/observation.js";
import type { Delta } from "../ports/ports.js";

/** Where observations go, and whether anybody sees them. */
export interface Audience<Context> {
  observe(observation: Observation<Context>): void;
  observed(): boolean;
}

/** Shows the observations of a run and its children. */
export class ObservationPublisher<Context> {
  readonly #root: string;
  readonly #audience: Audience<Context>;

  /** @param root the id of the root */
  constructor(root: string, audience: Audience<Context>) {
    this.#root = root;
    this.#audience = audience;
  }

  #show(run: Path, observation: Observation<Context>): void {
    this.#audience.observe(observedIn(this.#root, run, observation));
  }

  /** Where it is only worth making when somebody sees it. */
  ifObserved(run: Path, observation: Observation<Context>): void {
    if (this.#audience.observed()) this.#show(run, observation);
  }

  /** A step whose line is durable. */
  step({ run, seq, event, step, begin }: Extract<Shown<Context>, { type: "step" }>): void {
    const { state, directives, ignored, thrown } = step;
    this.ifObserved(run, {
      type: "step",
      seq,
      event,
      ...(begin === undefined ? {} : { begin }),
      directives,
      state,
      ...(ignored === undefined ? {} : { ignored }),
    });
    if (thrown !== undefined) {
      this.notice(run, "machine.threw", `${state.fault?.place}: ${messageOf(thrown)}`);
    }
  }

  delta(run: Path, id: string, attempt: number, delta: Delta): void {
    this.#show(run, { type: "delta", id, attempt, delta });
  }

  progress(run: Path, id: string, data: Json): void {
    this.#show(run, { type: "progress", id, data });
  }

  notify(run: Path, topic: string, data: Json | undefined): void {
    this.#show(run, { type: "notify", topic, ...(data === undefined ? {} : { data }) });
  }

  notice(run: Path, code: NoticeCode, message: string): void {
    this.#show(run, { type: "notice", code, message });
  }
}
