/**
 * Types of what a driver continues from (states, children, log, attempts in flight), and `Inheritance`, the
 * settlements that a fork takes over from the run it was forked from.
 */
import type {
  AskedInterrupt,
  BeginRecord,
  FailedAttempts,
  Handle,
} from "../journal/for-live-runs.js";
import type { RunState } from "../kernel/machine/index.js";
import type { Settlement } from "../kernel/vocabulary/index.js";
import type { InFlight, Path } from "./arrived.js";
import type { AnyReasoner, RunStart } from "./child.js";
import type { LineLog } from "./line-log.js";
import type { Kinship } from "./parents-and-children.js";
import type { RunPlace } from "./shared-by-runs.js";

/** The state that a run goes on from. */
export interface RunSource<Context> {
  readonly state: RunState<Context>;
  /** The number of begun attempts of each outstanding effect whose attempts are marked. */
  readonly begun?: ReadonlyMap<string, number>;
  /** Attempts of outstanding effects that came to nothing, where another follows. */
  readonly failed?: ReadonlyMap<string, FailedAttempts>;
  /** The handles of outstanding effects. */
  readonly handles?: ReadonlyMap<string, Handle>;
  /** The journal was longer once: what is outstanding may have begun behind its end. */
  readonly isShort?: boolean;
  /** Of a child, with which it began. */
  readonly begin?: Pick<BeginRecord, "input" | "budget">;
  /** The start of the run, where it is not recorded yet; `state` is its step's. */
  readonly start?: RunStart<Context>;
}

/** A child run that goes on. */
export interface ChildSource extends RunSource<never> {
  readonly reasoner: AnyReasoner;
  readonly place: RunPlace;
}

/** The state and the lines that a driver goes on from. */
export interface DriverSource<Context> extends RunSource<Context> {
  /** The lines so far. */
  readonly log: LineLog;
  readonly seed?: string | undefined;
  /** The tree as its lines left it, and the children that are not over; absent where there is the root alone. */
  readonly tree?: {
    readonly kin: Kinship;
    readonly children: readonly ChildSource[];
    /** Fingerprints of configurations that the root has left. */
    readonly left?: readonly string[] | undefined;
  };
  /** An interrupt that was asked for and has not ended the turn yet. */
  readonly interrupt?: AskedInterrupt;
  /** The attempts that go on, from the driver before; absent after a crash. */
  readonly inFlight?: InFlight;
  /** Settlements with their own times, which come before everything else, and the runs that they are for. */
  readonly inherited?: readonly Inherited[];
}

/** A settlement that a fork takes over from the run that it was forked from. */
export interface Inherited {
  readonly run: Path;
  readonly event: Settlement;
}

/** The answers that a fork takes over, in the order in which they are given. */
export class Inheritance {
  #left: readonly Inherited[];

  constructor(left: readonly Inherited[] = []) {
    this.#left = left;
  }

  get isEmpty(): boolean {
    return this.#left.length === 0;
  }

  /** The next answer, which is given by that. */
  next(): Inherited | undefined {
    const [next, ...others] = this.#left;
    this.#left = others;
    return next;
  }

  /** The outcomes of children that are outstanding, which are given by that. */
  outcomes(isOutstanding: (of: Inherited) => boolean): readonly Inherited[] {
    const isOutcome = (of: Inherited) =>
      /^run\.(?:succeeded|failed)$/.test(of.event.type) && isOutstanding(of);
    const outcomes = this.#left.filter(isOutcome);
    if (outcomes.length > 0) this.#left = this.#left.filter((of) => !outcomes.includes(of));
    return outcomes;
  }
}
