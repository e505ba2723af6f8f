// The property graph for GRAPH_TABLE queries: its statements are pinned, since duckpgq is downloaded
// at first use; a loader of the test's own stands for it.
import { DuckDBConnection } from "@duckdb/node-api";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type DuckdbDecisionsOptions,
  duckdbDecisions,
  type LoadExtension,
} from "../../../../../src/decisions/stores/duckdb/index.js";
import { Decisions } from "../../../../../src/decisions/stores/index.js";
import { duckdbStore } from "../../../../support/duckdb.js";

/** The statements that have to do with the property graph; those of duckpgq's own are not run. */
function watched(): string[] {
  const seen: string[] = [];
  const { run } = DuckDBConnection.prototype;
  const spy = vi.spyOn(DuckDBConnection.prototype, "run").mockImplementation(function (
    this: DuckDBConnection,
    ...given
  ) {
    const [sql] = given;
    if (!/duckpgq|PROPERTY GRAPH/.test(sql)) return run.apply(this, given);
    seen.push(sql);
    return run.call(this, "SELECT 1");
  });
  onTestFinished(() => spy.mockRestore());
  return seen;
}

async function opened(options: DuckdbDecisionsOptions) {
  const store = duckdbStore(options);
  await store.open();
  return store;
}

describe("where duckpgq can be loaded", () => {
  it("the graph is declared over the tables, by ids", async () => {
    const seen = watched();
    const loaded: string[] = [];
    const load: LoadExtension = async (run) => {
      loaded.push("loaded");
      await run("SELECT 'duckpgq'");
    };
    const store = await opened({ propertyGraph: load });
    expect(loaded).toEqual(["loaded"]);
    expect(seen).toEqual([
      "SELECT 'duckpgq'",
      "CREATE OR REPLACE PROPERTY GRAPH decisions VERTEX TABLES (decision_nodes) EDGE TABLES (decision_edges SOURCE KEY (from_id) REFERENCES decision_nodes (id) DESTINATION KEY (to_id) REFERENCES decision_nodes (id))",
    ]);
    expect(store.propertyGraph).toEqual({ declared: true });
  });

  it("with scopes and in a schema the keys have the scope, and the tables the schema", async () => {
    const seen = watched();
    await opened({ propertyGraph: "load", scoped: true, schema: "mine" });
    expect(seen).toEqual([
      "LOAD duckpgq",
      "CREATE OR REPLACE PROPERTY GRAPH decisions VERTEX TABLES (mine.decision_nodes) EDGE TABLES (mine.decision_edges SOURCE KEY (scope, from_id) REFERENCES mine.decision_nodes (scope, id) DESTINATION KEY (scope, to_id) REFERENCES mine.decision_nodes (scope, id))",
    ]);
  });

  it("it is downloaded only where that is asked for", async () => {
    const seen = watched();
    await opened({ propertyGraph: "install" });
    expect(seen.slice(0, 2)).toEqual(["INSTALL duckpgq FROM community", "LOAD duckpgq"]);
    for (const options of [{ propertyGraph: "load" }, {}] as const) {
      seen.length = 0;
      const store = duckdbDecisions(options);
      onTestFinished(() => store.close());
      await store.open();
      expect(seen[0]).toBe("LOAD duckpgq");
    }
  });
});

describe("where it cannot", () => {
  it("everything else works, and the store says why", async () => {
    const load = () => Promise.reject(new Error("no network\nat all"));
    const store = duckdbStore({ propertyGraph: load });
    expect(store.propertyGraph).toEqual({
      declared: false,
      why: "The store was not opened yet.",
    });
    await new Decisions(store).addNode({ id: "a", type: "goal", label: "A" });
    expect(await new Decisions(store).stats()).toMatchObject({ nodes: 1 });
    expect(store.propertyGraph).toEqual({ declared: false, why: "duckpgq: no network" });
  });

  it("a statement that DuckDB refuses is said as well", async () => {
    // Without the extension DuckDB does not know the statement.
    const store = await opened({ propertyGraph: async () => {} });
    expect(store.propertyGraph).toMatchObject({
      declared: false,
      why: expect.stringMatching(/^duckpgq: Parser Error: /),
    });
    expect(await opened({ propertyGraph: false })).toMatchObject({
      propertyGraph: { declared: false, why: "It was not asked for." },
    });
  });
});
