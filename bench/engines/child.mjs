// A process of a benchmark of engines: begins a run in a journal or goes on with it, or is a worker of Restate.
import { randomUUID } from "node:crypto";
import { resume, run } from "../../dist/index.js";
import { searches, searching } from "./agent.mjs";

const { how, outside, turns, place, schema } = JSON.parse(process.argv[2]);
const reasoner = searching(outside);
const model = searches(turns);

const journals = {
  file: async () => place,
  async sqlite() {
    const { default: Database } = await import("libsql");
    const { sqliteJournals } = await import("../../dist/adapters/sqlite/index.js");
    return sqliteJournals(new Database(place)).journal("run");
  },
  async postgres() {
    const { default: pg } = await import("pg");
    const { postgresJournals } = await import("../../dist/adapters/postgres/index.js");
    const { PGHOST = "127.0.0.1", PGUSER = "root", PGDATABASE = "test" } = process.env;
    const pool = new pg.Pool({ host: PGHOST, user: PGUSER, database: PGDATABASE });
    pool.on("error", () => {});
    return postgresJournals({ client: pool, schema }).journal("run");
  },
};

if (how === "restate") {
  const { restateEngine } = await import("../../dist/engines/restate/index.js");
  const engine = restateEngine({ reasoners: [reasoner], model });
  const { url } = await engine.listen({ port: place });
  process.send(url);
} else {
  const options = { journal: await journals[how](), model, runId: randomUUID() };
  const over = (done) => {
    process.send(done.status);
    process.exit(done.status === "done" ? 0 : 1);
  };
  const again = () => resume(reasoner, options.journal, { model });
  // The process before may hold its lock for a moment yet.
  for (let tries = 0; ; tries++) {
    try {
      over(
        await run(reasoner, "Look.", options).catch(async (thrown) => {
          if (thrown.code !== "journal.exists") throw thrown;
          return again();
        }),
      );
    } catch (thrown) {
      if (thrown.code !== "journal.locked" || tries === 1_000) throw thrown;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}
