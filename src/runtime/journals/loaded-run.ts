/**
 * Types of a run that was loaded from its journal, and of the options of loading. Also words what a person
 * should know of it, such as a last line that is torn.
 */

import type { DriverOptions, ReadRun } from "../../core/driver/index.js";
import type { RunUpgrade } from "../../core/journal/index.js";
import type { Reasoner } from "../../core/kernel/machine/index.js";
import type { NoticeCode } from "../ports/observation.js";
import type { JournalPort, JournalPosition, StoredSnapshot } from "../ports/ports.js";
import type { Trail } from "./history.js";
import { tornNotice } from "./read-journal.js";
import type { ReasonerVersions } from "./reasoners-of.js";
import type { KeptRows } from "./snapshots.js";
import type { PendingUpgrade } from "./upgrade.js";

/** A run as its journal left it. */
export interface LoadedRun<Context>
  extends Pick<ReadRun<Context>, "header" | "state" | "tree" | "recorder" | "place" | "marked"> {
  /** The one that goes on with it. */
  readonly reasoner: Reasoner<never, unknown, Context>;
  /** Hash of the header's line. */
  readonly headerHash: string;
  /** The context of the run that this one goes on from, where it was read. */
  readonly from: unknown;
  /** Where the journal ends, a torn line left out. */
  readonly position: JournalPosition;
  /** Upgrades whose lines are to be written, the root's last: the states are the migrated ones. */
  readonly upgrades: readonly RunUpgrade[];
  /** The journal was longer once, and that is accepted: whatever it owes may have begun behind its end. */
  readonly isShort: boolean;
  /** The snapshots that are kept, but for those that are none. */
  readonly snapshots: readonly StoredSnapshot[];
  /** Those that were found to be none, by their events. */
  readonly unfit: readonly number[];
  /** The rows beside the snapshot from which it was loaded. */
  readonly rows: KeptRows | undefined;
  readonly notices: readonly Notice[];
}

/** Something that a person should know of. */
export interface Notice {
  readonly code: NoticeCode;
  readonly message: string;
}

/**
 * Which differences from the record are tolerated, since the code has changed: all, or only those
 * of requests and not of what follows from them.
 */
export type Lenient = boolean | "requests";

/** How a run is loaded. */
export interface LoadOptions {
  /** Sequence number of the last event to take. Default: the last one. */
  readonly until?: number;
  /** Hash of the line behind which nothing is taken; where `until` alone may mean several. */
  readonly untilHash?: string;
  /** Default: nothing. */
  readonly lenient?: Lenient;
  /** A journal that was longer once is refused, or gone on with. Default: it is read as it is. */
  readonly loss?: "refuse" | "accept";
  /** Another run goes on from there, and carries the state over itself where it has to. */
  readonly shared?: boolean;
  /** The hook that may have changed what stands in lines: then what only follows is not compared. */
  readonly redact?: DriverOptions["redact"];
  /** The time, where a run of another configuration goes on under the first of the reasoners. */
  readonly upgradeAt?: number;
  /** The runs whose links led here. */
  readonly trail?: Trail;
}

/** Loads a run. */
export type LoadRun = <Input, Output, Context>(
  reasoners: ReasonerVersions<Input, Output, Context>,
  port: JournalPort,
  options?: LoadOptions,
) => Promise<LoadedRun<Context>>;

/** What a person should know of how a run was loaded. @param torn bytes behind the last newline */
export function noticesOf(upgrade: PendingUpgrade | undefined, torn: number): readonly Notice[] {
  const notices: Notice[] = [];
  if (torn > 0) notices.push({ code: "journal.torn", message: tornNotice(torn) });
  if (upgrade !== undefined) {
    const message = `The run goes on under another configuration: ${upgrade.difference}.`;
    notices.push({ code: "journal.upgraded", message });
  }
  return notices;
}
