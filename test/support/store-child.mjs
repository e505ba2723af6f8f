// A process of its own that writes to a store of decisions, for tests that kill it or run several at
// once. It says on its standard output, a line each, which of its writes were acknowledged.
//
//   node store-child.mjs '{"backend":"duckdb","path":…,"from":0,"to":50,"statements":7}'
//   node store-child.mjs '{"backend":"postgres","server":…,"schema":…,"writers":8,"name":"a"}'
import { duckdbDecisions } from "../../dist/decisions/stores/duckdb/index.js";
import { postgresDecisions } from "../../dist/decisions/stores/postgres/index.js";

const task = JSON.parse(process.argv[2]);
const { signal } = new AbortController();

/** Where it is to die by its own hand: right before so many statements more. */
let left = Number.POSITIVE_INFINITY;
const count = () => {
  left -= 1;
  if (left < 0) process.kill(process.pid, "SIGKILL");
};

function countCalls(object, name) {
  const method = object[name];
  object[name] = function (...given) {
    count();
    return method.apply(this, given);
  };
}

async function openStore() {
  if (task.backend === "duckdb") {
    const { DuckDBAppender, DuckDBConnection } = await import("@duckdb/node-api");
    countCalls(DuckDBConnection.prototype, "run");
    countCalls(DuckDBConnection.prototype, "runAndReadAll");
    countCalls(DuckDBAppender.prototype, "closeSync");
    return duckdbDecisions({ path: task.path, propertyGraph: false });
  }
  const { default: pg } = await import("pg");
  countCalls(pg.Client.prototype, "query");
  const pool = new pg.Pool({ ...task.server, max: task.writers ?? 1 });
  return postgresDecisions({ client: pool, schema: task.schema });
}

const store = await openStore();
await store.open();

/** Each write adds a node that supersedes the one before, with a rationale, and one beside it. */
async function oneAfterTheOther() {
  if (task.statements !== undefined) left = task.statements;
  for (let i = task.from; i < task.to; i++) {
    const at = i + 1;
    const operations = [
      { type: "addNode", at, node: { id: `n${i}`, type: "decision", label: `the ${i}th` } },
      { type: "addNode", at, node: { id: `o${i}`, type: "option", label: `beside ${i}` } },
    ];
    if (i > 0) {
      const ids = { oldId: `n${i - 1}`, newId: `n${i}`, edgeId: `s${i}` };
      operations.push({ type: "supersede", at, ...ids, rationale: `better ${i}` });
    }
    await store.write(operations, { signal, idempotencyKey: `write/${i}` });
    console.log(i);
  }
}

/** Writers that all change the same node, each its own field, and add nodes of their own. */
async function atTheSameTime() {
  const writer = async (number) => {
    for (let i = 0; i < task.writes; i++) {
      const name = `${task.name}-${number}-${i}`;
      const patches = [{ label: name }, { rationale: name }, { confidence: number / 100 }];
      const operations = [
        { type: "updateNode", at: i, id: "shared", patch: patches[i % 3] },
        { type: "addNode", at: i, node: { id: name, type: "action", label: name } },
        {
          type: "addEdge",
          at: i,
          edge: { id: name, fromId: "shared", toId: name, edgeType: "enables" },
        },
      ];
      const { seq } = await store.write(operations, { signal, idempotencyKey: name });
      console.log(seq);
    }
  };
  await Promise.all(Array.from({ length: task.writers }, (_, number) => writer(number)));
}

await (task.writers === undefined ? oneAfterTheOther() : atTheSameTime());
left = Number.POSITIVE_INFINITY;
// What was acknowledged is there, whether or not anybody closes the store.
process.exit(0);
