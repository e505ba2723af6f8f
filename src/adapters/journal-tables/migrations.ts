/**
 * Creates the tables of journals and hosts, and upgrades them from each version to the next. It must not know
 * any database.
 */
import { ReckonerError } from "../../core/kernel/values/index.js";
import { COLUMNS } from "./indexed-row.js";
import type { TableDatabase } from "./table-database.js";

type Tables = Pick<TableDatabase, "name" | "prefix" | "types">;
/** The statements of each step. */
export type Migrations = readonly ((tables: Tables) => readonly string[])[];

/** The steps: the first makes version 1 of nothing. A version that was released is never changed. */
export const MIGRATIONS: Migrations = [
  ({ prefix, types }) => [
    `CREATE TABLE ${prefix}journal_format (version bigint NOT NULL)`,
    `INSERT INTO ${prefix}journal_format (version) VALUES (0)`,
    // The end of each journal, the token of the last write, by which its writer knows it, and the row of its
    // run in the index, which is that of so many lines.
    `CREATE TABLE ${prefix}journals (id ${types.number}, tenant ${types.name} NOT NULL, name ${types.name} NOT NULL, lines bigint NOT NULL, bytes bigint NOT NULL, token text NOT NULL, row_lines bigint NOT NULL DEFAULT -1, last_at bigint NOT NULL DEFAULT 0, ${COLUMNS.map((column) => `${column} text NOT NULL DEFAULT ''`).join(", ")}, UNIQUE (tenant, name))`,
    `CREATE INDEX reckoner_runs_by_time ON ${prefix}journals (tenant, last_at, id)`,
    `CREATE INDEX reckoner_runs_without_row ON ${prefix}journals (tenant, id) WHERE row_lines <> lines`,
    // A line without its newline; it begins at a byte.
    `CREATE TABLE ${prefix}lines (journal bigint NOT NULL, at bigint NOT NULL, line bigint NOT NULL, text text NOT NULL, PRIMARY KEY (journal, at))`,
    `CREATE TABLE ${prefix}snapshots (journal bigint NOT NULL, seq bigint NOT NULL, size bigint NOT NULL, text text NOT NULL, PRIMARY KEY (journal, seq))`,
    `CREATE TABLE ${prefix}snapshot_rows (journal bigint NOT NULL, name ${types.name} NOT NULL, text text NOT NULL, PRIMARY KEY (journal, name))`,
    `CREATE TABLE ${prefix}notes (journal bigint NOT NULL, kind text NOT NULL, name ${types.name} NOT NULL, text text NOT NULL, PRIMARY KEY (journal, kind, name))`,
  ],
  ({ prefix, types }) => [
    // The runs of hosts: who owns each, and until when; when it is due, -1 for never; the journal with its lines.
    `CREATE TABLE ${prefix}hosted (tenant ${types.name} NOT NULL, name ${types.name} NOT NULL, head ${types.name} NOT NULL, owner text NOT NULL DEFAULT '', epoch bigint NOT NULL DEFAULT 0, lease bigint NOT NULL DEFAULT 0, wake bigint NOT NULL DEFAULT -1, tries bigint NOT NULL DEFAULT 0, parked bigint NOT NULL DEFAULT 0, fault text NOT NULL DEFAULT '', token text NOT NULL DEFAULT '', PRIMARY KEY (tenant, name))`,
    `CREATE INDEX reckoner_hosted_by_owner ON ${prefix}hosted (owner, lease) WHERE owner <> ''`,
    `CREATE INDEX reckoner_hosted_by_wake ON ${prefix}hosted (wake) WHERE wake >= 0`,
    `CREATE INDEX reckoner_hosted_by_head ON ${prefix}hosted (tenant, head)`,
    // What was said and is not taken yet; then its answer alone, for a while.
    `CREATE TABLE ${prefix}mail (id ${types.number}, tenant ${types.name} NOT NULL, name ${types.name} NOT NULL, key ${types.name} NOT NULL, word text NOT NULL, answer text NOT NULL DEFAULT '', until bigint NOT NULL DEFAULT 0, UNIQUE (tenant, name, key))`,
    `CREATE INDEX reckoner_mail_that_waits ON ${prefix}mail (tenant, name, id) WHERE answer = ''`,
    `CREATE TABLE ${prefix}spent (tenant ${types.name} NOT NULL, day text NOT NULL, amount double precision NOT NULL, PRIMARY KEY (tenant, day))`,
  ],
  ({ prefix, types }) => [
    // The files of runs, as base64, with the number of the runs that hold each; and who holds it since when.
    `CREATE TABLE ${prefix}blobs (tenant ${types.name} NOT NULL, id ${types.name} NOT NULL, size bigint NOT NULL, text text NOT NULL, holders bigint NOT NULL, PRIMARY KEY (tenant, id))`,
    `CREATE TABLE ${prefix}blob_holds (tenant ${types.name} NOT NULL, blob ${types.name} NOT NULL, holder ${types.name} NOT NULL, since bigint NOT NULL, PRIMARY KEY (tenant, blob, holder))`,
    `CREATE INDEX reckoner_blob_holds_by_holder ON ${prefix}blob_holds (tenant, holder)`,
    `CREATE INDEX reckoner_blobs_of_nobody ON ${prefix}blobs (tenant) WHERE holders <= 0`,
  ],
  ({ prefix }) => [
    // A digest of what was said and by whom, kept with its answer; "" for what was said before.
    `ALTER TABLE ${prefix}mail ADD COLUMN mark text NOT NULL DEFAULT ''`,
  ],
  ({ prefix }) => [
    // A conversation between turns is `ready`: these rows are made of their journals again.
    `UPDATE ${prefix}journals SET row_lines = -1 WHERE status = 'resting'`,
  ],
];

/**
 * Makes the tables, or brings them up to this program's version. With rights to read and write rows
 * alone, tables that are up to date can be opened.
 * @throws ReckonerError `store.version` where they are a later one's
 */
export function openTables(
  database: TableDatabase,
  migrations: Migrations = MIGRATIONS,
): Promise<void> {
  return database.migrate((version) => {
    if (version > migrations.length) {
      throw new ReckonerError(
        "store.version",
        `The journals in ${database.name} have tables of version ${version}, and this program knows ${migrations.length}: use the later version of reckoner everywhere.`,
        { place: database.name },
      );
    }
    const steps = migrations.slice(version).flatMap((step) => step(database));
    if (steps.length === 0) return [];
    return [...steps, `UPDATE ${database.prefix}journal_format SET version = ${migrations.length}`];
  });
}
