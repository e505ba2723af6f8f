/**
 * Remembers which values a reader of the journal can still look up, in recent events and in recent lines,
 * so that the recorder writes a reference to such a value and not the value again.
 */
import { type Json, type JsonObject, refOf } from "../kernel/values/index.js";

/** A nested value that is shorter never stands as a reference. */
const MIN_LENGTH = 250;
/** At most so many references are remembered. Forgetting the oldest only costs bytes. */
export const MAX_REFERENCES = 1_024;
/**
 * At most so many characters are remembered; forgetting only costs bytes. Readers hold as much, so
 * that they find what a line refers to.
 */
export const MAX_LENGTH: number = 64 * 1024 * 1024;
/** At most so many events are remembered; forgetting only costs bytes. */
const MAX_EVENTS = 1_000;

/** At most so many references are remembered behind the mark of a snapshot, of lines and of a run's events. */
const MAX_SETTLED = 128;

/** The references that lines hold, for all runs of a journal. */
export class References {
  /** The number of characters that each reference stands for, the youngest last. */
  readonly #references = new Map<string, number>();
  #length = 0;

  /** @param content as a snapshot held it */
  constructor(content: readonly (readonly [string, number])[] = []) {
    for (const [reference, length] of content) this.wrote(reference, length);
  }

  /** Forgets all but the youngest: a snapshot names what is left. */
  settle(): void {
    for (const [oldest, its] of this.#references) {
      if (this.#references.size <= MAX_SETTLED) return;
      this.#references.delete(oldest);
      this.#length -= its;
    }
  }

  /** The references, the youngest last, and the characters that each stands for. */
  get content(): readonly (readonly [string, number])[] {
    return [...this.#references];
  }

  /** Takes in a reference that a line holds. @param length of the value's text */
  wrote(reference: string, length: number): void {
    this.#length += length - (this.#references.get(reference) ?? 0);
    this.#references.delete(reference);
    this.#references.set(reference, length);
    for (const [oldest, its] of this.#references) {
      const fits = this.#references.size <= MAX_REFERENCES && this.#length <= MAX_LENGTH;
      if (fits || oldest === reference) break;
      this.#references.delete(oldest);
      this.#length -= its;
    }
  }

  /** Returns true if a reference is known. That it was asked for stands in no line, and makes it no younger. */
  has(reference: string): boolean {
    return this.#references.has(reference);
  }
}

/** The values that a reader of one run can look up. */
export class HeldValues {
  readonly #references: References;
  #events: Json[] = [];
  /** Everything within the events that is long enough to be referred to; filled when it is asked for. */
  #held = new Set<unknown>();
  #walked = 0;
  /** The references of what earlier events hold. */
  #settled: Set<string>;

  /**
   * @param references of the journal, which its runs share
   * @param settled of its events, as a snapshot held them
   */
  constructor(references: References = new References(), settled: readonly string[] = []) {
    this.#references = references;
    this.#settled = new Set(settled);
  }

  /** Keeps of the events the references of what they hold: objects are known by their identity till then. */
  settle(): void {
    const held = new Set<unknown>();
    for (const event of this.#events) hold(event, held);
    const refs = [...this.#settled, ...[...held].map((value) => refOf(value as Json))];
    const long = refs.filter((ref) => ref.startsWith("#"));
    this.forgetEvents();
    this.#settled = new Set(long.slice(-MAX_SETTLED));
  }

  /** The references of what the events before the mark of a snapshot hold. */
  get settled(): readonly string[] {
    return [...this.#settled];
  }

  get references(): References {
    return this.#references;
  }

  /** Takes in a reference that a line holds. @param length of the value's text */
  wrote(reference: string, length: number): void {
    this.#references.wrote(reference, length);
  }

  /** Takes an event in. */
  take(event: object | Json): void {
    if (this.#events.length >= MAX_EVENTS) this.forgetEvents();
    this.#events.push(event as Json);
  }

  /** Forgets the events: new items of a List can only be in those since the last List. */
  forgetEvents(): void {
    this.#events = [];
    if (this.#walked > 0) this.#held = new Set();
    this.#walked = 0;
    if (this.#settled.size > 0) this.#settled = new Set();
  }

  /** Returns true if the journal contains a value already. */
  has(reference: string, value: Json): boolean {
    if (this.#references.has(reference) || this.#settled.has(reference)) return true;
    for (; this.#walked < this.#events.length; this.#walked++) {
      hold(this.#events[this.#walked] as Json, this.#held);
    }
    return this.#held.has(value);
  }
}

function hold(value: Json, held: Set<unknown>): void {
  if (typeof value === "string") {
    if (value.length >= MIN_LENGTH) held.add(value);
  } else if (typeof value === "object" && value !== null) {
    held.add(value);
    const children = Array.isArray(value) ? value : Object.values(value as JsonObject);
    for (const child of children) hold(child, held);
  }
}
