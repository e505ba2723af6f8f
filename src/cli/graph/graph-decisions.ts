/**
 * `reckoner graph --view decisions`: draws the decision graph in a DuckDB file, a Postgres
 * database, a folder of PGlite, an export, or a journal. Sources are opened read-only.
 */
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isReckonerError, messageOf, ReckonerError } from "../../core/kernel/index.js";
import {
  DecisionGraph,
  EXPORT_FORMAT,
  type FoundEdges,
  type FoundNodes,
  readExport,
} from "../../decisions/pure/index.js";
import { Decisions } from "../../decisions/stores/index.js";
import { decisionsPicture, type Picture } from "../../pictures/index.js";
import type { StorePort } from "../../runtime/index.js";
import { journalFile, statsOf } from "../files/journal-files.js";
import { schemeOf } from "../files/path-argument.js";
import { isJournalAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { type DrawnDecisions, recordedDecisions } from "./recorded-decisions.js";

/** The flags that choose a graph at a place. */
export interface DecisionsFlags {
  /** Of a journal: up to this event. */
  readonly at?: number;
  /** Of a journal: the store that was written to. */
  readonly store?: string;
  /** The scope, where a store has scopes. */
  readonly scope?: string;
  /** Of a database: the schema of the tables. */
  readonly schema?: string;
}

/** So many nodes are fetched: a picture folds long before. */
const MOST_NODES = 100_000;
const MOST_EDGES = 5 * MOST_NODES;

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
  // A journal of a store is opened as any other.
  if (scheme === undefined || isJournalAddress(path)) return;
  if (!POSTGRES.test(path)) {
    throw usageError(
      `${scheme}: is not the address of a database; write postgres://HOST/DATABASE.`,
    );
  }
  if (!isDecisions) {
    throw usageError(`${nameOf(path)} is a database, which holds decisions; add --view decisions.`);
  }
}

/** The name of a place in titles and errors: of an address without who logs in, and how. */
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
  const { truncated, ...graph } = await SOURCES[kind](path, resolve(io.cwd, path), flags);
  const picture = decisionsPicture(graph, { title });
  if (!truncated) return picture;
  return {
    ...picture,
    notes: [...picture.notes, `Only the newest ${MOST_NODES} nodes are drawn.`],
  };
}

interface Fetched extends DrawnDecisions {
  readonly truncated: boolean;
}

function kindOf(io: Io, path: string): "postgres" | "pglite" | "duckdb" | "export" | "journal" {
  if (isJournalAddress(path)) return "journal";
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

async function exported(_path: string, whole: string): Promise<Fetched> {
  const { operations } = readExport(readFileSync(whole, "utf8").split("\n"));
  const graph = new DecisionGraph();
  if (operations.length > 0) graph.write(operations);
  const nodes = graph.read({ type: "nodes", order: "newest", limit: MOST_NODES });
  return fetched(nodes, graph.read({ type: "edges", limit: MOST_EDGES }));
}

async function inDuckdb(path: string, whole: string, flags: DecisionsFlags): Promise<Fetched> {
  const { duckdbDecisions } = await import("../../decisions/stores/duckdb/index.js");
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
  return inStore(store, { path, scope, schema });
}

/**
 * Postgres writes to its folder as soon as it is started, and two processes on one folder destroy it:
 * so a copy is read.
 */
async function inPglite(path: string, whole: string, flags: DecisionsFlags): Promise<Fetched> {
  const { postgresDecisions } = await import("../../decisions/stores/postgres/index.js");
  const { scope, schema = POSTGRES_SCHEMA } = flags;
  const place = mkdtempSync(join(tmpdir(), "reckoner-graph-"));
  try {
    const folder = join(place, "copy");
    cpSync(whole, folder, { recursive: true });
    const store = postgresDecisions({ folder, schema, scoped: scope !== undefined });
    return await inStore(store, { path, scope, schema });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function inPostgres(path: string, _: string, flags: DecisionsFlags): Promise<Fetched> {
  const { postgresDecisions } = await import("../../decisions/stores/postgres/index.js");
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
    return await inStore(store, { path: nameOf(path), scope, schema });
  } finally {
    await client.end();
  }
}

/** A graph in a database, as far as errors name it. */
interface DatabasePlace {
  readonly path: string;
  readonly scope: string | undefined;
  readonly schema: string;
}

async function inStore(
  store: StorePort & { close(): Promise<void> },
  { path, scope, schema }: DatabasePlace,
): Promise<Fetched> {
  const graph = new Decisions(store, scope === undefined ? {} : { scope });
  const within = scope === undefined ? "without a scope" : `of the scope ${scope}`;
  const none = (what: string) =>
    usageError(`${path} holds no decision graph ${what}; name another with --schema or --scope.`);
  try {
    const nodes = await graph.nodes({}, { order: "newest", limit: MOST_NODES });
    const edges = await graph.query({ type: "edges", limit: MOST_EDGES });
    if ((await graph.stats()).seq > 0) return fetched(nodes, edges);
    throw none(`${within} in the schema ${schema}`);
  } catch (thrown) {
    // It is opened to be read: where there are no tables of ours they cannot be made.
    if (!isReckonerError(thrown) || !/read-only/.test(thrown.message)) throw thrown;
    throw none(`of this version in the schema ${schema}`);
  } finally {
    await store.close();
  }
}

function fetched(nodes: FoundNodes, edges: FoundEdges): Fetched {
  return {
    nodes: [...nodes.nodes].reverse(),
    edges: edges.edges,
    truncated: nodes.truncated || edges.truncated,
  };
}

/** The sources but journals: each fetches a graph, by the path as it was given and as it is whole. */
const SOURCES = {
  export: exported,
  postgres: inPostgres,
  pglite: inPglite,
  duckdb: inDuckdb,
} as const;
