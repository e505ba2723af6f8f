// Thirty-two writers in four processes change one graph in Postgres at the same time: no update is
// lost, each has a version of its own, and the tables are what the history comes to.
import { expect, it, onTestFinished } from "vitest";
import { Decisions } from "../../src/decisions/stores/index.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  server,
  testPostgres,
} from "../support/postgres.js";
import { storeProcess } from "../support/store-process.js";

const WRITES = 6;

it("32 writers in four processes lose no update", async ({ skip }) => {
  const postgres = await testPostgres();
  onTestFinished(() => postgres.close());
  if (postgres.kind !== "server") skip("PGlite has one process only: this needs a server");
  const schema = freshSchema();
  dropAfterwards(postgres.client, schema);
  const store = postgresStore(postgres.client, { schema });
  const decisions = new Decisions(store, { now: () => 0 });
  await decisions.addNode({ id: "shared", type: "goal", label: "shared" });
  expect((await decisions.descendants("shared")).nodes).toEqual([]);

  const task = { backend: "postgres", server, schema, writers: 8, writes: WRITES };
  const ended = await Promise.all(
    ["a", "b", "c", "d"].map((name) => storeProcess({ ...task, name })),
  );
  for (const { code, errors } of ended) expect([code, errors]).toEqual([0, ""]);

  const count = 32 * WRITES;
  const seqs = ended.flatMap(({ lines }) => lines).sort((a, b) => a - b);
  expect(seqs).toEqual(Array.from({ length: count }, (_, i) => i + 2));

  const { changes } = await decisions.history("shared", { limit: 10_000 });
  expect(changes).toHaveLength(count + 1);
  expect(new Set(changes.map(({ seq }) => seq)).size).toBe(count + 1);
  expect((await decisions.stats()).nodes).toBe(count + 1);
  // Each kind of patch left what the last one of its kind had.
  const { updatedAt: _, ...last } = await decisions.getNode("shared");
  expect(last).toMatchObject(Object.assign({}, ...changes.map(({ set }) => set)));
});
