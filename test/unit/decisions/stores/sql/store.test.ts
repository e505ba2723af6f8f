// A store over its database: how it is opened, read and closed.
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { ReckonerError } from "../../../../../src/core/kernel/values/index.js";
import { DuckdbDatabase } from "../../../../../src/decisions/stores/duckdb/database.js";
import { Decisions } from "../../../../../src/decisions/stores/index.js";
import { Schema } from "../../../../../src/decisions/stores/sql/schema.js";
import type { SqlDatabase } from "../../../../../src/decisions/stores/sql/session.js";
import { SqlDecisions } from "../../../../../src/decisions/stores/sql/store.js";
import { rejection } from "../../../../support/thrown.js";

/** DuckDB, and what is to happen within the next reading transaction, before its work. */
function database() {
  const duckdb = new DuckdbDatabase({
    path: ":memory:",
    schema: new Schema("main"),
    config: { threads: "1" },
    propertyGraph: undefined,
  });
  let meanwhile: (() => Promise<unknown>) | undefined;
  let reads = 0;
  const wrapped: SqlDatabase = {
    schema: duckdb.schema,
    dialect: duckdb.dialect,
    open: () => duckdb.open(),
    close: () => duckdb.close(),
    write: (work) => duckdb.write(work),
    read: (work) =>
      duckdb.read(async (session) => {
        reads += 1;
        const act = meanwhile;
        meanwhile = undefined;
        if (act !== undefined) {
          await act();
        }
        return work(session);
      }),
  };
  const store = new SqlDecisions(wrapped, "ours", {});
  onTestFinished(() => store.close());
  return {
    store,
    graph: new Decisions(store, { now: () => 1 }),
    during: (act: () => Promise<unknown>) => {
      meanwhile = act;
    },
    count: () => reads,
  };
}

it("what goes wrong in a read is told, and not tried again", async () => {
  const { graph, during, count } = database();
  await graph.addNode({ id: "a", type: "goal", label: "A" });
  during(() => Promise.reject(new Error("gone")));
  const before = count();
  await expect(graph.stats()).rejects.toThrow("gone");
  expect(count() - before).toBe(1);
});

it("one that was closed is named", async () => {
  const { store, graph } = database();
  await graph.addNode({ id: "a", type: "goal", label: "A" });
  await store.close();
  expect(await rejection(graph.stats())).toMatchObject({ code: "store.closed", place: "ours" });
});

/** A database that does nothing but what a test lets it. */
function held(open: () => Promise<void>) {
  const log: string[] = [];
  const database: SqlDatabase = {
    schema: new Schema("main"),
    dialect: { types: {} as never, elements: "" },
    open,
    read: () => Promise.reject(new Error("not asked for here")),
    write: () => Promise.reject(new Error("not asked for here")),
    async close() {
      log.push("closed");
    },
  };
  return { log, database, store: new SqlDecisions(database, "ours", {}) };
}

it("that cannot be opened says why, and is opened when it is tried again", async () => {
  const known = new ReckonerError("store.locked", "Somebody has it.");
  const failures: unknown[] = [new Error("no disk"), known];
  const { store } = held(async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  });
  expect(await rejection(store.open())).toMatchObject({
    code: "port.failed",
    place: "ours",
    message: "The store ours cannot be opened: no disk. Mend it and try again.",
  });
  expect(await rejection(store.open())).toBe(known);
  await store.open();
  await store.open();
});

it("is closed once, behind its opening and what is under way", async () => {
  let opened = () => {};
  const opening = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const { store, log, database } = held(() => opening);
  let answered = () => {};
  Object.assign(database, {
    read: () =>
      new Promise((resolve) => {
        log.push("asked");
        answered = () => {
          log.push("answered");
          resolve({ seq: 0 });
        };
      }),
  });
  const { signal } = new AbortController();
  const read = store.read({ type: "stats" }, { signal });
  const closed = [store.close(), store.close()];
  await setImmediate();
  expect(log).toEqual([]);
  opened();
  await setImmediate();
  expect(log).toEqual(["asked"]);
  answered();
  expect(await read).toEqual({ seq: 0 });
  await Promise.all(closed);
  expect(log).toEqual(["asked", "answered", "closed"]);
  expect((await rejection(store.read({ type: "stats" }, { signal }))).code).toBe("store.closed");
});
