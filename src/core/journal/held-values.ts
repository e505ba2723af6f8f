/**
 * Which values a reader of a journal can still look up: those in recent events and in recent lines'
 * own values. What is in the journal already is not written again.
 */
import { asJson, type Json, type JsonObject } from "../kernel/index.js";

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

/** The references that lines hold, for all runs of a journal. */
export class References {
  /** The number of characters that each reference stands for, the youngest last. */
  readonly #references = new Map<string, number>();
  #length = 0;

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

  /** Returns true if a reference is known; it is the youngest then, so that what is used is not forgotten. */
  has(reference: string): boolean {
    const known = this.#references.get(reference);
    if (known !== undefined) this.wrote(reference, known);
    return known !== undefined;
  }
}

/** The values that a reader of one run can look up. */
export class HeldValues {
  readonly #references: References;
  #events: Json[] = [];
  /** Everything within the events that is long enough to be referred to; filled when it is asked for. */
  #held = new Set<unknown>();
  #walked = 0;

  /** @param references of the journal, which its runs share */
  constructor(references: References = new References()) {
    this.#references = references;
  }

  get references(): References {
    return this.#references;
  }

  /** Takes in a reference that a line holds. @param length of the value's text */
  wrote(reference: string, length: number): void {
    this.#references.wrote(reference, length);
  }

  /** Takes an event in. */
  take(event: object): void {
    if (this.#events.length >= MAX_EVENTS) this.forgetEvents();
    this.#events.push(asJson(event));
  }

  /** Forgets the events: new items of a List can only be in those since the last List. */
  forgetEvents(): void {
    this.#events = [];
    if (this.#walked > 0) this.#held = new Set();
    this.#walked = 0;
  }

  /** Whether the journal contains a value already. */
  has(reference: string, value: Json): boolean {
    if (this.#references.has(reference)) return true;
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
