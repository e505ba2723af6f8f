// Thirty-two writers in four processes change one graph in Postgres at the same time: no update is
// lost, each has a version of its own, and the tables are what the history comes to.
import { expect, it, onTestFinished } from "vitest";
import { DecisionGraph } from "../../src/core/decisions/index.js";
import { Decisions } from "../../src/runtime/index.js";
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
  // What this process has in memory has to follow what the others write.
  expect((await decisions.descendants("shared")).nodes).toEqual([]);

  const task = { backend: "postgres", server, schema, writers: 8, writes: WRITES };
  const ended = await Promise.all(
    ["a", "b", "c", "d"].map((name) => storeProcess({ ...task, name })),
  );
  for (const { code, errors } of ended) expect([code, errors]).toEqual([0, ""]);

  const count = 32 * WRITES;
  const seqs = ended.flatMap(({ lines }) => lines).sort((a, b) => a - b);
  expect(seqs).toEqual(Array.from({ length: count }, (_, i) => i + 2));

  const { changes } = await decisions.query({ type: "changes", limit: 10_000 });
  const expected = DecisionGraph.fromChanges(changes);
  const limit = 10_000;
  for (const query of [
    { type: "nodes", limit },
    { type: "edges", limit },
    { type: "descendants", nodeId: "shared", limit },
    { type: "history", nodeId: "shared", limit },
    { type: "stats" },
  ] as const) {
    expect(await decisions.query(query)).toEqual(expected.query(query));
  }
  expect((await decisions.stats()).nodes).toBe(count + 1);
  // Each kind of patch left what the last one of its kind had.
  const patches = changes.flatMap(({ operations }) =>
    operations.flatMap((operation) => (operation.type === "updateNode" ? [operation.patch] : [])),
  );
  expect(patches).toHaveLength(count);
  expect(await decisions.getNode("shared")).toMatchObject(Object.assign({}, ...patches));
});
