/**
 * The laws of the past: the graph as of a time, its history, its reasons, and the log of changes.
 */
import type { DecisionQuery, Operation } from "../../core/decisions/index.js";
import type { JsonObject } from "../../core/kernel/index.js";
import { edge, idsOf, node, type OpenStoreLaw, refused, same } from "./store-law.js";

export const pastLaws: readonly OpenStoreLaw[] = [
  {
    name: "of the past is asked what was believed then",
    holds: async (store) => {
      await store.write([node("old", 10, { rationale: "first" }), node("goal", 10, {}, "goal")]);
      await store.write([edge("goal", "old", "leads_to", 10)]);
      await store.write([node("new", 20)]);
      await store.write([
        { type: "supersede", at: 30, oldId: "old", newId: "new", edgeId: "e", rationale: "better" },
      ]);
      await store.write([
        { type: "updateNode", at: 40, id: "goal", patch: { status: "completed" } },
      ]);
      await store.write([{ type: "deleteNode", at: 50, id: "goal" }]);
      const at = async (query: DecisionQuery & { asOf?: number }, asOf: number) =>
        idsOf((await store.read({ ...query, asOf } as DecisionQuery)) as never);
      same(await at({ type: "recentDecisions" }, 9), "", "before anything");
      same(await at({ type: "recentDecisions" }, 10), "old", "at first");
      same(await at({ type: "recentDecisions" }, 29), "new old", "before the supersession");
      same(await at({ type: "recentDecisions" }, 30), "new", "after it");
      same(await at({ type: "activeGoals" }, 39), "goal", "before the goal was reached");
      same(await at({ type: "activeGoals" }, 40), "", "after it");
      same(await at({ type: "ancestors", nodeId: "old" }, 49), "goal new", "before the deletion");
      same(await at({ type: "ancestors", nodeId: "old" }, 50), "new", "after it");
      same(await at({ type: "node", nodeId: "go" }, 49), "goal", "a prefix of what is gone");
      const [then] = (await store.read({ type: "node", nodeId: "old", asOf: 29 })).nodes;
      same([then?.status, then?.rationale, then?.updatedAt], ["active", "first", 10], "old, then");
      const stats = await store.read({ type: "stats", asOf: 29 });
      same(stats, { seq: 3, at: 20, nodes: 3, edges: 1 }, "how much there was");
    },
  },
  {
    name: "a time that goes back is no earlier than what was committed before it",
    holds: async (store) => {
      await store.write([node("a", 100)]);
      const result = await store.write([node("b", 50)]);
      same(result.at, 100, "the time of the change");
      same(idsOf(await store.read({ type: "nodes", asOf: 99 })), "", "before the first");
      same(idsOf(await store.read({ type: "nodes", asOf: 100 })), "b a", "at its time");
    },
  },
  {
    name: "the history of a node is what superseded what, with every rationale",
    holds: async (store) => {
      await store.write([node("a", 1, { rationale: "a at first" }), node("b", 2), node("c", 3)]);
      await store.write([node("d", 4), node("other", 4)]);
      const patch = { rationale: "a, on reflection" };
      await store.write([{ type: "updateNode", at: 5, id: "a", patch }]);
      const supersede = (oldId: string, newId: string, at: number, rationale: string | null) =>
        store.write([
          { type: "supersede", at, oldId, newId, edgeId: `${newId}:${oldId}`, rationale },
        ]);
      await supersede("a", "c", 6, "c is better than a");
      await supersede("b", "c", 7, null);
      await supersede("c", "d", 8, "d is better than c");
      const { entries, truncated } = await store.read({ type: "history", nodeId: "c" });
      same(truncated, false, "whether it is cut off");
      same(
        entries.map((entry) => [entry.node.id, entry.supersededBy]),
        [
          ["a", { id: "c", at: 6, rationale: "c is better than a" }],
          ["b", { id: "c", at: 7, rationale: null }],
          ["c", { id: "d", at: 8, rationale: "d is better than c" }],
          ["d", null],
        ],
        "the chain",
      );
      same(
        entries[0]?.rationales,
        [
          { seq: 1, at: 1, rationale: "a at first" },
          { seq: 3, at: 5, rationale: "a, on reflection" },
          { seq: 4, at: 6, rationale: "c is better than a" },
        ],
        "the rationales of a",
      );
      same(entries[1]?.rationales, [{ seq: 1, at: 2, rationale: null }], "the rationales of b");
      const before = await store.read({ type: "history", nodeId: "c", asOf: 5 });
      same(
        before.entries.map((entry) => entry.node.id),
        ["c"],
        "the chain before",
      );
    },
  },
  {
    name: "an edge of supersession brings its rationale, where it has one",
    holds: async (store) => {
      await store.write([node("a", 1), node("b", 2), node("c", 3)]);
      const add = (fromId: string, toId: string, metadata: JsonObject) => {
        const given = { id: `${fromId}:${toId}`, fromId, toId, edgeType: "supersedes", metadata };
        return store.write([{ type: "addEdge", at: 5, edge: given } as Operation]);
      };
      await add("b", "a", { rationale: "b is better" });
      await add("c", "b", { rationale: 5 });
      const { entries } = await store.read({ type: "history", nodeId: "a" });
      same(
        entries.map((entry) => [entry.node.id, entry.rationales]),
        [
          [
            "a",
            [
              { seq: 1, at: 1, rationale: null },
              { seq: 2, at: 5, rationale: "b is better" },
            ],
          ],
          ["b", [{ seq: 1, at: 2, rationale: null }]],
          ["c", [{ seq: 1, at: 3, rationale: null }]],
        ],
        "the rationales",
      );
    },
  },
  {
    name: "why there is a node: the path from its goal, with each rejected option beside the chosen",
    holds: async (store) => {
      await store.write([
        node("top", 0, {}, "goal"),
        node("sub", 1, {}, "goal"),
        node("auth", 2),
        node("jwt", 3, {}, "option"),
        node("cookies", 4, {}, "option"),
        node("basic", 5, { status: "rejected" }, "option"),
        node("sign", 6, {}, "action"),
        edge("top", "sub"),
        edge("sub", "auth"),
        edge("auth", "jwt", "chosen"),
        edge("auth", "cookies", "rejected"),
        edge("auth", "basic"),
        edge("jwt", "sign"),
        edge("top", "sign", "blocks"),
      ]);
      const { steps } = await store.read({ type: "why", nodeId: "sign" });
      const shown = steps.map((step) => [
        step.node.id,
        step.edgeType,
        idsOf({ nodes: step.chosen }),
        idsOf({ nodes: step.rejected }),
      ]);
      same(
        shown,
        [
          ["top", null, "", ""],
          ["sub", "leads_to", "", ""],
          ["auth", "leads_to", "jwt", "cookies basic"],
          ["jwt", "chosen", "", ""],
          ["sign", "leads_to", "", ""],
        ],
        "the steps",
      );
      const rejected = await store.read({ type: "why", nodeId: "cookies" });
      same(rejected.steps.at(-1)?.edgeType, "rejected", "the last step to what was rejected");
      const own = await store.read({ type: "why", nodeId: "top" });
      same(
        own.steps.map((step) => step.node.id),
        ["top"],
        "why there is the goal",
      );
      await store.write([node("alone", 9)]);
      same((await store.read({ type: "why", nodeId: "alone" })).steps, [], "without a goal");
    },
  },
  {
    name: "the summary has goals with their children, decisions, and short ids that are unique",
    holds: async (store) => {
      await store.write([
        node("goal0000-1", 0, { confidence: 0.9 }, "goal"),
        node("goal0000-2", 1, {}, "goal"),
        node("decision-1", 2),
        node("option-aaaaa", 3, {}, "option"),
        edge("goal0000-1", "decision-1"),
        edge("goal0000-1", "option-aaaaa", "leads_to", 3),
        edge("goal0000-1", "option-aaaaa", "chosen", 4),
      ]);
      const summary = await store.read({ type: "summary" });
      same(
        summary.goals.map((goal) => [
          goal.node.id,
          goal.childCount,
          ...goal.children.map((child) => `${child.edgeType} ${child.node.id}`),
        ]),
        [
          ["goal0000-1", 2, "leads_to decision-1", "chosen option-aaaaa"],
          ["goal0000-2", 0],
        ],
        "the goals",
      );
      same(idsOf({ nodes: summary.decisions }), "decision-1", "the decisions");
      same(
        summary.shortIds,
        [
          { id: "goal0000-1", short: "goal0000-1" },
          { id: "goal0000-2", short: "goal0000-2" },
          { id: "decision-1", short: "decision" },
          { id: "option-aaaaa", short: "option-a" },
        ],
        "the short ids",
      );
      const cut = await store.read({ type: "summary", limit: 1, decisionLimit: 1 });
      same([cut.goalCount, cut.truncated], [2, true], "how many goals there are");
      same(
        cut.goals.map((goal) => goal.node.id),
        ["goal0000-2"],
        "the newest goal",
      );
      const both = await store.read({ type: "summary", limit: 2 });
      same([both.goalCount, both.truncated], [2, false], "whether two of two are cut off");
    },
  },
  {
    name: "the summary has each child once, by the edge that says most, and as many as are asked for",
    holds: async (store) => {
      const option = (id: string) => node(id, 1, {}, "option");
      await store.write([
        node("goal", 0, {}, "goal"),
        ...["a", "b", "c"].map(option),
        edge("goal", "a", "chosen", 2),
        edge("goal", "a", "leads_to", 3),
        edge("goal", "b", "leads_to", 4),
        edge("goal", "b", "rejected", 5),
        edge("goal", "c", "leads_to", 6),
        edge("goal", "c", "blocks", 7),
      ]);
      const shown = async (limit: number) => {
        const { goals, truncated } = await store.read({ type: "summary", limit });
        const children = goals[0]?.children.map((child) => `${child.edgeType} ${child.node.id}`);
        return [goals[0]?.childCount, truncated, ...(children ?? [])];
      };
      const [a, b, c] = ["chosen a", "rejected b", "leads_to c"];
      same(await shown(3), [3, false, a, b, c], "all three");
      same(await shown(2), [3, true, b, c], "the newest two");
    },
  },
  {
    name: "the changes are what was written, in order, with full ids",
    holds: async (store) => {
      await store.write([node("abc", 1)], "first");
      const result = await store.write([{ type: "deleteNode", at: 2, id: "a" }], "second");
      const { changes } = await store.changes();
      same(
        changes.map(({ seq, at, key }) => [seq, at, key]),
        [
          [1, 1, "first"],
          [2, 2, "second"],
        ],
        "the changes",
      );
      same(changes[1]?.operations, [{ type: "deleteNode", at: 2, id: "abc" }], "the operations");
      same(changes[1]?.result, result, "the result");
      const rest = await store.read({ type: "changes", after: 1, limit: 1 });
      same([rest.changes.length, rest.changes[0]?.seq, rest.truncated], [1, 2, false], "the rest");
      const first = await store.read({ type: "changes", limit: 1 });
      same([first.changes[0]?.seq, first.truncated], [1, true], "the first");
    },
  },
  {
    name: "under a key is found the change that was written with it, and no other",
    holds: async (store) => {
      const keys = ["first", "' OR 1=1 --", "%", "half \ud800", "x".repeat(1000)];
      const results = [];
      for (const [i, key] of keys.entries()) {
        results.push(await store.write([node(`a${i}`, i)], key));
      }
      await store.write([{ type: "deleteNode", at: 9, id: "a0" }], "last");
      const { changes } = await store.changes();
      for (const [i, key] of keys.entries()) {
        const found = await store.read({ type: "change", key });
        same(found, { changes: [changes[i]], truncated: false }, `what was written under "${key}"`);
        same(found.changes[0]?.result, results[i], `its result`);
      }
      await refused("store.key", "other operations", () => store.write([node("b")], "first"));
      await refused("decisions.missing", "nobody", () => store.write([edge("b", "b")], "refused"));
      for (const key of ["firs", "FIRST", "first ", "_", "refused"]) {
        const none = await store.read({ type: "change", key });
        same(none, { changes: [], truncated: false }, `what was written under "${key}"`);
      }
      const [kept] = (await store.read({ type: "change", key: "first" })).changes;
      same(kept, changes[0], "the first, after the refusals");
    },
  },
];
