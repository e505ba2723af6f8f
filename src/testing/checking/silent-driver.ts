/** Drivers of simulated runs whose lines nobody reads: they write none, and prove nothing. */
import {
  beginRun,
  Driver,
  type DriverOptions,
  LineLog,
  type NewLines,
  type NewRun,
  type Path,
  type RunDriver,
} from "../../core/driver/index.js";
import { type JournalMemory, Ledger, type Mark } from "../../core/journal/index.js";
import type { Reasoner, RunEvent, Step, Usage } from "../../core/kernel/index.js";

const ROOT: Path = "";

/** A log that keeps what a journal would remember, and no lines. */
class SilentLog extends LineLog {
  readonly #ledgers = new Map<Path, Ledger>([[ROOT, new Ledger()]]);
  #seq = 0;

  override memoryOf(run: Path): JournalMemory {
    return (this.#ledgers.get(run) as Ledger).memory;
  }

  override begin(run: Path): void {
    this.#ledgers.set(run, new Ledger());
  }

  override lose(run: Path, usage: Usage): void {
    (this.#ledgers.get(run) ?? this.#ledgers.get(ROOT))?.inherit(usage);
  }

  override drop(run: Path): void {
    this.#ledgers.delete(run);
  }

  override event<Input, Output, Context>(
    _reasoner: Reasoner<Input, Output, Context>,
    event: RunEvent,
    step: Step<Context>,
    starts: readonly number[],
    run: Path = ROOT,
  ): number {
    this.#ledgers.get(run)?.pass(event, step, starts);
    this.#seq += 1;
    return this.#seq - 1;
  }

  override mark(mark: Mark, run: Path = ROOT): void {
    this.#ledgers.get(run)?.mark(mark);
  }

  override take(): NewLines {
    return { lines: [], at: { lines: 0, bytes: 0 } };
  }

  override isDue(): boolean {
    return false;
  }
}

/** Opens a driver that writes no lines. */
export function silentDriver<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  run: NewRun<Input>,
  options: DriverOptions,
): RunDriver<Context> {
  const source = { ...beginRun(reasoner, run, options), log: new SilentLog() };
  return new Driver(reasoner, source, options);
}
