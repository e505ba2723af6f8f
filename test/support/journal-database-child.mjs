// A process of its own that goes on with one run in a database, for tests that kill it or start several
// at once. Each effect of its tool is a line on standard output, written before anything else happens.
//
//   node journal-database-child.mjs '{"backend":"sqlite","path":…,"effects":20,"dieAt":7}'
//   node journal-database-child.mjs '{"backend":"postgres","server":…,"schema":…,"effects":20}'
import { writeSync } from "node:fs";
import Libsql from "libsql";
import pg from "pg";
import { z } from "zod";
import { postgresJournals } from "../../dist/adapters/postgres/index.js";
import { sqliteJournals } from "../../dist/adapters/sqlite/index.js";
import { agent, resume, run, tool } from "../../dist/index.js";

const task = JSON.parse(process.argv[2]);
const die = () => process.kill(process.pid, "SIGKILL");

/** The number of transactions that are left to it; it dies in the middle of the next. */
let left = task.dieAt ?? Number.POSITIVE_INFINITY;

function sqlite() {
  const database = new Libsql(task.path);
  database.exec("PRAGMA journal_mode = WAL");
  return sqliteJournals({
    exec(sql) {
      // All of it is written, and not committed.
      if (sql === "COMMIT" && --left < 0) die();
      return database.exec(sql);
    },
    prepare: (sql) => database.prepare(sql),
  });
}

function postgres() {
  const pool = new pg.Pool({ ...task.server, max: 2 });
  const client = {
    query(text, parameters) {
      const answer = pool.query(text, parameters);
      // The statement is on its way: whether it is carried out nobody here will know.
      if (text.startsWith("WITH given") && --left < 0) setImmediate(() => setImmediate(die));
      return answer;
    },
  };
  return postgresJournals({ client, schema: task.schema });
}

const pay = tool({
  name: "pay",
  idempotent: false,
  inputSchema: z.object({ n: z.number() }),
  execute: async ({ n }) => {
    writeSync(1, `${n}\n`);
    await new Promise(setImmediate);
    return `paid ${n}`;
  },
});
const clerk = agent({ name: "clerk", tools: [pay], maxIterations: task.effects + 1 });
const model = {
  name: "counting",
  async generate({ messages }) {
    await new Promise(setImmediate);
    const n = messages.filter(({ role }) => role === "assistant").length;
    const call = { type: "tool-call", toolCallId: `call-${n}`, toolName: "pay", input: { n } };
    const more = n < task.effects;
    return {
      content: more ? [call] : [{ type: "text", text: "done" }],
      finishReason: more ? "tool-calls" : "stop",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    };
  },
};

const journal = (task.backend === "sqlite" ? sqlite() : postgres()).journal("run");
try {
  const { status } = await run(clerk, "Pay.", { model, journal }).catch((thrown) => {
    if (thrown.code !== "journal.exists") throw thrown;
    return resume(clerk, journal, { model });
  });
  process.stderr.write(status);
} catch (thrown) {
  process.stderr.write(String(thrown.code ?? thrown.stack));
}
process.exit(0);
