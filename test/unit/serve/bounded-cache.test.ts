// Runs that wait are kept as they were open: their next turn reads nothing, and writes what it would write anyway.
import { resume, virtualClock } from "reckoner";
import { type HostStore, memoryHostStore } from "reckoner/serve";
import { sqliteHostStore } from "reckoner/sqlite";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../support/journal-databases.js";
import { desk, deskModel, memoryHost, seeded, storeWith } from "../../support/serve.js";

const clock = () => virtualClock(Date.UTC(2026, 0, 31));
const stores: Readonly<Record<string, (made: ReturnType<typeof clock>) => HostStore>> = {
  memory: (made) => memoryHostStore({ clock: made }),
  SQLite: (made) => sqliteHostStore(openSqlite("libsql"), { clock: made }),
};

/** A store that tells nobody that a run is as it was left, so that each turn opens it. */
const forgetful = (store: HostStore) =>
  storeWith(store, {
    async claim(...given) {
      return (await store.claim(...given)).map(({ unchanged: _, ...held }) => held);
    },
  });

describe.each(Object.entries(stores))("a run that waits, in %s,", (_, makeStore) => {
  it("is written on as if it had been opened anew", async () => {
    const journals: (readonly string[])[] = [];
    for (const wrap of [(store: HostStore) => store, forgetful]) {
      const made = clock();
      const store = makeStore(made);
      let opened = 0;
      const counting = storeWith(wrap(store), {
        async row(place) {
          opened += 1;
          return store.row(place);
        },
      });
      const { host: own, at, until } = memoryHost({ store: counting }, made);
      const run = own.run("r1");
      const untilReady = () =>
        until(async () => (await store.row({ tenant: "", id: "r1" }))?.row?.status === "ready");
      await at(run.start({ input: { prompt: "Hello." }, seed: "s" }));
      await untilReady();
      const before = opened;
      for (const key of ["m1", "m2", "m3"]) {
        // Each at a time of its own, whatever it took to open the run.
        made.advance(10_000);
        await at(run.message("Hi.", { key }));
        await untilReady();
      }
      expect(opened - before).toBe(journals.length === 0 ? 0 : 3);
      journals.push((await store.lines(store.journal({ tenant: "", id: "r1" }), 0)).map(timeless));
      await at(own.drain());
    }
    expect(journals[0]).toEqual(journals[1]);
    expect(journals[0]?.length).toBeGreaterThan(6);
  });

  it("is opened anew where another host or somebody by hand has had it meanwhile", async () => {
    const made = clock();
    const store = makeStore(made);
    const first = memoryHost({ store, pollMs: 60_000 }, made);
    const second = memoryHost({ store, random: seeded(2), pollMs: 60_000 }, made);
    const place = { tenant: "", id: "r1" };
    const row = async () => (await store.row(place))?.row;
    const untilReady = (events: number) =>
      first.until(async () => {
        const now = await row();
        return now?.status === "ready" && now.events > events;
      });
    await first.at(first.host.run("r1").start({ input: { prompt: "Hello." } }));
    await untilReady(0);
    for (const host of [first.host, second.host, first.host, second.host]) {
      const { events = 0 } = (await row()) ?? {};
      expect((await first.at(host.run("r1").message("Hi."))).outcome).toBe("taken");
      await untilReady(events);
    }
    const { events = 0 } = (await row()) ?? {};
    const by = { model: deskModel, clock: made, messages: ["refund"] };
    const handed = await first.at(resume(desk, store.journal(place), by));
    expect(handed.status).toBe("waiting");
    const approval = (await first.at(first.host.run("r1").row())).approvals[0]?.id ?? "";
    // A host that went by what it knew would say that nobody asks for it.
    for (const host of [first.host, second.host]) {
      const wrong = await first.at(host.run("r1").decide("none", { approve: true }));
      expect(wrong).toMatchObject({ code: "approval.stale" });
      expect(wrong).toHaveProperty("message", expect.stringContaining(approval));
    }
    await first.at(first.host.run("r1").decide(approval, { approve: true }));
    await untilReady(events);
    await first.at(Promise.all([first.host.drain(), second.host.drain()]));
  });
});

/** A line without the moments that depend on how often the clock was looked at. */
function timeless(line: string): string {
  return line.replaceAll(/"(?:at|startedAt|lastAt)":[\d.]+/g, "");
}
