/** Keeps the snapshots of a journal in SQL tables: each as its text, and the rows that they share. */
import type { SnapshotStore } from "../../runtime/for-adapters.js";
import type { TableDatabase, TablePlace } from "./table-database.js";

/** Returns the snapshots of a journal. */
export function tableSnapshots(
  { database, ready }: { readonly database: TableDatabase; readonly ready: () => Promise<void> },
  { tenant, id }: TablePlace,
): SnapshotStore {
  const { prefix } = database;
  const own = `journal = (SELECT id FROM ${prefix}journals WHERE tenant = $1 AND name = $2)`;
  // One write at a time, so that of two the second stays.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(async () => {
      await ready();
      return work();
    });
    last = done.catch(() => {});
    return done;
  };
  return {
    async list() {
      await ready();
      const rows = await database.read(
        `SELECT seq, size FROM ${prefix}snapshots WHERE ${own}`,
        tenant,
        id,
      );
      return rows.map(({ seq, size }) => ({ seq: Number(seq), size: Number(size) }));
    },
    async read(seq) {
      await ready();
      const [row] = await database.read(
        `SELECT text FROM ${prefix}snapshots WHERE ${own} AND seq = $3`,
        tenant,
        id,
        seq,
      );
      return row === undefined ? undefined : String(row.text);
    },
    write: (seq, text, rows) =>
      inTurn(async () => {
        const size = Buffer.byteLength(text);
        await database.write([
          ...[...rows].map(
            ([name, row]) =>
              [
                `INSERT INTO ${prefix}snapshot_rows (journal, name, text) SELECT id, CAST($1 AS text), CAST($2 AS text) FROM ${prefix}journals WHERE tenant = $3 AND name = $4 ON CONFLICT (journal, name) DO UPDATE SET text = excluded.text RETURNING name`,
                name,
                row,
                tenant,
                id,
              ] as const,
          ),
          [
            `INSERT INTO ${prefix}snapshots (journal, seq, size, text) SELECT id, CAST($1 AS bigint), CAST($2 AS bigint), CAST($3 AS text) FROM ${prefix}journals WHERE tenant = $4 AND name = $5 ON CONFLICT (journal, seq) DO UPDATE SET size = excluded.size, text = excluded.text RETURNING seq`,
            seq,
            size,
            text,
            tenant,
            id,
          ],
        ]);
        return size;
      }),
    async rows() {
      await ready();
      const rows = await database.read(
        `SELECT name, text FROM ${prefix}snapshot_rows WHERE ${own}`,
        tenant,
        id,
      );
      return new Map(rows.map(({ name, text }) => [String(name), String(text)]));
    },
    keepRows: (names) =>
      inTurn(async () => {
        const rows = await database.read(
          `SELECT name FROM ${prefix}snapshot_rows WHERE ${own}`,
          tenant,
          id,
        );
        const gone = rows.map(({ name }) => String(name)).filter((name) => !names.has(name));
        await database.write(
          gone.map((name) => [
            `DELETE FROM ${prefix}snapshot_rows WHERE ${own} AND name = $3 RETURNING name`,
            tenant,
            id,
            name,
          ]),
        );
      }),
    async remove(seq) {
      await ready();
      await database.write([
        [`DELETE FROM ${prefix}snapshots WHERE ${own} AND seq = $3 RETURNING seq`, tenant, id, seq],
      ]);
    },
  };
}
