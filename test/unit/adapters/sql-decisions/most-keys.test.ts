// A graph has room for as many nodes in all its time as two keys and a type fit into one number; the
// last of them is kept, and one more is refused before anything is written.
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it, onTestFinished } from "vitest";
import { Decisions } from "../../../../src/runtime/index.js";
import { duckdbStore } from "../../../support/duckdb.js";

it("the last key is given out, and no other behind it", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  const graph = new Decisions(duckdbStore({ instance }), { now: () => 1 });
  await graph.addNode({ id: "a", type: "goal", label: "A" });
  const connection = await instance.connect();
  await connection.run("UPDATE decision_versions SET node_keys = 1073741823");
  connection.closeSync();

  await graph.addNode({ id: "b", type: "goal", label: "B" });
  await expect(graph.addNode({ id: "c", type: "goal", label: "C" })).rejects.toMatchObject({
    code: "decisions.invalid",
    place: "operations",
    message: expect.stringContaining("more than 1073741824 nodes in all its time"),
  });
  expect(await graph.stats()).toMatchObject({ seq: 2, nodes: 2 });
  // What adds nothing still goes.
  await graph.updateNode("b", { label: "still" });
  expect((await graph.stats()).seq).toBe(3);
});
