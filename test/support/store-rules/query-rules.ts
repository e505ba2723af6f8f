// The rules of queries: results, order, limit.

import type { ErrorCode } from "../../../src/core/kernel/values/index.js";
import type { DecisionQuery } from "../../../src/decisions/pure/index.js";
import { edge, idsOf, node, refused, type StoreRule, same } from "./store-rule.js";

/** The length of the longest path of a law: longer than what databases limit theirs to. */
const LONG = 1_000;

const badQueries: readonly (readonly [ErrorCode, string, unknown])[] = [
  ["decisions.query", "query", null],
  ["decisions.query", "query", "activeGoals"],
  ["decisions.query", "query.type", {}],
  ["decisions.query", "query.type", { type: "everything" }],
  ["decisions.query", "query.type", { type: "toString" }],
  ["decisions.query", "query.nodeId", { type: "descendants" }],
  ["decisions.query", "query.nodeId", { type: "node", nodeId: "' OR 1=1" }],
  ["decisions.query", "query.toId", { type: "pathBetween", fromId: "a" }],
  ["decisions.query", "query.limit", { type: "activeGoals", limit: 0 }],
  ["decisions.query", "query.limit", { type: "activeGoals", limit: 1.5 }],
  ["decisions.query", "query.asOf", { type: "activeGoals", asOf: 1 }],
  ["decisions.query", "query.prefix", { type: "node", nodeId: "a", prefix: "yes" }],
  ["decisions.query", "query.direction", { type: "edges", direction: "both" }],
  ["decisions.query", "query.where.types[0]", { type: "nodes", where: { types: ["likes"] } }],
  ["decisions.query", "query.where.label", { type: "nodes", where: { label: "x" } }],
  ["json.refused", "query.where", { type: "nodes", where: JSON.parse('{"__proto__":1}') }],
];

export const queryRules: readonly StoreRule[] = [
  {
    name: "an unknown or invalid query is refused, and the field is named",
    holds: async (store) => {
      for (const [code, place, query] of badQueries) {
        const error = await refused(code, place, () => store.read(query as DecisionQuery));
        same(error.place, place, `the place of ${error.message}`);
      }
    },
  },
  {
    name: "an empty store answers every query with nothing",
    holds: async (store) => {
      same(await store.stats(), { seq: 0, at: null, nodes: 0, edges: 0 }, "stats");
      const none = { nodes: [], truncated: false };
      same(await store.read({ type: "activeGoals" }), none, "goals");
      same(await store.read({ type: "recentDecisions" }), none, "decisions");
      same(await store.read({ type: "nodes" }), none, "nodes");
      same(await store.read({ type: "edges" }), { edges: [], truncated: false }, "edges");
      const history = await store.read({ type: "history" });
      same(history, { changes: [], truncated: false }, "the history");
      const summary = { goals: [], goalCount: 0, decisions: [], truncated: false };
      same(await store.read({ type: "summary" }), summary, "the summary");
    },
  },
  {
    name: "of a node that there is not there is nothing",
    holds: async (store) => {
      await store.write([node("a", 1, {}, "goal"), node("b", 2), edge("a", "b")]);
      const nodeId = "nobody";
      const none = { nodes: [], truncated: false };
      same(await store.read({ type: "node", nodeId }), none, "the node");
      same(await store.read({ type: "descendants", nodeId }), none, "descendants");
      same(await store.read({ type: "ancestors", nodeId }), none, "ancestors");
      for (const [fromId, toId] of [["a", nodeId] as const, [nodeId, "b"] as const]) {
        same(await store.read({ type: "pathBetween", fromId, toId }), none, "a path");
      }
      same(await store.read({ type: "edges", nodeId }), { edges: [], truncated: false }, "edges");
      const history = await store.read({ type: "history", nodeId });
      same(history, { changes: [], truncated: false }, "the history");
      same(await store.read({ type: "why", nodeId }), { steps: [], truncated: false }, "why");
    },
  },
  {
    name: "active goals are goals that are active, by creation; a limit keeps the newest",
    holds: async (store) => {
      await store.write([
        node("late", 9, {}, "goal"),
        node("b", 1, {}, "goal"),
        node("a", 1, {}, "goal"),
        node("done", 0, { status: "completed" }, "goal"),
        node("d", 0),
      ]);
      same(idsOf(await store.read({ type: "activeGoals" })), "b a late", "the goals");
      const two = await store.read({ type: "activeGoals", limit: 2 });
      same([idsOf(two), two.truncated], ["a late", true], "two of them");
      const three = await store.read({ type: "activeGoals", limit: 3 });
      same(three.truncated, false, "whether all three are cut off");
    },
  },
  {
    name: "recent decisions come newest first, without superseded and rejected ones unless asked",
    holds: async (store) => {
      await store.write([
        node("jan", 1),
        node("jun", 6),
        node("dec", 12),
        node("no", 13, { status: "rejected" }),
        node("old", 14),
        node("done", 3, { status: "completed" }),
        { type: "supersede", at: 15, oldId: "old", newId: "dec", edgeId: "e" },
      ]);
      const recent = (more: object) => store.read({ type: "recentDecisions", ...more });
      same(idsOf(await recent({ limit: 2 })), "dec jun", "two");
      same((await recent({ limit: 2 })).truncated, true, "whether two are cut off");
      same(idsOf(await recent({})), "dec jun done jan", "all that stand");
      const asked = ["superseded", "rejected"];
      same(idsOf(await recent({ statuses: asked })), "old no", "the others");
      await store.write(Array.from({ length: 9 }, (_, i) => node(`n${i}`, 20 + i)));
      same(idsOf(await recent({})), "n8 n7 n6 n5 n4 n3 n2 n1 n0 dec", "ten by default");
    },
  },
  {
    name: "nodes of the same time, and all edges, are in the order in which they were committed",
    holds: async (store) => {
      const ids = ["z", "A", "_", "a", "0", "-", "aa", "Z", "9", "a-"];
      for (const id of ids.slice(0, 5)) await store.write([node(id, 7)]);
      await store.write(ids.slice(5).map((id) => node(id, 7)));
      const newest = [...ids].reverse();
      same(idsOf(await store.read({ type: "nodes" })), ids.join(" "), "nodes");
      const nodes = await store.read({ type: "nodes", order: "newest" });
      same(idsOf(nodes), newest.join(" "), "nodes, newest first");
      const recent = await store.read({ type: "recentDecisions", limit: 3 });
      same(idsOf(recent), newest.slice(0, 3).join(" "), "decisions");
      for (const [i, id] of newest.entries()) {
        await store.write([{ type: "addEdge", at: 9 - i, edge: { ...edge("a", id).edge, id } }]);
      }
      same(idsOf(await store.read({ type: "edges" })), newest.join(" "), "edges");
      const below = await store.read({ type: "descendants", nodeId: "a" });
      same(idsOf(below), newest.filter((id) => id !== "a").join(" "), "descendants");
      const patch = { label: "changed" };
      await store.write([{ type: "updateNode", at: 8, id: "z", patch }]);
      same(idsOf(await store.read({ type: "nodes" })), ids.join(" "), "after a change");
      await store.write([{ type: "deleteNode", at: 8, id: "z" }, node("z", 7)]);
      const moved = [...ids.slice(1), "z"].join(" ");
      same(idsOf(await store.read({ type: "nodes" })), moved, "of what was deleted and added anew");
    },
  },
  {
    name: "a filter lets through what has one of its types and one of its statuses",
    holds: async (store) => {
      await store.write([
        node("a", 1),
        node("b", 2, {}, "option"),
        node("c", 3, { status: "completed" }),
      ]);
      const found = async (where: object) => idsOf(await store.read({ type: "nodes", where }));
      same(await found({}), "a b c", "no filter");
      same(await found({ types: ["decision"] }), "a c", "a type");
      same(await found({ types: ["decision"], statuses: ["active"] }), "a", "type and status");
      same(await found({ types: ["option", "decision"] }), "a b c", "two types");
      same(await found({ types: [] }), "", "no type");
    },
  },
  {
    name: "traversals go breadth first, along the edges as they were committed, round every cycle",
    holds: async (store) => {
      await store.write([
        ...["a", "d", "c", "b"].map((id) => node(id, 5)),
        node("e", 1),
        edge("a", "d"),
        edge("a", "c"),
        edge("d", "b"),
        edge("c", "e"),
        edge("e", "a"),
        edge("b", "b"),
        edge("b", "c"),
      ]);
      const walk = async (type: "descendants" | "ancestors", nodeId: string) =>
        idsOf(await store.read({ type, nodeId }));
      same(await walk("descendants", "a"), "d c b e", "descendants of a");
      same(await walk("ancestors", "a"), "e c a b d".replace(" a", ""), "ancestors of a");
      same(await walk("descendants", "b"), "c e a d", "descendants of b, which leads to itself");
      const cut = await store.read({ type: "descendants", nodeId: "a", limit: 2 });
      same([idsOf(cut), cut.truncated], ["d c", true], "two descendants");
      const whole = await store.read({ type: "descendants", nodeId: "a", limit: 4 });
      same(whole.truncated, false, "whether four are cut off");
    },
  },
  {
    name: "the shortest path is the one that is found first of those that are as short",
    holds: async (store) => {
      await store.write([
        ...["s", "b", "y", "t", "t2", "a", "x", "u", "v"].map((id) => node(id, 1)),
        ...["s b", "s a", "a x", "x t", "b y", "y t", "u b", "u a", "a v", "b v"].map((link) => {
          const [from = "", to = ""] = link.split(" ");
          return edge(from, to);
        }),
      ]);
      const path = async (fromId: string, toId: string, more: object = {}) =>
        idsOf(await store.read({ type: "pathBetween", fromId, toId, ...more }));
      same(await path("s", "t"), "s b y t", "by the edge that was committed first");
      same(await path("u", "v"), "u b v", "by the first edge of the first node");
      await store.write([edge("s", "t2", "chosen"), edge("t2", "t", "chosen")]);
      same(await path("s", "t"), "s t2 t", "the shortest");
      same(await path("t", "s"), "", "against the edges");
      same(await path("s", "s"), "s", "from a node to itself");
      same(await path("s", "t", { limit: 2 }), "s t2", "cut off");
    },
  },
  {
    name: "an id is whole; a query that says so takes the beginning of one",
    holds: async (store) => {
      await store.write([
        ...["abc1", "abc2", "abd", "ab", "__proto__"].map((id) => node(id)),
        node("xyz", 0, {}, "goal"),
        edge("xyz", "abd"),
      ]);
      const ids = async (query: object) => idsOf((await store.read(query as never)) as never);
      for (const type of ["node", "descendants", "ancestors", "edges", "history"] as const) {
        const found = await store.read({ type, nodeId: "xy" });
        same(Object.values(found)[0], [], `${type} of the beginning of an id`);
      }
      same(await ids({ type: "descendants", nodeId: "xy", prefix: true }), "abd", "descendants");
      same(await ids({ type: "node", nodeId: "__p", prefix: true }), "__proto__", "a node");
      same(await ids({ type: "node", nodeId: "ab", prefix: true }), "ab", "an id before others");
      same(await ids({ type: "node", nodeId: "nobody", prefix: true }), "", "nobody");
      const ends = { fromId: "x", toId: "abd", prefix: true };
      same(await ids({ type: "pathBetween", ...ends }), "xyz abd", "a path");
      const why = await store.read({ type: "why", nodeId: "abd", prefix: true });
      same(why.steps.length, 2, "why");
      const error = await refused("decisions.ambiguous", "abc", () =>
        store.read({ type: "node", nodeId: "abc", prefix: true }),
      );
      same(error.message.includes("abc1, abc2;"), true, `the candidates in "${error.message}"`);
      await store.write(Array.from({ length: 12 }, (_, i) => node(`m/${10 + i}`)).reverse());
      const many = await refused("decisions.ambiguous", "m", () =>
        store.read({ type: "ancestors", nodeId: "m", prefix: true }),
      );
      same(
        many.message.includes(
          "m/10, m/11, m/12, m/13, m/14, m/15, m/16, m/17, m/18, m/19 and more;",
        ),
        true,
        `the first ten in "${many.message}"`,
      );
    },
  },
  {
    name: `a path of ${LONG} hops is found`,
    holds: async (store) => {
      const name = (i: number) => `n${String(i).padStart(6, "0")}`;
      const count = LONG + 1;
      await store.write(Array.from({ length: count }, (_, i) => node(name(i), i)));
      await store.write(Array.from({ length: LONG }, (_, i) => edge(name(i), name(i + 1))));
      const path = await store.read({ type: "pathBetween", fromId: name(0), toId: name(LONG) });
      const { nodes, truncated } = path;
      same([nodes.length, nodes.at(-1)?.id, truncated], [count, name(LONG), false], "the path");
      const below = await store.read({ type: "descendants", nodeId: name(0) });
      same([below.nodes.length, below.nodes[0]?.id], [LONG, name(1)], "what is below");
    },
  },
];
