/**
 * Keeps the answers to mail (such as messages and decisions) for a run on an engine, for an hour. Mail that
 * is sent again under its key gets the same answer; other mail under that key, known by its digest, is
 * refused.
 */
import {
  ANSWER_KEPT_MS,
  type Answer,
  faultOf,
  isOther,
  type NewMail,
  otherWord,
} from "../../serve/for-adapters.js";
import type { Kept } from "./kept.js";
import { ANSWERS, answerIn, answerKey } from "./record.js";

/** The keys of the answers that are kept, and when each was given. */
type Index = readonly (readonly [key: string, at: number])[];

/** The answers of one turn. */
export class Answers {
  readonly #kept: Kept;
  readonly #now: number;
  readonly #stored = new Map<string, Answer>();
  readonly #made = new Map<string, Answer>();
  /** Of what has each key first. */
  readonly #marks = new Map<string, string | undefined>();
  #index: Index = [];

  constructor(kept: Kept, now: number) {
    this.#kept = kept;
    this.#now = now;
  }

  /** Loads the answers to mail that was answered already. @returns the text of another key */
  async load(other: string, mail: readonly NewMail[]): Promise<string | undefined> {
    const keys = mail.map(({ key }) => answerKey(key));
    const all = mail.length === 0 ? [other] : [other, ANSWERS, ...keys];
    const [text, index, ...found] = await this.#kept.get(all);
    this.#index = index === undefined ? [] : JSON.parse(index);
    for (const [n, { key, mark }] of mail.entries()) {
      const entry = found[n] === undefined ? undefined : answerIn(found[n]);
      if (entry !== undefined) this.#stored.set(key, entry.answer);
      if (!this.#marks.has(key)) this.#marks.set(key, entry === undefined ? mark : entry.mark);
    }
    return text;
  }

  has(key: string): boolean {
    return this.#made.has(key) || this.#stored.has(key);
  }

  /** The answer to something that was said: where something else has its key, that it is refused. */
  to({ key, mark }: NewMail): Answer | undefined {
    if (isOther(this.#marks.get(key), mark)) return refused(key, otherWord(key));
    return this.#made.get(key) ?? this.#stored.get(key);
  }

  take(key: string): void {
    this.#made.set(key, { outcome: "taken", key, lines: 0 });
  }

  refuse(key: string, thrown: unknown): void {
    this.#made.set(key, refused(key, thrown));
  }

  /** Drops the answers of this turn: none is written. */
  forget(): void {
    this.#made.clear();
  }

  /** Notes the answers among the changes, and takes those away whose hour is over. @param lines the run's, by then */
  write(changes: Map<string, string | undefined>, lines: number): void {
    if (this.#made.size === 0) return;
    for (const [key, answer] of this.#made) {
      const full = answer.outcome === "taken" ? { ...answer, lines } : answer;
      this.#made.set(key, full);
      changes.set(answerKey(key), JSON.stringify({ ...full, mark: this.#marks.get(key) }));
    }
    const fresh = [...this.#made.keys()].map((key) => [key, this.#now] as const);
    const over = this.#index.filter(([, at]) => at + ANSWER_KEPT_MS <= this.#now);
    for (const [key] of over) changes.set(answerKey(key), undefined);
    this.#index = [...this.#index.slice(over.length), ...fresh];
    changes.set(ANSWERS, JSON.stringify(this.#index));
    for (const [key, answer] of this.#made) this.#stored.set(key, answer);
    this.#made.clear();
  }
}

function refused(key: string, thrown: unknown): Answer {
  const { code, message } = faultOf(thrown);
  return { outcome: "refused", key, code: code as never, message };
}
