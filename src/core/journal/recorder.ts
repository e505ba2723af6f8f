/**
 * Converts a run's steps to lines of its journal (J2). A line contains what its step changed: the event, the
 * new parts of directives, each new value once, and two digests.
 */

import type { Reasoner, Step } from "../kernel/machine/index.js";
import { chain, isList, isReference, type Json, type List, refOf } from "../kernel/values/index.js";
import type { RunEvent, Usage } from "../kernel/vocabulary/index.js";
import { Ledger, type Referenced } from "./ledger.js";
import {
  BEFORE_ISSUED,
  BEHIND_ISSUED,
  type BeginRecord,
  type EncodedLine,
  encodeLine,
  FORMAT,
  type HeaderLine,
  type Mark,
  SPILL_LENGTH,
} from "./line.js";
import type { JournalMemory } from "./memory.js";
import { nodeText, refText } from "./node-text.js";
import { ROOT_RUN } from "./run-lines.js";
import type { Remembered, RunSnapshot, Snapshot } from "./snapshot.js";
import { WrittenValues } from "./written-values.js";

/** What is written in lines before a step's own: values and items, as texts. */
interface Storing {
  readonly written: WrittenValues;
  readonly values: string[];
  readonly items: string[];
  length: number;
}

/** The part of a journal that one of its runs has for itself. */
export interface RecordedRun {
  /** Of the steps so far. */
  readonly ledger: Ledger;
  /** The values that the journal holds. */
  readonly written: WrittenValues;
}

const ROOT = ROOT_RUN;

/** The recorder of one journal that is being written. */
export class Recorder {
  readonly #runs = new Map<string, RecordedRun>();
  #previous: string;
  #seq: number;

  /**
   * @param ledger of the root's steps so far
   * @param written the values that the journal holds so far
   * @param previous hash of the last line, or ""
   * @param seq the next event's place among those of the tree
   */
  constructor(
    ledger: Ledger = new Ledger(),
    written: WrittenValues = new WrittenValues(),
    previous = "",
    seq = 0,
  ) {
    this.#runs.set(ROOT, { ledger, written });
    this.#previous = previous;
    this.#seq = seq;
  }

  /** The next event's place among those of the tree. */
  get seq(): number {
    return this.#seq;
  }

  /** Hash of the last line. */
  get previous(): string {
    return this.#previous;
  }

  /** The root's memory at its last line. */
  get memory(): JournalMemory {
    return this.memoryOf(ROOT);
  }

  /** A run's memory at its last line. */
  memoryOf(run: string): JournalMemory {
    return this.#of(run).ledger.memory;
  }

  /** The values of a run that the journal holds so far. */
  writtenOf(run: string): WrittenValues {
    return this.#of(run).written;
  }

  /** The root's. */
  get written(): WrittenValues {
    return this.writtenOf(ROOT);
  }

  /** A child run that begins, or that was read. */
  add(run: string, recorded?: RecordedRun): void {
    const written = recorded?.written ?? new WrittenValues(this.written.references);
    this.#runs.set(run, { ledger: recorded?.ledger ?? new Ledger(), written });
  }

  /** Lets go of a child run that has no further line. */
  drop(run: string): void {
    this.#runs.delete(run);
  }

  #of(run: string): RecordedRun {
    return this.#runs.get(run) as RecordedRun;
  }

  /** Lists of the context that the run goes on from are in another journal, which this one continues. */
  inherit(context: unknown): void {
    for (const value of Object.values(context ?? {})) {
      if (isList(value)) this.written.inherit(value as List<Json>);
    }
  }

  header(header: Omit<HeaderLine, "type" | "format">): EncodedLine {
    this.written.begin(header.input, header.chart);
    // One that was read brings its line's hash along, and a line has one.
    const { hash: _hash, ...own } = { hash: "", ...header };
    return this.#encode(JSON.stringify({ type: "header", format: FORMAT, ...own }).slice(0, -1));
  }

  /**
   * Completes a snapshot. From here on only what it holds counts as known, so that whoever goes on from it writes
   * what this one writes.
   */
  settle(
    runs: readonly Omit<RunSnapshot, "memory" | "written">[],
  ): Pick<Snapshot, "runs" | "references"> {
    const settled = runs.map((each) => {
      const { ledger, written } = this.#of(each.run);
      return { ...each, memory: ledger.memory, written: written.settle() };
    });
    const { references } = this.written;
    references.settle();
    return { runs: settled, references: references.content };
  }

  mark(mark: Mark, run: string = ROOT): EncodedLine {
    this.#of(run).ledger.mark(mark);
    return this.#encode(`{${runText(run)}"mark":${JSON.stringify(mark)}`);
  }

  /**
   * Lines that say what a run goes on from.
   * @param to nothing where it has not begun
   * @param texts each without its hash
   */
  goOnFrom(
    run: string,
    to: Remembered | undefined,
    texts: readonly string[],
  ): readonly EncodedLine[] {
    const lines = texts.map((text) => this.#encode(text));
    const { written } = this.#of(run);
    if (to === undefined) return lines;
    written.carriedOver(to.state);
    this.#runs.set(run, { ledger: new Ledger(to), written });
    return lines;
  }

  /** A child run that was cancelled is over: its usage is its parent's, or the root's where that is over too. */
  lose(run: string, usage: Usage): void {
    const heir = this.#runs.get(run) ?? this.#of(ROOT);
    heir.ledger.inherit(usage);
  }

  /**
   * The lines of a step: the event's, and before it those of values that would make it too long.
   * @param starts places of the directives that begin with the line: their start marks ride in it
   * @param of the run, where it is a child, and its beginning, where it starts
   */
  event<Input, Output, Context>(
    reasoner: Reasoner<Input, Output, Context>,
    event: RunEvent,
    step: Step<Context>,
    starts: readonly number[],
    { run = ROOT, begin }: { readonly run?: string; readonly begin?: BeginRecord } = {},
  ): readonly EncodedLine[] {
    const { ledger, written } = this.#of(run);
    if (begin !== undefined) written.begin(begin.input);
    const eventText = JSON.stringify(event);
    written.take(event, step.directives);
    const { text, spilled, referenced } = ledger.prove(reasoner, event, step, starts);
    const storing: Storing = { written, values: [], items: [], length: 0 };
    const lines: EncodedLine[] = [];
    for (const each of referenced) this.#store(each, storing, lines);
    const seq = this.#seq;
    this.#seq += 1;
    let own = begin === undefined ? "" : `"begin":${this.#beginText(begin, storing, lines)},`;
    own += `${runText(run)}"seq":${seq},"event":${eventText}`;
    if (starts.length > 0) own += `,"starts":${JSON.stringify(starts)}`;
    own += text;
    if (spilled.length > 0 || storing.length + own.length > SPILL_LENGTH) {
      this.#spill(storing, lines);
    }
    if (spilled.length > 0) {
      for (const each of chunksOf(spilled)) {
        lines.push(this.#encode(`${BEFORE_ISSUED}${each}${BEHIND_ISSUED}`));
      }
    }
    const line = this.#encode(storing.length === 0 ? `{${own}` : `${this.#stored(storing)},${own}`);
    written.grew(line.text.length);
    lines.push(line);
    return lines;
  }

  /** A child's beginning; its chart is a value that the journal may hold already. */
  #beginText({ chart, ...begin }: BeginRecord, storing: Storing, lines: EncodedLine[]): string {
    if (chart === undefined) return JSON.stringify(begin);
    const value = chart as Json;
    const reference = refOf(value);
    if (isReference(reference)) this.#storeValue(reference, value, storing, lines);
    return `${JSON.stringify(begin).slice(0, -1)},"chart":${refText(reference, value)}}`;
  }

  /** Puts what is to be stored into a line of its own. */
  #spill(storing: Storing, lines: EncodedLine[]): void {
    if (storing.length === 0) return;
    lines.push(this.#encode(`${this.#stored(storing)},"more":true`));
    storing.values.length = 0;
    storing.items.length = 0;
    storing.length = 0;
  }

  #encode(open: string): EncodedLine {
    const encoded = encodeLine(open, this.#previous);
    this.#previous = encoded.hash;
    return encoded;
  }

  #stored({ values, items }: Storing): string {
    const texts: string[] = [];
    if (values.length > 0) texts.push(`"values":{${values.join(",")}}`);
    if (items.length > 0) texts.push(`"items":[${items.join(",")}]`);
    return `{${texts.join(",")}`;
  }

  #store({ reference, value }: Referenced, storing: Storing, lines: EncodedLine[]): void {
    if (isList(value)) this.#storeList(value as List<Json>, storing, lines);
    else if (reference.startsWith("#")) this.#storeValue(reference, value, storing, lines);
    // A Table's or a Vector's entries are never shown: its reference stands for it.
    else if (!reference.startsWith("%")) this.#node(value, storing, lines);
  }

  #storeValue(reference: string, value: Json, storing: Storing, lines: EncodedLine[]): void {
    if (storing.written.has(reference, value)) return;
    const node = this.#node(value, storing, lines);
    storing.written.wrote(reference, node.length);
    this.#put(storing.values, `"${reference}":${node}`, storing, lines);
  }

  /** A value's node; what it refers to is stored before it. */
  #node(value: Json, storing: Storing, lines: EncodedLine[]): string {
    return nodeText(value, (reference, nested) => {
      if (reference.startsWith("#")) this.#storeValue(reference, nested, storing, lines);
    });
  }

  /** Adds a text; what has become too long for one line goes into a line before it. */
  #put(to: string[], text: string, storing: Storing, lines: EncodedLine[]): void {
    if (storing.length + text.length > SPILL_LENGTH) this.#spill(storing, lines);
    to.push(text);
    storing.length += text.length + 1;
  }

  #storeList(list: List<Json>, storing: Storing, lines: EncodedLine[]): void {
    const { base, items, derived } = storing.written.list(list);
    if (!derived) {
      let add: string[] = [];
      let length = 0;
      let from = base === undefined ? undefined : `@${base.size}#${base.head}`;
      let head = base?.head ?? "";
      let size = base?.size ?? 0;
      const put = () => {
        const ref = `@${size}#${head}`;
        const text = `{"list":"${ref}"${from === undefined ? "" : `,"after":"${from}"`},"add":[${add.join(",")}]}`;
        this.#put(storing.items, text, storing, lines);
        from = ref;
        add = [];
        length = 0;
      };
      for (const item of items) {
        const text = this.#node(item, storing, lines);
        if (length > 0 && length + text.length > SPILL_LENGTH / 2) put();
        add.push(text);
        length += text.length;
        head = chain(head, item);
        size += 1;
      }
      if (add.length > 0) put();
    }
    storing.written.wroteList(list);
  }
}

/** The part of a line that names a child run. */
export function runText(run: string): string {
  return run === ROOT ? "" : `"run":${JSON.stringify(run)},`;
}

/** Texts put together to longer ones, each short enough for a line. */
function* chunksOf(texts: readonly string[]): Generator<string> {
  let chunk = "";
  for (const text of texts) {
    if (chunk !== "" && chunk.length + text.length > SPILL_LENGTH) {
      yield chunk;
      chunk = "";
    }
    chunk += chunk === "" ? text : `,${text}`;
  }
  if (chunk !== "") yield chunk;
}
