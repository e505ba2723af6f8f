/**
 * `Owed`, the result of a driver's `take`: all that its host must do now, in order (append lines, show steps,
 * begin and stop attempts, keep a snapshot). It follows the example of `Ready` in etcd's raft.
 */
import type { BeginRecord, NamedRows } from "../journal/for-live-runs.js";
import type { Step } from "../kernel/machine/index.js";
import type { EffectError, RunEvent } from "../kernel/vocabulary/index.js";
import type { Arrived, Attempt, Call, Path } from "./arrived.js";

/** The place of lines in a journal: behind so many lines and bytes of UTF-8. */
export interface LinesPlace {
  readonly lines: number;
  readonly bytes: number;
}

/** An attempt failed, and `attempt` is the one that follows after so many milliseconds. */
export interface Retry {
  readonly type: "retry";
  readonly id: string;
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: EffectError;
}

/** The facts that a run's start depends on, beside its id and its time; but for a run from which it goes on. */
export interface Begun extends Pick<BeginRecord, "reasoner" | "fingerprint" | "input" | "budget"> {
  readonly seed?: string;
}

/** Something that observers are to be told of, when the lines are durable. */
export type Shown<Context = unknown> =
  | {
      readonly type: "step";
      /** Its run. */
      readonly run: Path;
      /** The place among the events of the tree, as its line has it. */
      readonly seq: number;
      readonly event: RunEvent;
      readonly step: Step<Context>;
      /** Of a start. */
      readonly begin?: Begun;
    }
  | (Retry & { readonly run: Path });

/** The standing of a run. */
export type Stands =
  /** Something will report, or is due: the host takes again when it does, or at `wakeAt`. */
  | "running"
  /** Nothing outstanding will settle without a person, a message or a moment that nobody here waits for. */
  | "waiting"
  | "ended"
  /** Nothing runs any more that the driver waits for, and the run is left to another process. */
  | "drained";

/** A snapshot of the tree that a mark of these lines names. */
export interface DueSnapshot {
  /** The place of the newest event among those of the tree. */
  readonly seq: number;
  readonly text: string;
  /** Bytes of the journal up to its mark. */
  readonly behind: number;
  /** The rows that it names: those that the store has not are to be stored before it. */
  readonly rows: NamedRows;
}

/** The debts of a host after a take. */
export interface Owed<Context = unknown> {
  /**
   * 1. Lines to make durable, in order, at `at`. Nothing else of this record happens before they are, but
   * `early`. The host may take again meanwhile.
   */
  readonly lines: readonly string[];
  readonly at: LinesPlace;
  /** Model calls, which may begin while the lines are on their way. Their deltas are withheld until the lines are durable. */
  readonly early: readonly Attempt[];
  /** 2. Tell the observers. */
  readonly show: readonly Shown<Context>[];
  /** 3. Abort these attempts, and take them out of a `begin` that was not carried out yet. */
  readonly stop: readonly Stop[];
  /** 4. Begin these, each with `perform`, and report what comes of each with `take`. */
  readonly begin: readonly Attempt[];
  /** The attempts whose handles stand in these lines: their ports may go on when the lines are durable. */
  readonly kept: readonly Call[];
  /** A snapshot, where one is due: store it after the lines, when it suits. Any may be lost. */
  readonly snapshot: DueSnapshot | undefined;
  /** Take again at this moment at the latest, on the host's clock; never in the past. */
  readonly wakeAt: number | undefined;
  readonly stands: Stands;
  /** The arrivals that were not taken, and why. */
  readonly refused: readonly Refused[];
  /** True if the settlements that follow were cut off at the bound of a take: take again at once. */
  readonly more: boolean;
  /**
   * Something threw that must not (a broken invariant, a redaction hook on an event of the host's). Write
   * the lines, carry out nothing, and drop the driver.
   */
  readonly broken?: { readonly thrown: unknown };
}

/** An attempt to abort, and why. */
export interface Stop extends Call {
  readonly why: "settled" | "cancelled" | "interrupted" | "late";
}

/** An arrival that was not taken. */
export interface Refused {
  readonly arrived: Arrived;
  readonly why: Refusal;
  /** The machine's own reason, where `why` is `refused`. */
  readonly error?: EffectError | undefined;
}

/** The reason why something was not taken. */
export type Refusal =
  /** The run has ended. */
  | "ended"
  /** No such attempt is outstanding any more. */
  | "late"
  /** No approval with this id waits. */
  | "stale"
  /** A settlement, a start or an interrupt as an event from outside: nobody may speak for a model or a tool. */
  | "forged"
  /** The deadline of the approval has passed in this very take. */
  | "overdue"
  /** The machine has no transition for an interrupt where it is. */
  | "uninterruptible"
  /** The machine refuses it where it is: a message to change that was taken, an edit that does not fit. */
  | "refused";
