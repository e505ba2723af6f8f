/**
 * Decides with which code a run continues: that of its last configuration, or, with `upgrade`,
 * another one to which it is migrated. It writes nothing.
 */
import { type Carried, carriedOver } from "../../core/driver/index.js";
import {
  type Configuration,
  configurationOf,
  differenceOf,
  type HeaderLine,
  isOf,
} from "../../core/journal/index.js";
import { type Reasoner, type RunState, upgradeRefused } from "../../core/kernel/machine/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";

/** How to upgrade a run whose state the present code cannot tell by itself. */
export const PASS_BOTH = "pass that code as well, resume([now, before], …, { upgrade: true })";

/** An upgrade that is to be written down before anything else. */
export interface PendingUpgrade {
  readonly at: number;
  readonly from: Configuration;
  readonly to: Configuration;
  /** What tells them apart, in words. */
  readonly difference: string;
}

/** A run at the end of its journal. */
interface AtEnd<Context> extends Carried<Context> {
  /** Whether there are events behind that state that none of the reasoners can fold. */
  readonly lost: boolean;
}

/** How a run is carried over; each as in the options of a load. */
interface How {
  readonly lenient?: boolean | "requests";
  readonly shared?: boolean;
  readonly upgradeAt?: number;
}

/** The reasoner that folds a segment of a journal, or `undefined` where none is of its configuration. */
export function codeOf<R extends Pick<Reasoner, "fingerprint" | "version">>(
  reasoners: readonly R[],
  configuration: Configuration,
  lenient: boolean,
): R | undefined {
  const own = reasoners.find((each) => isOf(configuration, each));
  if (own !== undefined || !lenient) return own;
  return reasoners.find(({ version }) => version === configuration.version);
}

/**
 * Who goes on with a run, and in which state.
 * @throws ReckonerError `journal.configuration`, `upgrade.refused`
 */
export function carryOver<Input, Output, Context>(
  reasoners: readonly Reasoner<Input, Output, Context>[],
  { header, configuration, state, lost }: AtEnd<Context>,
  { lenient = false, shared = false, upgradeAt }: How,
  port: JournalPort,
): {
  readonly reasoner: Reasoner<Input, Output, Context>;
  readonly state: RunState<Context> | undefined;
  readonly upgrade: PendingUpgrade | undefined;
} {
  const first = reasoners[0] as Reasoner<Input, Output, Context>;
  const match = codeOf(reasoners, configuration, lenient !== false);
  const wanted = isOf(configuration, first) ? first : undefined;
  const goesOn = lost ? undefined : upgradeAt === undefined ? match : wanted;
  const reasoner = goesOn ?? first;
  const to = configurationOf(reasoner);
  const difference = differenceOf(configuration, to);
  // Whoever only reads takes the state as it is, and so does a fork, which carries over its own.
  const reads = (lenient !== false || shared) && !lost;
  if (goesOn !== undefined || reads) return { reasoner, state, upgrade: undefined };
  if (upgradeAt === undefined) {
    const isEarlier = first.version < configuration.version;
    throw otherConfiguration(port, header, difference, isEarlier);
  }
  if (lost) {
    throw upgradeRefused(
      `the events in ${port.name} behind ${state === undefined ? "its header" : `event ${state.seq}`} were taken by code that was not given, and no snapshot holds the state behind them; ${PASS_BOTH}, or go on with it until the run waits`,
    );
  }
  const carried = carriedOver(reasoner, { header, configuration, state }, upgradeAt);
  const { state: migrated } = carried;
  const upgrade = { ...carried.upgrade, difference };
  // A run that has ended is read by the present code, and nothing is written any more.
  const ended = migrated !== undefined && migrated.status !== "active";
  return { reasoner, state: migrated, upgrade: ended ? undefined : upgrade };
}

function otherConfiguration(
  port: JournalPort,
  { reasoner }: HeaderLine,
  difference: string,
  isEarlier: boolean,
): ReckonerError {
  const remedy = isEarlier
    ? "An upgrade does not lead back: pass the later code (--config)."
    : "Resume it with `upgrade: true` (--upgrade) to go on under this one, or pass the code that wrote it.";
  return new ReckonerError(
    "journal.configuration",
    `The journal ${port.name} was written under another configuration of ${reasoner.id}: ${difference}. ${remedy}`,
    { place: port.name },
  );
}
