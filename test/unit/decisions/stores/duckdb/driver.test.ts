// The driver of DuckDB: which of its failures are ours to explain, and what it is told.
import { describe, expect, it, onTestFinished } from "vitest";
import { ReckonerError } from "../../../../../src/core/kernel/values/index.js";
import { DuckdbDatabase } from "../../../../../src/decisions/stores/duckdb/database.js";
import { openInstance } from "../../../../../src/decisions/stores/duckdb/driver.js";
import { loadDriver } from "../../../../../src/decisions/stores/sql/load-driver.js";
import { Schema } from "../../../../../src/decisions/stores/sql/schema.js";

/** A driver that cannot open a file. */
const refusing = (message: string) =>
  ({ DuckDBInstance: { fromCache: () => Promise.reject(new Error(message)) } }) as never;

describe("a file that another process holds", () => {
  it.each([
    [
      'IO Error: Could not set lock on file "g": Conflicting lock is held in node (PID 77).',
      " (77)",
    ],
    [
      'IO Error: Cannot open file "g": The process cannot access the file because it is being used by another process.',
      "",
    ],
  ])("is told of on each platform: %s", async (says, holder) => {
    await expect(openInstance(refusing(says), "g.duckdb", {})).rejects.toMatchObject({
      code: "store.locked",
      place: "g.duckdb",
      message: `The database g.duckdb is held by another process${holder}, and DuckDB lets one process write at a time; close it there, or use Postgres.`,
    });
  });

  it("is not what every failure is", async () => {
    const failure = openInstance(refusing("IO Error: No space left"), "g.duckdb", {});
    await expect(failure).rejects.not.toHaveProperty("code");
    await expect(failure).rejects.toThrow("No space left");
  });
});

it("a loader that explains itself is heard", async () => {
  const known = new ReckonerError("store.config", "Not here.");
  await expect(loadDriver("DuckDB", "duckdb", () => Promise.reject(known))).rejects.toBe(known);
});

it("the settings reach a database in memory, and each is its own", async () => {
  const opened = ["1", "3"].map((threads) => {
    const database = new DuckdbDatabase({
      path: ":memory:",
      schema: new Schema("main"),
      config: { threads },
      propertyGraph: undefined,
    });
    onTestFinished(() => database.close());
    return database;
  });
  const text = "SELECT current_setting('threads')::INTEGER AS threads";
  for (const database of opened) await database.open();
  const rows = await Promise.all(
    opened.map((database) => database.read((session) => session.query(text))),
  );
  expect(rows).toEqual([[{ threads: 1 }], [{ threads: 3 }]]);
});
