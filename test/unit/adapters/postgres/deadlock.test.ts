// Two transactions that wait for each other: the server undoes one of them, which is carried out again.
import { expect, it } from "vitest";
import { PostgresTables } from "../../../../src/adapters/postgres/postgres-tables.js";

/** A client of which some queries are the ones that the server ends. */
function ending(...ended: readonly number[]) {
  const asked: string[] = [];
  let n = 0;
  const query = async (text: string) => {
    asked.push(text);
    if (/^(?:BEGIN|COMMIT|ROLLBACK)/.test(text)) return { rows: [] };
    n += 1;
    if (ended.includes(n)) {
      throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
    }
    return { rows: [{ n }] };
  };
  return { tables: new PostgresTables({ query }, "own"), asked };
}

it("a transaction is carried out again, from its beginning", async () => {
  const { tables, asked } = ending(2);
  expect(await tables.write([["FIRST"], ["SECOND"]])).toBe(2);
  const begin = "BEGIN ISOLATION LEVEL READ COMMITTED";
  const all = ["FIRST", "SECOND", "ROLLBACK", begin, "FIRST", "SECOND", "COMMIT"];
  expect(asked).toEqual([begin, ...all]);
});

it("so is a statement, and what is undone again and again is thrown", async () => {
  expect(await ending(1, 2).tables.read("LOOK")).toEqual([{ n: 3 }]);
  const { tables, asked } = ending(1, 2, 3, 4, 5, 6);
  await expect(tables.read("LOOK")).rejects.toThrow("deadlock detected");
  expect(asked).toHaveLength(5);
});
