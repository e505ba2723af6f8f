/**
 * Keeps the files that messages name (`BlobPort`) in SQL tables: each once for a tenant, with the number of the
 * runs that hold it. A change of these locks the file's row first, so that the number is right, and a file goes
 * with its last run and not before.
 */
import { base64Of, ReckonerError } from "../../core/kernel/values/index.js";
import type { BlobPort, JournalPort } from "../../runtime/for-adapters.js";
import type { Statement, TableDatabase, TablePlace } from "./table-database.js";

/** The parts that the files of a database need. */
interface Parts {
  readonly database: TableDatabase;
  readonly ready: () => Promise<void>;
  /** Returns the place of a journal of this database. */
  readonly placeOf: (journal: JournalPort) => TablePlace | undefined;
}

/** The beginning of a transaction whose statements need return nothing. */
const BEGIN: readonly Statement[] = [["SELECT 1 AS begun"]];
/** Milliseconds after which a hold of a run that never began is no one's. */
const NEVER_BEGAN = 3_600_000;

/** Returns the files of a database. */
export function tableBlobs({ database, ready, placeOf }: Parts): BlobPort {
  const { prefix } = database;
  const placed = async (journal: JournalPort): Promise<TablePlace> => {
    const place = placeOf(journal);
    if (place === undefined) throw elsewhere(journal, database.name);
    await ready();
    return place;
  };
  const held = ({ tenant, id }: TablePlace, blob: string): readonly Statement[] => [
    [
      `INSERT INTO ${prefix}blob_holds (tenant, blob, holder, since) VALUES ($1, $2, $3, ${database.now}) ON CONFLICT (tenant, blob, holder) DO NOTHING`,
      ...[tenant, blob, id],
    ],
    [
      `UPDATE ${prefix}blobs SET holders = (SELECT count(*) FROM ${prefix}blob_holds AS h WHERE h.tenant = $1 AND h.blob = $2) WHERE tenant = $3 AND id = $4`,
      ...[tenant, blob, tenant, blob],
    ],
  ];
  return {
    name: database.name,
    async keep(journal, id, bytes) {
      const place = await placed(journal);
      const kept: Statement = [
        // A conflict changes nothing, but locks the row.
        `INSERT INTO ${prefix}blobs (tenant, id, size, text, holders) VALUES ($1, $2, $3, $4, 0) ON CONFLICT (tenant, id) DO UPDATE SET size = excluded.size RETURNING id`,
        ...[place.tenant, id, bytes.length, base64Of(bytes)],
      ];
      await database.write([kept], held(place, id));
    },
    async hold(journal, id) {
      const place = await placed(journal);
      const found: Statement = [
        `UPDATE ${prefix}blobs SET size = size WHERE tenant = $1 AND id = $2 RETURNING id`,
        ...[place.tenant, id],
      ];
      return (await database.write([found], held(place, id))) === 1;
    },
    async read(journal, id) {
      const { tenant } = await placed(journal);
      const text = `SELECT text FROM ${prefix}blobs WHERE tenant = $1 AND id = $2`;
      const [row] = await database.read(text, tenant, id);
      return row === undefined
        ? undefined
        : new Uint8Array(Buffer.from(String(row.text), "base64"));
    },
    async release(journal) {
      await database.write(BEGIN, released(prefix, await placed(journal)));
    },
  };
}

/** Returns the statements by which a run holds no file any more; of those that nobody holds then, none is left. */
export function released(prefix: string, { tenant, id }: TablePlace): readonly Statement[] {
  return [
    [
      `UPDATE ${prefix}blobs SET holders = holders - 1 WHERE tenant = $1 AND id IN (SELECT blob FROM ${prefix}blob_holds WHERE tenant = $2 AND holder = $3)`,
      ...[tenant, tenant, id],
    ],
    [`DELETE FROM ${prefix}blob_holds WHERE tenant = $1 AND holder = $2`, tenant, id],
    [`DELETE FROM ${prefix}blobs WHERE tenant = $1 AND holders <= 0`, tenant],
  ];
}

/** Forgets what is held for runs that never began, since their start was refused or lost. */
export async function sweepHolds(database: TableDatabase, now: string): Promise<void> {
  const { prefix } = database;
  const rows = await database.read(
    `SELECT DISTINCT tenant, holder FROM ${prefix}blob_holds AS h WHERE since < ${now} - ${NEVER_BEGAN} AND NOT EXISTS (SELECT 1 FROM ${prefix}journals AS j WHERE j.tenant = h.tenant AND j.name = h.holder)`,
  );
  for (const { tenant, holder } of rows) {
    await database.write(BEGIN, released(prefix, { tenant: String(tenant), id: String(holder) }));
  }
}

function elsewhere({ name }: JournalPort, database: string): ReckonerError {
  const message = `The journal ${name} is not one of ${database}, whose files are for its own runs alone.`;
  return new ReckonerError("option.invalid", message, { place: "blobs" });
}
