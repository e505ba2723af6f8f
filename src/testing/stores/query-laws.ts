/** The laws of queries: results, order, limit, `asOf`. */
import type { DecisionQuery } from "../../core/decisions/index.js";
import type { ErrorCode } from "../../core/kernel/index.js";
import { edge, idsOf, node, type OpenStoreLaw, refused, same } from "./store-law.js";

/** How long the longest path is that a law walks: longer than what databases bound theirs to. */
const LONG = 3_000;

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
  ["decisions.query", "query.asOf", { type: "activeGoals", asOf: "yesterday" }],
  ["decisions.query", "query.asOf", { type: "changes", asOf: 1 }],
  ["decisions.query", "query.key", { type: "change" }],
  ["decisions.query", "query.key", { type: "change", key: "" }],
  ["decisions.query", "query.key", { type: "change", key: 1 }],
  ["decisions.query", "query.key", { type: "change", key: "a\0" }],
  ["decisions.query", "query.key", { type: "change", key: "x".repeat(1001) }],
  ["decisions.query", "query.asOf", { type: "change", key: "a", asOf: 1 }],
  ["decisions.query", "query.select", { type: "activeGoals", select: "labels" }],
  ["decisions.query", "query.direction", { type: "edges", direction: "both" }],
  ["decisions.query", "query.edgeTypes[0]", { type: "edges", edgeTypes: ["likes"] }],
  ["decisions.query", "query.where.text", { type: "nodes", where: { text: "\0" } }],
  ["decisions.query", "query.where.label", { type: "nodes", where: { label: "x" } }],
  ["json.refused", "query.where", { type: "nodes", where: JSON.parse('{"__proto__":1}') }],
];

export const queryLaws: readonly OpenStoreLaw[] = [
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
      same(await store.read({ type: "recentDecisions", asOf: 5 }), none, "decisions");
      same(await store.read({ type: "nodes" }), none, "nodes");
      same(await store.read({ type: "edges" }), { edges: [], truncated: false }, "edges");
      same(await store.read({ type: "changes" }), { changes: [], truncated: false }, "changes");
      const change = await store.read({ type: "change", key: "a" });
      same(change, { changes: [], truncated: false }, "the change of a key");
      const summary = { goals: [], goalCount: 0, decisions: [], shortIds: [], truncated: false };
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
      same(history, { entries: [], truncated: false }, "the history");
      same(await store.read({ type: "why", nodeId }), { steps: [], truncated: false }, "why");
    },
  },
  {
    name: "active goals are goals that are active, by creation and then id",
    holds: async (store) => {
      await store.write([
        node("late", 9, {}, "goal"),
        node("b", 1, {}, "goal"),
        node("a", 1, {}, "goal"),
        node("done", 0, { status: "completed" }, "goal"),
        node("d", 0),
      ]);
      same(idsOf(await store.read({ type: "activeGoals" })), "a b late", "the goals");
      const two = await store.read({ type: "activeGoals", limit: 2, select: "ids" });
      same(two, { ids: ["a", "b"], truncated: true }, "two of them");
      const three = await store.read({ type: "activeGoals", limit: 3, select: "ids" });
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
    name: "results of the same time are ordered by the bytes of their ids",
    holds: async (store) => {
      const ids = ["-", ".", "/", "0", "9", ":", "A", "Z", "_", "a", "a-", "a0", "aA", "aa", "z"];
      const mixed = [...ids].reverse();
      await store.write(mixed.map((id) => node(id, 7)));
      await store.write(
        mixed.map((id) => ({
          type: "addEdge" as const,
          at: 7,
          edge: { ...edge("a", id).edge, id },
        })),
      );
      same(idsOf(await store.read({ type: "nodes" })), ids.join(" "), "nodes");
      const newest = await store.read({ type: "nodes", order: "newest" });
      same(idsOf(newest), mixed.join(" "), "nodes, newest first");
      same(idsOf(await store.read({ type: "edges" })), ids.join(" "), "edges");
      const below = await store.read({ type: "descendants", nodeId: "a" });
      same(idsOf(below), ids.filter((id) => id !== "a").join(" "), "descendants");
    },
  },
  {
    name: "filters hold together, and texts are found as they are written",
    holds: async (store) => {
      await store.write([
        node("a", 1, { label: "Use 100% JWT_x" }),
        node("b", 2, { label: "x", rationale: "stateless JWT" }, "option"),
        node("c", 3, { label: "jwt", status: "completed" }),
      ]);
      const found = async (where: object) => idsOf(await store.read({ type: "nodes", where }));
      same(await found({}), "a b c", "no filter");
      same(await found({ text: "JWT" }), "a b", "a text");
      same(await found({ text: "0% J" }), "a", "a text with a percent sign");
      same(await found({ text: "T_x" }), "a", "a text with an underscore");
      same(await found({ text: "T-x" }), "", "a text that an underscore would fit");
      same(await found({ types: ["decision"], statuses: ["active"] }), "a", "type and status");
      same(await found({ types: [] }), "", "no type");
      same(await found({ ids: ["c", "a", "nobody", "a"] }), "a c", "ids");
      same(await found({ createdFrom: 2 }), "b c", "from a time on");
      same(await found({ createdBefore: 2 }), "a", "before a time");
      same(await found({ text: "" }), "a b c", "an empty text");
    },
  },
  {
    name: "walks go breadth first, then by creation, then by id, round every cycle",
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
      const walk = async (type: "descendants" | "ancestors", nodeId: string, more: object = {}) =>
        idsOf(await store.read({ type, nodeId, ...more }));
      same(await walk("descendants", "a"), "c d e b", "descendants of a");
      same(await walk("ancestors", "a"), "e c b d", "ancestors of a");
      same(await walk("descendants", "b"), "c e a d", "descendants of b, which leads to itself");
      same(await walk("descendants", "a", { edgeTypes: ["chosen"] }), "", "along no edge");
      const cut = await store.read({ type: "descendants", nodeId: "a", limit: 2, select: "ids" });
      same(cut, { ids: ["c", "d"], truncated: true }, "two descendants");
      const whole = await store.read({ type: "descendants", nodeId: "a", limit: 4, select: "ids" });
      same(whole.truncated, false, "whether four are cut off");
    },
  },
  {
    name: "the shortest path is the first in order of those that are as short",
    holds: async (store) => {
      // Two ways are as short: by a and x, whose ids come first, and by b, created before a, and y.
      await store.write([
        ...["s", "b", "y", "t", "t2"].map((id) => node(id, 1)),
        node("a", 2),
        node("x", 0),
        ...["s a", "a x", "x t", "s b", "b y", "y t"].map((link) => {
          const [from = "", to = ""] = link.split(" ");
          return edge(from, to);
        }),
      ]);
      const path = async (fromId: string, toId: string, more: object = {}) =>
        idsOf(await store.read({ type: "pathBetween", fromId, toId, ...more }));
      same(await path("s", "t"), "s b y t", "by creation, at the first depth that differs");
      // The same with the edges added the other way round.
      const others = ["u b", "b v", "u a", "a v"].map(
        (link) => link.split(" ") as [string, string],
      );
      await store.write([node("u"), node("v"), ...others.map((ends) => edge(...ends))]);
      same(await path("u", "v"), "u b v", "whichever edge came first");
      await store.write([edge("s", "t2", "chosen"), edge("t2", "t", "chosen")]);
      same(await path("s", "t"), "s t2 t", "the shortest");
      same(await path("s", "t", { edgeTypes: ["leads_to"] }), "s b y t", "along some edges");
      same(await path("t", "s"), "", "against the edges");
      same(await path("s", "s"), "s", "from a node to itself");
      same(await path("s", "t", { limit: 2 }), "s t2", "cut off");
    },
  },
  {
    name: `a path of ${LONG} hops is found`,
    holds: async (store) => {
      const name = (i: number) => `n${String(i).padStart(6, "0")}`;
      const count = LONG + 1;
      await store.write(Array.from({ length: count }, (_, i) => node(name(i), i)));
      await store.write(Array.from({ length: LONG }, (_, i) => edge(name(i), name(i + 1))));
      const all = { limit: count, select: "ids" } as const;
      const path = await store.read({
        type: "pathBetween",
        fromId: name(0),
        toId: name(LONG),
        ...all,
      });
      same(
        [path.ids.length, path.ids.at(-1), path.truncated],
        [count, name(LONG), false],
        "the path",
      );
      const below = await store.read({ type: "descendants", nodeId: name(0), ...all });
      same([below.ids.length, below.ids[0]], [LONG, name(1)], "what is below");
    },
  },
];
