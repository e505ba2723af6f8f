/**
 * Carries out one attempt in a worker of Restate, and queues its handles and progress, and then its report.
 * The service sends these to the run, since nothing can be sent from within an effect.
 */
import type { Attempt } from "../../core/driver/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { type PerformPorts, perform, type Report } from "../../runtime/for-hosts.js";
import type { OnTheWay } from "./names.js";

/** Something that an execution says. */
export type TurnInput = OnTheWay | Report;

/** A port that waits until its handle is durable. */
interface Keeping {
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** See the banner. */
export class Execution {
  readonly #stop: AbortSignal;
  readonly #arrivals: TurnInput[] = [];
  /** In the order of their handles. */
  readonly #keeping: Keeping[] = [];
  #hear: ((arrival: TurnInput) => void) | undefined;
  #going: Promise<Report> | undefined;

  constructor(stop: AbortSignal) {
    this.#stop = stop;
  }

  /** Resolves to its report; `undefined` where it has not begun. */
  get report(): Promise<Report> | undefined {
    return this.#going;
  }

  begin(attempt: Attempt, ports: PerformPorts): void {
    const keep: PerformPorts["keep"] = (handle) =>
      new Promise((resolve, reject) => {
        if (this.#stop.aborted) return reject(this.#stop.reason);
        this.#keeping.push({ resolve, reject });
        this.say(handle);
      });
    this.#going = perform(attempt, { ...ports, keep }, this.#stop);
    void this.#going.then((report) => this.say(report));
  }

  say(arrival: TurnInput): void {
    this.#arrivals.push(arrival);
    this.#tell();
  }

  /** Resolves to the next word. */
  next(): Promise<TurnInput> {
    return new Promise((resolve) => {
      this.#hear = resolve;
      this.#tell();
    });
  }

  #tell(): void {
    const hear = this.#hear;
    const arrival = hear && this.#arrivals.shift();
    if (arrival === undefined) return;
    this.#hear = undefined;
    hear?.(arrival);
  }

  /** The handle that was said last is durable, or was refused. */
  kept(refused?: string): void {
    const keeping = this.#keeping.shift();
    if (refused === undefined) keeping?.resolve();
    else keeping?.reject(new ReckonerError("handle.refused", refused));
  }
}
