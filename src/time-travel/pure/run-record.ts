/**
 * Collects the inputs, requests and answers of a run from its lines alone, for comparing two runs
 * (`diffRuns`) and for reusing their answers (`Redrive`).
 */

import {
  type EndRecord,
  type EventLine,
  type HeaderLine,
  type Line,
  type LineFold,
  type Node,
  type RecordedDirective,
  RecordedValues,
} from "../../core/journal/index.js";
import { hasSettled, type StateValue } from "../../core/kernel/machine/index.js";
import type { Json } from "../../core/kernel/values/index.js";
import { isSettlement, type RunEvent } from "../../core/kernel/vocabulary/index.js";

/** An event, and by what it is known in other runs of its kind. */
export interface RecordedEvent {
  /** Its place among the events of the tree. */
  readonly seq: number;
  /** Its place among the events of its run. */
  readonly place: number;
  /** Of a settlement its directive's id; else its type and how many of that came before. */
  readonly key: string;
  readonly event: RunEvent;
  readonly value: StateValue;
  readonly ignored: EventLine["ignored"];
  /** The effects that were issued upon it. */
  readonly issued: readonly string[];
}

/** An effect: what was asked for, and what came of it. */
export interface RecordedEffect {
  readonly id: string;
  readonly type: string;
  /** The event upon which it was issued, and its time in milliseconds since 1970. */
  readonly seq: number;
  readonly at: number;
  readonly parts: ReadonlyMap<string, Node>;
  readonly answer: RecordedEvent | undefined;
}

/** A run as it is recorded. */
export class RunRecord implements LineFold<Line> {
  /** The header that the run began with. */
  header: HeaderLine | undefined;
  /** The journal's own header: of a fork another one. */
  own: HeaderLine | undefined;
  end: EndRecord | undefined;
  readonly runIds: Set<string> = new Set();
  readonly events: RecordedEvent[] = [];
  readonly effects: Map<string, RecordedEffect> = new Map();
  readonly values: RecordedValues;
  readonly #keys = new Map<string, RecordedEvent>();
  readonly #counts = new Map<string, number>();

  constructor(values: RecordedValues = new RecordedValues()) {
    this.values = values;
  }

  /** Takes the next line of the run's history in. */
  take(line: Line): void {
    const recorded = this.values.take(line);
    if ("type" in line) {
      this.header ??= line;
      this.own = line;
      this.runIds.add(line.runId);
    }
    if ("event" in line) this.#take(line, recorded);
  }

  #take(line: EventLine, recorded: readonly RecordedDirective[]): void {
    const { seq, event, value, ignored } = line;
    const issued = recorded.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const settles = isSettlement(event) && hasSettled(ignored);
    const key = settles ? event.id : this.#numbered(event.type);
    const own = { seq, place: this.events.length, key, event, value, ignored, issued };
    this.events.push(own);
    this.#keys.set(key, own);
    const effect = settles ? this.effects.get(event.id) : undefined;
    if (effect !== undefined) this.effects.set(effect.id, { ...effect, answer: own });
    for (const { type, id, parts } of recorded) {
      if (id === undefined) continue;
      this.effects.set(id, { id, type, seq, at: event.at, parts, answer: undefined });
    }
    if (line.end !== undefined) this.end = line.end;
  }

  #numbered(type: string): string {
    const n = this.#counts.get(type) ?? 0;
    this.#counts.set(type, n + 1);
    return type === "start" ? type : `${type} ${n}`;
  }

  /** The event with a key. */
  find(key: string): RecordedEvent | undefined {
    return this.#keys.get(key);
  }

  /**
   * A part's value; of a List only the items beyond the one that it continues.
   * @returns for a List its items and how many come before them
   */
  part(node: Node): { readonly value: Json; readonly from: number | undefined } {
    if (typeof node !== "string" || !/^@\d+#/.test(node)) {
      return { value: this.values.value(node), from: undefined };
    }
    const grown = this.values.growth(node);
    if (grown === undefined) return { value: this.values.value(node), from: 0 };
    const from = Number(/^@(\d+)#/.exec(grown.after ?? "@0#")?.[1]);
    return { value: grown.items as Json, from };
  }
}
