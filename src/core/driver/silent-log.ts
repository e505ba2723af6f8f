/** The log of a driver whose lines nobody reads (`lines: false`). */
import { type JournalMemory, Ledger, type Mark } from "../journal/for-live-runs.js";
import type { Reasoner, Step } from "../kernel/machine/index.js";
import type { RunEvent, Usage } from "../kernel/vocabulary/index.js";
import type { Path } from "./arrived.js";
import { LineLog, type NewLines } from "./line-log.js";

const ROOT: Path = "";

/** A log that keeps what a journal would remember, and writes no lines: nothing is encoded, hashed or proved. */
export class SilentLog extends LineLog {
  readonly #ledgers = new Map<Path, Ledger>([[ROOT, new Ledger()]]);
  #seq = 0;

  override header(): string {
    return "";
  }

  override inherit(): void {}

  override memoryOf(run: Path): JournalMemory {
    return (this.#ledgers.get(run) as Ledger).memory;
  }

  override get says(): undefined {
    return undefined;
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
