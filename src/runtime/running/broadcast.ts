/**
 * Distributes the observations of a live run to its observers and iterators. All get the same, redacted; if
 * an observer throws, the others are notified and the run is not affected.
 */
import { isThenable, messageOf } from "../../core/kernel/values/index.js";
import { type Observation, ObservationStream } from "../ports/observation.js";
import type { HostOptions } from "../ports/options.js";
import { outgoing } from "./outgoing.js";
import { StreamingMessages } from "./streaming-messages.js";

/** What an observer threw on. */
type Thrown = {
  readonly type: "notice";
  readonly code: "observer.threw";
  readonly message: string;
};

/** Shows one run to whoever looks on. */
export class Broadcast<Context> {
  readonly #options: HostOptions;
  readonly #letGo: (thrown: unknown) => void;
  readonly #streams = new Set<ObservationStream<Context>>();
  #present = new StreamingMessages();
  #over: { readonly failure: { readonly thrown: unknown } | undefined } | undefined;

  /** @param letGo a redaction hook failed: it ends what this process does for the run */
  constructor(options: HostOptions, letGo: (thrown: unknown) => void) {
    this.#options = options;
    this.#letGo = letGo;
  }

  /** Whether there are observers, or there may be some later that need the text so far. */
  get isSeen(): boolean {
    return this.#streams.size > 0 || this.#observers.length > 0 || this.#present.any;
  }

  get #observers(): NonNullable<HostOptions["observers"]> {
    return this.#options.observers ?? [];
  }

  /** Shows an observation to the observers and to whoever iterates. */
  observe(raw: Observation<Context>): void {
    const observation = this.#redacted(() => outgoing(this.#options, raw));
    if (observation === undefined) return;
    for (const i of this.#observers.keys()) this.#tell(i, observation);
    this.#show(observation);
    // Last, so that who begins to iterate on hearing of it is told once. As the model sent it: what
    // was missed is redacted when it is told, all of it at once.
    this.#present.take(raw);
  }

  #tell(i: number, observation: Observation<Context>): void {
    const threw = (thrown: unknown) => this.#threw(i, observation, thrown);
    try {
      const returned: unknown = this.#observers[i]?.(observation);
      if (isThenable(returned)) Promise.resolve(returned).then(undefined, threw);
    } catch (thrown) {
      threw(thrown);
    }
  }

  /**
   * Notifies the other observers; what they throw on that is only given to iterators, to avoid an
   * endless loop.
   */
  #threw(by: number, on: Observation<Context>, thrown: unknown): void {
    const message = `Observer ${by} threw on ${on.type}: ${messageOf(thrown)}`;
    const notice: Thrown = { type: "notice", code: "observer.threw", message };
    const seen = this.#redacted(() => outgoing<Context>(this.#options, notice));
    if (seen === undefined) return;
    const isOwnNotice = on.type === "notice" && on.code === notice.code;
    for (const i of isOwnNotice ? [] : this.#observers.keys()) {
      if (i !== by) this.#tell(i, seen);
    }
    this.#show(seen);
  }

  /** What the hook leaves; nothing where it fails. */
  #redacted<T>(redact: () => T): T | undefined {
    try {
      return redact();
    } catch (thrown) {
      this.#letGo(thrown);
      return undefined;
    }
  }

  #show(observation: Observation<Context>): void {
    for (const stream of this.#streams) stream.push(observation);
  }

  /** The run is over: whoever iterates is told what it failed with, if it did. */
  close(failure?: { readonly thrown: unknown }): void {
    this.#over = { failure };
    // What was being written is over with it, also where the run goes on elsewhere.
    this.#present = new StreamingMessages();
    for (const stream of this.#streams) stream.end(failure);
    this.#streams.clear();
  }

  /** Somebody begins to iterate. */
  join(): ObservationStream<Context> {
    const stream = new ObservationStream<Context>((left) => this.#streams.delete(left));
    for (const missed of this.#present.missed()) {
      const seen = this.#redacted(() => outgoing(this.#options, missed));
      if (seen !== undefined) stream.push(seen as Observation<Context>);
    }
    if (this.#over === undefined) this.#streams.add(stream);
    else stream.end(this.#over.failure);
    return stream;
  }
}
