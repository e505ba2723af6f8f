/**
 * Makes what a driver needs to continue a run whose journal was read: its state, its children, and the log
 * that writes the next lines.
 */
import { type HeaderLine, type RunUpgrade, recordUpgrade, startOf } from "../journal/index.js";
import type { Reasoner, RunState } from "../kernel/machine/index.js";
import type { RunEvent } from "../kernel/vocabulary/index.js";
import { beginOf } from "./child.js";
import type { DriverSource } from "./continue-from.js";
import type { FoldedTree } from "./folded-tree.js";
import { LineLog, type LogOrigin } from "./line-log.js";
import { outstandingOf } from "./open.js";

/** A run as its lines left it. */
export interface ReadRun<Context> extends LogOrigin {
  readonly header: HeaderLine;
  /** Absent where the process ended before the start was recorded. */
  readonly state: RunState<Context> | undefined;
  /** The context of the run that this one goes on from. */
  readonly from?: unknown;
  readonly tree: FoldedTree;
  /** Upgrades whose lines are to be written: the source's log has them. */
  readonly upgrades: readonly RunUpgrade[];
  /** The journal was longer once: whatever it owes may have begun behind its end. */
  readonly isShort?: boolean;
}

/** @param reasoner the code that goes on with it: that of its configuration, or of its last upgrade */
export function continuedFrom<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  read: ReadRun<Context>,
): DriverSource<Context> {
  const { header, state, from, recorder, tree, upgrades, isShort } = read;
  const log = new LineLog(read);
  const children = tree.sources(recorder, isShort);
  if (upgrades.length > 0) log.upgrade(recordUpgrade(recorder, upgrades));
  const { seed, input, budget } = header;
  if (state === undefined) {
    const step = startOf(reasoner, header, from);
    const event = { type: "start", at: step.state.at } as RunEvent;
    const begin = beginOf(reasoner, input, budget);
    return { state: step.state, log, seed, start: { event, step, begin } };
  }
  return {
    state,
    log,
    seed,
    tree: { kin: tree.kin, children, left: tree.configuration.left },
    ...outstandingOf(state, recorder.memory, isShort),
  };
}
