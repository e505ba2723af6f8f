/** Opens drivers: of a run that begins, with its header and its start; and what marks say of one that goes on. */
import type { HeaderLine, JournalMemory } from "../journal/live.js";
import {
  type Reasoner,
  type RunEvent,
  type RunState,
  tableCells,
  tableHas,
  toJson,
} from "../kernel/index.js";
import { checkSize, redacted } from "./door.js";
import { Driver, type DriverSource } from "./driver.js";
import { LineLog } from "./line-log.js";
import type { DriverOptions } from "./options.js";

/** A run that begins. */
export interface NewRun<Input> extends Pick<HeaderLine, "budget" | "config" | "parent" | "seed"> {
  readonly input: Input;
  readonly runId: string;
  /** The host's clock, in milliseconds since 1970: the time of the start. */
  readonly at: number;
  /** The run that this one goes on from: where it stood, and its last context. */
  readonly from?: { readonly link: HeaderLine["from"] & object; readonly context: unknown };
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
  { input, runId, at, seed, budget, config, parent, from }: NewRun<Input>,
  options: Pick<DriverOptions, "redact" | "maskCredentials">,
): Beginning<Context> {
  const whole = reasoner.prepare(input, from !== undefined) ?? null;
  const raw = { type: "start", at, input: toJson(whole, "input") } as const;
  const kept = redacted(options, raw) as typeof raw;
  checkSize(kept.input, "The input");
  const start = {
    at,
    runId,
    ...(seed === undefined ? {} : { seed }),
    ...(budget === undefined ? {} : { budget }),
  };
  const step = reasoner.start(kept.input as Input, {
    ...start,
    prepared: true,
    ...(from === undefined ? {} : { from: from.context }),
  });
  const log = new LineLog();
  log.inherit(from?.context);
  const headerHash = log.header({
    reasoner: { id: reasoner.id, version: reasoner.version },
    fingerprint: reasoner.fingerprint,
    configuration: reasoner.configuration,
    input: kept.input,
    ...start,
    ...(config === undefined ? {} : { config }),
    ...(parent === undefined ? {} : { parent }),
    ...(from === undefined ? {} : { from: from.link }),
  });
  const event = { type: "start", at } as RunEvent;
  return { state: step.state, log, start: { event, step }, headerHash };
}

/**
 * Opens the driver of a run that begins. The lines of its header and its start are in what the first `take`
 * owes.
 * @throws ReckonerError as {@link beginRun}
 */
export function openDriver<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  run: NewRun<Input>,
  options: DriverOptions,
): Driver<Input, Output, Context> {
  return new Driver(reasoner, beginRun(reasoner, run, options), options);
}

/** Returns the marks that concern what is outstanding. */
export function outstandingOf(
  { outstanding }: RunState,
  { begun, failed, interrupt }: JournalMemory,
): Required<Pick<DriverSource<unknown>, "begun" | "failed">> &
  Pick<DriverSource<unknown>, "interrupt"> {
  const attempts = new Map<string, number>();
  for (const cell of tableCells(begun)) {
    if (cell !== null && cell[1] !== "run" && tableHas(outstanding, cell[0])) {
      attempts.set(cell[0], cell[1]);
    }
  }
  const failures = failed === undefined ? [] : tableCells(failed).filter((cell) => cell !== null);
  return {
    begun: attempts,
    failed: new Map(failures),
    ...(interrupt === undefined ? {} : { interrupt }),
  };
}
