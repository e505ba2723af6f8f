/**
 * Keeps the lines of a journal undecoded while it is checked, and looks recorded values up in them once a
 * difference asks for one. Most journals show none.
 */
import {
  type DecodedLine,
  headerIn,
  type RecordedDirective,
  RecordedValues,
} from "../../core/journal/index.js";
import {
  asJson,
  isList,
  type Json,
  type List,
  refOf,
  toArray,
} from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { RunView } from "./view.js";

/** So many characters of lines are kept unread. */
const MAX_UNREAD = 4 * 1024 * 1024;

/** The record up to a line. */
export interface RecordedSoFar {
  readonly values: RecordedValues;
  /** The directives of that line. */
  readonly recorded: readonly RecordedDirective[];
}

/**
 * Keeps what the lines hold for the moment when it is asked for: most journals are the same, and of most that are not a few lines
 * say why. Lines are kept as they are until somebody does; before the first time, those that are too
 * many are read again.
 */
export class LateValues {
  readonly #view: RunView;
  #values: RecordedValues | undefined;
  #unread: DecodedLine[] = [];
  #length = 0;
  /** True when lines were let go of, or never taken. */
  #gone = true;

  /** @param run the path of the run whose lines they are */
  constructor(port: JournalPort, run?: string) {
    this.#view = new RunView(port, run);
  }

  take(line: DecodedLine): void {
    const isFirst = this.#values === undefined && this.#length === 0;
    if (isFirst && headerIn(line) !== undefined) this.#gone = false;
    if (this.#gone && this.#values === undefined) return;
    this.#unread.push(line);
    this.#length += line.text.length;
    if (this.#length <= MAX_UNREAD) return;
    this.#gone = true;
    if (this.#values === undefined) this.#unread = [];
    else this.#read(this.#values);
  }

  /**
   * Returns what the lines hold up to the newest, and its directives.
   * @param seq of that line's event
   * @param linked the context of the run that this one goes on from
   */
  async upTo(seq: number, linked: unknown): Promise<RecordedSoFar> {
    const before = this.#values;
    const values = before ?? RecordedValues.recent();
    this.#values = values;
    if (before === undefined) inherit(values, linked);
    if (before !== undefined || !this.#gone) return { values, recorded: this.#read(values) };
    for await (const { line } of this.#view.lines()) {
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

/** Takes in the items of the Lists of a context that a run goes on from. */
export function inherit(values: RecordedValues, context: unknown): void {
  for (const value of Object.values(context ?? {})) {
    if (!isList(value)) continue;
    const list = value as List<Json>;
    values.inherit(refOf(asJson(list)), toArray(list));
  }
}
