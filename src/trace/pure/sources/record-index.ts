/**
 * Indexes the values that entered a run (its input, messages, answers of models, tools and stores) by
 * content, each with its place in the journal. Texts of `MIN_TEXT` characters or more are also found within
 * other texts. Values that the reasoner computed itself are not included.
 */
import {
  type EventLine,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type Line,
} from "../../../core/journal/index.js";
import { addTo, asJson, canonical, type Json } from "../../../core/kernel/values/index.js";
import { isSettlement } from "../../../core/kernel/vocabulary/index.js";
import { recordId, traceId } from "../trace-id.js";
import { valuesIn } from "./walk-json.js";

/** A place in a journal. */
export interface RecordPlace {
  /** The event of the trace: the input, or what was settled there. */
  readonly eventId: string;
  readonly runId: string;
  /** Sequence number of the journal's event; absent for the header. */
  readonly seq?: number;
  /** JSON path in the line: `$.event.content[0].text`, `$.input`. */
  readonly path: string;
}

/** A value that was recorded. */
export interface RecordedValue {
  readonly place: RecordPlace;
  readonly value: Json;
}

/** Texts of so many characters are looked for within others: shorter ones stand everywhere. */
export const MIN_TEXT = 12;

/** The parts of an event that say nothing of what it tells. */
const FORM = new Set(["type", "id", "at", "attempts", "usage", "finishReason", "responseId"]);

/** The records of one run, in their order. */
export class RecordIndex {
  readonly #byValue = new Map<string, RecordedValue[]>();
  readonly #texts: RecordedValue[] = [];

  /** @param until only what was recorded up to this event of the run */
  constructor(lines: Iterable<Line>, until: number = Number.POSITIVE_INFINITY) {
    let header: HeaderLine | undefined;
    let isNew = true;
    for (const line of lines) {
      if (isHeaderLine(line)) header = line;
      else if (isEventLine(line) && header !== undefined) {
        if (isNew) this.#begin(line, header);
        isNew = false;
        if (line.seq <= until) this.#take(line, header.runId);
      }
    }
  }

  /** The input stands in the header, a child's in the line of its start. */
  #begin({ seq, begin }: EventLine, { runId, input }: HeaderLine): void {
    const place =
      begin === undefined
        ? { eventId: recordId(runId, 0), path: "$.input" }
        : { eventId: recordId(runId, seq), seq, path: "$.begin.input" };
    this.#walk(input, { ...place, runId });
  }

  #take({ event, seq }: EventLine, runId: string): void {
    const eventId = isSettlement(event) ? traceId(runId, event.id) : recordId(runId, seq);
    for (const [name, value] of Object.entries(asJson(event))) {
      if (!FORM.has(name)) this.#walk(value, { eventId, runId, seq, path: `$.event.${name}` });
    }
  }

  #walk(whole: Json, place: RecordPlace): void {
    for (const { path, value } of valuesIn(whole, place.path)) {
      const at = { place: { ...place, path }, value };
      addTo(this.#byValue, canonical(value), at);
      if (typeof value === "string" && value.length >= MIN_TEXT) this.#texts.push(at);
    }
  }

  /** Where a value stands, in the order of the records. */
  equalTo(value: Json): readonly RecordedValue[] {
    return this.#byValue.get(canonical(value)) ?? [];
  }

  /** The recorded texts that a text holds, the longest first; those within others are left out. */
  within(text: string): readonly RecordedValue[] {
    const held = this.#texts
      .filter(({ value }) => text.includes(value as string))
      .sort((a, b) => (b.value as string).length - (a.value as string).length);
    const kept: RecordedValue[] = [];
    for (const each of held) {
      const inner = kept.some(({ value }) => (value as string).includes(each.value as string));
      if (!inner) kept.push(each);
    }
    return kept;
  }
}
