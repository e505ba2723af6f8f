/**
 * `reckoner graph --view decisions`: draws the decision graph in a DuckDB file, a Postgres
 * database, a folder of PGlite, an export, or a journal. Sources are opened read-only.
 */
import {
  closeSync,
  cpSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import {
  DecisionGraph,
  EXPORT_FORMAT,
  ExportReader,
  type FoundEdges,
  type FoundNodes,
} from "../core/decisions/index.js";
import { isReckonerError, messageOf, ReckonerError } from "../core/kernel/index.js";
import { decisionsPicture, type Picture } from "../pictures/index.js";
import { Decisions, type StorePort } from "../runtime/index.js";
import { usageError } from "./failure.js";
import type { Io } from "./io.js";
import { journalFile, statsOf } from "./journal-files.js";
import { schemeOf } from "./path-argument.js";
import { type DrawnDecisions, recordedDecisions } from "./recorded-decisions.js";

/** What is meant of what lies there. */
export interface DecisionsFlags {
  /** Of a journal: up to this event. */
  readonly at?: number;
  /** Of a journal: the store that was written to. */
  readonly store?: string;
  /** Whose graph, where a store has scopes. */
  readonly scope?: string;
  /** Of a database: the schema of the tables. */
  readonly schema?: string;
}

/** So many nodes are fetched: a picture folds long before. */
const MOST_NODES = 100_000;
const MOST_EDGES = 5 * MOST_NODES;

/** How many schemas or scopes an error lists. */
const MOST_LISTED = 10;

const POSTGRES_SCHEMA = "reckoner";
const POSTGRES = /^postgres(ql)?:\/\//i;

/** A server that does not answer is given up after so many seconds, unless its address says otherwise. */
const CONNECT_SECONDS = 10;

/**
 * Refuses an address that is none of a database, and one where none is drawn: taken for a path, it would
 * be missing, and printed with the password in it.
 * @throws ReckonerError `cli.usage`
 */
export function checkAddress(path: string, isDecisions: boolean): void {
  const scheme = schemeOf(path);
  if (scheme === undefined) return;
  if (!POSTGRES.test(path)) {
    throw usageError(
      `${scheme}: is not the address of a database; write postgres://HOST/DATABASE.`,
    );
  }
  if (!isDecisions) {
    throw usageError(`${nameOf(path)} is a database, which holds decisions; add --view decisions.`);
  }
}

/** What a place is called in titles and errors: an address without who logs in, and how. */
export function nameOf(path: string): string {
  if (!POSTGRES.test(path)) return path;
  try {
    const { host, pathname } = new URL(path);
    return `postgres://${host}${pathname}`;
  } catch {
    throw usageError("The address of the database is not a URL; write postgres://HOST/DATABASE.");
  }
}

/** The decisions at a place, as a picture. */
export async function decisionsAt(io: Io, path: string, flags: DecisionsFlags): Promise<Picture> {
  const scope = flags.scope === undefined ? "" : `, ${flags.scope}`;
  const title = `${nameOf(path)}${scope}`;
  const { at, store, schema } = flags;
  const kind = kindOf(io, path);
  if (schema !== undefined && (kind === "journal" || kind === "export")) {
    throw usageError(`--schema ${schema} needs a database; ${path} is not one.`);
  }
  if (kind === "journal") {
    const drawn = await recordedDecisions(journalFile(io, path), flags);
    return decisionsPicture(drawn, { title: at === undefined ? title : `${title}, event ${at}` });
  }
  if (at !== undefined) throw usageError(`--at ${at} needs a journal; ${nameOf(path)} is not one.`);
  if (store !== undefined) throw usageError(`--store ${store} goes with a journal alone.`);
  if (kind === "export" && flags.scope !== undefined) {
    throw usageError(`--scope ${flags.scope} needs a store; an export holds one graph.`);
  }
  const { truncated, ...graph } = await (kind === "export"
    ? exported(resolve(io.cwd, path))
    : kind === "postgres"
      ? inPostgres(path, flags)
      : kind === "pglite"
        ? inPglite(path, resolve(io.cwd, path), flags)
        : inDuckdb(path, resolve(io.cwd, path), flags));
  const picture = decisionsPicture(graph, { title });
  if (!truncated) return picture;
  return {
    ...picture,
    notes: [...picture.notes, `Only the newest ${MOST_NODES} nodes are drawn.`],
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Runs a statement that only reads. */
type Look = (sql: string) => Promise<readonly Row[]>;

/** A graph in a database. The name of the schema is one that can stand in a statement. */
interface DatabasePlace {
  readonly path: string;
  readonly scope: string | undefined;
  readonly schema: string;
  readonly look: Look;
}

interface Fetched extends DrawnDecisions {
  readonly truncated: boolean;
}

function kindOf(io: Io, path: string): "postgres" | "pglite" | "duckdb" | "export" | "journal" {
  if (POSTGRES.test(path)) return "postgres";
  const whole = resolve(io.cwd, path);
  const stats = statsOf(io, path);
  if (stats?.isDirectory()) {
    if (statsOf(io, join(path, "PG_VERSION"))?.isFile()) return "pglite";
    throw usageError(
      `${path} is a folder, but not one of PGlite; name a store or a journal in it.`,
    );
  }
  const head = stats?.isFile() ? headOf(whole) : "";
  if (head.startsWith("DUCK", 8)) return "duckdb";
  return head.startsWith(`{"format":${JSON.stringify(EXPORT_FORMAT)}`) ? "export" : "journal";
}

/** The first bytes of a file, one character each. */
function headOf(path: string): string {
  const bytes = Buffer.alloc(64);
  const file = openSync(path, "r");
  try {
    return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

async function exported(path: string): Promise<Fetched> {
  const reader = new ExportReader();
  const lines = createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) reader.take(line);
  const { operations } = reader.end();
  const graph = new DecisionGraph();
  if (operations.length > 0) graph.write(operations);
  const nodes = graph.read({ type: "nodes", order: "newest", limit: MOST_NODES });
  return fetched(nodes, graph.read({ type: "edges", limit: MOST_EDGES }));
}

async function inDuckdb(path: string, whole: string, flags: DecisionsFlags): Promise<Fetched> {
  const { duckdbDecisions } = await import("../adapters/duckdb/index.js");
  const { scope, schema = "main" } = flags;
  const config = { access_mode: "READ_ONLY" };
  const store = duckdbDecisions({
    path: whole,
    schema,
    name: path,
    scoped: scope !== undefined,
    propertyGraph: false,
    config,
  });
  const look = async (sql: string) => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.fromCache(whole, config);
    const connection = await instance.connect();
    try {
      return (await connection.runAndReadAll(sql)).getRowObjects();
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  };
  return inStore(store, { path, scope, schema, look });
}

/**
 * Postgres writes to its folder as soon as it is started, and two processes on one folder destroy it:
 * so a copy is read, and that without writing.
 */
async function inPglite(path: string, whole: string, flags: DecisionsFlags): Promise<Fetched> {
  const { postgresDecisions } = await import("../adapters/postgres/index.js");
  const { scope, schema = POSTGRES_SCHEMA } = flags;
  let look: Look = async () => [];
  const copy = mkdtempSync(join(tmpdir(), "reckoner-graph-"));
  try {
    cpSync(whole, copy, { recursive: true });
    const store = postgresDecisions({
      folder: copy,
      schema,
      scoped: scope !== undefined,
      load: async () => {
        const { PGlite } = await import("@electric-sql/pglite");
        return {
          PGlite: {
            async create(folder) {
              const client = await PGlite.create(folder);
              await client.exec("SET default_transaction_read_only = on");
              look = async (sql) => (await client.query<Row>(sql)).rows;
              return client;
            },
          },
        };
      },
    });
    return await inStore(store, { path, scope, schema, look: (sql) => look(sql) });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function inPostgres(path: string, flags: DecisionsFlags): Promise<Fetched> {
  const { postgresDecisions } = await import("../adapters/postgres/index.js");
  const url = new URL(path);
  const { scope } = flags;
  const own = url.searchParams.get("schema");
  if (own !== null && flags.schema !== undefined && own !== flags.schema) {
    throw usageError(`--schema ${flags.schema} and the address's schema=${own} are two; name one.`);
  }
  const schema = flags.schema ?? own ?? POSTGRES_SCHEMA;
  url.searchParams.delete("schema");
  const seconds = url.searchParams.get("connect_timeout") ?? `${CONNECT_SECONDS}`;
  if (!/^[1-9]\d{0,3}$/.test(seconds)) {
    throw usageError(`connect_timeout=${seconds} is not a number of seconds from 1 on.`);
  }
  const { default: pg } = await import("pg").catch((cause: unknown): never => {
    throw new ReckonerError(
      "store.driver",
      `pg cannot be loaded (${messageOf(cause).split("\n", 1)[0]}); install it: npm install pg`,
      { place: "pg", cause },
    );
  });
  const client = new pg.Pool({
    connectionString: url.href,
    max: 1,
    connectionTimeoutMillis: Number(seconds) * 1_000,
    options: "-c default_transaction_read_only=on",
  });
  try {
    const store = postgresDecisions({ client, schema, scoped: scope !== undefined });
    const look = async (sql: string) => (await client.query<Row>(sql)).rows;
    return await inStore(store, { path: nameOf(path), scope, schema, look });
  } finally {
    await client.end();
  }
}

async function inStore(
  store: StorePort & { close(): Promise<void> },
  place: DatabasePlace,
): Promise<Fetched> {
  const { path, scope, schema } = place;
  const graph = new Decisions(store, scope === undefined ? {} : { scope });
  try {
    const nodes = await graph.nodes({}, { order: "newest", limit: MOST_NODES });
    const edges = await graph.query({ type: "edges", limit: MOST_EDGES });
    if (nodes.nodes.length === 0) await refuseOtherScope(graph, place);
    return fetched(nodes, edges);
  } catch (thrown) {
    // It is opened to be read: where there are no tables of ours they cannot be made.
    if (isReckonerError(thrown) && /read-only/.test(thrown.message)) {
      const others = await listed(
        place,
        "SELECT table_schema AS name FROM information_schema.tables WHERE table_name = 'decision_format' ORDER BY 1",
      );
      throw usageError(
        others === ""
          ? `${path} holds no decision graph of this version.`
          : `${path} holds no decision graph of this version in the schema ${schema}; there are ${others}: name one with --schema.`,
      );
    }
    throw thrown;
  } finally {
    await store.close();
  }
}

/** Nothing was ever written to the scope that is meant: where something was, the user means that. */
async function refuseOtherScope(graph: Decisions, place: DatabasePlace): Promise<void> {
  if ((await graph.stats()).seq > 0) return;
  const { path, scope, schema } = place;
  const written = (condition: string) =>
    listed(
      place,
      `SELECT scope AS name FROM "${schema}".decision_scopes WHERE ${condition} AND seq > 0 ORDER BY 1`,
    );
  const none = `${path} holds no decision graph ${scope === undefined ? "without a scope" : `of the scope ${scope}`}`;
  const others = await written("scope <> ''");
  if (others !== "") throw usageError(`${none}; there are ${others}: name one with --scope.`);
  const unscoped = await place.look(
    `SELECT scope FROM "${schema}".decision_scopes WHERE scope = '' AND seq > 0`,
  );
  if (unscoped.length > 0) {
    throw usageError(`${none}; its graph has no scopes: leave --scope out.`);
  }
}

/** The names that a statement finds, the first few of them. */
async function listed({ look }: DatabasePlace, sql: string): Promise<string> {
  const names = (await look(`${sql} LIMIT ${MOST_LISTED + 1}`)).map(({ name }) => String(name));
  const more = names.length > MOST_LISTED ? " and more" : "";
  return names.slice(0, MOST_LISTED).join(", ") + more;
}

function fetched(nodes: FoundNodes, edges: FoundEdges): Fetched {
  return {
    nodes: [...nodes.nodes].reverse(),
    edges: edges.edges,
    truncated: nodes.truncated || edges.truncated,
  };
}
