// Whichever call of the database fails, before or after its work: nothing that was acknowledged is lost
// or doubled, and no transaction stays open.
import { describe, expect, it } from "vitest";
import { type SqliteDatabase, sqliteJournals } from "../../../../src/adapters/sqlite/index.js";
import {
  type Fault,
  journalFaultLaws,
  type MakeFaulty,
} from "../../../../src/testing/journal-fault-laws.js";
import { faultyCalls } from "../../../support/faulty-calls.js";
import { openSqlite, SQLITES } from "../../../support/journal-databases.js";

describe.each(Object.keys(SQLITES))("a journal in %s", (kind) => {
  /** A database whose calls fail, but for what takes a transaction back. */
  const faulty = (database: SqliteDatabase, fault: (call: string) => Fault | undefined) => {
    const calls = faultyCalls(
      {
        exec: (sql: string) => database.exec(sql),
        prepare: (sql: string) => {
          const prepared = database.prepare(sql);
          return faultyCalls(
            {
              all: (...given: (string | number)[]) => prepared.all(...given),
              run: (...given: (string | number)[]) => prepared.run(...given),
            },
            fault,
            new Set(),
          );
        },
      },
      fault,
      new Set(),
    );
    // One that fails has begun nothing.
    const { begin } = faultyCalls(
      { begin: () => database.exec("BEGIN IMMEDIATE") },
      (call) => fault(call) && "EIO",
      new Set(),
    );
    return {
      ...calls,
      exec(sql: string) {
        if (sql === "ROLLBACK") return database.exec(sql);
        return sql.startsWith("BEGIN") ? begin() : calls.exec(sql);
      },
    };
  };
  const make: MakeFaulty = async (fault) => {
    const database = openSqlite(kind);
    return {
      port: sqliteJournals(faulty(database, fault)).journal("run"),
      held() {
        try {
          database.exec("BEGIN; ROLLBACK");
          return [];
        } catch {
          return ["a transaction"];
        }
      },
    };
  };
  for (const law of journalFaultLaws(make)) it(law.name, law.check);

  it("that acknowledges what was not committed breaks them", async () => {
    const lying: MakeFaulty = async (fault) => {
      const database = openSqlite(kind);
      const calls = faulty(database, fault);
      const exec = (sql: string) => calls.exec(sql === "COMMIT" ? "ROLLBACK" : sql);
      return { port: sqliteJournals({ ...calls, exec }).journal("run"), held: () => [] };
    };
    const checks = journalFaultLaws(lying, 3).map(({ check }) => check());
    const failed = (await Promise.allSettled(checks)).filter(({ status }) => status === "rejected");
    expect(failed.length).toBeGreaterThan(0);
  });
});
