/**
 * `reckoner graph --view decisions`: the decisions of a DuckDB file, a Postgres database, a folder of
 * PGlite, an export, or a journal. Nothing that is drawn is changed.
 */
import {
  closeSync,
  cpSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import {
  type DecisionGraph,
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
import { journalFile } from "./journal-files.js";
import { type DrawnDecisions, recordedDecisions } from "./recorded-decisions.js";

/** What is meant of what lies there. */
export interface DecisionsFlags {
  /** Of a journal: up to this event. */
  readonly at?: number;
  /** Of a journal: the store that was written to. */
  readonly store?: string;
  /** Whose graph, where a store has scopes. */
  readonly scope?: string;
}

/** So many nodes are fetched: a picture folds long before. */
const MOST_NODES = 100_000;
const MOST_EDGES = 5 * MOST_NODES;

const POSTGRES = /^postgres(ql)?:\/\//;

/** What a place is called in titles and errors: an address without who logs in, and how. */
export function nameOf(path: string): string {
  if (!POSTGRES.test(path)) return path;
  try {
    const { host, pathname } = new URL(path);
    return `postgres://${host}${pathname}`;
  } catch {
    throw usageError("The address of the database is no URL; write postgres://HOST/DATABASE.");
  }
}

/** The decisions at a place, as a picture. */
export async function decisionsAt(io: Io, path: string, flags: DecisionsFlags): Promise<Picture> {
  const scope = flags.scope === undefined ? "" : `, ${flags.scope}`;
  const title = `${nameOf(path)}${scope}`;
  const { at, store } = flags;
  const kind = kindOf(io, path);
  if (kind === "journal") {
    const drawn = await recordedDecisions(journalFile(io, path), flags);
    return decisionsPicture(drawn, { title: at === undefined ? title : `${title}, event ${at}` });
  }
  if (at !== undefined) throw usageError(`--at ${at} needs a journal; ${nameOf(path)} is none.`);
  if (store !== undefined) throw usageError(`--store ${store} goes with a journal alone.`);
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

interface Fetched extends DrawnDecisions {
  readonly truncated: boolean;
}

function kindOf(io: Io, path: string): "postgres" | "pglite" | "duckdb" | "export" | "journal" {
  if (POSTGRES.test(path)) return "postgres";
  const whole = resolve(io.cwd, path);
  const stats = statSync(whole, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    if (statSync(join(whole, "PG_VERSION"), { throwIfNoEntry: false })?.isFile()) return "pglite";
    throw usageError(`${path} is a folder, and none of PGlite; name a store or a journal in it.`);
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
  const graph: DecisionGraph = reader.end().graph;
  const nodes = graph.answer({ type: "nodes", order: "newest", limit: MOST_NODES }) as FoundNodes;
  const edges = graph.answer({ type: "edges", limit: MOST_EDGES }) as FoundEdges;
  return fetched(nodes, edges);
}

async function inDuckdb(path: string, whole: string, { scope }: DecisionsFlags): Promise<Fetched> {
  const { duckdbDecisions } = await import("../adapters/duckdb/index.js");
  const store = duckdbDecisions({
    path: whole,
    name: path,
    scoped: scope !== undefined,
    propertyGraph: false,
    config: { access_mode: "READ_ONLY" },
  });
  return inStore(store, path, scope);
}

/**
 * Postgres writes to its folder as soon as it is started, and two processes on one folder destroy it:
 * so a copy is read, and that without writing.
 */
async function inPglite(path: string, whole: string, { scope }: DecisionsFlags): Promise<Fetched> {
  const { postgresDecisions } = await import("../adapters/postgres/index.js");
  const copy = mkdtempSync(join(tmpdir(), "reckoner-graph-"));
  try {
    cpSync(whole, copy, { recursive: true });
    const store = postgresDecisions({
      folder: copy,
      scoped: scope !== undefined,
      load: async () => {
        const { PGlite } = await import("@electric-sql/pglite");
        return {
          PGlite: {
            async create(folder) {
              const client = await PGlite.create(folder);
              await client.exec("SET default_transaction_read_only = on");
              return client;
            },
          },
        };
      },
    });
    return await inStore(store, path, scope);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function inPostgres(path: string, { scope }: DecisionsFlags): Promise<Fetched> {
  const { postgresDecisions } = await import("../adapters/postgres/index.js");
  const url = new URL(path);
  const schema = url.searchParams.get("schema") ?? undefined;
  url.searchParams.delete("schema");
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
    options: "-c default_transaction_read_only=on",
  });
  try {
    const store = postgresDecisions({
      client,
      scoped: scope !== undefined,
      ...(schema === undefined ? {} : { schema }),
    });
    return await inStore(store, nameOf(path), scope);
  } finally {
    await client.end();
  }
}

async function inStore(
  store: StorePort & { close(): Promise<void> },
  path: string,
  scope: string | undefined,
): Promise<Fetched> {
  const graph = new Decisions(store, scope === undefined ? {} : { scope });
  try {
    const nodes = await graph.nodes({}, { order: "newest", limit: MOST_NODES });
    return fetched(nodes, await graph.query({ type: "edges", limit: MOST_EDGES }));
  } catch (thrown) {
    // It is opened to be read: where there are no tables of ours they cannot be made.
    if (isReckonerError(thrown) && /read-only/.test(thrown.message)) {
      throw usageError(`${path} holds no decision graph of this version.`);
    }
    throw thrown;
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
