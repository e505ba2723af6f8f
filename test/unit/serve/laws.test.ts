// Stores of hosts in memory and in SQLite obey their laws, and hosts over them those of the verbs of one run.
import { virtualClock } from "reckoner";
import { type Host, type HostStore, memoryHostStore } from "reckoner/serve";
import { sqliteHostStore } from "reckoner/sqlite";
import { hostLaws, runHostLaws } from "reckoner/testing";
import { describe, it } from "vitest";
import { hostRules } from "../../support/host-rules.js";
import { openSqlite, SQLITES } from "../../support/journal-databases.js";
import { runInTime, virtualWorld } from "../../support/serve.js";

type Clock = ReturnType<typeof virtualClock>;

const stores: Readonly<Record<string, (clock: Clock) => HostStore>> = {
  memory: (clock) => memoryHostStore({ clock }),
  ...Object.fromEntries(
    Object.keys(SQLITES).map((kind) => [
      kind,
      (clock: Clock) => sqliteHostStore(openSqlite(kind), { clock }),
    ]),
  ),
};

describe.each(Object.entries(stores))("a store of hosts in %s", (_, makeStore) => {
  const make = () => {
    const clock = virtualClock(1_000_000);
    return { store: makeStore(clock), pass: (ms: number) => clock.advance(ms) };
  };
  for (const law of hostLaws(make)) it(law.name, law.check);
});

describe.each(Object.entries(stores))("hosts over %s", (_, makeStore) => {
  let made: { readonly world: ReturnType<typeof virtualWorld>; readonly host: Host } | undefined;
  const make = async () => {
    await made?.world.at(made.host.drain());
    const world = virtualWorld(makeStore);
    made = { world, host: world.host() };
    return runInTime(made.host.run("r1"), world.at);
  };
  const until = (holds: () => Promise<boolean>) => made?.world.until(holds) as Promise<void>;
  for (const law of runHostLaws(make, until)) {
    it(law.name, async () => {
      try {
        await law.check();
      } finally {
        // Its database goes with the test.
        await made?.world.at(made.host.drain());
        made = undefined;
      }
    });
  }
  for (const [rule, check] of Object.entries(hostRules)) {
    it(rule, () => check(virtualWorld(makeStore)));
  }
});
