/**
 * What the demo's planning processes run: the agent of examples/decisions as it is, on DuckDB, with a
 * store that writes down each write which it carried out. That file, and not the journal, says how
 * often something was written.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type StorePort } from "reckoner";
import { memoryDecisions } from "reckoner/decisions";
import { duckdbDecisions } from "reckoner/decisions/duckdb";
import { planner, scriptedPlanner, task } from "../../examples/decisions/planner.js";

const { RECKONER_DEMO_FOLDER: folder, RECKONER_DEMO_HOLD: hold, RECKONER_DEMO_RUN } = process.env;

/** Behind so many writes the process stays to be killed: they hold, and it has not heard of the last. */
const HELD = 3;

function watched(folder: string): StorePort {
  const store = duckdbDecisions({ path: join(folder, "plan.duckdb") });
  let writes = 0;
  return {
    name: store.name,
    read: (query, call) => store.read(query, call),
    async write(operations, call) {
      const result = await store.write(operations, call);
      const { seq } = result as { readonly seq: number };
      const line = `${call.idempotencyKey} is change ${seq} in process ${process.pid}\n`;
      appendFileSync(join(folder, "writes.log"), line);
      writes += 1;
      if (hold !== undefined && writes >= HELD) await new Promise((go) => setTimeout(go, 60_000));
      return result;
    },
  };
}

export default defineConfig({
  reasoner: planner,
  input: task,
  model: scriptedPlanner(),
  options: {
    stores: { decisions: folder === undefined ? memoryDecisions() : watched(folder) },
    ...(RECKONER_DEMO_RUN === undefined ? {} : { runId: RECKONER_DEMO_RUN }),
  },
});
