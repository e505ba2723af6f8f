// Stores of decisions from 1 000 to 100 000 nodes, five edges each: how long it takes to load them
// through the port (checks, transactions, idempotency keys and history included), and to ask. "cold"
// is the first query of a store that was just opened; "warm" the median of those after it. Machines
// differ and are noisy: compare the growth within
// one run, not the numbers.
//
//   npm run bench:stores                                     a table; Postgres as PGHOST … say
//   npm run -s bench:stores -- --json --nodes 1000,100000 --backends duckdb,postgres --degree 5
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { countOf, countsOf, flagsOf, namesOf } from "./flags.mjs";
import { idsOf, operationsOf } from "./random-graph.mjs";

const SCRIPT = import.meta.filename;
const flags = flagsOf(SCRIPT, {
  json: { type: "boolean", default: false },
  nodes: { type: "string", default: "1000,10000,100000" },
  backends: { type: "string", default: "memory,duckdb,postgres,pglite" },
  degree: { type: "string", default: "5" },
});
const sizes = countsOf(SCRIPT, "--nodes", flags.nodes);
const degree = countOf(SCRIPT, "--degree", flags.degree);

await ensureBuilt();
const { memoryDecisions, storeRules } = await import("../dist/decisions.js");
const { nodeTypes } = storeRules;
const { duckdbDecisions } = await import("../dist/decisions/stores/duckdb/index.js");
const { postgresDecisions } = await import("../dist/decisions/stores/postgres/index.js");

const BATCH = 10_000;
const REPEATS = 15;
const { signal } = new AbortController();

const since = (start) => performance.now() - start;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** For each backend: opens stores on one place, and cleans up. `open` opens it anew each time. */
const backends = {
  memory() {
    const store = { ...memoryDecisions(), open: async () => {}, close: async () => {} };
    return { open: () => store, async end() {} };
  },
  duckdb() {
    const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
    return {
      open: () => duckdbDecisions({ path: join(folder, "graph.duckdb"), propertyGraph: false }),
      async end() {
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  async postgres() {
    const { default: pg } = await import("pg");
    const { PGHOST = "127.0.0.1", PGUSER = "root", PGDATABASE = "test" } = process.env;
    const pool = new pg.Pool({ host: PGHOST, user: PGUSER, database: PGDATABASE });
    const schema = `reckoner_bench_${process.pid}`;
    return {
      open: () => postgresDecisions({ client: pool, schema }),
      async end() {
        await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
        await pool.end();
      },
    };
  },
  pglite() {
    const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));
    return {
      open: () => postgresDecisions({ folder }),
      async end() {
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

async function measure(backend, count) {
  const ids = idsOf(count, 1);
  const place = await backends[backend]();
  const result = { nodes: count, edges: count * degree, backend };
  let keys = 0;
  const write = (store, operations) =>
    store.write(operations, { signal, idempotencyKey: `bench/${keys++}` });
  const timed = async (ask) => {
    const start = performance.now();
    await ask();
    return since(start);
  };
  try {
    let store = place.open();
    await store.open();
    const spent = { addNode: 0, addEdge: 0 };
    for (const operations of operationsOf(ids, degree, BATCH, nodeTypes)) {
      spent[operations[0].type] += await timed(() => write(store, operations));
    }
    result.nodesPerSecond = Math.round((count / spent.addNode) * 1000);
    result.edgesPerSecond = Math.round(((count * degree) / spent.addEdge) * 1000);
    const queries = {
      path: (i) => ({ type: "pathBetween", fromId: ids[i], toId: ids[count - 1 - i] }),
      descendants: (i) => ({ type: "descendants", nodeId: ids[i] }),
    };
    for (const [name, query] of Object.entries(queries)) {
      // Each is asked cold of a store of its own.
      await store.close();
      store = place.open();
      result.open = await timed(() => store.open());
      const times = [];
      for (let i = 0; i <= REPEATS; i++) {
        times.push(await timed(() => store.read(query(i), { signal })));
      }
      result[`${name}Cold`] = times[0];
      result[`${name}Warm`] = median(times.slice(1));
    }
    const others = { write: [], summary: [], recent: [], node: [] };
    for (let i = 0; i <= REPEATS; i++) {
      const [at, id] = [count + i, `new-${i}`];
      const operations = [
        { type: "addNode", at, node: { id, type: "decision", label: "new" } },
        { type: "addEdge", at, edge: { id, fromId: ids[i], toId: id, edgeType: "chosen" } },
      ];
      others.write.push(await timed(() => write(store, operations)));
      for (const query of [
        { type: "summary" },
        { type: "recentDecisions" },
        { type: "node", nodeId: ids[i] },
      ]) {
        const name = { summary: "summary", recentDecisions: "recent", node: "node" }[query.type];
        others[name].push(await timed(() => store.read(query, { signal })));
      }
    }
    for (const [name, times] of Object.entries(others)) result[name] = median(times.slice(1));
    await store.close();
  } finally {
    await place.end();
  }
  return result;
}

const asked = namesOf(SCRIPT, "--backends", flags.backends, Object.keys(backends));
const results = [];
for (const count of sizes) {
  for (const backend of asked) {
    try {
      results.push(await measure(backend, count));
    } catch (cause) {
      results.push({ nodes: count, edges: count * degree, backend, failed: String(cause) });
    }
    globalThis.gc?.();
  }
}

if (flags.json) console.log(JSON.stringify(results, null, 2));
else {
  const ms = (value) => (value === undefined ? "-" : value.toFixed(value < 10 ? 2 : 0));
  console.table(
    results.map((result) =>
      result.failed !== undefined
        ? { nodes: result.nodes, of: result.backend, failed: result.failed }
        : {
            nodes: result.nodes,
            of: result.backend,
            "nodes/s": result.nodesPerSecond,
            "edges/s": result.edgesPerSecond,
            open: ms(result.open),
            "path cold": ms(result.pathCold),
            "path warm": ms(result.pathWarm),
            "desc. cold": ms(result.descendantsCold),
            "desc. warm": ms(result.descendantsWarm),
            write: ms(result.write),
            summary: ms(result.summary),
            recent: ms(result.recent),
            node: ms(result.node),
          },
    ),
  );
}
