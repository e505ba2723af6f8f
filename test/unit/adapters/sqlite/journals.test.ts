// Journals in SQLite: the rules of databases, and what only SQLite does.
import { describe, expect, it } from "vitest";
import { type SqliteDatabase, sqliteJournals } from "../../../../src/adapters/sqlite/index.js";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import type { JournalWriter } from "../../../../src/runtime/index.js";
import { databaseRules, type EmptyDatabase } from "../../../support/database-rules.js";
import { indexRules } from "../../../support/index-rules.js";
import { databaseFile, openSqlite, SQLITES } from "../../../support/journal-databases.js";
import { textIn } from "../../../support/journal-text.js";
import { retentionRules } from "../../../support/retention-rules.js";
import { refusal, rejection } from "../../../support/thrown.js";

const START = { lines: 0, bytes: 0 };

/** A database of which each statement outside of prepared ones is seen. */
function watched(database: SqliteDatabase, seen: (sql: string) => void): SqliteDatabase {
  return {
    exec(sql) {
      seen(sql);
      return database.exec(sql);
    },
    prepare: (sql) => database.prepare(sql),
  };
}

describe.each(Object.keys(SQLITES))("journals in %s", (kind) => {
  async function empty(): Promise<EmptyDatabase> {
    const path = await databaseFile();
    openSqlite(kind, path).exec("PRAGMA journal_mode = WAL");
    let begun = 0;
    return {
      store: () =>
        sqliteJournals(
          watched(openSqlite(kind, path), (sql) => {
            if (sql.startsWith("BEGIN")) begun += 1;
          }),
        ),
      count() {
        const before = begun;
        return () => begun - before;
      },
      path: databaseFile,
    };
  }
  for (const [rule, check] of Object.entries({
    ...databaseRules,
    ...indexRules,
    ...retentionRules,
  })) {
    it(rule, async () => check(await empty()));
  }

  it("are listed without a line being read, and an append is one transaction with its row", async () => {
    const database = openSqlite(kind);
    const texts: string[] = [];
    const store = sqliteJournals({
      exec: (sql) => database.exec(sql),
      prepare(sql) {
        const prepared = database.prepare(sql);
        return {
          all(...given) {
            texts.push(sql);
            return prepared.all(...given);
          },
          run: (...given) => prepared.run(...given),
        };
      },
    });
    const model = scriptedModel(() => "Hello.");
    const talker = agent({ name: "talker", conversation: true });
    const journal = store.journal("run");
    await run(talker, "Hello", { model, journal });
    await resume(talker, journal, { model, messages: ["And?"] });
    texts.length = 0;
    expect((await store.list()).runs).toMatchObject([{ id: "run", events: 4 }]);
    expect(texts.filter((text) => text.includes("reckoner_lines"))).toEqual([]);
    // A row is as long for the thousandth message as for the first.
    const rowLength = () =>
      database.prepare("SELECT length(row) + length(search) AS n FROM reckoner_journals").all();
    const [first] = rowLength() as { n: number }[];
    for (let n = 0; n < 30; n++)
      await resume(talker, journal, { model, messages: ["x".repeat(500)] });
    const [last] = rowLength() as { n: number }[];
    expect((last?.n ?? 0) - (first?.n ?? 0)).toBeLessThan(20);
  });

  it.each(["forked", "gone on from"])(
    "are not removed where one is %s between the look at it and its removal",
    async (how) => {
      const database = openSqlite(kind);
      const late =
        how === "forked"
          ? "INSERT INTO reckoner_notes (journal, kind, name, text) SELECT id, 'forks', 'f', '{}' FROM reckoner_journals"
          : "INSERT INTO reckoner_journals (tenant, name, lines, bytes, token, parent, row_lines) VALUES ('', 'late', 1, 9, 't', 'run', 1)";
      let isLate = true;
      const store = sqliteJournals({
        exec: (sql) => database.exec(sql),
        prepare(sql) {
          if (isLate && sql.startsWith("DELETE FROM reckoner_journals")) {
            isLate = false;
            database.exec(late);
          }
          return database.prepare(sql);
        },
      });
      const model = scriptedModel(["Hello."]);
      await run(agent({ name: "once" }), "Hello", { model, journal: store.journal("run") });
      const kept = [{ id: "run", why: "open" }];
      expect(await store.prune({ ids: ["run"] })).toMatchObject({ removed: [], kept });
      expect(await textIn(store.journal("run"))).toContain("Hello.");
    },
  );

  it("are synced at each commit, whatever the connection was set to", async () => {
    const path = await databaseFile();
    for (const [mode, level] of [
      ["delete", 3],
      ["wal", 2],
    ] as const) {
      const database = openSqlite(kind, path);
      database.exec(`PRAGMA journal_mode = ${mode}; PRAGMA synchronous = OFF`);
      await (await sqliteJournals(database).journal(mode).open("create")).close();
      expect(database.prepare("PRAGMA synchronous").all()).toEqual([{ synchronous: level }]);
      expect(database.prepare("PRAGMA busy_timeout").all()).toEqual([{ timeout: 5_000 }]);
    }
  });

  it("leave a transaction of the user's alone: nothing is written in it", async () => {
    const database = openSqlite(kind);
    database.exec("CREATE TABLE own (n integer)");
    const journal = sqliteJournals(database).journal("run");
    const writer = await journal.open("create");
    database.exec("BEGIN; INSERT INTO own VALUES (1)");
    expect(await rejection(writer.append(["line"], START))).toMatchObject({
      code: "journal.write",
      message: expect.stringContaining("within a transaction"),
    });
    database.exec("COMMIT");
    expect(database.prepare("SELECT n FROM own").all()).toEqual([{ n: 1 }]);
    await writer.append(["line"], START);
    await writer.close();
    expect(await textIn(journal)).toBe("line\n");
  });

  it("fail by themselves where the database does not take a line of one run", async () => {
    const database = openSqlite(kind);
    const store = sqliteJournals(database);
    const writers: JournalWriter[] = [];
    for (const id of ["a", "b", "c"]) writers.push(await store.journal(id).open("create"));
    database.exec(
      "CREATE TRIGGER strict BEFORE INSERT ON reckoner_lines WHEN new.text = 'bad' BEGIN SELECT RAISE(ABORT, 'a bad line'); END",
    );
    const ends = await Promise.allSettled(
      ["good", "bad", "good"].map((line, n) => writers[n]?.append([line], START)),
    );
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(ends[1]).toMatchObject({
      reason: { code: "journal.write", message: expect.stringContaining("a bad line") },
    });
    expect(await textIn(store.journal("b"))).toBe("");
    await writers[1]?.append(["mended"], START);
    for (const writer of writers) await writer.close();
  });

  it("that lack a line are refused where they are read, and where they are gone, where written", async () => {
    const database = openSqlite(kind);
    const journal = sqliteJournals(database).journal("run");
    const writer = await journal.open("create");
    await writer.append(["one", "two", "three"], START);
    for (const [line, byte] of [
      [1, 0],
      [2, 4],
    ]) {
      database.exec(`DELETE FROM reckoner_lines WHERE line = ${line}`);
      expect(await rejection(textIn(journal))).toMatchObject({
        code: "journal.unreadable",
        message: `The journal sqlite#run lacks lines behind byte ${byte}.`,
      });
    }
    database.exec("DELETE FROM reckoner_journals");
    expect(await rejection(writer.append(["four"], { lines: 3, bytes: 14 }))).toMatchObject({
      code: "journal.write",
      message: expect.stringContaining("it was removed"),
    });
    await writer.close();
    expect(await rejection(textIn(journal))).toMatchObject({ code: "journal.missing" });
  });
});

it.each([undefined, null, "runs.db", {}, { exec() {} }])("%j is no database", (given) => {
  expect(refusal(() => sqliteJournals(given as never))).toMatchObject({
    code: "option.invalid",
    place: "database",
  });
});
