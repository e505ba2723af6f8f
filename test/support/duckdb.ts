// Stores of decisions in DuckDB for tests: closed when the test that opened them is over.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type DuckdbDecisionsOptions,
  type DuckdbStore,
  duckdbDecisions,
} from "../../src/decisions/stores/duckdb/index.js";

/** A store in memory, unless a path is named. */
export function duckdbStore(options: DuckdbDecisionsOptions = {}): DuckdbStore {
  const store = duckdbDecisions({ config: { threads: "2" }, propertyGraph: false, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** A folder that goes with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-stores-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
