/**
 * Writes the journal of a live run: appends lines in the order in which they were added, and saves the run's
 * snapshots and its row beside them.
 */
import type { DueSnapshot, NewLines, Owed } from "../../core/driver/for-live-runs.js";
import { isThenable, type ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort, JournalPosition, JournalWriter } from "../ports/ports.js";
import type { RowStart, RunRow } from "../ports/run-row.js";
import { EndKeeper } from "./end-note.js";
import { LiveRow, type RowDriver } from "./live-row.js";
import type { LoadedRun } from "./loaded-run.js";
import { portFailure } from "./port-calls.js";
import { SnapshotKeeper } from "./snapshot-keeper.js";

/** A journal's writing end. */
export class JournalSession {
  readonly #port: JournalPort;
  readonly #writer: JournalWriter;
  readonly #keeper: SnapshotKeeper;
  readonly #end: EndKeeper;
  /** The run's row, where the writer keeps it in an index, and the driver that says how it stands. */
  #row: LiveRow | undefined;
  #driver: RowDriver | undefined;
  /** Lines that were not handed to the writer yet, and where they are to stand. */
  #lines: string[] = [];
  #expected: JournalPosition = { lines: 0, bytes: 0 };
  #failure: ReckonerError | undefined;
  /** The newest write, where it is waited for. */
  #writing: Promise<void> | undefined;

  /** @param origin the run as its journal left it; absent for a run that begins */
  constructor(
    port: JournalPort,
    writer: JournalWriter,
    origin?: Pick<LoadedRun<unknown>, "snapshots" | "unfit" | "rows" | "headerHash" | "isShort">,
  ) {
    this.#port = port;
    this.#writer = writer;
    this.#keeper = new SnapshotKeeper(port.snapshots, origin);
    this.#end = new EndKeeper(port, origin?.headerHash, origin?.isShort);
  }

  /** From here on each append has the row of the run. @param before its row, or what it begins with */
  keepRow(before: RowStart | RunRow): void {
    if (this.#writer.row !== undefined) this.#row = new LiveRow(before);
  }

  /** Takes what a driver owes for the next append. */
  take({ lines, at, show }: Owed<never>, driver: RowDriver): void {
    this.add({ lines, at });
    this.#row?.take(show);
    this.#driver = driver;
  }

  /** True if the port keeps snapshots. */
  get keepsSnapshots(): boolean {
    return this.#port.snapshots !== undefined;
  }

  /** Takes lines for the next append. */
  add({ lines, at }: NewLines): void {
    if (this.#lines.length === 0) this.#expected = at;
    if (lines.length > 0) this.#lines.push(...lines);
  }

  /** Resolves when all lines so far are durable; `undefined` where they are so at once. */
  flush(): Promise<void> | undefined {
    const lines = this.#lines;
    if (lines.length === 0) {
      // Another flush has written them already.
      if (this.#failure !== undefined) throw this.#failure;
      return this.#writing;
    }
    this.#lines = [];
    const expected = this.#expected;
    const before = this.#writing;
    try {
      const row = this.#driver && this.#row?.of(this.#driver);
      const appended: unknown = this.#writer.append(lines, expected, row);
      // Whatever can be waited for is: some libraries' answers are no promises by class.
      this.#writing = isThenable(appended)
        ? Promise.resolve(appended).then(
            () => this.#end.appended(lines, expected),
            (thrown) => this.#fail(thrown, before),
          )
        : undefined;
      if (this.#writing === undefined) this.#end.appended(lines, expected);
    } catch (thrown) {
      this.#writing = this.#fail(thrown, before);
    }
    return this.#writing;
  }

  /**
   * What was to follow fails too, for lack of what came before: the first failure says why.
   * @param before the write before this one, which may be under way still
   */
  async #fail(thrown: unknown, before: Promise<void> | undefined): Promise<never> {
    await before?.catch(() => {});
    this.#failure ??= portFailure("journal.write", this.#port, "could not be written", thrown);
    throw this.#failure;
  }

  /** Stores a snapshot. Call it when its lines are durable. */
  store(snapshot: DueSnapshot): void {
    this.#keeper.store(snapshot);
  }

  /** Notes the journal's end. Resolves when nothing beside it is being written any more. */
  async settled(): Promise<void> {
    await this.#keeper.settled();
    await this.#end.settled();
  }
}
