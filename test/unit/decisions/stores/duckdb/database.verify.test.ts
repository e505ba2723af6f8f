// What a store in DuckDB holds of the driver, and gives back: connections, transactions, instances.
import { writeFileSync } from "node:fs";
import { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ReckonerError } from "../../../../../src/core/kernel/values/index.js";
import {
  DuckdbDatabase,
  type DuckdbDatabaseOptions,
} from "../../../../../src/decisions/stores/duckdb/database.js";
import type { DuckdbStore } from "../../../../../src/decisions/stores/duckdb/index.js";
import { Decisions } from "../../../../../src/decisions/stores/index.js";
import { Schema } from "../../../../../src/decisions/stores/sql/schema.js";
import { duckdbStore, temporaryFolder } from "../../../../support/duckdb.js";

const main = new Schema("main");

function database(options: Partial<DuckdbDatabaseOptions> = {}): DuckdbDatabase {
  const made = new DuckdbDatabase({
    path: ":memory:",
    schema: main,
    config: { threads: "2" },
    propertyGraph: undefined,
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

async function anInstance(): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  return instance;
}

/** How many connections were opened and not closed since. */
function connections(): () => number {
  let open = 0;
  const { connect } = DuckDBInstance.prototype;
  const opens = vi.spyOn(DuckDBInstance.prototype, "connect").mockImplementation(function (
    this: DuckDBInstance,
  ) {
    open += 1;
    return connect.call(this);
  });
  const { closeSync } = DuckDBConnection.prototype;
  const closes = vi.spyOn(DuckDBConnection.prototype, "closeSync").mockImplementation(function (
    this: DuckDBConnection,
  ) {
    open -= 1;
    closeSync.call(this);
  });
  onTestFinished(() => {
    opens.mockRestore();
    closes.mockRestore();
  });
  return () => open;
}

/** A promise, and how it is kept. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

describe("connections", () => {
  it("are kept for some readers, and all of them go with the store", async () => {
    const open = connections();
    const opened = database();
    await opened.open();
    const { passed, open: go } = gate();
    const reads = Array.from({ length: 9 }, () => opened.read(() => passed));
    go();
    await Promise.all(reads);
    // The writer's, and of the readers' four.
    expect(open()).toBe(5);
    await Promise.all(Array.from({ length: 4 }, () => opened.read(async () => {})));
    expect(open()).toBe(5);
    await opened.close();
    expect(open()).toBe(0);
    await opened.close();
    expect(open()).toBe(0);
  });

  it("on which a read failed are not used again", async () => {
    const open = connections();
    const opened = database();
    await opened.open();
    const before = open();
    const failing = opened.read((session) => session.query("SELECT * FROM nowhere"));
    await expect(failing).rejects.toThrow(/nowhere/);
    expect(open()).toBe(before - 1);
    expect(await opened.read((session) => session.query("SELECT 1 AS one"))).toEqual([{ one: 1 }]);
  });

  it("of a read that outlives the database go with the read", async () => {
    const open = connections();
    const opened = database({ instance: await anInstance() });
    await opened.open();
    const { passed, open: go } = gate();
    const reading = opened.read(() => passed);
    await opened.close();
    go();
    await reading;
    expect(open()).toBe(0);
  });

  it("go where the tables are not ours, and so does the file", async () => {
    const open = connections();
    const path = `${temporaryFolder()}/graph.duckdb`;
    const foreign = await DuckDBInstance.create(path);
    const connection = await foreign.connect();
    await connection.run("CREATE TABLE decision_nodes (scope VARCHAR)");
    connection.closeSync();
    foreign.closeSync();
    const refused = { code: "store.version", place: path };
    await expect(database({ path }).open()).rejects.toMatchObject(refused);
    expect(open()).toBe(0);
    (await DuckDBInstance.create(path)).closeSync();
  });
});

describe("a database", () => {
  it("that is closed, or was never opened, says so", async () => {
    const closed = database();
    for (let i = 0; i < 2; i++) {
      await expect(closed.read(async () => 1)).rejects.toThrow("The database is not open.");
      await expect(closed.write(async () => 1)).rejects.toThrow("The database is not open.");
      if (i === 0) await closed.open();
      await closed.close();
    }
  });

  it("lets nobody write who reads", async () => {
    const opened = database();
    await opened.open();
    const write = opened.read((session) =>
      session.query("INSERT INTO decision_scopes VALUES ('', 1, 1, 1, 1, 1)"),
    );
    await expect(write).rejects.toThrow(/read-only/);
    const count = "SELECT count(*)::INTEGER AS count FROM decision_scopes";
    expect(await opened.read((session) => session.query(count))).toEqual([{ count: 0 }]);
  });

  it.each([
    ["in memory", async () => ({})],
    ["of the user's", async () => ({ instance: await anInstance() })],
  ])(
    "%s has a queue of its own: another's writer does not keep its writers waiting",
    async (_of, options) => {
      const [slow, quick] = [database(await options()), database(await options())];
      await slow.open();
      await quick.open();
      const { passed, open: go } = gate();
      const first = slow.write(() => passed);
      expect(await quick.write(async () => "written")).toBe("written");
      let second = false;
      const later = slow.write(async () => {
        second = true;
      });
      expect(await quick.write(async () => second)).toBe(false);
      go();
      await Promise.all([first, later]);
      expect(second).toBe(true);
    },
  );

  it("of the user's is as it was: open, and with its own settings", async () => {
    const instance = await anInstance();
    const connection = await instance.connect();
    const setting = async () =>
      (
        await connection.runAndReadAll("SELECT current_setting('checkpoint_threshold')")
      ).getRowsJson();
    const before = await setting();
    const store = duckdbStore({ instance });
    await new Decisions(store).addNode({ id: "a", type: "goal", label: "A" });
    expect(await setting()).toEqual(before);
    await store.close();
    const again = new Decisions(duckdbStore({ instance }));
    expect(await again.stats()).toMatchObject({ nodes: 1 });
    connection.closeSync();
  });

  it("beside another that has tables of ours makes its own", async () => {
    const instance = await anInstance();
    const connection = await instance.connect();
    await connection.run("ATTACH ':memory:' AS other");
    await connection.run("CREATE TABLE other.decision_format (version INTEGER)");
    await connection.run("INSERT INTO other.decision_format VALUES (7)");
    connection.closeSync();
    const decisions = new Decisions(duckdbStore({ instance }));
    await decisions.addNode({ id: "a", type: "goal", label: "A" });
    expect(await decisions.stats()).toMatchObject({ nodes: 1 });
  });
});

describe("a file of somebody else's", () => {
  it("in which a table is a view over another file is refused, and nothing is read", async () => {
    const folder = temporaryFolder();
    const path = `${folder}/graph.duckdb`;
    writeFileSync(`${folder}/secret.txt`, "secret");
    const decisions = new Decisions(duckdbStore({ path }));
    await decisions.addNode({ id: "a", type: "goal", label: "A" });
    await (decisions.store as DuckdbStore).close();
    const foreign = await DuckDBInstance.create(path);
    const connection = await foreign.connect();
    await connection.run("ALTER TABLE decision_nodes RENAME TO others");
    await connection.run(
      `CREATE VIEW decision_nodes AS SELECT * REPLACE ((SELECT content FROM read_text('${folder}/secret.txt')) AS label) FROM others`,
    );
    connection.closeSync();
    foreign.closeSync();
    for (const config of [{}, { access_mode: "READ_ONLY" }]) {
      const store = duckdbStore({ path, config });
      await expect(new Decisions(store).nodes()).rejects.toMatchObject({
        code: "store.version",
        message: expect.stringContaining("decision_nodes as VIEW"),
      });
      await store.close();
    }
  });

  it("reaches no other file and loads no extension, unless the user says so", async () => {
    const opened = database();
    await opened.open();
    const other = `${temporaryFolder()}/other.csv`;
    for (const statement of [`SELECT * FROM read_csv('${other}')`, "LOAD spatial"]) {
      const asked = opened.read((session) => session.query(statement));
      await expect(asked).rejects.toThrow(/disabled by configuration|disabled through/i);
    }
    const named = ["autoinstall_known_extensions", "autoload_known_extensions"];
    const settings = (one: DuckdbDatabase) =>
      one.read((session) =>
        session.query(
          `SELECT ${named.map((name) => `current_setting('${name}') AS ${name}`).join(", ")}`,
        ),
      );
    expect(Object.values((await settings(opened))[0] ?? {})).toEqual([false, false]);
    const free = database({ config: { enable_external_access: "true" } });
    await free.open();
    const asked = free.read((session) => session.query(`SELECT * FROM read_csv('${other}')`));
    await expect(asked).rejects.toThrow(/No files found/);
  });
});

describe("a write that another gets in the way of", () => {
  /** Has commits refused, each with what DuckDB says of it. */
  function refusing(says: (commit: number) => string | undefined): () => number {
    let commits = 0;
    const { run } = DuckDBConnection.prototype;
    const spy = vi.spyOn(DuckDBConnection.prototype, "run").mockImplementation(function (
      this: DuckDBConnection,
      ...given
    ) {
      const refusal = given[0] === "COMMIT" ? says(commits++) : undefined;
      if (refusal !== undefined) return Promise.reject(new Error(refusal));
      return run.apply(this, given);
    });
    // Nobody waits for another writer that there is not.
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => {
      spy.mockRestore();
      random.mockRestore();
    });
    return () => commits;
  }

  it.each([
    'Catalog write-write conflict on create with "decision_nodes"',
    "TransactionContext Error: Conflict on update!",
    'Constraint Error: Duplicate key "scope: s" violates primary key constraint.',
  ])("is written again: %s", async (says) => {
    const opened = database();
    await opened.open();
    refusing((commit) => (commit < 3 ? says : undefined));
    let tries = 0;
    const written = opened.write(async (session) => {
      tries += 1;
      await session.query("INSERT INTO decision_scopes VALUES ($1, 1, 1, 1, 1, 1)", ["s"]);
    });
    await written;
    expect(tries).toBe(4);
    const rows = await opened.read((session) => session.query("SELECT scope FROM decision_scopes"));
    expect(rows).toEqual([{ scope: "s" }]);
  });

  it("is written again where both make a scope's first row", async () => {
    const instance = await anInstance();
    const [first, second] = [database({ instance }), database({ instance })];
    await first.open();
    await second.open();
    const [made, committed] = [gate(), gate()];
    const text = "INSERT INTO decision_scopes VALUES ('', 1, 1, 1, 1, 1) ON CONFLICT DO NOTHING";
    let tries = 0;
    const later = second.write(async (session) => {
      tries += 1;
      await session.query(text, []);
      made.open();
      await committed.passed;
    });
    await made.passed;
    await first.write((session) => session.query(text, []));
    committed.open();
    await later;
    expect(tries).toBe(2);
  });

  it("but a refusal of ours that speaks of a conflict is one", async () => {
    const opened = database();
    await opened.open();
    let tries = 0;
    const refused = new ReckonerError("decisions.missing", "There is no conflict-resolution.");
    const write = opened.write(async () => {
      tries += 1;
      throw refused;
    });
    await expect(write).rejects.toBe(refused);
    expect(tries).toBe(1);
  });

  it("fifty times, and then it says so", async () => {
    const opened = database();
    await opened.open();
    const commits = refusing(() => "Conflict on update!");
    await expect(opened.write(async () => {})).rejects.toThrow("Conflict on update!");
    expect(commits()).toBe(50);
  });

  it("but what fails for another reason fails at once", async () => {
    const opened = database();
    await opened.open();
    const commits = refusing(() => "Out of Memory Error");
    await expect(opened.write(async () => {})).rejects.toThrow("Out of Memory");
    expect(commits()).toBe(1);
  });
});
