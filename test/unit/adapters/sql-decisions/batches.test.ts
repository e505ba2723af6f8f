// Rows in bulk as statements: how many, with which parameters, and none where there is nothing.
import { expect, it } from "vitest";
import {
  type BulkDialect,
  insertRows,
  updateRows,
} from "../../../../src/adapters/sql-decisions/bulk-rows.js";
import type { SqlColumn, SqlValue } from "../../../../src/adapters/sql-decisions/session.js";
import { columnsOf } from "../../../../src/adapters/sql-decisions/tables.js";

const dialect: BulkDialect = {
  columnTypes: {
    id: "ID",
    text: "TEXT",
    json: "JSON",
    integer: "INT",
    bigint: "BIG",
    double: "DBL",
  },
  listText: (type, column) => `${type}:${column.join("|")}`,
  rowsOf: (type, placeholder) => `rows(${type}, ${placeholder})`,
  from: " FROM one",
};
const table = { name: "decision_revisions", quoted: '"s".decision_revisions' } as const;

/** The statements that are run, and that each waits for the one before. */
function recorded() {
  const asked: [string, readonly SqlValue[]][] = [];
  let running = 0;
  const query = async (text: string, parameters: readonly SqlValue[] = []) => {
    expect(running).toBe(0);
    running += 1;
    asked.push([text, parameters]);
    await Promise.resolve();
    running -= 1;
    return [];
  };
  return { asked, query };
}
const inserted = async (...columns: readonly SqlColumn[]) => {
  const { asked, query } = recorded();
  await insertRows(query, table, columns, dialect);
  return asked;
};
const start = 'INSERT INTO "s".decision_revisions ("scope", "node_id", "seq") SELECT';

it("one row goes as it is; what all rows share goes once", async () => {
  expect(columnsOf(table.name).map(([name]) => name)).toEqual(["scope", "node_id", "seq"]);
  expect(await inserted(["s"], ["a"], [null])).toEqual([
    [`${start} $1::ID AS "scope", $2::ID AS "node_id", $3::BIG AS "seq"`, ["s", "a", null]],
  ]);
  expect(await inserted(["s", "s"], ["a", "b"], [1, 1])).toEqual([
    [
      `${start} $1::ID AS "scope", rows(id, $2) AS "node_id", $3::BIG AS "seq" FROM one`,
      ["s", "id:a|b", 1],
    ],
  ]);
});

it("nothing is no statement", async () => {
  expect(await inserted([], [], [])).toEqual([]);
  expect(await inserted()).toEqual([]);
});

it.each([
  [4999, [4999]],
  [5000, [5000]],
  [5001, [5000, 1]],
  [12_001, [5000, 5000, 2001]],
])("%i rows go in batches, each after the one before", async (count, sizes) => {
  const ids = Array.from({ length: count }, (_, i) => `n${i}`);
  const asked = await inserted(Array(count).fill("s"), ids, Array(count).fill(1));
  const listed = asked.map(([, [, list]]) => String(list).replace("id:", "").split("|"));
  expect(listed.map(({ length }) => length)).toEqual(sizes);
  expect(listed.flat()).toEqual(ids);
});

it("a failure is told, and the batches behind it are not begun", async () => {
  const column = Array.from({ length: 12_000 }, (_, i) => i);
  let asked = 0;
  const query = async () => {
    asked += 1;
    throw new Error("disk full");
  };
  await expect(insertRows(query, table, [column, column, column], dialect)).rejects.toThrow(
    "disk full",
  );
  expect(asked).toBe(1);
});

it("changes of nodes name their scope first, and never a node's id", async () => {
  const { asked, query } = recorded();
  await updateRows(
    query,
    "t",
    "s",
    [
      ["a", "b"],
      ["x", "y"],
      ["z", "z"],
    ],
    dialect,
  );
  expect(asked).toEqual([
    [
      'UPDATE t AS n SET "label" = u."label", "status" = u."status", "confidence" = u."confidence", "rationale" = u."rationale", "metadata" = u."metadata", "updated_at" = u."updated_at" FROM (SELECT rows(id, $2) AS "id", rows(text, $3) AS "label", $4::TEXT AS "status", $5::DBL AS "confidence", $6::TEXT AS "rationale", $7::JSON AS "metadata", $8::BIG AS "updated_at" FROM one) AS u WHERE n.scope = $1 AND n.id = u.id',
      ["s", "id:a|b", "text:x|y", "z", null, null, null, null],
    ],
  ]);
});
