// Clients of Postgres: which are pools, what is asked of each, and which are ours to close.
import { EventEmitter } from "node:events";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReckonerError } from "../../../../../src/core/kernel/values/index.js";
import { Decisions } from "../../../../../src/decisions/stores/index.js";
import { PostgresDatabase } from "../../../../../src/decisions/stores/postgres/database.js";
import { postgresDecisions } from "../../../../../src/decisions/stores/postgres/index.js";
import { openPglite } from "../../../../../src/decisions/stores/postgres/pglite.js";
import { Schema } from "../../../../../src/decisions/stores/sql/schema.js";
import { dropAfterwards, freshSchema, postgresStore } from "../../../../support/postgres.js";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
});
afterAll(() => pglite.close());

const goal = (id: string) => ({ id, type: "goal", label: id }) as const;
const nothing = async () => {};

describe("a client", () => {
  it("that is a pool stays one, whatever it fails with later", async () => {
    const bare: string[] = [];
    let given = 0;
    const client = {
      async query(text: string) {
        bare.push(text);
        return { rows: [] };
      },
      async connect() {
        given += 1;
        if (given > 1) throw new Error("Client has already been connected.");
        return {
          query: (text: string, parameters?: unknown[]) =>
            pglite.query<Record<string, unknown>>(text, parameters),
          release() {},
        };
      },
    };
    const database = new PostgresDatabase({
      schema: new Schema(freshSchema()),
      client: async () => client,
      close: nothing,
    });
    await expect(database.open()).rejects.toThrow("already been connected");
    expect(bare).toEqual([]);
  });

  it.each(["text", 7, true, null, [], { query: "SELECT" }])("that is %j is none", (client) => {
    expect(() => postgresDecisions({ client: client as never })).toThrow(
      expect.objectContaining({ code: "option.invalid" }),
    );
  });

  it.each([undefined, null, "gone"])("that throws %j is asked once", async (thrown) => {
    let opened = false;
    const asked: string[] = [];
    const client = {
      async query(text: string) {
        if (opened) asked.push(text);
        if (text === "SELECT 1") throw thrown;
        return { rows: [] };
      },
    };
    const database = new PostgresDatabase({
      schema: new Schema(freshSchema()),
      client: async () => client,
      close: nothing,
    });
    await database.open();
    opened = true;
    const failed = database.write((session) => session.query("SELECT 1", []));
    expect(await failed.catch((reason) => ({ reason }))).toEqual({ reason: thrown });
    expect(asked).toEqual(["BEGIN ISOLATION LEVEL READ COMMITTED", "SELECT 1", "ROLLBACK"]);
  });

  it.each([null, "connected", { release() {} }, { release: true, query() {} }])(
    "that gives %j for a connection is one itself, and may be a function",
    async (given) => {
      const client = Object.assign(() => {}, {
        query: (text: string, parameters?: unknown[]) =>
          pglite.query<Record<string, unknown>>(text, parameters),
        connect: async () => given,
      });
      const decisions = new Decisions(postgresStore(client));
      await decisions.addNode(goal("a"));
      expect(await decisions.stats()).toMatchObject({ seq: 1, nodes: 1 });
    },
  );

  it("that cannot connect is not asked past its pool, and is one as soon as it can", async () => {
    const bare: string[] = [];
    let refuses = true;
    const client = {
      async query(text: string) {
        bare.push(text);
        return { rows: [] };
      },
      async connect() {
        if (refuses) throw new Error("connect ETIMEDOUT");
        return {
          query: (text: string, parameters?: unknown[]) =>
            pglite.query<Record<string, unknown>>(text, parameters),
          release() {},
        };
      },
    };
    const schema = freshSchema();
    dropAfterwards(pglite, schema);
    const store = postgresDecisions({ client, schema });
    await expect(store.open()).rejects.toThrow("connect ETIMEDOUT");
    refuses = false;
    await new Decisions(store).addNode(goal("a"));
    expect(bare).toEqual([]);
  });

  it("that breaks while a transaction has it says so to us, and is not used again", async () => {
    const heard: boolean[] = [];
    const released: unknown[] = [];
    const connection = Object.assign(new EventEmitter(), {
      async query(text: string) {
        // As a server that goes away: nobody is asking anything at that moment.
        if (text === "SELECT 1") heard.push(connection.emit("error", new Error("terminated")));
        return { rows: [] };
      },
      release: (destroy?: boolean) => void released.push(destroy),
    });
    const database = new PostgresDatabase({
      schema: new Schema(freshSchema()),
      client: async () => ({ query: connection.query, connect: async () => connection }),
      close: nothing,
    });
    await database.open();
    released.length = 0;
    await database.write((session) => session.query("SELECT 1", []));
    expect(heard).toEqual([true]);
    expect(released).toEqual([true]);
    expect(connection.listenerCount("error")).toBe(0);
  });

  it("that breaks right after it connects, or while nobody uses it, is heard", async () => {
    const schema = new Schema(freshSchema());
    const client = Object.assign(new EventEmitter(), {
      query: async () => ({ rows: [] }),
      async connect() {
        const connection = Object.assign(new EventEmitter(), {
          query: () => Promise.reject(new Error("terminated")),
          release() {},
        });
        client.emit("connect", connection);
        // In the same packet as the greeting: before anybody can have it.
        connection.emit("error", new Error("terminated"));
        return connection;
      },
    });
    const database = new PostgresDatabase({ schema, client: async () => client, close: nothing });
    await expect(database.open()).rejects.toThrow("terminated");
    client.emit("error", new Error("an idle connection was terminated"));
    await database.close();
    expect([client.listenerCount("error"), client.listenerCount("connect")]).toEqual([0, 0]);
  });

  it("of several stores is listened to once, until the last of them is closed", async () => {
    const client = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }) });
    const open = async () => {
      const schema = new Schema(freshSchema());
      const database = new PostgresDatabase({ schema, client: async () => client, close: nothing });
      await database.open();
      return database;
    };
    const databases = [await open(), await open()];
    const listeners = () => [client.listenerCount("error"), client.listenerCount("connect")];
    expect(listeners()).toEqual([1, 1]);
    await databases[0]?.close();
    expect(listeners()).toEqual([1, 1]);
    await databases[1]?.close();
    expect(listeners()).toEqual([0, 0]);
  });

  it("is asked nothing before the database is open", async () => {
    const database = new PostgresDatabase({
      schema: new Schema(freshSchema()),
      client: async () => pglite,
      close: nothing,
    });
    await expect(database.read(nothing)).rejects.toThrow("The database is not open.");
    await expect(database.write(nothing)).rejects.toThrow("The database is not open.");
  });

  it("that is ours is closed with the store, and never one that was not opened", async () => {
    let closed = 0;
    const client = (fails: boolean) => ({
      query: (text: string, parameters?: unknown[]) => {
        if (fails) throw new Error("no");
        return pglite.query<Record<string, unknown>>(text, parameters);
      },
      async close() {
        closed += 1;
      },
    });
    const schema = freshSchema();
    dropAfterwards(pglite, schema);
    const store = (fails: boolean) =>
      postgresDecisions({
        folder: "here",
        schema,
        load: async () => ({ PGlite: { create: async () => client(fails) } }),
      });
    await store(false).close();
    expect(closed).toBe(0);
    const opened = store(false);
    await opened.open();
    await opened.close();
    expect(closed).toBe(1);
    const failing = store(true);
    await expect(failing.open()).rejects.toMatchObject({ code: "port.failed" });
    await failing.close();
    expect(closed).toBe(2);
    const known = new ReckonerError("store.config", "Not here.");
    await expect(openPglite("here", () => Promise.reject(known))).rejects.toBe(known);
  });
});
