/**
 * Reads a run that an engine keeps, without opening it: its row, its lines, and the answer to something that
 * was sent to it.
 */
import { ReckonerError } from "../../core/kernel/values/index.js";
import {
  type Answer,
  type HostedRow,
  type LinesPage,
  missingRun,
} from "../../serve/for-adapters.js";
import { type Kept, keptAt } from "./kept.js";
import { KeptJournal } from "./kept-journal.js";
import { keptLines } from "./kept-lines.js";
import { answerIn, answerKey, RECORD, type RunRecord, recordIn } from "./record.js";

/** The reads of one run. */
export class RunReader {
  readonly #kept: Kept;
  readonly #id: string;

  constructor(kept: Kept, id: string) {
    this.#kept = kept;
    this.#id = id;
  }

  async #record(): Promise<RunRecord> {
    const record = recordIn(await keptAt(this.#kept, RECORD));
    if (record === undefined) throw missingRun(this.#id);
    return record;
  }

  /** @throws ReckonerError `run.missing` */
  async row(): Promise<HostedRow> {
    const { row, fault } = await this.#record();
    const isParked = fault !== undefined && fault.until === undefined;
    const { code = "", message = "" } = fault ?? {};
    return { ...row, id: this.#id, ...(isParked ? { parked: { code, message } } : {}) };
  }

  /** @throws ReckonerError `run.missing` */
  async lines(from: number): Promise<LinesPage> {
    const { fork, row, lines: count } = await this.#record();
    const isOver = /^(?:done|failed|cancelled)$/.test(row.status);
    // Lines behind the record's are on their way.
    const found = from < count ? await keptLines(this.#kept, fork, from) : [];
    const lines = found.slice(0, Math.max(0, count - from));
    const { name: journal } = new KeptJournal(this.#kept, this.#id, fork);
    return { journal, from, lines, ended: isOver && from + lines.length >= count };
  }

  /** @throws ReckonerError `run.missing` where nothing is known of the key */
  async answer(key: string): Promise<Answer> {
    const text = await keptAt(this.#kept, answerKey(key));
    if (text !== undefined) return answerIn(text).answer;
    const message = `Nothing is known of ${key} at the run ${this.#id}; answers are kept for an hour.`;
    throw new ReckonerError("run.missing", message, { place: key });
  }
}
