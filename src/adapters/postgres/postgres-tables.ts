/**
 * Implements `TableDatabase` for Postgres: how the tables of journals are read and written there. All that
 * happens at once is one statement, which is one round trip and its own transaction; only migrations and notes
 * of heads are several.
 */
import {
  type Chain,
  COLUMNS,
  type SqlRow,
  type Statement,
  type TableDatabase,
} from "../journal-tables/index.js";
import { Connections, codeOf, type PostgresClient } from "./client.js";
import { Prepared } from "./prepared.js";

/** The code of a division by zero. */
const DIVISION = "22012";
/** The code of what the server has undone, since it and another waited for each other. */
const DEADLOCK = "40P01";
/** The maximal number of tries of what the server undid for another's sake. */
const TRIES = 5;

/** See the banner. */
export class PostgresTables implements TableDatabase {
  readonly name: string;
  readonly prefix: string;
  readonly types = {
    number: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    name: 'text COLLATE "C"',
  } as const;
  readonly now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
  readonly skipLocked = "FOR UPDATE SKIP LOCKED";
  readonly #connections: Connections;
  readonly #schema: string;
  readonly #appending: string;
  readonly #prepared: Prepared;

  /** @param schema a name that can stand in a statement */
  constructor(client: PostgresClient, schema: string) {
    this.name = `postgres/${schema}`;
    this.prefix = `"${schema}".`;
    this.#schema = schema;
    this.#connections = Connections.of(client);
    this.#prepared = Prepared.of(client);
    this.#appending = appendingTo(this.prefix);
  }

  async migrate(plan: (version: number) => readonly string[]): Promise<void> {
    const version = await this.#connections.use((client) =>
      this.#version((text, parameters) => client.query(text, parameters)),
    );
    if (plan(version).length === 0) return;
    await this.#transaction(async (query) => {
      // One process migrates at a time; the next finds nothing to do.
      await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [
        `reckoner/journals/${this.#schema}`,
      ]);
      // Asked of the catalog: IF NOT EXISTS may go by what the session remembers from before it had the lock.
      const catalogQuery = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1";
      if ((await query(catalogQuery, [this.#schema])).rows.length === 0) {
        await query(`CREATE SCHEMA IF NOT EXISTS "${this.#schema}"`);
      }
      for (const statement of plan(await this.#version(query))) await query(statement);
      return true;
    });
  }

  read(...[text, ...parameters]: Statement): Promise<readonly SqlRow[]> {
    const ask = async (client: PostgresClient, broken: () => void) => {
      try {
        return (await this.#prepared.ask(client, text, [...parameters], broken)).rows;
      } catch (thrown) {
        // A connection that the server is just closing still looks sound: the next try gets another.
        if (![DIVISION, DEADLOCK].includes(String(codeOf(thrown)))) broken();
        throw thrown;
      }
    };
    return untilTaken(() => this.#connections.use(ask));
  }

  async write(statements: readonly Statement[], more: readonly Statement[] = []): Promise<number> {
    const [only, ...others] = statements;
    if (only === undefined) return 0;
    if (others.length + more.length === 0) return Math.min(1, (await this.read(...only)).length);
    let done = 0;
    await this.#transaction(async (query) => {
      done = 0;
      for (const [text, ...parameters] of statements) {
        if ((await query(text, parameters)).rows.length === 0) return false;
        done += 1;
      }
      for (const [text, ...parameters] of more) await query(text, parameters);
      return true;
    });
    return done;
  }

  /** One statement, and so one round trip: it divides by zero, and comes to nothing, where a part returns no row. */
  async together(statements: readonly Statement[]): Promise<boolean> {
    const values: Statement[1][] = [];
    const parts = statements.map(([text, ...parameters], n) => {
      const before = values.length;
      values.push(...parameters);
      return `s${n} AS (${text.replace(/\$(\d+)/g, (_, at: string) => `$${before + Number(at)}`)})`;
    });
    const all = statements.map((_, n) => `(SELECT count(*) > 0 FROM s${n})`).join(" AND ");
    const text = `WITH ${parts.join(", ")} SELECT 1 / (CASE WHEN ${all} THEN 1 ELSE 0 END) AS done`;
    try {
      await this.read(text, ...values);
      return true;
    } catch (thrown) {
      if (codeOf(thrown) === DIVISION) return false;
      throw thrown;
    }
  }

  async append(chains: readonly Chain[]): Promise<ReadonlySet<number>> {
    const tuples = chains.map(({ journal, from, to, seen, token, lines, row }) => [
      journal,
      from.lines,
      from.bytes,
      to.lines,
      to.bytes,
      seen,
      token,
      lines,
      row ?? null,
    ]);
    const rows = await this.read(this.#appending, JSON.stringify(tuples));
    return new Set(rows.map(({ id }) => Number(id)));
  }

  #transaction(work: (query: PostgresClient["query"]) => Promise<boolean>): Promise<void> {
    const once = async (client: PostgresClient, broken: () => void) => {
      const query: PostgresClient["query"] = (text, parameters) => client.query(text, parameters);
      try {
        await query("BEGIN ISOLATION LEVEL READ COMMITTED");
        await query((await work(query)) ? "COMMIT" : "ROLLBACK");
      } catch (thrown) {
        await query("ROLLBACK").catch(broken);
        throw thrown;
      }
    };
    return untilTaken(() => this.#connections.use(once));
  }

  async #version(query: PostgresClient["query"]): Promise<number> {
    const table = `${this.prefix}journal_format`;
    const { rows } = await query("SELECT to_regclass($1) IS NOT NULL AS found", [table]);
    if (rows[0]?.found !== true) return 0;
    return Number((await query(`SELECT version FROM ${table}`)).rows[0]?.version ?? 0);
  }
}

/** Does again what the server undid, since it and another waited for each other. */
async function untilTaken<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (thrown) {
      if (codeOf(thrown) !== DEADLOCK || tries === TRIES) throw thrown;
    }
  }
}

/**
 * Returns the statement that appends chains, which come as one JSON text: no client changes a
 * character of it. The second at a journal's row waits for the first, and then no longer finds the end
 * that it expects.
 */
function appendingTo(prefix: string): string {
  const columns = COLUMNS.map(
    (column, n) => `${column} = COALESCE(given.row->>${n + 1}, j.${column})`,
  ).join(", ");
  return `WITH given AS MATERIALIZED (
  SELECT (r->>0)::bigint AS id, (r->>1)::bigint AS from_lines, (r->>2)::bigint AS from_bytes, (r->>3)::bigint AS to_lines, (r->>4)::bigint AS to_bytes, r->>5 AS seen, r->>6 AS token, r->7 AS lines, r->8 AS row
  FROM json_array_elements($1::json) AS chains(r)
), moved AS (
  UPDATE ${prefix}journals AS j SET lines = to_lines, bytes = to_bytes, token = given.token, row_lines = CASE WHEN given.row->>0 IS NULL THEN j.row_lines ELSE to_lines END, last_at = COALESCE((given.row->>0)::bigint, j.last_at), ${columns}
  FROM given WHERE j.id = given.id AND j.lines = from_lines AND j.bytes = from_bytes AND j.token = seen
  RETURNING j.id, given.lines AS put
), lines AS (
  INSERT INTO ${prefix}lines (journal, at, line, text)
  SELECT id, (l->>0)::bigint, (l->>1)::bigint, l->>2 FROM moved, json_array_elements(put) AS each_line(l)
)
SELECT id FROM moved`;
}
