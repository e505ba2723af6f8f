/** The snapshots of a journal, in a table: each as its text. */
import type { SnapshotStore } from "../../runtime/for-adapters.js";
import type { TableDatabase } from "./table-database.js";

/** Returns the snapshots of a journal. @param id its name in the tables */
export function tableSnapshots(
  { database, ready }: { readonly database: TableDatabase; readonly ready: () => Promise<void> },
  id: string,
): SnapshotStore {
  const { prefix } = database;
  const own = `journal = (SELECT id FROM ${prefix}journals WHERE name = $1)`;
  // One write at a time, so that of two the second stays.
  let last: Promise<unknown> = Promise.resolve();
  return {
    async list() {
      await ready();
      const rows = await database.read(`SELECT seq, size FROM ${prefix}snapshots WHERE ${own}`, id);
      return rows.map(({ seq, size }) => ({ seq: Number(seq), size: Number(size) }));
    },
    async read(seq) {
      await ready();
      const [row] = await database.read(
        `SELECT text FROM ${prefix}snapshots WHERE ${own} AND seq = $2`,
        id,
        seq,
      );
      return row === undefined ? undefined : String(row.text);
    },
    write(seq, make) {
      const written = last.then(async () => {
        await ready();
        const text = make();
        const size = Buffer.byteLength(text);
        await database.write([
          [
            `INSERT INTO ${prefix}snapshots (journal, seq, size, text) SELECT id, CAST($1 AS bigint), CAST($2 AS bigint), CAST($3 AS text) FROM ${prefix}journals WHERE name = $4 ON CONFLICT (journal, seq) DO UPDATE SET size = excluded.size, text = excluded.text RETURNING seq`,
            seq,
            size,
            text,
            id,
          ],
        ]);
        return size;
      });
      last = written.catch(() => {});
      return written;
    },
    async remove(seq) {
      await ready();
      await database.write([
        [`DELETE FROM ${prefix}snapshots WHERE ${own} AND seq = $2 RETURNING seq`, id, seq],
      ]);
    },
  };
}
