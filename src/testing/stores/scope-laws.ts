/** The laws of scopes: several graphs in one store. */
import { asJson } from "../../core/kernel/index.js";
import { edge, idsOf, NEVER, node, type OpenStoreLaw, refused, same } from "./store-law.js";

/** A store with scopes keeps them apart, and never takes a missing one for all. */
export const scopeLaws: readonly OpenStoreLaw[] = [
  {
    name: "scopes are kept apart: nodes, edges, keys, versions, the beginnings of ids",
    scoped: true,
    holds: async (store) => {
      const inScope = (scope: string) => [
        { ...node("abc", 1, { label: scope }), scope },
        { ...node("x", 1), scope },
        { ...edge("abc", "x", "chosen", 1), scope },
      ];
      await store.write(inScope("one"), "key");
      const other = await store.everything("two");
      const empty = {
        nodes: { nodes: [], truncated: false },
        edges: { edges: [], truncated: false },
        history: { changes: [], truncated: false },
        stats: { seq: 0, at: null, nodes: 0, edges: 0 },
      };
      same(other, empty, "the other scope");
      const result = await store.write(inScope("two"), "key");
      same(result.seq, 1, "its version");
      await store.write([{ type: "deleteNode", at: 2, id: "abc", scope: "two" }], "of two");
      const [kept] = (await store.read({ type: "node", nodeId: "a", prefix: true, scope: "one" }))
        .nodes;
      same(kept?.label, "one", "the node of the first scope");
      same(
        idsOf(await store.read({ type: "descendants", nodeId: "abc", scope: "one" })),
        "x",
        "its edge",
      );
      same(
        idsOf(await store.read({ type: "descendants", nodeId: "abc", scope: "two" })),
        "",
        "the other's",
      );
      const history = await store.read({ type: "history", scope: "one" });
      same(history.changes.length, 2, "its history");
      const again = await store.write(inScope("one"), "key");
      same([again.seq, again.nodes[0]?.label], [1, "one"], "what its key gives");
    },
  },
  {
    name: "a scope that is missing, or not the same throughout, is an error and never everything",
    scoped: true,
    holds: async (store) => {
      await store.write([{ ...node("a"), scope: "one" }]);
      for (const type of [
        "nodes",
        "activeGoals",
        "edges",
        "history",
        "stats",
        "summary",
      ] as const) {
        await refused("decisions.scope", type, () => store.read({ type }));
      }
      await refused("decisions.scope", "a write", () => store.write([node("b")]));
      await refused("decisions.scope", "a write of two scopes", () =>
        store.write([
          { ...node("b"), scope: "one" },
          { ...node("c"), scope: "two" },
        ]),
      );
      await refused("decisions.scope", "a write that says it once", () =>
        store.write([{ ...node("b"), scope: "one" }, node("c")]),
      );
      for (const scope of ["", "%", "a b", "'", null]) {
        await refused("decisions.query", `the scope ${scope}`, () =>
          store.read({ type: "stats", scope: scope as string }),
        );
      }
      same((await store.read({ type: "stats", scope: "one" })).nodes, 1, "what there is");
    },
  },
  {
    name: "a store without scopes takes none",
    holds: async (store) => {
      await refused("decisions.scope", "a write", () =>
        store.write([{ ...node("a"), scope: "one" }]),
      );
      await refused("decisions.scope", "a read", () => store.read({ type: "stats", scope: "one" }));
      const stats = await store.port.read(asJson({ type: "stats" }), { signal: NEVER });
      same((stats as { seq: number }).seq, 0, "the version");
    },
  },
];
