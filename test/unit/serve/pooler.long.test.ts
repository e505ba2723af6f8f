// Hosts behind a pooler of transactions, as PgBouncer is: sessions change with each transaction, LISTEN breaks and
// nothing tells so. Owners are fenced all the same, and polling is enough. Beside it NOTIFY, which only makes it quick.
import pg from "pg";
import { virtualClock } from "reckoner";
import { postgresHostStore } from "reckoner/postgres";
import { type Hint, type HostRunsOptions, host } from "reckoner/serve";
import { hostLaws } from "reckoner/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HostWorld, hostRules } from "../../support/host-rules.js";
import { dropAfterwards, freshSchema, server, sharedDatabases } from "../../support/postgres.js";
import { desk, deskModel } from "../../support/serve.js";
import { transactionPooler } from "../../support/transaction-pooler.js";

const shared = sharedDatabases();

function freshTables(): string {
  const schema = freshSchema();
  dropAfterwards(shared.postgres.client, schema);
  return schema;
}

function poolOf(port: number, max = 4): pg.Pool {
  const pool = new pg.Pool({ ...server, host: "127.0.0.1", port, max });
  onTestFinished(() => pool.end());
  return pool;
}

/** Hosts behind one pooler with three sessions, each with a pool of its own. */
async function world(): Promise<HostWorld & { readonly served: readonly number[] }> {
  const schema = freshTables();
  const pooler = await transactionPooler(3);
  onTestFinished(() => pooler.close());
  return {
    served: pooler.served,
    host(options: Partial<HostRunsOptions> = {}) {
      const store = postgresHostStore({ client: poolOf(pooler.port), schema });
      const given = { reasoners: [desk], model: deskModel, store, pollMs: 100, leaseMs: 2_000 };
      const made = host({ ...given, ...options });
      onTestFinished(() => made.drain());
      return made;
    },
    at: async (awaited) => awaited,
    async until(holds) {
      while (!(await holds().catch(() => false)));
    },
  };
}

describe("hosts behind a pooler of transactions", () => {
  for (const [rule, check] of Object.entries(hostRules)) {
    it(rule, async (context) => {
      if (shared.postgres.kind !== "server") context.skip();
      const made = await world();
      await check(made);
      // Otherwise it was no pooler.
      expect(made.served.filter((count) => count > 0).length).toBeGreaterThan(1);
    });
  }

  const make = async () => {
    const clock = virtualClock(1_000_000);
    const pooler = await transactionPooler(3);
    onTestFinished(() => pooler.close());
    const store = postgresHostStore({ client: poolOf(pooler.port), schema: freshTables(), clock });
    return { store, pass: (ms: number) => clock.advance(ms) };
  };
  for (const law of hostLaws(make)) {
    it(law.name, async (context) => {
      if (shared.postgres.kind !== "server") context.skip();
      await law.check();
    });
  }
});

describe("two stores on one pool of two connections", () => {
  it("prove one after the other that owners are kept apart", async (context) => {
    if (shared.postgres.kind !== "server") context.skip();
    const schema = freshTables();
    const pool = poolOf(server.port, 2);
    for (let round = 0; round < 5; round++) {
      const stores = [1, 2, 3].map(() => postgresHostStore({ client: pool, schema }));
      await Promise.all(stores.map((store) => store.open()));
    }
    expect(pool.idleCount).toBe(pool.totalCount);
  });
});

describe("a pooler with few sessions", () => {
  async function storesBehind(sessions: number, count: number) {
    const schema = freshTables();
    const pooler = await transactionPooler(sessions);
    onTestFinished(() => pooler.close());
    // The tables are there, as they are where a program is started anew.
    await postgresHostStore({ client: poolOf(server.port), schema }).open();
    const client = () => poolOf(pooler.port);
    return Array.from({ length: count }, () => postgresHostStore({ client: client(), schema }));
  }

  it("has one for the proof of each host that begins at once", async (context) => {
    if (shared.postgres.kind !== "server") context.skip();
    const stores = await storesBehind(2, 6);
    await Promise.all(stores.map((store) => store.open()));
  });

  it("is refused where it has only one, since nobody is kept apart by it", async (context) => {
    if (shared.postgres.kind !== "server") context.skip();
    const [store] = await storesBehind(1, 1);
    await expect(store?.open()).rejects.toMatchObject({
      code: "host.exclusion",
      message: expect.stringContaining("got no session"),
    });
  });
});

describe("hints between processes", () => {
  const MAIL = { type: "mail", place: { tenant: "", id: "r1" } } as const;

  it("come by NOTIFY, once, and not to whoever told them", async (context) => {
    if (shared.postgres.kind !== "server") context.skip();
    const schema = freshTables();
    const [one, two] = [1, 2].map(() =>
      postgresHostStore({ client: poolOf(server.port), schema }),
    ) as [ReturnType<typeof postgresHostStore>, ReturnType<typeof postgresHostStore>];
    await one.open();
    const own: Hint[] = [];
    const heard: Hint[] = [];
    // A pool ends when whoever listens has left.
    onTestFinished(one.listen((hint) => void own.push(hint)));
    onTestFinished(two.listen((hint) => void heard.push(hint)));
    // The listener may not be there yet.
    while (heard.length === 0) {
      one.tell(MAIL);
      await two.answer(MAIL.place, "none");
    }
    expect(heard[0]).toEqual(MAIL);
    const before = own.length;
    expect(own.every((hint) => JSON.stringify(hint) === JSON.stringify(MAIL))).toBe(true);
    // Its own words came to it once each, by itself, and not from the server as well.
    const told = heard.length;
    for (let n = 0; n < 50; n++) await one.answer(MAIL.place, "none");
    expect(own.length).toBe(before);
    // What is too large for one notification comes in parts, whole.
    const deltas = ["x".repeat(9_000), "ü".repeat(9_000), "last"];
    for (const delta of deltas) one.tell({ type: "delta", place: MAIL.place, delta });
    while (!JSON.stringify(heard.slice(told)).includes("last")) {
      await one.answer(MAIL.place, "none");
    }
    expect(
      heard.slice(told).flatMap((hint) => (hint.type === "delta" ? [hint.delta] : [])),
    ).toEqual(deltas);
  });

  it("bring a message to the owner of its run before it would look for itself", async (context) => {
    if (shared.postgres.kind !== "server") context.skip();
    const schema = freshTables();
    let answer = () => {};
    const slow = {
      ...deskModel,
      async generate(...given: Parameters<typeof deskModel.generate>) {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return deskModel.generate(...given);
      },
    };
    const hostWith = (model: typeof deskModel) => {
      const store = postgresHostStore({ client: poolOf(server.port), schema });
      // Nobody looks by himself while this test goes on.
      const made = host({ reasoners: [desk], model, store, pollMs: 3_600_000, answerMs: 60_000 });
      onTestFinished(() => made.drain());
      return made;
    };
    const owner = hostWith(slow);
    expect((await owner.run("r1").start({ input: { prompt: "Hello." } })).outcome).toBe("taken");
    const other = hostWith(deskModel);
    expect((await other.run("r1").message("Hi.")).outcome).toBe("taken");
    answer();
  });
});
