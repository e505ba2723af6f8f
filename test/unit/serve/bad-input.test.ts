// What bad input gets from a host: tenants and ids of every spelling stay apart, and events that a machine refuses
// are answered.
import { virtualClock } from "reckoner";
import { postgresHostStore } from "reckoner/postgres";
import { type HostStore, memoryHostStore } from "reckoner/serve";
import { sqliteHostStore } from "reckoner/sqlite";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../support/journal-databases.js";
import { deskModel, memoryHost } from "../../support/serve.js";
import { rejection } from "../../support/thrown.js";

const MB = 1_000_000;
const clock = () => virtualClock(Date.UTC(2026, 0, 31));

const stores: Readonly<Record<string, (made: ReturnType<typeof clock>) => HostStore>> = {
  memory: (made) => memoryHostStore({ clock: made }),
  SQLite: (made) => sqliteHostStore(openSqlite("libsql"), { clock: made }),
};

describe.each(Object.entries(stores))("tenants in %s", (_, makeStore) => {
  const names = [
    "a",
    "a/b",
    "a#b",
    "A",
    "%",
    "_",
    "'; DROP TABLE reckoner_mail; --",
    "ü",
    "u\u0308",
  ];
  const ids = ["r", "b/r", "b#r", "R", "%", "' OR ''='"];

  it("stay apart, however they and their runs are spelt", async () => {
    const made = clock();
    const { host: own, at, until } = memoryHost({ store: makeStore(made) }, made);
    for (const tenant of names) {
      for (const id of ids) {
        const input = { prompt: `Of ${tenant}, ${id}.` };
        const started = own.tenant(tenant).run(id).start({ input }, { key: "s" });
        expect((await at(started)).outcome).toBe("taken");
      }
    }
    for (const tenant of names) {
      const runs = own.tenant(tenant);
      for (const id of ids) {
        await until(async () => (await runs.run(id).row()).status === "ready");
        const row = await at(runs.run(id).row());
        expect([row.title, row.tenant]).toEqual([`Of ${tenant}, ${id}.`, tenant]);
      }
      const listed = await at(runs.list());
      expect(listed.runs.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(
        (await at(runs.list({ search: "%" }))).runs.every(({ title }) => title?.includes("%")),
      ).toBe(true);
    }
    expect((await at(own.list())).runs).toEqual([]);
    await at(own.drain());
  });

  it("have idempotency keys of their own, whatever their runs are called, before and after an edit", async () => {
    const made = clock();
    const keys: string[] = [];
    const model: typeof deskModel = {
      ...deskModel,
      generate(request, call) {
        keys.push(call.idempotencyKey);
        return deskModel.generate(request, call);
      },
    };
    const { host: own, at, until } = memoryHost({ store: makeStore(made), model }, made);
    const runs = ["", ...names].flatMap((tenant) =>
      ids.map((id) => (tenant === "" ? own : own.tenant(tenant)).run(id)),
    );
    for (const run of runs) {
      const started = run.start({ input: { prompt: "Hello." } }, { key: "s" });
      expect((await at(started)).outcome).toBe("taken");
    }
    for (const run of runs) {
      await until(async () => (await run.row()).status === "ready");
      expect((await at(run.edit(0, "Hi.", { key: "e" }))).outcome).toBe("taken");
    }
    for (const run of runs) await until(async () => (await run.row()).status === "ready");
    await at(own.drain());
    expect(keys.length).toBe(2 * runs.length);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("get nothing of another's run: no row, no line, no answer, no decision", async () => {
    const made = clock();
    const { host: own, at, until } = memoryHost({ store: makeStore(made) }, made);
    const theirs = own.tenant("acme").run("r1");
    await at(theirs.start({ input: { prompt: "refund" } }, { key: "s" }));
    await until(async () => (await theirs.row()).approvals.length > 0);
    const id = (await at(theirs.row())).approvals[0]?.id ?? "";
    for (const other of [own.run("r1"), own.tenant("rival").run("r1")]) {
      expect(await rejection(at(other.row()))).toMatchObject({ code: "run.missing" });
      expect(await rejection(at(other.lines()))).toMatchObject({ code: "run.missing" });
      expect(await rejection(at(other.answer("s")))).toMatchObject({ code: "run.missing" });
      for (const answer of [
        other.decide(id, { approve: true }),
        other.message("Hi."),
        other.edit(0, "Hi."),
        other.cancel(),
      ]) {
        expect(await at(answer)).toMatchObject({ outcome: "refused", code: "run.missing" });
      }
    }
    expect((await at(theirs.row())).approvals).toHaveLength(1);
    await at(own.drain());
  });
});

it("a start that is refused leaves nothing behind once its answer is forgotten: no row, no file", async () => {
  const made = clock();
  const database = openSqlite("libsql");
  const store = sqliteHostStore(database, { clock: made });
  const { host: own, at, until } = memoryHost({ store, blobs: store.blobs }, made);
  const data = "x".repeat(200_000);
  const input = { prompt: [{ type: "file", data, mediaType: "text/plain" }] };
  for (let n = 0; n < 3; n++) {
    const refused = await at(own.run(`r${n}`).start({ reasoner: "none", input }));
    expect(refused).toMatchObject({ outcome: "refused", code: "run.reasoner" });
  }
  await at(own.run("kept").start({ input: { prompt: "Hello." } }));
  const left = (table: string) =>
    Number((database.prepare(`SELECT count(*) AS n FROM ${table}`).all()[0] as { n: number }).n);
  expect([left("reckoner_hosted"), left("reckoner_blob_holds")]).toEqual([4, 3]);
  made.advance(3_600_000);
  // A host sweeps every minute; of files the database's own hour counts.
  database.exec("UPDATE reckoner_blob_holds SET since = 0");
  await until(async () => left("reckoner_hosted") === 1);
  await until(async () => left("reckoner_blobs") === 0);
  expect([left("reckoner_journals"), left("reckoner_mail")]).toEqual([1, 0]);
  await at(own.drain());
});

describe("SQL by hand", () => {
  it("leads no tenant to another's runs: each statement has its tenant, or the number of one's own journal", async () => {
    const made = clock();
    const database = openSqlite("libsql");
    const asked = new Set<string>();
    const store = sqliteHostStore(
      {
        exec: (sql) => database.exec(sql),
        prepare(sql) {
          asked.add(sql);
          return database.prepare(sql);
        },
      },
      { clock: made },
    );
    const { host: own, at, until } = memoryHost({ store }, made);
    const [acme, rival] = [own.tenant("acme"), own.tenant("rival")];
    await at(acme.run("secret").start({ input: { prompt: "refund" } }, { key: "s" }));
    await until(async () => (await acme.run("secret").row()).approvals.length > 0);
    await at(rival.run("r1").start({ input: { prompt: "Hello." } }));
    await until(async () => (await rival.run("r1").row()).status === "ready");
    const before = await at(rival.run("r1").lines());

    // Rows that lead to the other's run, by its id.
    database.exec(
      "INSERT INTO reckoner_hosted (tenant, name, head) VALUES ('rival', 'secret', 'secret'), ('rival', 'led', 'secret')",
    );
    database.exec(
      `INSERT INTO reckoner_notes (journal, kind, name, text) SELECT id, 'head', 'head', '{"journal":"secret","runId":"x","seq":0,"removed":0,"retained":0,"at":1}' FROM reckoner_journals WHERE tenant = 'rival' AND name = 'r1'`,
    );
    for (const id of ["secret", "led"]) {
      const run = rival.run(id);
      const looks: readonly (() => Promise<unknown>)[] = [
        () => run.row(),
        () => run.lines(),
        () => run.answer("s"),
      ];
      for (const look of looks) {
        expect(await rejection(at(look()))).toMatchObject({ code: "run.missing" });
      }
    }
    const led = await at(
      rival
        .run("r1")
        .lines()
        .catch(({ code }) => ({ code, lines: [] })),
    );
    expect(led).toMatchObject({ lines: [] });
    database.exec("DELETE FROM reckoner_notes");
    expect(await at(rival.run("r1").lines())).toEqual(before);
    expect((await at(rival.list())).runs.map(({ id }) => id)).toEqual(["r1"]);
    expect((await at(acme.run("secret").row())).approvals).toHaveLength(1);
    await at(own.drain());

    const tables =
      /\breckoner_(?:hosted|mail|journals|lines|snapshots|snapshot_rows|notes|blobs|blob_holds|spent)\b/;
    const apart = /\btenant\b|\bjournal = \?|\(journal, |WHERE id = \?/;
    const open = [...asked].filter((sql) => tables.test(sql) && !apart.test(sql));
    expect(open).toEqual([]);
  });
});

describe("what a run does not take", () => {
  it("is answered with a code and a line, and the run goes on", async () => {
    const { host: own, at, until } = memoryHost();
    const run = own.run("r1");
    await at(run.start({ input: { prompt: "refund" } }));
    await until(async () => (await run.row()).approvals.length > 0);
    const lines = (await at(run.lines())).lines.length;
    for (const [verb, code] of [
      [run.decide("none", { approve: true }), "approval.stale"],
      [run.queued("none", { type: "removed" }), "message.taken"],
      [run.start({ input: { prompt: "Another." } }), "run.exists"],
      [run.edit(99), "fork.point"],
      [run.send({ type: "conversation.end" }), "conversation.busy"],
    ] as const) {
      const answer = await at(verb);
      expect(answer).toMatchObject({ outcome: "refused", code });
      expect((answer as { message: string }).message).toMatch(/^[^\n]+$/);
    }
    for (const [verb, code] of [
      [() => run.message("x".repeat(9 * MB)), "event.tooLarge"],
      [() => run.message(undefined as never), "event.invalid"],
      [() => run.edit(-1), "event.invalid"],
      [() => run.send({ type: "approval.decided" }), "event.invalid"],
      [() => run.message("Hi.", { key: "" }), "event.invalid"],
    ] as const) {
      expect(await rejection(at(Promise.resolve().then(verb)))).toMatchObject({ code });
    }
    expect((await at(run.lines())).lines).toHaveLength(lines);
    expect((await at(run.message("Hi."))).outcome).toBe("taken");
    await at(own.drain());
  });
});

describe("what cannot be an argument", () => {
  const run = () => memoryHost().host.run("r1");
  const client = { query: async () => ({ rows: [] }) };
  const wrong: readonly (readonly [string, () => unknown, string])[] = [
    ["start", () => run().start(null as never), "The options of start must be an object"],
    ["start's tags", () => run().start({ tags: "vip" as never }), "tags of start must be"],
    ["start's person", () => run().start({ person: "" }), "person of start must be"],
    [
      "start's options",
      () => run().start({ tag: "vip" } as never),
      "tag is not an option of start",
    ],
    ["a sender", () => run().message("Hi.", null as never), "The options of the sender must be"],
    [
      "a role",
      () => run().decide("a", { approve: true }, { role: 5n as never }),
      "role of the sender",
    ],
    ["a change", () => run().queued("m", null as never), "The change of queued must be an object"],
    ["an event", () => run().send(null as never), "event"],
    ["a key", () => run().answer({} as never), "The key of answer must be"],
    ["a line's number", () => run().lines(-1), "The first line must be a whole number, 0 or more"],
    [
      "a watch",
      () =>
        memoryHost()
          .host.watch("r1", null as never)
          [Symbol.asyncIterator]()
          .next(),
      "The options of watch",
    ],
    [
      "its line",
      () => memoryHost().host.watch("r1", { from: 0.5 })[Symbol.asyncIterator]().next(),
      "from of watch must be",
    ],
    [
      "its options",
      () =>
        memoryHost()
          .host.watch("r1", { form: 1 } as never)
          [Symbol.asyncIterator]()
          .next(),
      "form is not an option of watch",
    ],
    [
      "a filter",
      () => memoryHost().host.list({ staus: "open" } as never),
      "staus is not an option of list",
    ],
    [
      "its signal",
      () =>
        memoryHost()
          .host.watch("r1", { signal: {} as never })
          [Symbol.asyncIterator]()
          .next(),
      "signal of watch must be",
    ],
    ["a port", () => memoryHost().host.listen({ port: 65_536 }), "port of listen must be a port"],
    [
      "a store in memory",
      () => memoryHostStore({ clock: {} as never }),
      "clock of memoryHostStore must be a clock, with now()",
    ],
    [
      "a store in SQLite",
      () => sqliteHostStore(openSqlite("libsql"), null as never),
      "The options of sqliteHostStore",
    ],
    [
      "a store in Postgres",
      () => postgresHostStore(undefined as never),
      "The options of postgresHostStore",
    ],
    [
      "its processes",
      () => postgresHostStore({ client, processes: "two" as never }),
      'processes of postgresHostStore must be "one" or "many"',
    ],
  ];
  it.each(wrong)("%s is refused with a line", async (_, work, words) => {
    const fault = await rejection(Promise.resolve().then(work));
    expect(fault.code).toMatch(/^(?:option|event)\.invalid$/);
    expect(fault.message).toContain(words);
    expect(fault.message).toMatch(/^[^\n]+$/);
  });
});
