// One life of a graph, written and asked in every way that there is, comes to the same in a database as
// in memory: answers and refusals, orders, limits, prefixes, keys, the past. Short, and so that every
// statement has its turn; what is drawn at random is the stores' laws'.
import { memoryDecisions, type Operation } from "reckoner/decisions";
import { expect, it, onTestFinished } from "vitest";
import type { DecisionQuery } from "../../../../src/core/decisions/index.js";
import { asJson, isReckonerError, type Json } from "../../../../src/core/kernel/index.js";
import type { StorePort } from "../../../../src/index.js";
import { duckdbStore } from "../../../support/duckdb.js";
import {
  dropAfterwards,
  freshSchema,
  postgresStore,
  testPostgres,
} from "../../../support/postgres.js";

const { signal } = new AbortController();

/** Nodes whose ids begin alike, and sort otherwise by letters than by bytes. */
const ids = ["goal-1", "goal-12", "Goal", "dec-a", "dec-b", "dec-c", "opt", "out"];
const types = [
  "goal",
  "goal",
  "goal",
  "decision",
  "decision",
  "decision",
  "option",
  "outcome",
] as const;
const node = (id: string, at: number, more: object = {}): Operation => ({
  type: "addNode",
  at,
  node: { id, type: types[ids.indexOf(id)] ?? "action", label: `label of ${id}`, ...more },
});
const edge = (
  at: number,
  fromId: string,
  toId: string,
  edgeType: "leads_to" | "chosen" | "supersedes" | "blocks" = "leads_to",
  more: object = {},
): Operation => ({
  type: "addEdge",
  at,
  edge: { id: `${fromId}>${toId}`.replace(">", "."), fromId, toId, edgeType, ...more },
});

/** Transactions, each with its key; some are refused, some are there already. */
const writes: readonly (readonly [string, readonly Operation[]])[] = [
  [
    "k1",
    [
      node("goal-1", 10, { confidence: 0.5, rationale: "first", metadata: { a: [1, null] } }),
      node("goal-12", 11, { confidence: 0, rationale: "" }),
      node("Goal", 11),
      node("dec-a", 12, { rationale: "why a", createdAt: 5 }),
      edge(12, "goal-1", "dec-a", "chosen", { metadata: { w: 1 } }),
    ],
  ],
  ["k2", [node("dec-b", 20), edge(20, "goal-1", "dec-b"), edge(20, "dec-a", "dec-b", "blocks")]],
  [
    "k3",
    [
      {
        type: "updateNode",
        at: 30,
        id: "dec-a",
        patch: { rationale: "why a again", confidence: 1 },
      },
      { type: "updateNode", at: 31, id: "goal-12", patch: { status: "completed", label: "done" } },
    ],
  ],
  ["k1", [node("opt", 40)]],
  ["k4", [node("opt", 40), edge(40, "dec-b", "opt"), edge(40, "opt", "nobody")]],
  [
    "k5",
    [
      {
        type: "supersede",
        at: 50,
        oldId: "dec-a",
        newId: "dec-b",
        edgeId: "s1",
        rationale: "better",
      },
    ],
  ],
  [
    "k6",
    [
      node("dec-c", 60),
      edge(60, "dec-c", "dec-b", "supersedes"),
      node("opt", 60),
      edge(60, "dec-c", "opt"),
    ],
  ],
  [
    "k7",
    [
      { type: "deleteNode", at: 70, id: "opt" },
      { type: "deleteNode", at: 70, id: "Goal" },
    ],
  ],
  ["k8", [{ type: "updateNode", at: 75, id: "goal-", patch: { label: "of two" } }]],
  [
    "k9",
    [
      node("opt", 80, { type: "option", confidence: 0.25 }),
      edge(80, "dec-c", "opt"),
      node("out", 80),
    ],
  ],
  [
    "k9",
    [
      node("opt", 80, { type: "option", confidence: 0.25 }),
      edge(80, "dec-c", "opt"),
      node("out", 80),
    ],
  ],
  ["k10", [node("out", 90)]],
  ["k11", [{ type: "deleteNode", at: 95, id: "dec-b" }]],
  // Two halves of a character are one key: no database keeps them apart.
  ["half \ud800", [{ type: "updateNode", at: 96, id: "out", patch: { label: "one" } }]],
  ["half \ud801", [{ type: "updateNode", at: 96, id: "out", patch: { label: "two" } }]],
];

const queries: readonly DecisionQuery[] = [
  { type: "stats" },
  { type: "activeGoals" },
  { type: "activeGoals", limit: 1 },
  { type: "recentDecisions" },
  { type: "recentDecisions", limit: 2, select: "ids" },
  { type: "recentDecisions", statuses: ["superseded", "active"] },
  { type: "summary" },
  { type: "summary", decisionLimit: 1, limit: 1 },
  { type: "nodes" },
  { type: "nodes", order: "newest", limit: 3 },
  { type: "nodes", where: { ids: ["goal-1", "dec-a", "nobody"] } },
  { type: "nodes", where: { ids: [] } },
  { type: "nodes", where: { types: ["goal", "option"], statuses: ["active"] } },
  { type: "nodes", where: { text: "again" } },
  { type: "nodes", where: { text: "label of" }, limit: 2 },
  { type: "nodes", where: { createdFrom: 11, createdBefore: 20 } },
  { type: "edges" },
  { type: "edges", limit: 2 },
  { type: "edges", nodeId: "dec-b", direction: "both" },
  { type: "edges", nodeId: "dec-b", direction: "incoming", edgeTypes: ["leads_to", "supersedes"] },
  { type: "edges", nodeId: "goal-1", edgeTypes: ["chosen"] },
  { type: "changes" },
  { type: "changes", after: 2, limit: 2 },
  ...["k7", "k4", "half \ud802"].map((key) => ({ type: "change", key }) as const),
  { type: "node", nodeId: "goal-" },
  { type: "node", nodeId: "goal-12" },
  { type: "node", nodeId: "Go" },
  { type: "pathBetween", fromId: "goal-1", toId: "opt" },
  { type: "pathBetween", fromId: "dec-c", toId: "dec-b", edgeTypes: ["supersedes"] },
  ...["goal-1", "dec-a", "dec-b", "opt"].flatMap((nodeId): DecisionQuery[] => [
    { type: "descendants", nodeId },
    { type: "ancestors", nodeId, limit: 2 },
    { type: "history", nodeId },
    { type: "why", nodeId },
  ]),
];
const past: readonly DecisionQuery[] = [0, 31, 60].flatMap((asOf): DecisionQuery[] => [
  { type: "nodes", asOf },
  { type: "edges", asOf },
  { type: "history", nodeId: "dec-b", asOf },
  { type: "stats", asOf },
]);

/** What a call came to: its answer, or all that its refusal says. */
async function cameTo(work: Promise<Json>): Promise<unknown> {
  try {
    return { answer: await work };
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    const { code, message, place } = thrown;
    return { code, message, place };
  }
}

/** A line for each call: what was asked, and what it came to. */
async function life(store: StorePort): Promise<string[]> {
  const lines: string[] = [];
  const note = (asked: unknown, came: unknown) => lines.push(JSON.stringify([asked, came]));
  const ask = async (query: DecisionQuery) =>
    note(query, await cameTo(store.read(asJson(query), { signal }) as Promise<Json>));
  for (const query of [{ type: "stats" }, { type: "nodes" }] as const) await ask(query);
  for (const [i, [key, operations]] of writes.entries()) {
    const written = store.write(asJson(operations) as never, { signal, idempotencyKey: key });
    note([key, i], await cameTo(written as Promise<Json>));
    // In between as well: what is kept in memory follows, or is read anew.
    await ask({ type: "descendants", nodeId: "goal-1" });
    if (i === 6)
      for (const query of [...queries.slice(0, 20), ...past.slice(0, 8)]) await ask(query);
  }
  for (const query of [...queries, ...past]) await ask(query);
  return lines;
}

it("in DuckDB", async () => {
  const store = duckdbStore();
  onTestFinished(() => store.close());
  expect(await life(store)).toEqual(await life(memoryDecisions()));
});

/** The short ids of goals that were not made in the order of their bytes. */
async function shortIds(store: StorePort): Promise<Json> {
  const goals = [
    "project-alpha-1",
    "zebra",
    "project-alpha-22",
    "project-beta",
    "project-alpha-21",
  ];
  const operations = goals.map(
    (id, at): Operation => ({ type: "addNode", at, node: { id, type: "goal", label: id } }),
  );
  await store.write(asJson(operations) as never, { signal, idempotencyKey: "k" });
  const summary = (await store.read({ type: "summary" }, { signal })) as {
    readonly shortIds: Json;
  };
  return summary.shortIds;
}

it("ids are as short as their neighbours by bytes let them be, whenever those were made", async () => {
  const inMemory = await shortIds(memoryDecisions());
  expect(inMemory).toContainEqual({ id: "project-alpha-22", short: "project-alpha-22" });
  expect(inMemory).toContainEqual({ id: "project-beta", short: "project-b" });
  const store = duckdbStore();
  onTestFinished(() => store.close());
  expect(await shortIds(store)).toEqual(inMemory);
  const postgres = await testPostgres();
  onTestFinished(() => postgres.close());
  const schema = freshSchema();
  dropAfterwards(postgres.client, schema);
  expect(await shortIds(postgresStore(postgres.client, { schema }))).toEqual(inMemory);
});

it("with scopes as well: one does not see the other, and none is not everything", async () => {
  const told = async (store: StorePort) => {
    const lines: unknown[] = [];
    for (const scope of ["a", "b", "a", undefined]) {
      const operations = asJson([{ ...node("goal-1", 1), ...(scope && { scope }) }]);
      const key = { signal, idempotencyKey: `k of ${lines.length}` };
      lines.push(await cameTo(store.write(operations as never, key) as Promise<Json>));
      for (const query of [{ type: "stats" }, { type: "nodes" }, { type: "nodes", asOf: 0 }]) {
        const read = store.read({ ...query, ...(scope && { scope }) }, { signal });
        lines.push(await cameTo(read as Promise<Json>));
      }
    }
    return lines;
  };
  const store = duckdbStore({ scoped: true });
  onTestFinished(() => store.close());
  const lines = await told(store);
  expect(lines).toEqual(await told(memoryDecisions({ scoped: true })));
  expect(lines[5]).toMatchObject({ answer: { seq: 1, nodes: 1 } });
  expect(lines[8]).toMatchObject({ code: "decisions.duplicate" });
  expect(lines.slice(12).every((line) => "code" in (line as object))).toBe(true);
});

it("in Postgres", async () => {
  const postgres = await testPostgres();
  onTestFinished(() => postgres.close());
  const schema = freshSchema();
  dropAfterwards(postgres.client, schema);
  const lines = await life(postgresStore(postgres.client, { schema }));
  expect(lines).toEqual(await life(memoryDecisions()));
});

it("and it is a whole life: each kind of write, and each kind of refusal", async () => {
  const lines = await life(memoryDecisions());
  const written = lines.map((line) => JSON.parse(line)).filter(([asked]) => Array.isArray(asked));
  expect(written.map(([[key], { code, answer }]) => [key, code ?? answer.seq])).toEqual([
    ["k1", 1],
    ["k2", 2],
    ["k3", 3],
    ["k1", "store.key"],
    ["k4", "decisions.missing"],
    ["k5", 4],
    ["k6", 5],
    ["k7", 6],
    ["k8", "decisions.ambiguous"],
    ["k9", 7],
    ["k9", 7],
    ["k10", "decisions.duplicate"],
    ["k11", "decisions.superseded"],
    ["half \ud800", 8],
    ["half \ud801", "store.key"],
  ]);
});
