// Databases for journals: SQLite by each package that is there, in memory or in a file, and Postgres.
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SqliteDatabase, SqliteStatement } from "../../src/adapters/sqlite/index.js";

type Open = (path: string) => SqliteDatabase & { close(): unknown };

type Database = new (path: string) => ReturnType<Open>;
interface NodeSqlite {
  readonly DatabaseSync: Database;
}
const nodeSqlite = process.getBuiltinModule("node:sqlite" as never) as NodeSqlite | undefined;

const libsql: Open = (path) => new (createRequire(import.meta.url)("libsql") as Database)(path);

/** A database in the manner of better-sqlite3: of a statement that returns no rows it refuses to return them. */
function strict(database: ReturnType<Open>): ReturnType<Open> {
  return {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql) as SqliteStatement & { readonly reader: boolean };
      return {
        run: (...given) => statement.run(...given),
        all(...given) {
          if (statement.reader) return statement.all(...given);
          throw new TypeError("This statement does not return data. Use run() instead");
        },
      };
    },
  };
}

/** How each package opens a database; Node has one from 22 on. */
export const SQLITES: Readonly<Record<string, Open>> = {
  libsql,
  "better-sqlite3's manner": (path) => strict(libsql(path)),
  ...(nodeSqlite && { "node:sqlite": (path: string) => new nodeSqlite.DatabaseSync(path) }),
};

/** A path for a database's file; its folder goes when the test is over. */
export async function databaseFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "reckoner-sqlite-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "runs.db");
}

/** A database in memory, or in a file; it is closed when the test is over. */
export function openSqlite(kind: string, path = ":memory:"): SqliteDatabase {
  const database = (SQLITES[kind] as Open)(path);
  onTestFinished(() => {
    database.close();
  });
  return database;
}
