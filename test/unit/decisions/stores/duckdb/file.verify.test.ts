// A store in a file of DuckDB's: what it keeps, who may open it, and what people read with SQL.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it, onTestFinished } from "vitest";
import { duckdbDecisions } from "../../../../../src/decisions/stores/duckdb/index.js";
import { Decisions } from "../../../../../src/decisions/stores/index.js";
import { duckdbStore, temporaryFolder } from "../../../../support/duckdb.js";

const aFile = () => `${temporaryFolder()}/graph.duckdb`;

/** A process that has opened a file, and holds it until it is killed. */
async function holder(path: string): Promise<number> {
  const code = `
    import { DuckDBInstance } from "@duckdb/node-api";
    const instance = await DuckDBInstance.create(${JSON.stringify(path)});
    await instance.connect();
    console.log("held");
    setInterval(() => instance, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child.pid as number;
}

describe("a file", () => {
  it("keeps the graph, its history and its keys", async () => {
    const path = aFile();
    const first = duckdbStore({ path });
    expect(first.name).toBe(path);
    const decisions = new Decisions(first, { now: () => 7 });
    await decisions.addNode({ id: "a", type: "goal", label: "A" }, { idempotencyKey: "k" });
    await decisions.addNode({ id: "b", type: "decision", label: "B" });
    await decisions.supersede("a", "b", "because");
    await first.close();

    const again = new Decisions(duckdbStore({ path }), { now: () => 7 });
    expect(await again.getNode("a")).toMatchObject({ status: "superseded", rationale: "because" });
    expect((await again.history("a")).changes.map(({ seq }) => seq)).toEqual([1, 3]);
    const same = { id: "a", type: "goal", label: "A" } as const;
    await again.addNode(same, { idempotencyKey: "k" });
    expect((await again.stats()).seq).toBe(3);
    await expect(
      again.addNode({ ...same, label: "other" }, { idempotencyKey: "k" }),
    ).rejects.toMatchObject({ code: "store.key" });
  });

  it("has a log that may grow, unless the user says how far", async () => {
    for (const [config, expected] of [
      [{}, "61.0 MiB"],
      [{ checkpoint_threshold: "1MiB" }, "1.0 MiB"],
    ] as const) {
      const path = aFile();
      const store = duckdbStore({ path, config });
      await store.open();
      const instance = await DuckDBInstance.fromCache(path, config);
      const connection = await instance.connect();
      const text = "SELECT current_setting('checkpoint_threshold')";
      expect((await connection.runAndReadAll(text)).getRows()).toEqual([[expected]]);
      connection.closeSync();
      instance.closeSync();
      await store.close();
    }
  });

  it("that may only be read is opened and asked, and what is written to it is refused", async () => {
    const path = aFile();
    const first = duckdbStore({ path });
    await new Decisions(first).addNode({ id: "a", type: "goal", label: "A" });
    await first.close();
    const config = { access_mode: "READ_ONLY" };
    const decisions = new Decisions(duckdbStore({ path, config }));
    expect(await decisions.getNode("a")).toMatchObject({ label: "A" });
    await expect(decisions.addNode({ id: "b", type: "goal", label: "B" })).rejects.toMatchObject({
      code: "port.failed",
    });
    expect(await decisions.stats()).toMatchObject({ seq: 1, nodes: 1 });
  });

  it("that another process holds is an error that names it, and nothing is lost", async () => {
    const path = aFile();
    const first = duckdbStore({ path });
    await new Decisions(first).addNode({ id: "a", type: "goal", label: "A" });
    await first.close();

    const pid = await holder(path);
    const store = duckdbStore({ path });
    await expect(store.open()).rejects.toMatchObject({
      code: "store.locked",
      place: path,
      message: `The database ${path} is held by another process (${pid}), and DuckDB lets one process write at a time; close it there, or use Postgres.`,
    });
    await expect(new Decisions(store).stats()).rejects.toMatchObject({ code: "store.locked" });

    // Once the other has gone the same store opens.
    process.kill(pid, "SIGKILL");
    await expect
      .poll(() => new Decisions(store).stats().catch(() => undefined), { timeout: 600_000 })
      .toMatchObject({ seq: 1, nodes: 1 });
  });

  it("is shared by stores of one process, whose writers queue", async () => {
    const path = aFile();
    const [one, two] = [duckdbStore({ path }), duckdbStore({ path })];
    const writes = [one, two, one, two, one, two].map((store, i) =>
      new Decisions(store).addNode({ id: `n${i}`, type: "action", label: "x" }),
    );
    await Promise.all(writes);
    await one.close();
    expect(await new Decisions(two).stats()).toMatchObject({ seq: 6, nodes: 6 });
  });

  it("that is no database is an error, and stays as it was", async () => {
    const path = aFile();
    writeFileSync(path, "this is no database".repeat(1000));
    await expect(duckdbStore({ path }).open()).rejects.toMatchObject({
      code: "port.failed",
      message: expect.stringMatching(
        /^The store .* cannot be opened: .*not a valid DuckDB database/s,
      ),
    });
  });

  it("in a folder that is not there is an error", async () => {
    const path = `${temporaryFolder()}/none/graph.duckdb`;
    await expect(new Decisions(duckdbStore({ path })).stats()).rejects.toMatchObject({
      code: "port.failed",
    });
    expect(existsSync(path)).toBe(false);
  });
});

describe("a store", () => {
  it("that was closed says so, and closing waits for what is under way", async () => {
    const store = duckdbStore();
    const decisions = new Decisions(store);
    const written = decisions.addNode({ id: "a", type: "goal", label: "A" });
    const closed = store.close();
    expect(await written).toMatchObject({ id: "a" });
    await closed;
    await expect(decisions.stats()).rejects.toMatchObject({ code: "store.closed" });
    await store.close();
  });

  it("without its driver says what to install", async () => {
    const missing = Object.assign(new Error("Cannot find package '@duckdb/node-api'\nat x"), {
      code: "ERR_MODULE_NOT_FOUND",
    });
    const store = duckdbStore({ load: () => Promise.reject(missing) });
    await expect(new Decisions(store).stats()).rejects.toMatchObject({
      code: "store.driver",
      place: "@duckdb/node-api",
      message:
        "DuckDB cannot be loaded (Cannot find package '@duckdb/node-api'); install it: npm install @duckdb/node-api",
    });
  });

  it("passes on how often it is tried, and for how long", () => {
    const store = duckdbDecisions({ name: "mine", retries: 3, timeoutMs: 50 });
    expect([store.name, store.retries, store.timeoutMs]).toEqual(["mine", 3, 50]);
    for (const name of ["retries", "timeoutMs"]) {
      expect(Object.keys(duckdbDecisions())).not.toContain(name);
    }
  });

  it("is stopped by a signal: nothing of the write is there", async () => {
    const store = duckdbStore();
    const decisions = new Decisions(store);
    await decisions.stats();
    const controller = new AbortController();
    const operation = { type: "addNode", at: 1, node: { id: "a", type: "goal", label: "A" } };
    const call = { signal: controller.signal, idempotencyKey: "k" };
    const written = store.write([operation], call);
    controller.abort(new Error("enough"));
    await expect(written).rejects.toThrow("enough");
    await expect(store.write([operation], call)).rejects.toThrow("enough");
    await expect(store.read({ type: "stats" }, call)).rejects.toThrow("enough");
    expect(await decisions.stats()).toMatchObject({ seq: 0, nodes: 0 });
  });
});

describe("the tables", () => {
  it("are there for SQL: nodes, edges, and metadata as JSON", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    onTestFinished(() => instance.closeSync());
    const decisions = new Decisions(duckdbStore({ instance }), { now: () => 5 });
    await decisions.addNode({ id: "a", type: "goal", label: "A", metadata: { tags: ["x", "y"] } });
    await decisions.addNode({ id: "b", type: "option", label: "B", confidence: 0.25 });
    await decisions.addEdge({ id: "e", fromId: "a", toId: "b", edgeType: "chosen" });
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      `SELECT n.label, n.metadata->>'$.tags[1]' AS tag, e.edge_type, m.confidence
       FROM decision_nodes n
       JOIN decision_edges e ON e.from_id = n.id
       JOIN decision_nodes m ON m.id = e.to_id`,
    );
    expect(reader.getRowObjects()).toEqual([
      { label: "A", tag: "y", edge_type: "chosen", confidence: 0.25 },
    ]);
    connection.closeSync();
  });

  it("of several graphs lie in schemas of their own", async () => {
    const path = aFile();
    const [one, two] = [duckdbStore({ path, schema: "one" }), duckdbStore({ path, schema: "two" })];
    await new Decisions(one).addNode({ id: "a", type: "goal", label: "in one" });
    await new Decisions(two).addNode({ id: "a", type: "goal", label: "in two" });
    expect(await new Decisions(one).getNode("a")).toMatchObject({ label: "in one" });
    expect(await new Decisions(two).stats()).toMatchObject({ seq: 1, nodes: 1 });
    for (const schema of ["", "a b", 'a"; DROP TABLE x; --', "1a", "x".repeat(64)]) {
      expect(() => duckdbDecisions({ schema })).toThrow(
        expect.objectContaining({ code: "store.config", place: "schema" }),
      );
    }
  });
});

it("two stores on one instance write at once: what meets the other's is written again", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  const stores = [duckdbStore({ instance }), duckdbStore({ instance })].map(
    (store) => new Decisions(store, { now: () => 7 }),
  );
  await stores[0]?.addNode({ id: "goal", type: "goal", label: "first" });
  await stores[1]?.stats();
  const rounds = Array.from({ length: 10 }, (_, i) => i);
  await Promise.all(
    stores.map(async (store, of) => {
      for (const i of rounds) await store.updateNode("goal", { label: `${of} ${i}` });
    }),
  );
  expect(await stores[0]?.stats()).toMatchObject({ seq: 21 });
  const { label } = (await stores[1]?.getNode("goal")) ?? {};
  expect(["0 9", "1 9"]).toContain(label);
});
