// The store of a host in SQLite obeys the laws of stores of hosts.
import { virtualClock } from "reckoner";
import { sqliteHostStore } from "reckoner/sqlite";
import { hostLaws } from "reckoner/testing";
import { describe, it } from "vitest";
import { openSqlite } from "../../support/journal-databases.js";

describe("the store of a host in libsql", () => {
  const make = () => {
    const clock = virtualClock(1_000_000);
    const store = sqliteHostStore(openSqlite("libsql"), { clock });
    return { store, pass: (ms: number) => clock.advance(ms) };
  };
  for (const law of hostLaws(make)) it(law.name, law.check);
});
