// A process of its own in which an agent keeps track of its decisions, in a database and with a journal
// in a file, for a test that kills it between any two writes of either. It goes on with the journal
// where there is one, and says on its standard output what it came to.
//
//   node decision-child.mjs '{"folder":…,"backend":"duckdb","points":7}'
//   node decision-child.mjs '{"folder":…,"backend":"postgres","server":…,"schema":…,"points":7}'
//   node decision-child.mjs '{"folder":…,"backend":"pglite","points":7}'
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "../../dist/adapters/file-journal/index.js";
import { duckdbDecisions } from "../../dist/decisions/stores/duckdb/index.js";
import { postgresDecisions } from "../../dist/decisions/stores/postgres/index.js";
import { decisions } from "../../dist/decisions.js";
import { agent, replay, resume, run, scriptedModel } from "../../dist/index.js";

const { folder, backend, server, schema, points } = JSON.parse(process.argv[2]);

/** It dies by its own hand at this point. */
let left = points ?? 0;
const point = () => {
  left -= 1;
  if (left < 0 && points !== undefined) process.kill(process.pid, "SIGKILL");
};

/** A point before each call that may write. */
function watch(of, name) {
  const method = of[name];
  of[name] = function (...given) {
    // What only reads leaves nothing to be half of.
    if (!/^\s*(SELECT|PRAGMA|SET|WITH)\b/i.test(given[0] ?? "")) point();
    return method.apply(this, given);
  };
}

/** Opens the store, its driver watched; `end` lets go of what the store does not close. */
async function openStore() {
  if (backend === "duckdb") {
    const { DuckDBAppender, DuckDBConnection } = await import("@duckdb/node-api");
    watch(DuckDBConnection.prototype, "run");
    watch(DuckDBConnection.prototype, "runAndReadAll");
    watch(DuckDBAppender.prototype, "closeSync");
    const path = join(folder, "graph.duckdb");
    return { store: duckdbDecisions({ path, propertyGraph: false }), end: async () => {} };
  }
  if (backend === "postgres") {
    const { default: pg } = await import("pg");
    watch(pg.Client.prototype, "query");
    const client = new pg.Pool(server);
    return { store: postgresDecisions({ client, schema }), end: () => client.end() };
  }
  const { PGlite } = await import("@electric-sql/pglite");
  const client = await PGlite.create(join(folder, "pg"));
  watch(client, "query");
  return { store: postgresDecisions({ client }), end: () => client.close() };
}

/** A journal that has a point before and after each append. */
function watched(port) {
  return {
    ...port,
    async open(mode) {
      const writer = await port.open(mode);
      return {
        ...writer,
        close: () => writer.close(),
        async append(lines, expected) {
          point();
          await writer.append(lines, expected);
          point();
        },
      };
    },
  };
}

const planner = agent({
  name: "planner",
  plugins: [decisions({ store: "decisions", injectStrategy: "every_iteration" })],
});
const call = (name, input) => ({ name, input });
const answers = [
  () => [call("add_goal", { label: "Auth" })],
  ([goal]) => [
    call("record_decision", { label: "JWT", parent_id: goal.id }),
    call("record_option", { label: "SAML", parent_id: goal.id }),
  ],
  ([goal, jwt]) => [
    call("supersede_decision", { old_id: jwt.id, label: "Sessions", parent_id: goal.id }),
  ],
  ([, , option]) => [call("record_option", { id: option.id, outcome: "rejected" })],
];
const model = scriptedModel(({ messages }) => {
  const results = messages.flatMap(({ role, content }) =>
    role === "tool" ? content.map(({ output }) => output.value) : [],
  );
  const given = messages.filter(({ role }) => role === "assistant").length;
  const next = answers[given];
  return next === undefined ? "planned" : { calls: next(results) };
});

const { store, end: letGo } = await openStore();
const path = join(folder, "run.jsonl");
const journal = watched(fileJournal(path));
const host = { model, stores: { decisions: store } };
// A process that died before its header was written has begun nothing.
if (existsSync(path) && readFileSync(path, "utf8") === "") rmSync(path);
const before = left;
const end = await (existsSync(path)
  ? resume(planner, journal, host)
  : run(planner, "Plan.", { ...host, journal, runId: "run" }));
const taken = before - left;
left = Number.POSITIVE_INFINITY;
await store.close();
await letGo();
const { status, output } = end;
// A replay has no store to touch.
const { status: replayed } = await replay(planner, fileJournal(path));
console.log(JSON.stringify({ status, output, replayed, taken }));
