/**
 * Collects one run of a tree from its lines: its events, what each issued, and what became of that.
 * `RecordedTree` has one for each run.
 */
import {
  type BeginRecord,
  type Configuration,
  type EndRecord,
  type EventLine,
  type HeaderLine,
  isEventLine,
  isHeaderLine,
  type Line,
  type Node,
  type RecordedDirective,
  type RecordedValues,
  ROOT_RUN,
} from "../../core/journal/index.js";
import { hasSettled, type RunChart, type StateValue } from "../../core/kernel/machine/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import { asJson, type Json, type JsonObject } from "../../core/kernel/values/index.js";
import { isSettlement, type RunEvent } from "../../core/kernel/vocabulary/index.js";
import type { RecordedEffect } from "../../time-travel/pure/index.js";

/** An event of a run, and what was issued upon it. */
export interface RecordedMoment {
  /** Its place among the events of the tree. */
  readonly seq: number;
  /** The path of its run; "" for the root. */
  readonly run: string;
  readonly event: RunEvent;
  /** The states that the machine was in after it. */
  readonly value: StateValue;
  readonly ignored?: EventLine["ignored"];
  readonly end?: EndRecord;
  readonly begin?: BeginRecord;
  readonly issued: readonly RecordedDirective[];
  /** The effect that it settled. */
  readonly settled?: IssuedEffect;
  readonly line: EventLine;
}

/** A directive that expects an answer. */
export interface IssuedEffect extends Omit<RecordedEffect, "answer"> {
  /** The path of its run. */
  readonly run: string;
  /** The event that settled it; absent while it is outstanding, and where it was cancelled. */
  answer?: RecordedMoment;
  /** The event upon which it was cancelled. */
  cancelled?: number;
  /** Attempts of it that came to nothing. */
  failed: number;
  /** True when a mark says that an attempt of it has begun. */
  begun: boolean;
}

/** A configuration of a run, from one of its events on. */
export interface RunSegment extends Configuration {
  /** The first event under it. */
  readonly seq: number;
  readonly chart?: RunChart | string;
}

/** One run. Its lines are taken in one by one, in their order. */
export class RecordedRun {
  /** The ids of the `run` directives that lead to it, escaped and joined by `:`; "" for the root. */
  readonly path: string;
  readonly values: RecordedValues;
  readonly lines: Line[] = [];
  readonly moments: RecordedMoment[] = [];
  readonly effects: Map<string, IssuedEffect> = new Map();
  readonly segments: RunSegment[] = [];
  #header: HeaderLine | undefined;
  #origin: HeaderLine | undefined;
  #end: EndRecord | undefined;

  constructor(path: string, values: RecordedValues) {
    this.path = path;
    this.values = values;
  }

  /** Its own header: of a fork the fork's. Nothing is known before it was taken in. */
  get header(): HeaderLine | undefined {
    return this.#header;
  }

  /** The header that it began with: of a fork that of the run that it shares its beginning with. */
  get origin(): HeaderLine | undefined {
    return this.#origin;
  }

  /** Its end; absent while it goes on. */
  get end(): EndRecord | undefined {
    return this.#end;
  }

  /** The output of its end. */
  get output(): Json | undefined {
    const node = this.#end?.output;
    return node === undefined ? undefined : this.values.value(node);
  }

  /** Takes its next line in. @returns the moment of an event's line */
  take(line: Line): RecordedMoment | undefined {
    this.lines.push(line);
    const recorded = this.values.take(line);
    if (isHeaderLine(line)) this.#begin(line);
    else if ("mark" in line) this.#mark(line.mark as never);
    else if ("upgrade" in line && line.upgrade !== undefined) {
      const { to, chart } = line.upgrade;
      const seq = (this.moments.at(-1)?.seq ?? -1) + 1;
      this.segments.push({ ...to, seq, ...(chart === undefined ? {} : { chart }) });
    }
    return isEventLine(line) ? this.#take(line, recorded) : undefined;
  }

  /** The value of a part of a directive; `undefined` where it has no such part. */
  part({ parts }: Pick<IssuedEffect, "parts">, name: string): Json | undefined {
    const node = parts.get(name);
    return node === undefined ? undefined : this.values.value(node);
  }

  /** The configuration under which an event was taken. */
  segmentAt(seq: number): RunSegment | undefined {
    return this.segments.findLast((each) => each.seq <= seq) ?? this.segments[0];
  }

  #begin(header: HeaderLine): void {
    this.#origin ??= header;
    this.#header = header;
    const { reasoner, fingerprint, configuration, chart } = header;
    const last = this.segments.at(-1);
    // A fork's header says its chart only where it has another one.
    const drawn = chart ?? last?.chart;
    const recorded = drawn === undefined ? {} : { chart: this.values.value(drawn as Node) };
    const seq = (this.moments.at(-1)?.seq ?? -1) + 1;
    const parts = configuration === undefined ? {} : { configuration };
    if (last?.fingerprint === fingerprint) return;
    this.segments.push({
      version: reasoner.version,
      fingerprint,
      ...parts,
      ...(recorded as { readonly chart?: RunChart }),
      seq,
    });
  }

  #mark(mark: JsonObject): void {
    const effect = typeof mark.id === "string" ? this.effects.get(mark.id) : undefined;
    if (effect === undefined) return;
    if (typeof mark.failed === "number") effect.failed = mark.failed;
    else effect.begun = true;
  }

  #take(line: EventLine, issued: readonly RecordedDirective[]): RecordedMoment {
    const { seq, event, value, ignored, end, begin, run = ROOT_RUN, starts = [] } = line;
    const settles = isSettlement(event) && hasSettled(ignored);
    const settled = settles ? this.effects.get(event.id) : undefined;
    const moment: RecordedMoment = {
      seq,
      run,
      event,
      value,
      ...shapes.defined({ ignored, end, begin }),
      issued,
      ...(settled === undefined ? {} : { settled }),
      line,
    };
    this.moments.push(moment);
    if (settled !== undefined) settled.answer = moment;
    for (const [place, { type, id, parts }] of issued.entries()) {
      if (type === "cancel") this.#cancel(parts.get("target"), seq);
      if (id === undefined) continue;
      const begun = starts.includes(place);
      this.effects.set(id, { id, type, run, seq, at: event.at, parts, failed: 0, begun });
    }
    if (end !== undefined) this.#close(end, seq);
    return moment;
  }

  #cancel(target: Node | undefined, seq: number): void {
    const id = target === undefined ? undefined : this.values.value(target);
    const effect = typeof id === "string" ? this.effects.get(id) : undefined;
    if (effect !== undefined && effect.answer === undefined) effect.cancelled = seq;
  }

  #close(end: EndRecord, seq: number): void {
    this.#end = end;
    for (const effect of this.effects.values()) {
      if (effect.answer === undefined) effect.cancelled ??= seq;
    }
  }
}

/** Returns true for an effect that waits for its answer at an event: it was issued, and is not settled yet. */
export function isOutstanding(effect: IssuedEffect, seq: number): boolean {
  const over = effect.answer?.seq ?? effect.cancelled ?? Number.POSITIVE_INFINITY;
  return effect.seq <= seq && over > seq;
}

/** The name of an effect: its tool, its store, its reasoner, or the question that it puts. */
export function nameOf(run: RecordedRun, effect: IssuedEffect): string {
  const names = ["name", "store", "reasoner", "title", "model"];
  for (const name of names) {
    const value = run.part(effect, name);
    if (typeof value === "string") return value;
  }
  return effect.type;
}

/** An event as plain JSON. */
export function eventJson(event: RunEvent): JsonObject {
  return asJson(event);
}
