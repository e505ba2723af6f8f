/**
 * Types of a turn of a run on an engine: the run's parts, what arrives, and what the engine has to do after it.
 */
import type { Call, Owed } from "../../core/driver/index.js";
import type { HostOptions, Randomness } from "../../runtime/for-hosts.js";
import type { Answer, MayDecide, NewMail, Opening } from "../../serve/for-adapters.js";
import type { Kept } from "./kept.js";
import type { Reported } from "./record.js";

/** The parts of a run. */
export interface KeptRunParts {
  readonly id: string;
  readonly kept: Kept;
  readonly opening: Omit<Opening, "now">;
  readonly hidden: Pick<HostOptions, "redact" | "maskCredentials">;
  readonly random: Pick<Randomness, "id">;
  readonly mayDecide?: MayDecide | undefined;
  /**
   * True where attempts are lost with the one that began them, and a driver stays open from turn to turn. False
   * where each turn opens the run anew, and attempts go on in between.
   */
  readonly stays: boolean;
}

/** Everything that arrives at a turn. */
export interface Arrivals {
  readonly mail?: readonly NewMail[] | undefined;
  readonly reports?: readonly Reported[] | undefined;
  /** A run that was given up is tried again. */
  readonly unpark?: boolean | undefined;
}

/** The debts of an engine after a turn, when its writes are durable; in this order. */
export interface Turned extends Pick<Owed, "stop" | "begin" | "kept" | "wakeAt"> {
  readonly answers: readonly Answer[];
  /** The journal that the attempts to begin stand in. */
  readonly fork: string;
  /** All attempts that were begun before this turn are to be stopped: what they report is not taken. */
  readonly isAbandoned: boolean;
  /** Handles that were refused, and why. */
  readonly refused: readonly (Call & { readonly message: string })[];
  /** The id of its reasoner; `undefined` where there is no run. */
  readonly reasoner: string | undefined;
  /** Attempts are being carried out. */
  readonly isBusy: boolean;
}

/** Returns true if two calls are the same attempt. */
export function isOf(attempt: Call, { run, id, attempt: count }: Call): boolean {
  return attempt.run === run && attempt.id === id && attempt.attempt === count;
}
