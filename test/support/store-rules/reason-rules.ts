// The rules of what is told of nodes: their history, their reasons, the summary, and outcomes.
import type { JsonObject } from "../../../src/core/kernel/values/index.js";
import { edge, idsOf, node, refused, type StoreRule, same } from "./store-rule.js";

export const reasonRules: readonly StoreRule[] = [
  {
    name: "the history of a node is the list of its committed changes, and goes with it",
    holds: async (store) => {
      const first = { label: "A", rationale: "at first", metadata: { x: 1 } };
      await store.write([node("a", 1, first), node("b", 2)]);
      const history = async (nodeId?: string) =>
        (await store.read({ type: "history", ...(nodeId !== undefined && { nodeId }) })).changes;
      const set = { type: "decision", ...first, status: "active", confidence: null };
      const start = { nodeId: "a", seq: 1, at: 1, set };
      same(await history("a"), [start], "the history of what was only added");
      const patch = { rationale: "on reflection", confidence: 0.5 };
      await store.write([{ type: "updateNode", at: 5, id: "a", patch }]);
      await store.write([
        { type: "supersede", at: 4, oldId: "a", newId: "b", edgeId: "e", rationale: "better" },
      ]);
      const changes = [
        start,
        { nodeId: "a", seq: 2, at: 5, set: patch },
        { nodeId: "a", seq: 3, at: 5, set: { status: "superseded", rationale: "better" } },
      ];
      same(await history("a"), changes, "the history");
      const all = await history();
      same([all.length, all.at(-1)?.nodeId], [4, "b"], "the history of all nodes");
      same(all.slice(0, 3), changes, "that of the first node, among all");
      const cut = await store.read({ type: "history", nodeId: "a", limit: 2 });
      same([cut.changes.length, cut.truncated], [2, true], "two changes");
      await store.write([{ type: "deleteNode", at: 6, id: "a" }, node("a", 7)]);
      same(
        (await history("a")).map(({ seq }) => seq),
        [4],
        "that of another node of the same id",
      );
    },
  },
  {
    name: "a supersession that is added as an edge brings its rationale, if it has one",
    holds: async (store) => {
      await store.write([node("a", 1, { rationale: "own" }), node("b", 2), node("c", 3)]);
      const add = (fromId: string, toId: string, metadata: JsonObject) => {
        const given = { ...edge(fromId, toId, "supersedes").edge, metadata };
        return store.write([{ type: "addEdge", at: 5, edge: given }]);
      };
      await add("b", "a", { rationale: "b is better" });
      await add("c", "b", { rationale: 5 });
      const { nodes } = await store.read({ type: "nodes" });
      same(
        nodes.map(({ status, rationale }) => [status, rationale]),
        [
          ["superseded", "b is better"],
          ["superseded", null],
          ["active", null],
        ],
        "the nodes",
      );
    },
  },
  {
    name: "an option gets its outcome: its status, its reason, and the edges that tell it; nothing else does",
    holds: async (store) => {
      await store.write([
        node("goal", 0, {}, "goal"),
        node("a", 1, {}, "option"),
        node("b", 1, { rationale: "cheap" }, "option"),
        edge("goal", "a"),
        edge("goal", "b"),
        edge("b", "a", "requires"),
      ]);
      const decide = (id: string, outcome: "open" | "chosen" | "rejected", rationale?: string) =>
        store.write([
          {
            type: "decideOption",
            at: 2,
            id,
            outcome,
            ...(rationale !== undefined && { rationale }),
          },
        ]);
      const told = async () => [
        ...(await store.read({ type: "nodes", where: { types: ["option"] } })).nodes.map(
          ({ id, status, rationale }) => `${id} ${status} ${rationale}`,
        ),
        ...(await store.read({ type: "edges" })).edges.map(
          ({ toId, edgeType }) => `${toId} ${edgeType}`,
        ),
      ];
      await decide("a", "rejected", "too slow");
      await decide("b", "chosen");
      const first = ["a rejected too slow", "b completed cheap"];
      same(await told(), [...first, "a rejected", "b chosen", "a requires"], "at first");
      await decide("a", "open");
      await decide("b", "rejected", "too dear");
      const then = ["a active too slow", "b rejected too dear"];
      same(await told(), [...then, "a leads_to", "b rejected", "a requires"], "afterwards");
      const before = await store.everything();
      await refused("decisions.invalid", "a goal", () => decide("goal", "rejected"));
      await refused("decisions.missing", "nobody", () => decide("nobody", "chosen"));
      same(await store.everything(), before, "the graph after the refusals");
    },
  },
  {
    name: "an operation that names the type of its node is refused for another",
    holds: async (store) => {
      await store.write([node("d", 0), node("e", 0), node("g", 0, {}, "goal")]);
      const before = await store.everything();
      const complete = { type: "updateNode", at: 1, patch: { status: "completed" } } as const;
      await refused("decisions.invalid", "a decision", () =>
        store.write([{ ...complete, id: "d", nodeType: "goal" }]),
      );
      const supersede = { type: "supersede", at: 1, edgeId: "s", nodeType: "decision" } as const;
      for (const [oldId, newId] of [
        ["g", "d"],
        ["d", "g"],
      ] as const) {
        await refused("decisions.invalid", `${newId} for ${oldId}`, () =>
          store.write([{ ...supersede, oldId, newId }]),
        );
      }
      same(await store.everything(), before, "the graph after the refusals");
      await store.write([
        { ...complete, id: "g", nodeType: "goal" },
        { ...supersede, oldId: "d", newId: "e" },
      ]);
      const { nodes } = await store.read({ type: "nodes" });
      same(
        nodes.map(({ status }) => status),
        ["superseded", "active", "completed"],
        "the nodes",
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
    name: "the summary has goals with their children, and recent decisions",
    holds: async (store) => {
      await store.write([
        node("goal-1", 0, { confidence: 0.9 }, "goal"),
        node("goal-2", 1, {}, "goal"),
        node("decision", 2),
        node("option", 3, {}, "option"),
        edge("goal-1", "decision"),
        edge("goal-1", "option", "leads_to", 3),
        edge("goal-1", "option", "chosen", 4),
      ]);
      const summary = await store.read({ type: "summary" });
      same(
        summary.goals.map((goal) => [
          goal.node.id,
          goal.childCount,
          ...goal.children.map((child) => `${child.edgeType} ${child.node.id}`),
        ]),
        [
          ["goal-1", 2, "leads_to decision", "chosen option"],
          ["goal-2", 0],
        ],
        "the goals",
      );
      same(idsOf({ nodes: summary.decisions }), "decision", "the decisions");
      const cut = await store.read({ type: "summary", limit: 1, decisionLimit: 1 });
      same([cut.goalCount, cut.truncated], [2, true], "how many goals there are");
      same(
        cut.goals.map((goal) => goal.node.id),
        ["goal-2"],
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
];
