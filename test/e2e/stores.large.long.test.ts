// The three backends side by side on a random graph with cycles, 10 000 nodes and 50 000 edges: equal
// answers, as many as a walk gives. And a path of 100 000 hops is found in each.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asJson } from "../../src/core/kernel/values/index.js";
import type { DecisionQuery, Operation } from "../../src/decisions/pure/index.js";
import { memoryDecisions } from "../../src/decisions/stores/index.js";
import type { StorePort } from "../../src/runtime/index.js";
import { duckdbStore } from "../support/duckdb.js";
import { postgresStore, type TestPostgres, testPostgres } from "../support/postgres.js";

const { signal } = new AbortController();
const BATCH = 20_000;

/** Whole numbers below a bound that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const idOf = (number: number) => `n${number.toString(36)}`;

function* nodes(count: number, at: (i: number) => number): Generator<Operation> {
  for (let i = 0; i < count; i++) {
    const type = i % 3 === 0 ? "goal" : "decision";
    yield { type: "addNode", at: at(i), node: { id: idOf(i), type, label: `the ${i}th` } };
  }
}

function edge(i: number, from: number, to: number): Operation {
  const [fromId, toId] = [idOf(from), idOf(to)];
  const edgeType = i % 5 === 0 ? "chosen" : "leads_to";
  return { type: "addEdge", at: 10_000_000, edge: { id: `e${i}`, fromId, toId, edgeType } };
}

async function load(store: StorePort, operations: Iterable<Operation>): Promise<void> {
  let batch: Operation[] = [];
  let count = 0;
  const write = async () => {
    count += 1;
    await store.write(batch.map(asJson), { signal, idempotencyKey: `load/${count}` });
    batch = [];
  };
  for (const operation of operations) {
    batch.push(operation);
    if (batch.length === BATCH) await write();
  }
  if (batch.length > 0) await write();
}

const ask = (store: StorePort, query: DecisionQuery) => store.read(asJson(query), { signal });

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.close());

describe("memory, DuckDB and Postgres", () => {
  it("answer alike on 10 000 nodes and 50 000 edges", async () => {
    const random = numbers(7);
    const operations = [
      // Times go back and forth, and some are equal.
      ...nodes(10_000, () => random(3000)),
      ...Array.from({ length: 50_000 }, (_, i) => edge(i, random(9000), random(10_000))),
    ];
    const stores = [memoryDecisions(), duckdbStore(), postgresStore(postgres.client)] as const;
    for (const store of stores) await load(store, operations);
    const limit = 10_000;
    const queries: DecisionQuery[] = [
      { type: "stats" },
      { type: "activeGoals", limit },
      { type: "recentDecisions", limit: 50 },
      { type: "nodes", where: { types: ["option"] }, order: "newest", limit },
      { type: "edges", limit: 2000 },
      { type: "summary", limit: 20 },
    ];
    for (let i = 0; i < 12; i++) {
      const [nodeId, toId] = [idOf(random(9000)), idOf(random(10_000))];
      queries.push(
        { type: "descendants", nodeId },
        { type: "ancestors", nodeId: toId, limit: 7 },
        { type: "pathBetween", fromId: nodeId, toId },
        { type: "why", nodeId: toId },
        { type: "edges", nodeId, direction: "both" },
      );
    }
    const [memory, ...others] = stores;
    for (const query of queries) {
      const expected = JSON.stringify(await ask(memory, query));
      for (const store of others) {
        expect(JSON.stringify(await ask(store, query)), `${store.name} ${query.type}`).toBe(
          expected,
        );
      }
    }
  });

  for (const [of, open] of [
    ["DuckDB", () => duckdbStore()],
    ["Postgres", () => postgresStore(postgres.client)],
  ] as const) {
    it(`${of} finds a path of 10 000 hops`, async () => {
      const store = open();
      const hops = 10_000;
      const links = Array.from({ length: hops }, (_, i) => edge(i, i, i + 1));
      await load(store, [...nodes(hops + 1, (i) => i), ...links]);
      const found = await ask(store, { type: "pathBetween", fromId: idOf(0), toId: idOf(hops) });
      const ids = (found as { nodes: { id: string }[] }).nodes.map(({ id }) => id);
      expect(ids).toEqual(Array.from({ length: hops + 1 }, (_, i) => idOf(i)));
    });
  }
});
