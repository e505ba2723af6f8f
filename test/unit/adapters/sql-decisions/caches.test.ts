// What a store keeps in memory of a scope: it follows what others wrote, disturbs no reader of an
// earlier version, and is read anew where following would cost more.
import { expect, it } from "vitest";
import type { Adjacency } from "../../../../src/adapters/sql-decisions/adjacency.js";
import { Caches } from "../../../../src/adapters/sql-decisions/caches.js";
import type { Operation } from "../../../../src/core/decisions/index.js";
import { FakeHistory } from "./fake-session.js";

const add = (id: string, at = 0): Operation => ({
  type: "addNode",
  at,
  node: { id, type: "decision", label: id },
});
const link = (fromId: string, toId: string, at = 0): Operation => ({
  type: "addEdge",
  at,
  edge: { id: `${fromId}:${toId}`, fromId, toId, edgeType: "leads_to" },
});
const remove = (id: string, at = 0): Operation => ({ type: "deleteNode", at, id });

const reach = (adjacency: Adjacency | undefined, from: string, seq: number) =>
  adjacency?.walk({ kind: "reach", from, direction: "outgoing" }, 100, seq);

it("one scan, and from there on the changes", async () => {
  const history = new FakeHistory().write(add("a"), add("b"), link("a", "b"));
  const caches = new Caches();
  const scanned = await caches.adjacency(history.rows(), 1);
  expect(reach(scanned, "a", 1)).toEqual(["b"]);
  expect(scanned?.size).toBe(2 + 1);
  history.write(add("c"), link("b", "c"));
  history.write({ type: "supersede", at: 0, oldId: "c", newId: "a", edgeId: "s" });
  expect(reach(await caches.adjacency(history.rows(), 3), "a", 3)).toEqual(["b", "c"]);
  await caches.adjacency(history.rows(), 3);
  expect([history.scans, history.pages]).toEqual([1, 1]);
});

it("what is committed here is known without being read", async () => {
  const history = new FakeHistory().write(add("a"), add("b"));
  const caches = new Caches();
  await caches.adjacency(history.rows(), 1);
  history.write(link("a", "b"));
  caches.committed("", 2, history.changes[1]?.operations ?? []);
  expect(reach(await caches.adjacency(history.rows(), 2), "a", 2)).toEqual(["b"]);
  expect(history.pages).toBe(0);

  // With one of somebody else's in between it is read after all, and nothing twice.
  history.write(add("c"));
  history.write(link("b", "c"));
  caches.committed("", 4, history.changes[3]?.operations ?? []);
  expect(reach(await caches.adjacency(history.rows(), 4), "a", 4)).toEqual(["b", "c"]);
  caches.committed("", 4, history.changes[3]?.operations ?? []);
  const edges = (await caches.adjacency(history.rows(), 4))?.size;
  expect(edges).toBe(3 + 2);
});

it("what is committed here while the changes before it are read is taken once", async () => {
  const history = new FakeHistory().write(add("a"), add("b"));
  const caches = new Caches();
  await caches.adjacency(history.rows(), 1);
  history.write(link("a", "b"));
  history.write(add("c"));
  const rows = history.rows();
  const { query } = rows.session;
  rows.session.query = async (...given) => {
    const page = await query(...given);
    caches.committed("", 2, history.changes[1]?.operations ?? []);
    return page;
  };
  expect((await caches.adjacency(rows, 3))?.size).toBe(3 + 1);
});

it("readers of an earlier version see that one, deletions and returns included", async () => {
  const history = new FakeHistory().write(add("a"), add("b"), link("a", "b"));
  const caches = new Caches();
  await caches.adjacency(history.rows(1), 1);
  history.write(remove("b"));
  history.write(add("b"), add("x", 1), link("b", "x", 1));
  history.write(link("a", "b", 2));
  const adjacency = await caches.adjacency(history.rows(), 4);
  expect(reach(adjacency, "a", 1)).toEqual(["b"]);
  expect(reach(adjacency, "a", 2)).toEqual([]);
  expect(reach(adjacency, "b", 2)).toEqual([]);
  expect(reach(adjacency, "b", 1)).toEqual([]);
  expect(reach(adjacency, "b", 3)).toEqual(["x"]);
  expect(reach(adjacency, "a", 3)).toEqual([]);
  expect(reach(adjacency, "a", 4)).toEqual(["b", "x"]);
  expect(reach(adjacency, "x", 1)).toEqual([]);
  const itself = (seq: number) => adjacency?.walk({ kind: "path", from: "b", to: "b" }, 9, seq);
  expect([itself(1), itself(2), itself(3)]).toEqual([["b"], [], ["b"]]);
  // One that began before the scan has to begin again.
  const late = new Caches();
  await late.adjacency(history.rows(4), 4);
  expect(await late.adjacency(history.rows(2), 2)).toBeUndefined();
});

it("thousands of changes are not followed one by one", async () => {
  const history = new FakeHistory().write(add("a"));
  const caches = new Caches();
  await caches.adjacency(history.rows(), 1);
  for (let i = 0; i < 1000; i++) history.write(add(`n${i}`));
  await caches.adjacency(history.rows(), 1001);
  expect([history.scans, history.pages]).toEqual([1, 2]);
  for (let i = 1000; i < 2001; i++) history.write(add(`n${i}`));
  const adjacency = await caches.adjacency(history.rows(), 2002);
  expect([history.scans, history.pages]).toEqual([2, 2]);
  expect(adjacency?.base).toBe(2002);
});

it("what has mostly gone is read anew", async () => {
  const history = new FakeHistory().write(add("a"));
  const caches = new Caches();
  await caches.adjacency(history.rows(), 1);
  for (let i = 0; i < 600; i++) {
    history.write(add(`n${i}`), remove(`n${i}`), add(`n${i}`), remove(`n${i}`));
  }
  await caches.adjacency(history.rows(), 601);
  history.write(add("b"));
  await caches.adjacency(history.rows(), 602);
  expect(history.scans).toBe(2);
});

it("what has partly gone is followed on, however much or little that is", async () => {
  for (const [kept, gone] of [
    [0, 3],
    [1200, 1001],
  ] as const) {
    const history = new FakeHistory().write(add("a"));
    const caches = new Caches();
    await caches.adjacency(history.rows(), 1);
    const ids = Array.from({ length: kept + gone }, (_, i) => `n${i}`);
    history.write(...ids.map((id) => add(id)));
    history.write(...ids.slice(0, gone).map((id) => remove(id)));
    await caches.adjacency(history.rows(), 3);
    history.write(add("b"), link("a", "b"));
    expect(reach(await caches.adjacency(history.rows(), 4), "a", 4)).toEqual(["b"]);
    expect(history.scans).toBe(1);
  }
});

it("who comes while others wait waits behind them", async () => {
  const history = new FakeHistory().write(add("a"), add("b"), link("a", "b"));
  const caches = new Caches();
  const broken = history.rows();
  Object.assign(broken.session, { scan: () => Promise.reject(new Error("gone")) });
  const slow = history.rows();
  const { scan } = slow.session;
  let go = () => {};
  const gate = new Promise<void>((open) => {
    go = open;
  });
  Object.assign(slow.session, {
    scan: async (...given: Parameters<typeof scan>) => {
      await gate;
      await scan(...given);
    },
  });
  const first = caches.adjacency(broken, 1);
  const second = caches.adjacency(slow, 1);
  await expect(first).rejects.toThrow("gone");
  const third = caches.adjacency(history.rows(), 1);
  await Promise.resolve();
  go();
  expect([reach(await second, "a", 1), reach(await third, "a", 1)]).toEqual([["b"], ["b"]]);
  expect(history.scans).toBe(1);
});

it("readers at the same time share one scan, and a failed one is no end", async () => {
  const history = new FakeHistory().write(add("a"), add("b"), link("a", "b"));
  const caches = new Caches();
  const broken = history.rows();
  const { scan } = broken.session;
  Object.assign(broken.session, {
    scan: async (scope: string, takeNodes: () => void, takeEdges: () => void) => {
      await scan(scope, takeNodes, takeEdges);
      throw new Error("gone");
    },
  });
  const failed = expect(caches.adjacency(broken, 1)).rejects.toThrow("gone");
  const others = await Promise.all([1, 2, 3].map(() => caches.adjacency(history.rows(), 1)));
  await failed;
  expect(others.map((each) => reach(each, "a", 1))).toEqual([["b"], ["b"], ["b"]]);
  expect(history.scans).toBe(2);
});

it("the pasts of eight scopes are kept; who was asked longest ago goes first", async () => {
  const histories = Array.from({ length: 9 }, () => new FakeHistory().write(add("a")));
  const caches = new Caches();
  const ask = async (scope: number) => {
    const rows = histories[scope]?.rows();
    if (rows === undefined) throw new Error("no such scope");
    await caches.past(Object.assign(rows, { scope: `s${scope}` }), 1);
    return histories.map(({ pages }) => pages);
  };
  for (let scope = 0; scope < 8; scope++) await ask(scope);
  expect(await ask(0)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0]);
  expect(await ask(8)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
  expect(await ask(0)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
  expect(await ask(1)).toEqual([1, 2, 1, 1, 1, 1, 1, 1, 1]);
});

it("the past is kept and followed, and a history with a gap is an error", async () => {
  const history = new FakeHistory().write(add("a", 1)).write(add("b", 2));
  const caches = new Caches();
  const ids = async (seq: number, time: number) =>
    (await caches.past(history.rows(seq), seq)).query({ type: "nodes", asOf: time }).nodes.length;
  expect([await ids(2, 0), await ids(2, 1), await ids(2, 2)]).toEqual([0, 1, 2]);
  history.write(add("c", 3));
  expect(await ids(3, 9)).toBe(3);
  expect(history.pages).toBe(2);
  await expect(caches.past(history.rows(3), 5)).rejects.toThrow("breaks off after change 3");
});
