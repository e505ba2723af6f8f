/**
 * `reckoner graph --view decisions`: draws the decision graph in a DuckDB file, a Postgres
 * database, a folder of PGlite, an export, or a journal. Sources are opened read-only.
 */
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isReckonerError } from "../../core/kernel/values/index.js";
import { EXPORT_FORMAT } from "../../decisions/pure/index.js";
import { Decisions, importDecisions, memoryDecisions } from "../../decisions/stores/index.js";
import type { PostgresClient, SqlStore } from "../../decisions/stores/postgres/index.js";
import { decisionsPicture, type Picture } from "../../pictures/index.js";
import type { DrawnDecisions } from "../../studio/model/index.js";
import { journalFile, statsOf } from "../files/journal-files.js";
import { schemeOf } from "../files/path-argument.js";
import { postgresPool } from "../store/postgres-pool.js";
import { isJournalAddress } from "../store/store-address.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { type RecordedWrites, recordedDecisions } from "./recorded-decisions.js";

/** The flags that choose a graph at a place. */
export interface DecisionsFlags extends RecordedWrites {
  /** Of a database: the schema of the tables. */
  readonly schema?: string | undefined;
}

/** So many nodes are fetched: a picture folds long before. */
const MOST_NODES = 100_000;
const MOST_EDGES = 5 * MOST_NODES;

const POSTGRES = /^postgres(ql)?:\/\//i;

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
  const { truncated, ...graph } = await SOURCES[kind](path, flags, io);
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

async function exported(path: string, _: DecisionsFlags, { cwd }: Io): Promise<Fetched> {
  const graph = new Decisions(memoryDecisions());
  await importDecisions(graph, readFileSync(resolve(cwd, path), "utf8").split("\n"));
  return await fetched(graph);
}

async function inDuckdb(path: string, flags: DecisionsFlags, { cwd }: Io): Promise<Fetched> {
  const { duckdbDecisions } = await import("../../decisions/stores/duckdb/index.js");
  const { schema = "main" } = flags;
  const config = { access_mode: "READ_ONLY" };
  const scoped = flags.scope !== undefined;
  const place = { path: resolve(cwd, path), schema, name: path };
  const store = duckdbDecisions({ ...place, scoped, propertyGraph: false, config });
  return inStore(store, path, { ...flags, schema });
}

/**
 * Postgres writes to its folder as soon as it is started, and two processes on one folder destroy it:
 * so a copy is read.
 */
async function inPglite(path: string, flags: DecisionsFlags, { cwd }: Io): Promise<Fetched> {
  const place = mkdtempSync(join(tmpdir(), "reckoner-graph-"));
  try {
    const folder = join(place, "copy");
    cpSync(resolve(cwd, path), folder, { recursive: true });
    return await inPostgres({ folder }, path, flags);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function onServer(path: string, flags: DecisionsFlags, io: Io): Promise<Fetched> {
  const options = "-c default_transaction_read_only=on";
  const { client, schema: own } = await postgresPool(io, path, { max: 1, options });
  try {
    const { schema = own } = flags;
    if (own !== undefined && schema !== own) {
      throw usageError(`--schema ${schema} and the address's schema=${own} are two; name one.`);
    }
    return await inPostgres({ client }, nameOf(path), { ...flags, schema });
  } finally {
    await client.end();
  }
}

async function inPostgres(
  where: { readonly folder: string } | { readonly client: PostgresClient },
  name: string,
  flags: DecisionsFlags,
): Promise<Fetched> {
  const { postgresDecisions } = await import("../../decisions/stores/postgres/index.js");
  const { scope, schema = "reckoner" } = flags;
  const store = postgresDecisions({ ...where, schema, scoped: scope !== undefined });
  return await inStore(store, name, { ...flags, schema });
}

async function inStore(
  store: SqlStore,
  name: string,
  { scope, schema }: DecisionsFlags,
): Promise<Fetched> {
  const graph = new Decisions(store, scope === undefined ? {} : { scope });
  const within = scope === undefined ? "without a scope" : `of the scope ${scope}`;
  const none = (what: string) =>
    usageError(
      `${name} holds no decision graph ${what} in the schema ${schema}; name another with --schema or --scope.`,
    );
  try {
    const found = await fetched(graph);
    if ((await graph.stats()).seq > 0) return found;
    throw none(within);
  } catch (thrown) {
    // It is opened to be read: where there are no tables of ours they cannot be made.
    if (!isReckonerError(thrown) || !/read-only/.test(thrown.message)) throw thrown;
    throw none("of this version");
  } finally {
    await store.close();
  }
}

async function fetched(graph: Decisions): Promise<Fetched> {
  const { nodes, truncated } = await graph.nodes({}, { order: "newest", limit: MOST_NODES });
  const found = await graph.query({ type: "edges", limit: MOST_EDGES });
  const { edges } = found;
  return { nodes: [...nodes].reverse(), edges, truncated: truncated || found.truncated };
}

/** The sources but journals: each fetches a graph by the path as it was given. */
const SOURCES = {
  export: exported,
  postgres: onServer,
  pglite: inPglite,
  duckdb: inDuckdb,
} as const;
