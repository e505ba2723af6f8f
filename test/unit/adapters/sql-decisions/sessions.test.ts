// What the store asks of a database, asked of each: scans of keys as far apart as they may be,
// neighbours by bytes, and rows of one scope alone.
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DuckdbDatabase } from "../../../../src/adapters/duckdb/database.js";
import { PostgresDatabase } from "../../../../src/adapters/postgres/database.js";
import { Schema } from "../../../../src/adapters/sql-decisions/schema.js";
import type {
  SqlColumn,
  SqlDatabase,
  SqlSession,
} from "../../../../src/adapters/sql-decisions/session.js";
import { edgeTypes, nodeTypes } from "../../../../src/core/decisions/index.js";
import { freshSchema } from "../../../support/postgres.js";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
});
afterAll(() => pglite.close());

const databases: readonly (readonly [string, () => SqlDatabase])[] = [
  [
    "DuckDB",
    () =>
      new DuckdbDatabase({
        path: ":memory:",
        schema: new Schema("main"),
        config: { threads: "2" },
        propertyGraph: undefined,
      }),
  ],
  [
    "Postgres",
    () =>
      new PostgresDatabase({
        schema: new Schema(freshSchema()),
        client: async () => pglite,
        close: async () => {},
      }),
  ],
];

interface Node {
  readonly id: string;
  readonly key: number;
  readonly at?: number;
  readonly type?: string;
  readonly label?: string;
}

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly type: string;
}

const columnsOf = <T>(rows: readonly T[], ...columns: ((row: T, i: number) => SqlColumn[0])[]) =>
  columns.map((column) => rows.map(column));

function addNodes(session: SqlSession, scope: string, nodes: readonly Node[]): Promise<void> {
  return session.insert(
    "decision_nodes",
    columnsOf(
      nodes,
      () => scope,
      ({ id }) => id,
      ({ key }) => key,
      ({ type = "goal" }) => type,
      ({ id, label = id }) => label,
      () => "active",
      () => null,
      () => null,
      () => "{}",
      ({ at = 1 }) => at,
      () => 1,
      () => 1,
    ),
  );
}

function addEdges(session: SqlSession, scope: string, edges: readonly Edge[]): Promise<void> {
  return session.insert(
    "decision_edges",
    columnsOf(
      edges,
      () => scope,
      (_, i) => `e${i}`,
      () => "from",
      () => "to",
      ({ from }) => from,
      ({ to }) => to,
      ({ type }) => type,
      () => "{}",
      () => 1,
    ),
  );
}

/** All that a scan gives, nodes by their ids. */
async function scanned(session: SqlSession, scope: string) {
  const nodes: Record<string, readonly (number | string | undefined)[]> = {};
  const edges: string[] = [];
  await session.scan(
    scope,
    ({ ids, keys, createdAt, types }) => {
      // Edges lead from key to key: whoever takes one in knows its ends.
      expect(edges).toEqual([]);
      for (const [i, id] of ids.entries()) {
        nodes[id] = [keys[i], createdAt[i], nodeTypes[types[i] as number]];
      }
    },
    ({ from, to, types }) => {
      for (let i = 0; i < types.length; i++) {
        edges.push(`${from[i]} ${edgeTypes[types[i] as number]} ${to[i]}`);
      }
    },
  );
  return { nodes, edges: edges.sort() };
}

describe.each(databases)("%s", (_name, make) => {
  async function opened(): Promise<SqlDatabase> {
    const database = make();
    onTestFinished(() => database.close());
    await database.open();
    return database;
  }

  const KEYS = [
    2 ** 30 - 1,
    2 ** 29 + 5,
    2 ** 29 - 1,
    2 ** 28 + 3,
    3 * 2 ** 20,
    2 ** 20,
    2 ** 20 - 1,
    2 ** 17 + 1,
    2 ** 17,
    7,
    1,
    0,
  ];
  const TIMES = [0, 1, 2 ** 29 - 1, 2 ** 29, 2 ** 31, 2 ** 32 + 1, 2 ** 50 + 7, 8.64e15];

  it("scans nodes whose keys are as far apart as they may be, of every time and type", async () => {
    const database = await opened();
    // Neither in the order of their keys nor in that of their ids.
    const nodes = KEYS.map((key, i) => ({
      id: `n${(i * 7) % KEYS.length}`,
      key,
      at: TIMES[i % TIMES.length] as number,
      type: nodeTypes[i % nodeTypes.length] as string,
    }));
    await database.write(async (session) => {
      await addNodes(session, "", nodes);
      await addNodes(session, "other", [{ id: "n0", key: 3 }]);
    });
    expect(await database.read((session) => scanned(session, ""))).toEqual({
      nodes: Object.fromEntries(nodes.map(({ id, key, at, type }) => [id, [key, at, type]])),
      edges: [],
    });
    expect(await database.read((session) => scanned(session, "none"))).toEqual({
      nodes: {},
      edges: [],
    });
  });

  it("scans edges between them, of every type, and of no other scope", async () => {
    const database = await opened();
    const edges = KEYS.flatMap((from, i) =>
      KEYS.map((to, j) => ({ from, to, type: edgeTypes[(i + j) % edgeTypes.length] as string })),
    );
    await database.write(async (session) => {
      await addEdges(session, "", edges);
      await addEdges(session, "other", [{ from: 2, to: 2, type: "blocks" }]);
    });
    const { edges: found } = await database.read((session) => scanned(session, ""));
    expect(found).toEqual(edges.map(({ from, type, to }) => `${from} ${type} ${to}`).sort());
  });

  it("scans more nodes than come at a time, each with its own key", async () => {
    const database = await opened();
    const nodes = Array.from({ length: 5_003 }, (_, i) => ({ id: `n${i}`, key: 3 * (5_003 - i) }));
    await database.write((session) => addNodes(session, "", nodes));
    const found = await database.read((session) => scanned(session, ""));
    expect(Object.keys(found.nodes)).toHaveLength(5_003);
    expect(nodes.filter(({ id, key }) => found.nodes[id]?.[0] !== key)).toEqual([]);
  });

  it("knows the neighbours of ids by their bytes, in their scope", async () => {
    const database = await opened();
    await database.write(async (session) => {
      const ids = ["b", "a", "B", "a-", "_", "aa"];
      await addNodes(
        session,
        "",
        ids.map((id, key) => ({ id, key })),
      );
      await addNodes(
        session,
        "other",
        ["Z", "a0", "z"].map((id, key) => ({ id, key })),
      );
    });
    const rows = await database.read((session) => session.neighbours("", ["a", "B", "b", "aa"]));
    const found = rows.map(({ id, before, after }) => [id, before ?? null, after ?? null]);
    expect(found.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ["B", null, "_"],
      ["a", "_", "a-"],
      ["aa", "a-", "b"],
      ["b", "aa", null],
    ]);
  });

  it("changes nodes of one scope, and takes texts as they are", async () => {
    const database = await opened();
    const texts = [
      "NULL",
      "",
      '"',
      "\\",
      "{a,b}",
      '\\"',
      "'; --",
      "a\nb",
      "é😀",
      "null",
      ",",
      "\\\\x",
    ];
    const nodes = texts.map((label, key) => ({ id: `n${key}`, key, label }));
    const turned = [...texts.slice(1), "NULL"];
    await database.write(async (session) => {
      for (const scope of ["", "other"]) await addNodes(session, scope, nodes);
      await session.updateNodes(
        "",
        columnsOf(
          turned,
          (_, i) => `n${i}`,
          (label) => label,
          () => "completed",
          (_, i) => (i % 2 === 0 ? null : i / 16),
          (label, i) => (i % 3 === 0 ? null : label),
          (label) => JSON.stringify({ label }),
          () => 8.64e15,
        ),
      );
    });
    const text =
      "SELECT label, status, confidence, rationale, CAST(metadata AS text) AS metadata, updated_at FROM";
    const table = database.schema.table("decision_nodes");
    const rowsOf = (scope: string) =>
      database.read((session) =>
        session.query(`${text} ${table} WHERE scope = $1 ORDER BY key`, [scope]),
      );
    const changed = await rowsOf("");
    expect(
      changed.map(({ metadata, updated_at, ...row }) => ({
        ...row,
        metadata: JSON.parse(metadata as string),
        at: Number(updated_at),
      })),
    ).toEqual(
      turned.map((label, i) => ({
        label,
        status: "completed",
        confidence: i % 2 === 0 ? null : i / 16,
        rationale: i % 3 === 0 ? null : label,
        metadata: { label },
        at: 8.64e15,
      })),
    );
    expect((await rowsOf("other")).map(({ label, status }) => [label, status])).toEqual(
      texts.map((label) => [label, "active"]),
    );
  });

  it("undoes a write that fails, and no read writes", async () => {
    const database = await opened();
    const failing = database.write(async (session) => {
      await addNodes(session, "", [{ id: "a", key: 0 }]);
      throw new Error("enough");
    });
    await expect(failing).rejects.toThrow("enough");
    await expect(
      database.read((session) => addNodes(session, "", [{ id: "a", key: 0 }])),
    ).rejects.toThrow(/read-only/i);
    expect(await database.read((session) => scanned(session, ""))).toEqual({
      nodes: {},
      edges: [],
    });
    await database.write((session) => addNodes(session, "", [{ id: "a", key: 0 }]));
    expect(Object.keys((await database.read((session) => scanned(session, ""))).nodes)).toEqual([
      "a",
    ]);
  });
});
