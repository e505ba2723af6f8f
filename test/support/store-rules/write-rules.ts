// The rules of writes: transactions, supersession, ids, idempotency keys.

import type { ErrorCode, Json } from "../../../src/core/kernel/values/index.js";
import type { Operation } from "../../../src/decisions/pure/index.js";
import { edge, idsOf, node, refused, type StoreRule, same } from "./store-rule.js";

const supersede = (oldId: string, newId: string, at = 1): Operation => ({
  type: "supersede",
  at,
  oldId,
  newId,
  edgeId: `${newId}:${oldId}`,
  rationale: `${newId} is better`,
});

/** Operations that are no good, and what is said of each. */
const faults: readonly (readonly [ErrorCode, string, unknown])[] = [
  ["decisions.invalid", "operations[1]", null],
  ["decisions.invalid", "operations[1].type", { type: "addNodes", at: 0 }],
  ["decisions.invalid", "operations[1].at", { ...node("x"), at: -1 }],
  ["decisions.invalid", "operations[1].at", { type: "deleteNode", id: "a" }],
  ["decisions.invalid", "operations[1].node.id", node("")],
  ["decisions.invalid", "operations[1].node.id", node("a b")],
  ["decisions.invalid", "operations[1].node.id", node("x".repeat(161))],
  ["decisions.invalid", "operations[1].node.type", node("x", 0, { type: "wish" as "goal" })],
  ["decisions.invalid", "operations[1].node.label", node("x", 0, { label: " \n" })],
  ["decisions.invalid", "operations[1].node.label", node("x", 0, { label: "a\0b" })],
  ["decisions.invalid", "operations[1].node.status", node("x", 0, { status: "open" as "active" })],
  ["decisions.superseded", "operations[1].node.status", node("x", 0, { status: "superseded" })],
  ["decisions.invalid", "operations[1].node.confidence", node("x", 0, { confidence: 1.01 })],
  ["decisions.invalid", "operations[1].node.confidence", node("x", 0, { confidence: -0.01 })],
  ["decisions.invalid", "operations[1].node.rationale", node("x", 0, { rationale: "\0" })],
  ["decisions.invalid", "operations[1].node.metadata", node("x", 0, { metadata: [] as never })],
  [
    "decisions.invalid",
    "operations[1].node.metadata.a[0]",
    node("x", 0, { metadata: { a: ["\0"] } }),
  ],
  [
    "decisions.invalid",
    'operations[1].node.metadata["\\u0000"]',
    node("x", 0, { metadata: { "\0": 1 } }),
  ],
  ["decisions.invalid", "operations[1].node.updatedAt", node("x", 5, { updatedAt: 4 })],
  ["decisions.invalid", "operations[1].node.createdAt", node("x", 0, { createdAt: 0.5 })],
  ["decisions.invalid", "operations[1].node.more", node("x", 0, { more: 1 } as object)],
  ["decisions.invalid", "operations[1].edge.edgeType", edge("a", "b", "likes" as "chosen")],
  ["decisions.invalid", "operations[1].patch", { type: "updateNode", at: 0, id: "a", patch: {} }],
  [
    "decisions.invalid",
    "operations[1].patch.id",
    { type: "updateNode", at: 0, id: "a", patch: { id: "z" } },
  ],
  [
    "decisions.superseded",
    "operations[1].patch.status",
    { type: "updateNode", at: 0, id: "a", patch: { status: "superseded" } },
  ],
  [
    "json.refused",
    "operations[1].node.metadata.when",
    node("x", 0, { metadata: { when: new Date(0) as never } }),
  ],
  ["json.refused", "operations[1].node.confidence", node("x", 0, { confidence: Number.NaN })],
  [
    "json.refused",
    "operations[1].node.metadata",
    node("x", 0, { metadata: JSON.parse('{"__proto__":{"a":1}}') }),
  ],
  ["decisions.missing", "operations[1].edge.toId", edge("a", "nobody")],
  ["decisions.missing", "operations[1].edge.fromId", edge("nobody", "a")],
  ["decisions.duplicate", "operations[1].node.id", node("a")],
  ["decisions.duplicate", "operations[1].node.id", node("first")],
  ["decisions.duplicate", "operations[1].edge.id", edge("a", "b")],
  ["decisions.selfLoop", "operations[1].newId", supersede("a", "a")],
  ["decisions.selfLoop", "operations[1].edge.fromId", edge("a", "a", "supersedes")],
  ["decisions.superseded", "operations[1].oldId", supersede("old", "b")],
  ["decisions.superseded", "operations[1].newId", supersede("b", "old")],
  ["decisions.superseded", "operations[1].newId", supersede("new", "old")],
  ["decisions.superseded", "operations[1].newId", supersede("new", "older")],
  ["decisions.superseded", "operations[1].edge.fromId", edge("old", "new", "supersedes")],
  ["decisions.superseded", "operations[1].id", { type: "deleteNode", at: 0, id: "new" }],
  [
    "decisions.superseded",
    "operations[1].patch.status",
    { type: "updateNode", at: 0, id: "old", patch: { status: "active" } },
  ],
];

const base: readonly Operation[] = [
  ...["a", "b", "older", "old", "new"].map((id) => node(id)),
  edge("a", "b"),
  supersede("older", "old"),
  supersede("old", "new"),
];

export const writeRules: readonly StoreRule[] = [
  {
    name: "what is refused has a code and names the field, and nothing of its transaction is written",
    holds: async (store) => {
      await store.write(base);
      const before = await store.everything();
      for (const [code, place, fault] of faults) {
        const operations = [node("first"), fault as Operation];
        const error = await refused(code, place, () => store.write(operations));
        same(error.place, place, `the place of ${error.message}`);
        same(await store.everything(), before, `the graph after ${error.message}`);
      }
      await refused("decisions.invalid", "no operations", () => store.write([]));
      same(await store.everything(), before, "the graph after no operations");
    },
  },
  {
    name: "operations see what those before them did",
    holds: async (store) => {
      await store.write([
        node("a"),
        edge("a", "a"),
        { type: "deleteNode", at: 1, id: "a" },
        node("a", 2, { label: "again" }),
        node("b", 2),
        supersede("a", "b", 3),
        { type: "updateNode", at: 4, id: "a", patch: { label: "and again" } },
      ]);
      const [found] = (await store.read({ type: "node", nodeId: "a" })).nodes;
      same([found?.label, found?.status, found?.updatedAt], ["and again", "superseded", 4], "a");
      same(idsOf(await store.read({ type: "edges" })), "b:a", "the edges");
    },
  },
  {
    name: "what a transaction deletes makes room in it: for edges too, and once only",
    holds: async (store) => {
      await store.write([node("a"), node("b"), node("c"), edge("a", "b"), edge("b", "c")]);
      await store.write([
        { type: "deleteNode", at: 1, id: "a" },
        node("a", 2),
        edge("a", "b", "leads_to", 2),
        node("x", 2),
        edge("x", "b", "leads_to", 2),
        { type: "deleteNode", at: 3, id: "x" },
        { type: "deleteNode", at: 3, id: "b" },
        { type: "deleteNode", at: 3, id: "c" },
        node("b", 4),
        edge("a", "b", "leads_to", 4),
      ]);
      const left = [
        idsOf(await store.read({ type: "nodes" })),
        idsOf(await store.read({ type: "edges" })),
      ];
      same(left, ["a b", "a:b:leads_to"], "what is left");
      same(await store.stats(), { seq: 2, at: 4, nodes: 2, edges: 1 }, "how much is left");
      same(idsOf(await store.read({ type: "descendants", nodeId: "a" })), "b", "what a leads to");
    },
  },
  {
    name: "a supersession marks the old node, keeps its reason, and adds the edge, all at once",
    holds: async (store) => {
      await store.write([node("a", 0, { rationale: "first" }), node("b"), node("c")]);
      await store.write([supersede("a", "b", 5)]);
      const [old] = (await store.read({ type: "node", nodeId: "a" })).nodes;
      same(
        [old?.status, old?.rationale, old?.updatedAt],
        ["superseded", "b is better", 5],
        "the old node",
      );
      const expected = {
        id: "b:a",
        fromId: "b",
        toId: "a",
        edgeType: "supersedes",
        metadata: { rationale: "b is better" },
        createdAt: 5,
      };
      const { edges } = await store.read({ type: "edges", nodeId: "b" });
      same(edges, [expected], "the edge");
      await store.write([{ ...edge("c", "b", "supersedes", 6), at: 6 }]);
      const [next] = (await store.read({ type: "node", nodeId: "b" })).nodes;
      same([next?.status, next?.rationale], ["superseded", null], "superseded by an edge");
      await store.write([{ type: "deleteNode", at: 7, id: "a" }]);
      same(idsOf(await store.read({ type: "edges" })), "c:b:supersedes", "without the first");
    },
  },
  {
    name: "a write takes whole ids: the beginning of one is no id",
    holds: async (store) => {
      await store.write([node("goal-10", 0, {}, "goal"), node("option", 0, {}, "option")]);
      const before = await store.everything();
      for (const operation of [
        { type: "deleteNode", at: 1, id: "g" },
        { type: "updateNode", at: 1, id: "goal-1", patch: { label: "x" } },
        { type: "decideOption", at: 1, id: "opt", outcome: "chosen" },
        supersede("goal-1", "option"),
        supersede("option", "goal-1"),
        edge("goal-1", "option"),
        edge("option", "goal-1"),
      ] as const) {
        await refused("decisions.missing", JSON.stringify(operation), () =>
          store.write([operation]),
        );
      }
      same(await store.everything(), before, "the graph after the refusals");
    },
  },
  {
    name: "a write is answered with the nodes and edges that it added or changed, as it left them",
    holds: async (store) => {
      const first = await store.write([node("a", 1), node("b", 2), edge("a", "b", "chosen", 2)]);
      const all = await store.everything();
      same(first.nodes, (all as never as { nodes: { nodes: Json } }).nodes.nodes, "the nodes");
      same(idsOf({ edges: first.edges }), "a:b:chosen", "the edges");
      const second = await store.write([
        { type: "updateNode", at: 3, id: "b", patch: { label: "one" } },
        node("gone", 3),
        { type: "updateNode", at: 4, id: "b", patch: { confidence: 0.5 } },
        { type: "deleteNode", at: 4, id: "gone" },
        supersede("a", "b", 5),
      ]);
      same(
        second.nodes.map(({ id, label, status }) => [id, label, status]),
        [
          ["b", "one", "active"],
          ["a", "the label of a", "superseded"],
        ],
        "the nodes of the second",
      );
      same([second.seq, second.at, idsOf({ edges: second.edges })], [2, 5, "b:a"], "its edges");
    },
  },
  {
    name: "the time of a write never goes back",
    holds: async (store) => {
      await store.write([node("a", 100)]);
      same((await store.write([node("b", 50)])).at, 100, "the time of the second");
      same((await store.stats()).at, 100, "the time of the graph");
      same(idsOf(await store.read({ type: "nodes" })), "b a", "by their own times");
    },
  },
  {
    name: "the same key with the same operations has the first result and no second effect",
    holds: async (store) => {
      await store.write([node("a1"), node("b1")]);
      const operations = [node("c", 1), edge("a1", "b1", "chosen", 1)];
      const first = await store.write(operations, "once");
      await store.write([node("a2", 2)]);
      const before = await store.everything();
      same(await store.write(operations, "once"), first, "the second result");
      same(await store.everything(), before, "the graph");
      const later = operations.map((operation) => ({ ...operation, at: 9 }));
      same(await store.write(later, "once"), first, "the result at another time");
      same((await store.stats()).seq, 3, "how many transactions there are");
    },
  },
  {
    name: "the same key with other operations is refused",
    holds: async (store) => {
      await store.write([node("a", 0, { metadata: { x: 1 } }), node("z")], "once");
      const before = await store.everything();
      for (const other of [
        [node("b", 0, { metadata: { x: 1 } }), node("z")],
        [node("a", 0, { metadata: { x: 2 } }), node("z")],
        [node("a", 0, { metadata: { x: 1 }, createdAt: 1 }), node("z")],
        [node("a", 0, { metadata: { x: 1 } })],
        [node("a", 0, { metadata: { x: 1 } }), node("z"), node("b")],
      ]) {
        await refused("store.key", JSON.stringify(other), () => store.write(other, "once"));
      }
      same(await store.everything(), before, "the graph");
    },
  },
  {
    name: "a write that was refused leaves its key free",
    holds: async (store) => {
      await refused("decisions.missing", "a", () => store.write([edge("a", "a")], "once"));
      const result = await store.write([node("a")], "once");
      same(result.seq, 1, "the version");
    },
  },
];
