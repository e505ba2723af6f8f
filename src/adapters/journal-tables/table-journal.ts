/**
 * The journal port over tables: opening, writing and reading. Within a process there is one
 * writer of a journal; of two processes the one that writes first goes on, and the other gets a
 * conflict. It must not know what a line means.
 */
import {
  type ErrorCode,
  isReckonerError,
  messageOf,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import { maskCredentials, pairKey } from "../../core/kernel/vocabulary/index.js";
import type { JournalPort, JournalWriter, RunRow } from "../../runtime/for-adapters.js";
import { type Appends, failure, type Writing } from "./appends.js";
import type { SqlRow, TableDatabase, TablePlace } from "./table-database.js";
import { tableNotes } from "./table-notes.js";
import { tableSnapshots } from "./table-snapshots.js";

/** Bytes that are read at a time: a first piece is small, since many want the first line alone. */
const FIRST = 64 * 1024;
const PIECE = 1024 * 1024;

/** The parts that the journals of a database share. */
export interface Shared {
  readonly database: TableDatabase;
  readonly appends: Appends;
  /** Resolves when the tables are there. */
  readonly ready: () => Promise<void>;
  /** The writers that are open; a journal that is just being opened has none yet. */
  readonly open: Map<string, Writing | undefined>;
}

/** Returns the key of a place among the journals that are open. */
export function openKey({ tenant, id }: TablePlace): string {
  return pairKey(tenant, id);
}

/** A journal, without its links. */
export function tableJournal(shared: Shared, place: TablePlace): JournalPort {
  const { tenant, id } = place;
  const name = `${shared.database.name}${tenant === "" ? "" : `/${tenant}`}#${id}`;
  const key = openKey(place);
  return {
    name,
    tenant,
    async open(mode) {
      if (shared.open.has(key)) {
        throw refused("journal.locked", name, "is open already: close that writer first");
      }
      shared.open.set(key, undefined);
      try {
        await shared.ready();
        const row = await rowFor(shared.database, place, name, mode);
        const writing = writingOf(name, row);
        shared.open.set(key, writing);
        return writerOf(shared, key, writing, rowIn(row));
      } catch (thrown) {
        shared.open.delete(key);
        throw isReckonerError(thrown)
          ? thrown
          : failure(name, maskCredentials(messageOf(thrown)), thrown);
      }
    },
    read: (from = 0) => readBytes(shared, place, name, from),
    snapshots: tableSnapshots(shared, place),
    notes: tableNotes(shared, place, () => shared.open.get(key)),
  };
}

/** Returns a journal's row. @throws ReckonerError `journal.exists`, `journal.missing` */
async function rowFor(
  database: TableDatabase,
  { tenant, id }: TablePlace,
  name: string,
  mode: "create" | "append",
): Promise<SqlRow> {
  const table = `${database.prefix}journals`;
  if (mode === "create") {
    await database.write([
      [
        `INSERT INTO ${table} (tenant, name, lines, bytes, token) VALUES ($1, $2, 0, 0, '') ON CONFLICT (tenant, name) DO NOTHING RETURNING id`,
        tenant,
        id,
      ],
    ]);
  }
  const [row] = await database.read(
    `SELECT id, lines, bytes, token, row_lines, status, row FROM ${table} WHERE tenant = $1 AND name = $2`,
    tenant,
    id,
  );
  if (mode === "append" && row?.status === "detached") {
    throw refused("journal.missing", name, "was pruned, and a part of it is kept for its forks");
  }
  if (row === undefined) throw refused("journal.missing", name, "does not exist");
  if (mode === "create" && Number(row.lines) > 0) {
    const what = "holds a journal already: resume it, or choose another id";
    throw refused("journal.exists", name, what);
  }
  return row;
}

function writingOf(name: string, { id, lines, bytes, token }: SqlRow): Writing {
  const own = globalThis.crypto.randomUUID();
  let writes = 0;
  return {
    name,
    journal: Number(id),
    token: String(token),
    end: { lines: Number(lines), bytes: Number(bytes) },
    next: () => `${own}/${++writes}`,
  };
}

/** Returns the row of a run, if it is that of the journal's end. */
function rowIn({ lines, row_lines: of, status, row }: SqlRow): RunRow | null {
  if (Number(lines) !== Number(of) || status === "unreadable") return null;
  return JSON.parse(String(row)) as RunRow;
}

function writerOf(
  { appends, open }: Shared,
  key: string,
  writing: Writing,
  row: RunRow | null,
): JournalWriter {
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;
  return {
    row,
    append(lines, expected, row) {
      if (closing !== undefined) {
        return Promise.reject(failure(writing.name, "the writer was closed"));
      }
      const appended = appends.append(writing, lines, expected, row);
      last = Promise.allSettled([last, appended]);
      return appended;
    },
    close() {
      closing ??= last.then(() => {
        open.delete(key);
      });
      return closing;
    },
  };
}

async function* readBytes(
  { database, ready }: Shared,
  { tenant, id }: TablePlace,
  name: string,
  from: number,
): AsyncGenerator<Uint8Array> {
  await ready();
  const { prefix } = database;
  const [row] = await database.read(
    `SELECT id, bytes, (SELECT max(at) FROM ${prefix}lines WHERE journal = j.id AND at <= $1) AS first FROM ${prefix}journals AS j WHERE tenant = $2 AND name = $3`,
    from,
    tenant,
    id,
  );
  if (row === undefined) throw refused("journal.missing", name, "does not exist");
  const end = Number(row.bytes);
  if (from >= end) return;
  let at = Number(row.first ?? 0);
  for (let size = FIRST; at < end; size = PIECE) {
    const lines = await database.read(
      `SELECT at, text FROM ${prefix}lines WHERE journal = $1 AND at >= $2 AND at < $3 ORDER BY at`,
      Number(row.id),
      at,
      Math.min(at + size, end),
    );
    const bytes = Buffer.from(lines.map(({ text }) => `${text}\n`).join(""));
    const [first, last] = [lines[0], lines.at(-1)];
    const until = Number(last?.at) + Buffer.byteLength(`${last?.text}\n`);
    if (Number(first?.at) !== at || until !== at + bytes.length || until > end) {
      throw refused("journal.unreadable", name, `lacks lines behind byte ${at}`);
    }
    yield bytes.subarray(Math.max(0, from - at));
    at += bytes.length;
  }
}

function refused(code: ErrorCode, name: string, what: string): ReckonerError {
  return new ReckonerError(code, `The journal ${name} ${what}.`, { place: name });
}
