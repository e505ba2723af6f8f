// The topology: columns that grow, edges before and after they are put in order, and the order of nodes
// that came out of it.

import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { sortRanks } from "../../../../../src/core/decisions/traversal/sort-ranks.js";
import {
  type Direction,
  maskOf,
  Topology,
} from "../../../../../src/core/decisions/traversal/topology.js";
import {
  pathFromGoal,
  reach,
  shortestPath,
} from "../../../../../src/core/decisions/traversal/walk.js";
import { walkRows } from "../../../../../src/core/decisions/traversal/walk-rows.js";
import { expectFlat, expectGrowth, workOf } from "../../../../support/work.js";

const neighbours = (
  topology: Topology,
  node: number,
  tick = 0,
  mask?: number,
  direction: Direction = "outgoing",
): number[] => {
  const found: number[] = [];
  topology.eachEdge(node, direction, tick, (_edge, other) => found.push(other), mask);
  return sorted(found);
};
const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

test("numbers are sorted by counting as by comparing", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(2 ** 32 - 1), { maxLength: 600, size: "max" }), (numbers) => {
      const sorted = Uint32Array.from(numbers);
      sortRanks(sorted, 2 ** 32 - 1);
      expect([...sorted]).toEqual([...numbers].sort((a, b) => a - b));
    }),
  );
  // In two passes, and in three.
  for (const apart of [1, 99]) {
    const many = Uint32Array.from({ length: 1000 }, (_, i) => ((i * 7919) % 1000) * apart);
    sortRanks(many, 1000 * apart);
    expect([...many]).toEqual(Array.from({ length: 1000 }, (_, i) => i * apart));
  }
});

test("every edge is there before and after the columns are put in order, again and again", () => {
  const topology = new Topology();
  const expected = { outgoing: new Map<number, number[]>(), incoming: new Map<number, number[]>() };
  const come = (nodes: number, edges: number, round: number) => {
    for (let i = 0; i < nodes; i++) {
      const node = topology.addNode(`n${round}-${i}`, round, "action");
      expected.outgoing.set(node, []);
      expected.incoming.set(node, []);
    }
    for (let i = 0; i < edges; i++) {
      const [from, to] = [(i * 31) % topology.nodeCount, (i * 17 + round) % topology.nodeCount];
      topology.addEdge(from, to, "leads_to");
      expected.outgoing.get(from)?.push(to);
      expected.incoming.get(to)?.push(from);
    }
    topology.settle();
    for (const direction of ["outgoing", "incoming"] as const) {
      const nodes = [...expected[direction].keys()];
      const found = nodes.map((node) => neighbours(topology, node, 0, undefined, direction));
      expect(found).toEqual([...expected[direction].values()].map(sorted));
    }
  };
  for (let round = 0; round < 6; round++) come(700, 2_000, round);
  // A few hang in chains behind those that are in order.
  come(20, 300, 6);
});

test("edges are there from a tick to another, and of some types", () => {
  const topology = new Topology();
  const [a, b, c] = ["a", "b", "c"].map((id, i) => topology.addNode(id, i, "goal")) as [
    number,
    number,
    number,
  ];
  topology.addEdge(a, b, "leads_to", 1);
  topology.addEdge(a, c, "chosen", 2);
  topology.addEdge(a, a, "blocks", 2);
  topology.removeEdges(c, 3);
  expect([0, 1, 2, 3].map((tick) => neighbours(topology, a, tick))).toEqual([
    [],
    [b],
    [a, b, c],
    [a, b],
  ]);
  expect(neighbours(topology, a, 2, maskOf(["chosen", "blocks"]))).toEqual([a, c]);
  topology.removeEdges(a, 4);
  expect(neighbours(topology, a, 4)).toEqual([]);
  expect(neighbours(topology, a, 3)).toEqual([a, b]);
});

test("edges that are in order are there from a tick to another, and of some types", () => {
  const topology = new Topology();
  const nodes = Array.from({ length: 50 }, (_, i) => topology.addNode(`n${i}`, i, "goal"));
  const [node, gone, kept] = nodes as [number, number, number];
  for (let i = 0; i < 2_000; i++) topology.addEdge(i % 50, (i * 7) % 50, "leads_to", 1);
  topology.addEdge(node, gone, "chosen", 2);
  topology.addEdge(node, kept, "chosen", 2);
  topology.settle();
  const chosen = (tick: number) => neighbours(topology, node, tick, maskOf(["chosen"]));
  const count = (tick: number) => neighbours(topology, node, tick).length;
  expect([chosen(1), chosen(2), chosen(3)]).toEqual([[], [gone, kept], [gone, kept]]);
  expect([count(0), count(1), count(2)]).toEqual([0, 40, 42]);
  topology.removeEdges(gone, 4);
  expect([chosen(3), chosen(4)]).toEqual([[gone, kept], [kept]]);
  topology.addEdge(node, kept, "leads_to", 5);
  expect([count(2), count(3), count(4), count(5)]).toEqual([42, 42, 41, 42]);
});

test("of goals that are as near the first in order is why, however they came", () => {
  const topology = new Topology();
  const [late, early] = [topology.addNode("late", 2, "goal"), topology.addNode("early", 1, "goal")];
  const node = topology.addNode("node", 3, "decision");
  topology.addEdge(late, node, "leads_to");
  topology.addEdge(early, node, "leads_to");
  expect([...pathFromGoal(topology, node, 0).path]).toEqual([early, node]);
});

test("a goal to which another one leads is there for that one", () => {
  const topology = new Topology();
  const goals = [0, 1, 2].map((i) => topology.addNode(`g${i}`, i, "goal"));
  const [first, second, third] = goals as [number, number, number];
  topology.addEdge(first, second, "leads_to");
  topology.addEdge(second, third, "leads_to");
  expect(goals.map((goal) => [...pathFromGoal(topology, goal, 0).path])).toEqual([
    [first],
    [first, second],
    [first, second, third],
  ]);
  // In a circle none is before the others: each is its own.
  topology.addEdge(third, first, "leads_to");
  expect(goals.map((goal) => [...pathFromGoal(topology, goal, 0).path])).toEqual(
    goals.map((goal) => [goal]),
  );
});

describe("the order of nodes", () => {
  test("is that of creation and id, however they came", () => {
    const nodes = fc.array(fc.tuple(fc.nat(5), fc.stringMatching(/^[a-zA-Z_-]{1,3}$/)), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(nodes, fc.array(fc.nat(29)), (given, pauses) => {
        const topology = new Topology();
        for (const [i, [createdAt, id]] of given.entries()) {
          topology.addNode(id, createdAt, "goal");
          // Walks in between: what came so far is put in order.
          if (pauses.includes(i)) topology.settle();
        }
        topology.settle();
        const inOrder = given.map((_, rank) => given[topology.nodeAt(rank)]);
        const expected = [...given].sort(([a, x], [b, y]) => a - b || (x < y ? -1 : x > y ? 1 : 0));
        expect(inOrder).toEqual(expected);
        for (const node of given.keys()) expect(topology.nodeAt(topology.rankOf(node))).toBe(node);
      }),
    );
  });

  test("is that of a level of thousands", () => {
    const topology = new Topology();
    const root = topology.addNode("root", 0, "goal");
    for (let i = 0; i < 5_000; i++) {
      topology.addEdge(root, topology.addNode(`n${i}`, 5_000 - i, "option"), "leads_to");
    }
    const found = [...reach(topology, root, "outgoing")].map((node) => topology.idOf(node));
    expect(found).toEqual(Array.from({ length: 5_000 }, (_, i) => `n${4_999 - i}`));
  });
});

test("nodes that come in order are compared once each, however often there is a walk", () => {
  const topology = new Topology();
  const compare = vi.spyOn(topology, "compare");
  for (let i = 0; i < 100; i++) {
    topology.addNode(`n${i}`, i, "goal");
    topology.settle();
  }
  expect(compare.mock.calls.length).toBeLessThanOrEqual(100);
  // One that comes before the others costs all of them, once.
  topology.addNode("early", -1, "goal");
  for (let i = 0; i < 100; i++) topology.settle();
  expect(compare.mock.calls.length).toBeLessThanOrEqual(300);
  expect(topology.idOf(topology.nodeAt(0))).toBe("early");
});

test("nodes and edges that come with walks in between cost each the same", async () => {
  const turns = (count: number) => () => {
    const topology = new Topology();
    for (let i = 0; i < count; i++) {
      // The second comes before the first, all others in order.
      topology.addNode(`n${i}`, i === 1 ? 0 : i + 1, "goal");
      topology.addEdge(Math.max(0, i - 1), i, "leads_to");
      topology.settle();
    }
  };
  await expectFlat(turns, 200, 2_000);
});

test("a walk costs what it comes by: a chain of nodes no more than as many side by side", async () => {
  const among = (beforeOf: (i: number) => number) => {
    const topology = new Topology();
    for (let i = 0; i < 2_000; i++) topology.addNode(`n${i}`, i, "goal");
    for (let i = 1; i < 2_000; i++) topology.addEdge(beforeOf(i), i, "leads_to");
    return () => expect(reach(topology, 0, "outgoing")).toHaveLength(1_999);
  };
  const shapes = [among(() => 0), among((i) => i - 1)] as const;
  for (const walk of shapes) walk();
  expectGrowth(await workOf(shapes[0]), await workOf(shapes[1]), 10);
});

test.each(["outgoing", "incoming"] as const)(
  "of a path's two ends the one that branches less is followed: many %s",
  (many) => {
    const topology = new Topology();
    const [from, between, to] = ["from", "between", "to"].map((id, i) =>
      topology.addNode(id, i, "goal"),
    ) as [number, number, number];
    topology.addEdge(from, between, "leads_to");
    topology.addEdge(between, to, "leads_to");
    for (let i = 0; i < 500; i++) {
      const other = topology.addNode(`n${i}`, 3 + i, "goal");
      if (many === "outgoing") topology.addEdge(from, other, "leads_to");
      else topology.addEdge(other, to, "leads_to");
    }
    const eachEdge = vi.spyOn(topology, "eachEdge");
    expect([...shortestPath(topology, from, to)]).toEqual([from, between, to]);
    expect(eachEdge.mock.calls.length).toBeLessThan(10);
  },
);

test.each([
  [0, 1],
  [1, 0],
])("of two paths as short the one is taken whose nodes come first: by %i, by %i", (...ways) => {
  const topology = new Topology();
  for (const [i, id] of ["a", "b", "from", "to"].entries()) topology.addNode(id, i, "goal");
  for (const way of ways) {
    topology.addEdge(2, way, "leads_to");
    topology.addEdge(way, 3, "leads_to");
  }
  expect([...shortestPath(topology, 2, 3)]).toEqual([2, 0, 3]);
});

test("a walk from or to what is not there finds nothing", () => {
  const topology = new Topology();
  topology.addNode("a", 0, "goal");
  const rows = (walk: Parameters<typeof walkRows>[1]) =>
    walkRows(topology, walk, (id) => (id === "a" ? 0 : undefined), { limit: 10 });
  for (const [from, to] of [
    ["gone", "a"],
    ["a", "gone"],
    ["gone", "gone"],
  ] as const) {
    expect(rows({ kind: "path", from, to })).toEqual([]);
  }
  expect(rows({ kind: "reach", from: "gone", direction: "outgoing" })).toEqual([]);
  expect(rows({ kind: "why", to: "gone" })).toEqual([]);
  expect(rows({ kind: "supersessions", of: "gone" })).toEqual([]);
});

test("what superseded what stands in its order, from whichever it is asked", () => {
  const topology = new Topology();
  const ids = ["a", "b", "c", "d"];
  for (const [i, id] of ids.entries()) topology.addNode(id, i, "decision");
  for (let i = 1; i < ids.length; i++) topology.addEdge(i, i - 1, "supersedes");
  for (const of of ids) {
    const rows = walkRows(topology, { kind: "supersessions", of }, (id) => ids.indexOf(id), {
      limit: 10,
    });
    expect(rows).toEqual(ids);
  }
});

test("a walk with a limit stops when it has found more", () => {
  const topology = new Topology();
  for (let i = 0; i < 100; i++) topology.addNode(`n${String(i).padStart(2, "0")}`, i, "goal");
  for (let i = 0; i < 99; i++) topology.addEdge(i, i + 1, "leads_to");
  expect(reach(topology, 0, "outgoing", { limit: 5 })).toHaveLength(6);
  expect(reach(topology, 0, "outgoing")).toHaveLength(99);
  expect(shortestPath(topology, 99, 0)).toHaveLength(0);
});
