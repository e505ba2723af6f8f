// Options of stores that are of the wrong kind are refused when the store is made: a `scoped` that is a
// text would else keep nobody apart, and a schema that is none would end in a statement.
import { memoryDecisions } from "reckoner/decisions";
import { duckdbDecisions } from "reckoner/decisions/duckdb";
import { postgresDecisions } from "reckoner/decisions/postgres";
import { expect, it } from "vitest";

const client = { query: async () => ({ rows: [] }) };
const wrong: readonly (readonly [string, unknown, string])[] = [
  ["memory", null, "The options of memoryDecisions must be an object; it is null."],
  ["memory", { scoped: "false" }, "scoped of memoryDecisions must be true or false"],
  ["duckdb", null, "The options of duckdbDecisions must be an object; it is null."],
  ["duckdb", { scoped: 1 }, "scoped of duckdbDecisions must be true or false"],
  ["duckdb", { path: 5 }, "path of duckdbDecisions must be a string"],
  ["duckdb", { schema: true }, "schema of duckdbDecisions must be a string"],
  ["duckdb", { instance: {} }, "instance of duckdbDecisions must be a DuckDBInstance"],
  ["duckdb", { config: 5 }, "config of duckdbDecisions must be an object"],
  ["duckdb", { propertyGraph: true }, 'propertyGraph of duckdbDecisions must be "load"'],
  ["duckdb", { load: 5 }, "load of duckdbDecisions must be a function"],
  ["duckdb", { retries: -1 }, "retries of duckdbDecisions must be a whole number, 0 or more"],
  ["duckdb", { timeoutMs: Number.NaN }, "timeoutMs of duckdbDecisions must be a number of milli"],
  ["postgres", null, "The options of postgresDecisions must be an object; it is null."],
  ["postgres", { client: null }, "client of postgresDecisions must be a client, with query("],
  [
    "postgres",
    { client: { query: "" } },
    "client of postgresDecisions must be a client, with query(",
  ],
  ["postgres", { client: {} }, "client of postgresDecisions must be a client, with query("],
  [
    "postgres",
    { client: "postgres://" },
    "client of postgresDecisions must be a client, with query(",
  ],
  ["postgres", { folder: 7 }, "folder of postgresDecisions must be the path of a folder"],
  ["postgres", { folder: "" }, "folder of postgresDecisions must be the path of a folder"],
  ["postgres", { client, schema: true }, "schema of postgresDecisions must be a string"],
  ["postgres", { client, scoped: {} }, "scoped of postgresDecisions must be true or false"],
];

it.each(wrong)("%s %o", (kind, options, said) => {
  const make = { memory: memoryDecisions, duckdb: duckdbDecisions, postgres: postgresDecisions }[
    kind as "memory"
  ];
  let thrown: unknown;
  try {
    make(options as never);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "option.invalid" });
  expect((thrown as Error).message).toContain(said);
});

it("what is given is there, and what is not is not", () => {
  const given = { name: "mine", retries: 3, timeoutMs: 50 };
  for (const store of [duckdbDecisions(given), postgresDecisions({ client, ...given })]) {
    expect(store).toMatchObject(given);
  }
  for (const [store, name] of [
    [duckdbDecisions(), "duckdb"],
    [duckdbDecisions({ path: "g.duckdb" }), "g.duckdb"],
    [postgresDecisions({ client }), "postgres/reckoner"],
    [postgresDecisions({ client, schema: "mine" }), "postgres/mine"],
  ] as const) {
    expect(Object.keys(store)).toEqual(["name"]);
    expect(store.name).toBe(name);
  }
});
