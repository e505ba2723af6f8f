/**
 * Finds the chart of a journal's run, and the state that it was in, by the journal alone: for `reckoner graph`
 * without a config.
 */
import {
  isEventLine,
  isHeaderLine,
  isUpgradeLine,
  ROOT_RUN,
  runOf,
} from "../../core/journal/index.js";
import type { RunChart, StateValue } from "../../core/kernel/machine/index.js";
import { type JournalPort, viewOf } from "../../runtime/index.js";
import { usageError } from "../terminal/failure.js";

/** Where a run was, by its journal alone. */
export interface RecordedPlace {
  readonly id: string;
  readonly chart: RunChart;
  /** Absent before the first event. */
  readonly value: StateValue | undefined;
  /** The number of events that were read, children's included. */
  readonly events: number;
}

/**
 * Reads a journal up to an event.
 * @returns nothing where it holds no chart of its machine
 * @throws ReckonerError `cli.usage` where the event is past the last one; `journal.*`
 */
export async function recordedPlace(
  journal: JournalPort,
  at: number | undefined,
  torn: () => void,
): Promise<RecordedPlace | undefined> {
  let id = "";
  let chart: RunChart | undefined;
  let value: StateValue | undefined;
  let events = 0;
  for await (const line of viewOf(journal).treeLines(torn)) {
    const { line: read } = line;
    if (isHeaderLine(read)) {
      id = read.reasoner.id;
      // A fork has its past's where it says none of its own.
      chart = read.chart ?? chart;
    } else if (runOf(line) === ROOT_RUN && isUpgradeLine(read)) chart = read.upgrade.chart;
    else if (isEventLine(read)) {
      if (at !== undefined && read.seq > at) break;
      events = read.seq + 1;
      if (runOf(line) === ROOT_RUN) value = read.value;
    }
  }
  refusePast(at, events);
  return chart === undefined ? undefined : { id, chart, value, events };
}

/** @throws ReckonerError `cli.usage` where an event is past the last one */
export function refusePast(at: number | undefined, events: number): void {
  if (at === undefined || events > at) return;
  const last = events === 0 ? "there is none" : events - 1;
  throw usageError(`--at ${at} is past the last event, ${last}.`);
}
