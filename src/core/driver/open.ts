/**
 * Opens drivers of new runs, with the header of their journal and their start; and collects, for a run that
 * continues, what the journal's marks say about attempts of outstanding effects.
 */
import {
  chartOf,
  type JournalMemory,
  type Labels,
  type RunLink,
} from "../journal/for-live-runs.js";
import type { Reasoner, RunState } from "../kernel/machine/index.js";
import { type Table, tableCells, tableHas } from "../kernel/values/index.js";
import type { Budget, RunEvent, Usage } from "../kernel/vocabulary/index.js";
import type { Arrived, InFlight, Path } from "./arrived.js";
import { beginOf } from "./child.js";
import type { DriverSource } from "./continue-from.js";
import { keptInput } from "./door.js";
import { checkDriverOptions, checkNewRun } from "./door-shapes.js";
import { Driver } from "./driver.js";
import { LineLog } from "./line-log.js";
import type { DriverOptions } from "./options.js";
import type { Owed } from "./owed-by-host.js";
import { SilentLog } from "./silent-log.js";

/** A run that begins. */
export interface NewRun<Input> {
  readonly input: Input;
  readonly runId: string;
  /** The host's clock, in milliseconds since 1970: the time of the start. */
  readonly at: number;
  readonly seed?: string | undefined;
  /** The part of its parent's budget that the run may spend. */
  readonly budget?: Budget | undefined;
  /** The path of its configuration; a hint. */
  readonly config?: string | undefined;
  readonly labels?: Labels | undefined;
  /** The id of the key with which texts of the run are sealed. */
  readonly keyId?: string | undefined;
  /** The run that this one goes on from: where it stood, and its last context. */
  readonly from?: { readonly link: RunLink; readonly context: unknown } | undefined;
}

/** The driver of a run, as its host sees it. */
export interface RunDriver<Context = unknown> {
  /** The newest state; its lines may not be durable yet. */
  readonly state: RunState<Context>;
  /** The usage of the run and of its children so far. */
  readonly usage: Usage;
  /** The newest state of a child, by its path; `undefined` where it has not begun, or is over. */
  stateOf(run: Path): RunState | undefined;
  /**
   * All that the next driver of the run needs beside the lines, where this one is dropped: plain JSON, to be
   * kept together with the lines of the last take.
   */
  readonly inFlight: InFlight;
  /**
   * Takes what has arrived, and returns what is owed. A driver whose lines were refused, or that says `broken`,
   * is dropped. Malformed arrivals are among `Owed.refused`, with their reasons.
   * @param now the host's clock, in milliseconds since 1970
   * @throws ReckonerError `event.invalid` where `now` is no time; then nothing is taken
   */
  take(arrived: readonly Arrived[], now: number): Owed<Context>;
}

/** The source of a driver whose run begins, and the hash of its header. */
export interface Beginning<Context> extends DriverSource<Context> {
  readonly headerHash: string;
}

/**
 * Begins a run: prepares and redacts its input, starts its machine, and encodes its header.
 * @throws ReckonerError `json.refused`, `event.tooLarge`, `redaction.refused`, and what the reasoner throws at its
 * input
 */
export function beginRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  { input, runId, at, seed, budget, config, keyId, labels, from }: NewRun<Input>,
  options: Pick<DriverOptions, "redact" | "maskCredentials">,
  log: LineLog = new LineLog(),
): Beginning<Context> {
  const kept = keptInput(reasoner, input, at, options, from !== undefined);
  const start = {
    at,
    runId,
    ...(seed === undefined ? {} : { seed }),
    ...(budget === undefined ? {} : { budget }),
  };
  const step = reasoner.start(kept as Input, {
    ...start,
    prepared: true,
    ...(from === undefined ? {} : { from: from.context }),
  });
  log.inherit(from?.context);
  const headerHash = log.header({
    reasoner: { id: reasoner.id, version: reasoner.version },
    fingerprint: reasoner.fingerprint,
    configuration: reasoner.configuration,
    ...chartOf(reasoner),
    input: kept,
    ...start,
    ...(config === undefined ? {} : { config }),
    ...(labels === undefined ? {} : { labels }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(from === undefined ? {} : { from: from.link }),
  });
  const event = { type: "start", at } as RunEvent;
  return {
    state: step.state,
    log,
    seed,
    start: { event, step, begin: beginOf(reasoner, kept, budget) },
    headerHash,
  };
}

/**
 * Opens the driver of a run that begins. The lines of its header and its start are in what the first `take`
 * owes.
 * @throws ReckonerError `option.invalid`, `json.refused`, `event.tooLarge`, `redaction.refused`, and what the reasoner throws at its
 * input
 */
export function openDriver<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  run: NewRun<Input>,
  options: DriverOptions,
): RunDriver<Context> {
  checkNewRun(reasoner, run);
  checkDriverOptions("openDriver", options);
  const log = options.lines === false ? new SilentLog() : new LineLog();
  return new Driver(reasoner, beginRun(reasoner, run, options, log), options);
}

/**
 * Returns the marks that concern what is outstanding.
 * @param isShort the journal was longer once: whatever has an effect may have begun behind its end
 */
export function outstandingOf(
  { outstanding }: RunState,
  { begun, failed, handles, interrupt }: JournalMemory,
  isShort = false,
): Required<Pick<DriverSource<unknown>, "begun" | "failed" | "handles" | "isShort">> &
  Pick<DriverSource<unknown>, "interrupt"> {
  const attempts = new Map<string, number>();
  for (const cell of tableCells(begun)) {
    if (cell !== null && tableHas(outstanding, cell[0])) attempts.set(cell[0], cell[1]);
  }
  for (const cell of isShort ? tableCells(outstanding) : []) {
    const [id, { type }] = cell ?? ["", { type: "" }];
    if (type === "tool" || type === "write") attempts.set(id, Math.max(1, attempts.get(id) ?? 0));
  }
  const cellsOf = <Entry>(table: Table<Entry> | undefined) =>
    table === undefined ? [] : tableCells(table).filter((cell) => cell !== null);
  return {
    begun: attempts,
    isShort,
    failed: new Map(cellsOf(failed)),
    handles: new Map(cellsOf(handles)),
    ...(interrupt === undefined ? {} : { interrupt }),
  };
}
