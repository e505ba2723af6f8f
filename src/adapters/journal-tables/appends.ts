/**
 * Writes the appends to journals that wait at once in one transaction of the database (group commit). An
 * append that failed is tried once more, since a broken connection leaves open if it was done: the journal's
 * end and the writer's token show that. It must not know what a line means.
 */
import {
  addTo,
  isReckonerError,
  messageOf,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import type { JournalPosition, RunRow } from "../../runtime/for-adapters.js";
import { indexedRow } from "./indexed-row.js";
import type { Chain, ChainLine, TableDatabase } from "./table-database.js";

/** Bytes of lines that go into one transaction, if there are several appends. */
const MOST = 4 * 1024 * 1024;

/** The writer of a journal, as its appends see it. */
export interface Writing {
  /** For people. */
  readonly name: string;
  readonly journal: number;
  /** The token of the last write that this writer knows of. */
  token: string;
  /** The end of the journal behind that write. */
  end: JournalPosition;
  /** Returns a token that no write has had. */
  next(): string;
}

/** An append that waits for its turn. */
interface Entry {
  readonly writing: Writing;
  readonly from: JournalPosition;
  readonly to: JournalPosition;
  readonly lines: readonly ChainLine[];
  readonly row: RunRow | undefined;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Appends of one writer that follow from each other, as they are handed to the database. */
interface Group extends Chain {
  readonly writing: Writing;
  readonly entries: readonly Entry[];
}

/** The appends to the journals of a database. */
export class Appends {
  readonly #database: TableDatabase;
  #queue: Entry[] = [];
  #draining = false;

  constructor(database: TableDatabase) {
    this.#database = database;
  }

  /** Appends lines; resolves when they are durable. @throws as a writer's `append` does */
  append(
    writing: Writing,
    lines: readonly string[],
    from: JournalPosition,
    row?: RunRow,
  ): Promise<void> {
    let { bytes } = from;
    const placed = lines.map((text, i): ChainLine => {
      const at = bytes;
      bytes += Buffer.byteLength(text) + 1;
      return [at, from.lines + i, text];
    });
    const to = { lines: from.lines + lines.length, bytes };
    return new Promise((resolve, reject) => {
      this.#queue.push({ writing, from, to, lines: placed, row, resolve, reject });
      if (!this.#draining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#queue.length > 0) {
      // Appends that are asked for in this turn of the event loop join in.
      await new Promise(setImmediate);
      const groups = this.#take();
      await this.#commit(groups);
    }
    this.#draining = false;
  }

  /** Takes appends from the queue, of each journal those that follow from each other. */
  #take(): readonly Group[] {
    const taken = new Map<number, Entry[]>();
    const passed = new Set<number>();
    const left: Entry[] = [];
    let bytes = 0;
    for (const entry of this.#queue) {
      const { journal } = entry.writing;
      const last = taken.get(journal)?.at(-1);
      const follows = last === undefined || isSame(last.to, entry.from);
      const fits = bytes === 0 || bytes + entry.to.bytes - entry.from.bytes <= MOST;
      if (!follows || !fits || passed.has(journal)) {
        passed.add(journal);
        left.push(entry);
        continue;
      }
      bytes += entry.to.bytes - entry.from.bytes;
      addTo(taken, journal, entry);
    }
    this.#queue = left;
    return [...taken.values()].map(groupOf);
  }

  async #commit(groups: readonly Group[]): Promise<void> {
    try {
      await this.#settle(groups, await this.#database.append(groups));
    } catch {
      // Each by itself, so that what the database does not take of one is nobody else's matter.
      await Promise.all(groups.map((group) => this.#again(group)));
    }
  }

  async #again(group: Group): Promise<void> {
    try {
      await this.#settle([group], await this.#database.append([group]));
    } catch (thrown) {
      const reason = isReckonerError(thrown)
        ? thrown
        : failure(
            group.writing.name,
            `${maskCredentials(messageOf(thrown))}; resume the run to learn whether these lines are in it`,
            thrown,
          );
      for (const entry of group.entries) entry.reject(reason);
    }
  }

  async #settle(groups: readonly Group[], appended: ReadonlySet<number>): Promise<void> {
    for (const group of groups) {
      const { writing, journal, entries, token, to } = group;
      const refused = appended.has(journal) ? undefined : await this.#refusal(group);
      if (refused === undefined) {
        writing.token = token;
        writing.end = to;
      }
      for (const entry of entries) {
        if (refused === undefined) entry.resolve();
        else entry.reject(refused);
      }
    }
  }

  /** Returns why a group was not appended; `undefined` where an attempt before had done it. */
  async #refusal({ writing, to, token, from }: Group): Promise<ReckonerError | undefined> {
    const [row] = await this.#database.read(
      `SELECT lines, bytes, token FROM ${this.#database.prefix}journals WHERE id = $1`,
      writing.journal,
    );
    if (row === undefined) return failure(writing.name, "it was removed");
    const end = { lines: Number(row.lines), bytes: Number(row.bytes) };
    if (row.token === token && isSame(end, to)) return undefined;
    return conflict(writing.name, from, end);
  }
}

/** Returns the error of a writer whose journal ends elsewhere, or was written by another meanwhile. */
export function conflict(name: string, from: JournalPosition, end: JournalPosition): ReckonerError {
  const what = isSame(from, end)
    ? "has another writer since this one opened it, which perhaps rewound it"
    : `does not end after ${from.lines} lines and ${from.bytes} bytes, where this writer left it, but after ${end.lines} and ${end.bytes}`;
  return new ReckonerError(
    "journal.conflict",
    `The journal ${name} ${what}. Resume the run from the journal as it is now.`,
    { place: name },
  );
}

/** Returns the error of a journal that could not be written. */
export function failure(name: string, why: string, cause?: unknown): ReckonerError {
  return new ReckonerError("journal.write", `The journal ${name} could not be written: ${why}.`, {
    place: name,
    cause,
  });
}

function isSame(a: JournalPosition, b: JournalPosition): boolean {
  return a.lines === b.lines && a.bytes === b.bytes;
}

function groupOf(entries: readonly Entry[]): Group {
  const { writing, from } = entries[0] as Entry;
  const { to, row } = entries.at(-1) as Entry;
  const lines = entries.flatMap((entry) => entry.lines);
  const { journal, token: seen } = writing;
  const own = { writing, entries, journal, from, to, seen, token: writing.next(), lines };
  return row === undefined ? own : { ...own, row: indexedRow(row) };
}
