/** The result of loading a run, and the options. */

import { type DriverOptions, type FoldedTree, outstandingOf } from "../../core/driver/index.js";
import type {
  AskedInterrupt,
  FailedAttempts,
  HeaderLine,
  JournalMemory,
  Recorder,
  RunUpgrade,
  SnapshotPlace,
} from "../../core/journal/index.js";
import type { Reasoner, RunState } from "../../core/kernel/index.js";
import type { JournalPort, JournalPosition, StoredSnapshot } from "../ports.js";
import type { NoticeCode } from "../running/observation.js";
import type { Trail } from "./history.js";
import { tornNotice } from "./read-journal.js";
import type { ReasonerVersions } from "./reasoners-of.js";
import type { PendingUpgrade } from "./upgrade.js";

/** A run as its journal left it. */
export interface LoadedRun<Context> {
  /** The one that goes on with it. */
  readonly reasoner: Reasoner<never, unknown, Context>;
  readonly header: HeaderLine;
  /** Hash of the header's line. */
  readonly headerHash: string;
  /** Absent where the process ended before the start was recorded. */
  readonly state: RunState<Context> | undefined;
  /** The context of the run that this one goes on from, where it was read. */
  readonly from: unknown;
  readonly recorder: Recorder;
  /** The runs of its tree. */
  readonly tree: FoldedTree;
  /** Where the journal ends, a torn line left out. */
  readonly position: JournalPosition;
  /** The end of the line of the newest event or upgrade, and its hash. */
  readonly place: SnapshotPlace | undefined;
  /** Upgrades whose lines are to be written, the root's last: the states are the migrated ones. */
  readonly upgrades: readonly RunUpgrade[];
  /** The end of the line in which the last List of the root was recorded. */
  readonly listed: SnapshotPlace["listed"];
  /** That line proves the state of the root: a snapshot may stand there. */
  readonly proves: boolean;
  /** How many attempts of each outstanding effect that is marked have begun. */
  readonly attempts: ReadonlyMap<string, number>;
  /** Attempts of outstanding effects that came to nothing, where another follows. */
  readonly failed: ReadonlyMap<string, FailedAttempts>;
  /** An interrupt that was asked for and has not ended the turn yet. */
  readonly interrupt?: AskedInterrupt;
  /** The snapshots that are kept, but for those that are none. */
  readonly snapshots: readonly StoredSnapshot[];
  /** Those that were found to be none, by their events. */
  readonly unfit: readonly number[];
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

/** Returns the marks that concern what a run owes. */
export function begunOf(
  state: RunState | undefined,
  memory: JournalMemory,
): Pick<LoadedRun<unknown>, "attempts" | "failed" | "interrupt"> {
  if (state === undefined) return { attempts: new Map(), failed: new Map() };
  const { begun: attempts, ...marked } = outstandingOf(state, memory);
  return { attempts, ...marked };
}

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
