/**
 * `Shared`: the options, the log, the effects, the clock and the results of the present `take`, which a
 * driver and all of its runs use together.
 */
import type { Call, Incoming, Path, Settling } from "./arrived.js";
import type { Hiding } from "./door.js";
import type { Effects, Live } from "./effects.js";
import type { LineLog } from "./line-log.js";
import type { DriverOptions } from "./options.js";
import type { Refused, Shown, Stop } from "./owed-by-host.js";
import type { Gone, Kinship } from "./parents-and-children.js";
import type { WindingDown } from "./winding-down.js";

/** The part that a driver and its runs share. */
export interface Shared<Context> {
  readonly options: DriverOptions & Hiding;
  readonly log: LineLog;
  readonly winding: WindingDown;
  readonly kin: Kinship;
  readonly effects: Effects;
  /** The settlements that follow from what was taken, and are in no line. */
  readonly news: Following[];
  /** The present moment, as events have times, and how far the host's clock is behind it. */
  now: number;
  offset: number;
  /** The number of slots. */
  readonly slots: number;
  /** The debts of the present take so far. */
  out: Out<Context>;
  /** Lets go of a run that is over. */
  bury(gone: Gone): void;
  /** Has deadlines of a run, and of those above it, stand still or go on. */
  pace(run: Path): void;
}

/** The debts of a take beside its lines. */
export interface Out<Context> {
  readonly show: Shown<Context>[];
  readonly begun: Live[];
  readonly stop: Stop[];
  readonly kept: Call[];
  readonly refused: Refused[];
}

/** The debts at the beginning of a take. */
export function noDebts<Context>(): Out<Context> {
  return { show: [], begun: [], stop: [], kept: [], refused: [] };
}

/** The place of a run in its tree. */
export interface RunPlace {
  readonly path: Path;
  /** The names under which the reasoners on the way know its own, from the root on. */
  readonly through: readonly string[];
  /** The root's. */
  readonly seed?: string | undefined;
}

/** A run that takes settlements. */
interface Stepping {
  step(event: Incoming): void;
}

/** A settlement that follows from what was taken. */
export interface Following {
  readonly run: Stepping;
  readonly live: Live;
  readonly settlement: Settling;
}
