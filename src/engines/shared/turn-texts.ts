/**
 * Collects the texts that a turn of a run on an engine writes: the new lines, a snapshot with its rows, and
 * the record that says where these are.
 */
import type { InFlight, Owed } from "../../core/driver/index.js";
import { openSnapshot, textOfLines } from "../../core/journal/index.js";
import { FIRST, linesKey } from "./kept-lines.js";
import type { KeptOpen } from "./open-kept.js";
import { type RunRecord, rowKey, SNAPSHOT } from "./record.js";

/** Characters of a text of lines to which more are added: few texts are read, and little is written again. */
const MAX_TAIL = 16_384;

/** See the banner. */
export class TurnTexts {
  readonly changes: Map<string, string | undefined> = new Map();
  readonly #stays: boolean;
  #tail: string | undefined;

  /** @param stays true where no turn reads the lines again */
  constructor(stays: boolean) {
    this.#stays = stays;
  }

  /** The last text of the lines, as it was read. */
  set tail(text: string | undefined) {
    this.#tail = this.#stays ? undefined : text;
  }

  /** Notes the lines of a take, and all that goes with them. @returns the record behind it */
  keep(before: RunRecord, { row, driver }: KeptOpen, owed: Owed): RunRecord {
    const { lines, at, snapshot, broken } = owed;
    // The header is always read, and alone.
    const header = at.lines === 0 ? lines.slice(0, 1) : [];
    if (header.length > 0) this.changes.set(linesKey(before.fork, 0), textOfLines(header));
    const texts = this.#keepLines(before, lines.slice(header.length), {
      start: at.lines + header.length,
      // The lines from a snapshot on are read without those before.
      isApart: snapshot !== undefined,
    });
    const inFlight: InFlight | undefined = broken === undefined ? driver.inFlight : undefined;
    const record = {
      ...before,
      lines: at.lines + lines.length,
      row: row.of(driver),
      texts,
      inFlight,
    };
    return snapshot === undefined || before.fork !== FIRST
      ? record
      : this.#keepSnapshot(record, snapshot, at);
  }

  /** Notes lines: behind the last ones, where whoever opens the run reads those anyway. @returns where texts begin */
  #keepLines(
    { fork, texts }: RunRecord,
    lines: readonly string[],
    { start, isApart }: { readonly start: number; readonly isApart: boolean },
  ): readonly number[] {
    if (lines.length === 0) return texts;
    const last = texts.at(-1);
    const tail = isApart || last === undefined ? undefined : this.#tail;
    const isBehind = tail !== undefined && tail.length < MAX_TAIL;
    const from = isBehind ? (last as number) : start;
    const text = `${isBehind ? tail : ""}${textOfLines(lines)}`;
    this.changes.set(linesKey(fork, from), text);
    this.tail = text;
    return isBehind ? texts : [...texts, from];
  }

  #keepSnapshot(
    record: RunRecord,
    { text, rows }: NonNullable<Owed["snapshot"]>,
    at: Owed["at"],
  ): RunRecord {
    const opened = openSnapshot(text);
    if (typeof opened === "string") return record;
    const before = new Set(record.snapshot?.rows);
    for (const [name, make] of rows) {
      if (!before.delete(name)) this.changes.set(rowKey(name), make());
    }
    for (const name of before) this.changes.set(rowKey(name), undefined);
    this.changes.set(SNAPSHOT, text);
    const line = opened.claim.lines - 1;
    const texts = record.texts.filter((start) => start >= at.lines);
    return { ...record, snapshot: { line, rows: [...rows.keys()] }, texts };
  }
}
