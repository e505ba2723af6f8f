/** The laws of scopes: several graphs in one store. */
import { asJson } from "../../core/kernel/index.js";
import { edge, idsOf, NEVER, node, type OpenStoreLaw, refused, same } from "./store-law.js";

/** A store with scopes keeps them apart, and never takes a missing one for all. */
export const scopeLaws: readonly OpenStoreLaw[] = [
  {
    name: "scopes are kept apart: nodes, edges, keys, versions, prefixes",
    scoped: true,
    holds: async (store) => {
      const inScope = (scope: string) => [
        { ...node("abc", 1, { label: scope }), scope },
        { ...node("x", 1), scope },
        { ...edge("ab", "x", "chosen", 1), scope },
      ];
      await store.write(inScope("one"), "key");
      const other = await store.everything("two");
      const empty = {
        nodes: { nodes: [], truncated: false },
        edges: { edges: [], truncated: false },
        stats: { seq: 0, at: null, nodes: 0, edges: 0 },
      };
      same(other, empty, "the other scope");
      const result = await store.write(inScope("two"), "key");
      same(result.seq, 1, "its version");
      await store.write([{ type: "deleteNode", at: 2, id: "abc", scope: "two" }], "of two");
      const [kept] = (await store.read({ type: "node", nodeId: "a", scope: "one" })).nodes;
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
      same((await store.read({ type: "changes", scope: "one" })).changes.length, 1, "its changes");
      const changesOf = async (scope: string, key: string) =>
        (await store.read({ type: "change", key, scope })).changes.map(({ operations }) =>
          operations.map((each) => (each.type === "addNode" ? each.node.label : each.type)),
        );
      const added = (scope: string) => [[scope, "the label of x", "addEdge"]];
      same(await changesOf("one", "key"), added("one"), "its change of a key");
      same(await changesOf("two", "key"), added("two"), "the other's change of that key");
      same(await changesOf("one", "of two"), [], "the other's key");
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
        "changes",
        "stats",
        "summary",
      ] as const) {
        await refused("decisions.scope", type, () => store.read({ type }));
      }
      await refused("decisions.scope", "change", () => store.read({ type: "change", key: "a" }));
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
