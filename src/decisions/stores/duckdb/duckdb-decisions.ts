/** `duckdbDecisions`: a decision store in DuckDB, in a file or in memory. */

import type { DuckDBInstance } from "@duckdb/node-api";
import * as shapes from "../../../core/kernel/shapes.js";
import { checkAllOptions } from "../../../runtime/for-adapters.js";
import {
  Schema,
  SqlDecisions,
  type SqlStore,
  type SqlStoreOptions,
  STORE_OPTIONS,
} from "../sql/index.js";
import { DuckdbDatabase } from "./database.js";
import type { DuckdbModule } from "./driver.js";
import {
  installAndLoad,
  type LoadExtension,
  loadInstalled,
  type PropertyGraph,
  propertyGraphStatement,
} from "./property-graph.js";

/** Options of a store in DuckDB. */
export interface DuckdbDecisionsOptions extends SqlStoreOptions {
  /** A file, created if it is missing. Default ":memory:", which ends with the store. */
  readonly path?: string | undefined;
  /** The schema of the tables, created if it is missing: one for each graph. Default "main". */
  readonly schema?: string | undefined;
  /** A database that you have opened yourself; you close it. In place of `path`. */
  readonly instance?: DuckDBInstance | undefined;
  /** Settings of DuckDB's: `{ threads: "2", memory_limit: "1GB" }`. */
  readonly config?: Readonly<Record<string, string>> | undefined;
  /**
   * Where the extension duckpgq, needed for the property graph `decisions`, comes from: `load` uses
   * an installed one (the default), `install` downloads it if it is missing, `false` does without;
   * or a function that loads it.
   */
  readonly propertyGraph?: "load" | "install" | false | LoadExtension | undefined;
  /** Loads the driver; for tests. */
  readonly load?: (() => Promise<DuckdbModule>) | undefined;
}

const OPTIONS: shapes.Shapes<DuckdbDecisionsOptions> = {
  ...STORE_OPTIONS,
  path: shapes.TEXT,
  schema: shapes.TEXT,
  instance: [
    (value) => typeof value === "object" && value !== null && "connect" in value,
    "a DuckDBInstance",
  ],
  config: shapes.OBJECT,
  propertyGraph: [
    (value) =>
      value === "load" || value === "install" || value === false || shapes.FUNCTION[0](value),
    '"load", "install", false or a function',
  ],
  load: shapes.FUNCTION,
};

/** A store in DuckDB. */
export interface DuckdbStore extends SqlStore {
  /** Says if `GRAPH_TABLE (decisions …)` can be queried, or why not, once the store is open. */
  readonly propertyGraph: PropertyGraph;
}

class DuckdbDecisions extends SqlDecisions implements DuckdbStore {
  readonly #database: DuckdbDatabase;

  constructor(database: DuckdbDatabase, name: string, options: SqlStoreOptions) {
    super(database, name, options);
    this.#database = database;
  }

  get propertyGraph(): PropertyGraph {
    return this.#database.propertyGraph;
  }
}

/**
 * A store of decisions in DuckDB.
 * @throws ReckonerError `option.invalid`, `store.config`; and from `open` on `store.driver` where the driver is not
 * installed, `store.locked` where another process holds the file, `store.version`
 */
export function duckdbDecisions(options: DuckdbDecisionsOptions = {}): DuckdbStore {
  checkAllOptions("duckdbDecisions", options, OPTIONS);
  const { path = ":memory:", schema = "main", propertyGraph = "load", scoped = false } = options;
  const load =
    propertyGraph === "load"
      ? loadInstalled
      : propertyGraph === "install"
        ? installAndLoad
        : propertyGraph;
  const database = new DuckdbDatabase({
    path,
    schema: new Schema(schema),
    config: options.config ?? {},
    instance: options.instance,
    load: options.load,
    propertyGraph:
      load === false ? undefined : { load, statement: propertyGraphStatement(schema, scoped) },
  });
  return new DuckdbDecisions(database, path === ":memory:" ? "duckdb" : path, options);
}
