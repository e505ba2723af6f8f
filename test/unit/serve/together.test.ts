// Changes of several runs in SQLite that are asked for at once share a transaction; one that is refused, or fails,
// leaves the others.
import { expect, it } from "vitest";
import { SqliteTables } from "../../../src/adapters/sqlite/sqlite-tables.js";
import { openSqlite } from "../../support/journal-databases.js";

it("what is asked for at once is one transaction, and each of it all or nothing", async () => {
  const database = openSqlite("libsql");
  database.exec("CREATE TABLE t (n integer PRIMARY KEY, text text)");
  let begun = 0;
  const tables = new SqliteTables({
    exec(sql) {
      if (sql.startsWith("BEGIN")) begun += 1;
      return database.exec(sql);
    },
    prepare: (sql) => database.prepare(sql),
  });
  const put = (n: number) => ["INSERT INTO t (n) VALUES ($1) RETURNING n", n] as const;
  const none = ["UPDATE t SET text = 'x' WHERE n = $1 RETURNING n", 99] as const;
  const asked = await Promise.allSettled([
    tables.together([put(1), put(2)]),
    // Refused: what came before it is taken back.
    tables.together([put(3), none]),
    // It fails: there is a 1 already.
    tables.together([put(4), put(1)]),
    tables.together([put(5)]),
    // So do single changes, and what is written step by step.
    tables.read(...put(7)),
    tables.write([put(8)], [put(9)]),
    tables.write([put(10), none]),
  ]);
  expect(asked).toMatchObject([
    { value: true },
    { value: false },
    { reason: { message: expect.stringContaining("UNIQUE") } },
    { value: true },
    { value: [{ n: 7 }] },
    { value: 1 },
    { value: 1 },
  ]);
  expect(begun).toBe(1);
  const left = database.prepare("SELECT n FROM t ORDER BY n").all();
  expect(left).toEqual([1, 2, 5, 7, 8, 9].map((n) => ({ n })));
  // Where the transaction as a whole cannot be, nobody is told that it was done.
  database.exec("BEGIN");
  const within = await Promise.allSettled([tables.together([put(6)]), tables.read(...put(11))]);
  expect(within.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  database.exec("COMMIT");
  expect(await tables.together([put(6)])).toBe(true);
});
