/** What the lines of a journal hold, read for who asks. */
import {
  type DecodedLine,
  type RecordedDirective,
  RecordedValues,
} from "../../core/journal/index.js";
import { inherit } from "../journals/difference.js";
import { readHistory } from "../journals/history.js";
import type { JournalPort } from "../ports.js";

/** So many characters of lines are kept unread. */
const MAX_UNREAD = 4 * 1024 * 1024;

/**
 * What the lines hold, for who asks: most journals are the same, and of most that are not a few lines
 * say why. Lines are kept as they are until somebody does; before the first time, those that are too
 * many are read again.
 */
export class LateValues {
  readonly #port: JournalPort;
  #values: RecordedValues | undefined;
  #unread: DecodedLine[] = [];
  #length = 0;
  /** Whether lines were let go of. */
  #gone = false;

  constructor(port: JournalPort) {
    this.#port = port;
  }

  take(line: DecodedLine): void {
    if (this.#gone && this.#values === undefined) return;
    this.#unread.push(line);
    this.#length += line.text.length;
    if (this.#length <= MAX_UNREAD) return;
    this.#gone = true;
    if (this.#values === undefined) this.#unread = [];
    else this.#read(this.#values);
  }

  /**
   * What the lines hold up to the newest, and its directives.
   * @param seq of that line's event
   * @param linked the context of the run that this one goes on from
   */
  async upTo(
    seq: number,
    linked: unknown,
  ): Promise<{
    readonly values: RecordedValues;
    readonly recorded: readonly RecordedDirective[];
  }> {
    const known = this.#values;
    const values = known ?? RecordedValues.recent();
    this.#values = values;
    if (known === undefined) inherit(values, linked);
    if (known !== undefined || !this.#gone) return { values, recorded: this.#read(values) };
    for await (const { line } of readHistory(this.#port)) {
      const recorded = values.take(line);
      if ("event" in line && line.seq === seq) return { values, recorded };
    }
    return { values, recorded: [] };
  }

  #read(values: RecordedValues): readonly RecordedDirective[] {
    let recorded: readonly RecordedDirective[] = [];
    for (const { line } of this.#unread) recorded = values.take(line);
    this.#unread = [];
    this.#length = 0;
    return recorded;
  }
}
