/**
 * `KeptJournal`: the journal port over the texts that an engine keeps of a run, for rewinds and for readers
 * of whole journals. It takes no locks, since an engine opens a run in one place at a time.
 */
import { textOfLines } from "../../core/journal/index.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import type {
  JournalNotes,
  JournalPort,
  JournalPosition,
  JournalWriter,
} from "../../runtime/for-hosts.js";
import { type Kept, keptAt } from "./kept.js";
import { FIRST, keptTexts, linesIn, linesKey } from "./kept-lines.js";

/** See the banner. */
export class KeptJournal implements JournalPort {
  readonly name: string;
  readonly notes: JournalNotes;
  readonly #kept: Kept;
  readonly #id: string;
  readonly #fork: string;

  /**
   * @param id of the run: the name of its first journal
   * @param fork the name of a fork; "" for the first journal
   */
  constructor(kept: Kept, id: string, fork: string = FIRST) {
    this.#kept = kept;
    this.#id = id;
    this.#fork = fork;
    this.name = fork === FIRST ? id : `${id}/forks/${fork}`;
    this.notes = keptNotes(kept, fork);
  }

  async open(mode: "create" | "append"): Promise<JournalWriter> {
    const end = await this.lines();
    if (mode === "append" && end === 0) throw this.#error("journal.missing", "holds nothing");
    if (mode === "create" && end > 0) {
      throw this.#error("journal.exists", "holds a journal already: take a new one");
    }
    return {
      append: (lines, expected) => this.#append(lines, expected),
      close: async () => {},
    };
  }

  async #append(lines: readonly string[], expected: JournalPosition): Promise<void> {
    const end = await this.lines();
    if (end !== expected.lines) {
      const what = `ends after ${end} lines, not after ${expected.lines}, where this writer left it`;
      throw this.#error("journal.conflict", what);
    }
    await this.#kept.write(new Map([[linesKey(this.#fork, end), textOfLines(lines)]]));
  }

  /** The number of its lines. */
  async lines(): Promise<number> {
    let end = 0;
    const last = keptTexts(this.#kept, this.#fork, Number.MAX_SAFE_INTEGER);
    for await (const { start, text } of last) end = start + linesIn(text).length;
    return end;
  }

  async *read(from = 0): AsyncIterable<Uint8Array> {
    const encoder = new TextEncoder();
    let skip = from;
    let isThere = false;
    for await (const { text } of keptTexts(this.#kept, this.#fork)) {
      isThere = true;
      const bytes = encoder.encode(text);
      if (skip < bytes.length) yield bytes.subarray(skip);
      skip = Math.max(0, skip - bytes.length);
    }
    if (!isThere) throw this.#error("journal.missing", "holds nothing");
  }

  link(to: JournalPort): string {
    return to.name;
  }

  follow(link: string): JournalPort | undefined {
    if (link === this.#id) return new KeptJournal(this.#kept, this.#id);
    const before = `${this.#id}/forks/`;
    return link.startsWith(before) ? this.fork(link.slice(before.length)) : undefined;
  }

  fork(name: string): JournalPort {
    return new KeptJournal(this.#kept, this.#id, name);
  }

  #error(
    code: "journal.missing" | "journal.exists" | "journal.conflict",
    what: string,
  ): ReckonerError {
    return new ReckonerError(code, `The journal ${this.name} ${what}.`, { place: this.name });
  }
}

function keptNotes(kept: Kept, fork: string): JournalNotes {
  const prefix = (kind: string) => `notes/${fork}/${kind}/`;
  return {
    async list(kind) {
      const texts = await kept.get(await kept.keys(prefix(kind)));
      return texts.flatMap((text) => (text === undefined ? [] : [text]));
    },
    async write(kind, name, text, before) {
      const key = `${prefix(kind)}${name}`;
      if ((await keptAt(kept, key)) !== before) return false;
      await kept.write(new Map([[key, text]]));
      return true;
    },
    async remove(kind, name) {
      await kept.write(new Map([[`${prefix(kind)}${name}`, undefined]]));
    },
  };
}
