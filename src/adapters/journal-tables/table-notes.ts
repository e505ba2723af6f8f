/**
 * Keeps the notes of a journal (forks, checkpoints, head) in an SQL table. The head is moved by the journal's
 * one writer alone: it is written together with a new token of that writer, and only if no other process has
 * written to the journal since.
 */
import type { JournalNotes } from "../../runtime/for-adapters.js";
import { conflict, type Writing } from "./appends.js";
import { keyOf } from "./key-of.js";
import type { Statement, TableDatabase, TablePlace } from "./table-database.js";

/**
 * Returns the notes of a journal.
 * @param writingNow returns its writer, where it is open
 */
export function tableNotes(
  { database, ready }: { readonly database: TableDatabase; readonly ready: () => Promise<void> },
  place: TablePlace,
  writingNow: () => Writing | undefined,
): JournalNotes {
  const { prefix } = database;
  const { tenant, id } = place;
  const own = `(SELECT id FROM ${prefix}journals WHERE tenant = $1 AND name = $2)`;
  return {
    async list(kind) {
      await ready();
      const text = `SELECT text FROM ${prefix}notes WHERE journal = ${own} AND kind = $3`;
      return (await database.read(text, tenant, id, kind)).map((row) => String(row.text));
    },
    async write(kind, name, text, before) {
      await ready();
      const note = noteWritten(prefix, place, [kind, keyOf(name), text], before);
      const writing = kind === "head" ? writingNow() : undefined;
      if (writing === undefined) return (await database.write([note])) === 1;
      const token = writing.next();
      const done = await database.write([claim(prefix, writing, token), note]);
      if (done === 0) throw conflict(writing.name, writing.end, writing.end);
      if (done === 2) writing.token = token;
      return done === 2;
    },
    async remove(kind, name) {
      await ready();
      const text = `DELETE FROM ${prefix}notes WHERE journal = ${own} AND kind = $3 AND name = $4 RETURNING name`;
      await database.write([[text, tenant, id, kind, keyOf(name)]]);
    },
  };
}

/** Returns the statements by which a head is moved: whoever has its journal open for writing finds another token. */
export function movedHead(
  prefix: string,
  place: TablePlace,
  { text, before }: { readonly text: string; readonly before?: string | undefined },
  token: string,
): readonly Statement[] {
  const { tenant, id } = place;
  const claimed: Statement = [
    `UPDATE ${prefix}journals SET token = $1 WHERE tenant = $2 AND name = $3 RETURNING id`,
    ...[token, tenant, id],
  ];
  return [claimed, noteWritten(prefix, place, ["head", keyOf("head"), text], before)];
}

function noteWritten(
  prefix: string,
  { tenant, id }: TablePlace,
  [kind, name, text]: readonly [kind: string, name: string, text: string],
  before: string | undefined,
): Statement {
  if (before !== undefined) {
    const replace = `UPDATE ${prefix}notes SET text = $1 WHERE journal = (SELECT id FROM ${prefix}journals WHERE tenant = $2 AND name = $3) AND kind = $4 AND name = $5 AND text = $6 RETURNING name`;
    return [replace, text, tenant, id, kind, name, before];
  }
  const insert = `INSERT INTO ${prefix}notes (journal, kind, name, text) SELECT id, CAST($1 AS text), CAST($2 AS text), CAST($3 AS text) FROM ${prefix}journals WHERE tenant = $4 AND name = $5 ON CONFLICT (journal, kind, name) DO NOTHING RETURNING name`;
  return [insert, kind, name, text, tenant, id];
}

function claim(prefix: string, { journal, end, token }: Writing, next: string): Statement {
  const text = `UPDATE ${prefix}journals SET token = $1 WHERE id = $2 AND token = $3 AND lines = $4 AND bytes = $5 RETURNING id`;
  return [text, next, journal, token, end.lines, end.bytes];
}
