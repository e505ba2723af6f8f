/**
 * Implements `Kept`, the texts by key in which an engine stores one run, in the SQLite of the run's Durable
 * Object. A text of more than 2 MB is divided into parts, since no row may be longer.
 */
import { beginningOf } from "../../core/kernel/values/index.js";
import type { Changes, Kept } from "../shared/index.js";
import type { ObjectStorage } from "./platform-types.js";

/** Characters of a part: of three bytes each at most. */
const PART = 500_000;
/** Behind everything that begins with a text. */
const LAST = "\u{10ffff}";

/** See the banner. */
export class SqlKept implements Kept {
  readonly #storage: ObjectStorage;

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS reckoner (key TEXT, part INTEGER, text TEXT NOT NULL, PRIMARY KEY (key, part)) WITHOUT ROWID",
    );
  }

  async get(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    return keys.map((key) => {
      const query = "SELECT text FROM reckoner WHERE key = ? ORDER BY part";
      const parts = [...this.#storage.sql.exec(query, key)];
      return parts.length === 0 ? undefined : parts.map(({ text }) => text).join("");
    });
  }

  async keys(prefix: string): Promise<readonly string[]> {
    const query = "SELECT key FROM reckoner WHERE key >= ? AND key < ? AND part = 0 ORDER BY key";
    const rows = [...this.#storage.sql.exec(query, prefix, prefix + LAST)];
    return rows.map(({ key }) => key as string);
  }

  async write(changes: Changes): Promise<void> {
    if (changes.size === 0) return;
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const [key, text] of changes) {
        sql.exec("DELETE FROM reckoner WHERE key = ?", key);
        for (const [part, piece] of partsOf(text).entries()) {
          sql.exec("INSERT INTO reckoner (key, part, text) VALUES (?, ?, ?)", key, part, piece);
        }
      }
    });
    await this.#storage.sync();
  }
}

/** Cuts a text, never within a character. */
function partsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const parts: string[] = [];
  let rest = text;
  do {
    const part = beginningOf(rest, PART);
    parts.push(part);
    rest = rest.slice(part.length);
  } while (rest !== "");
  return parts;
}
