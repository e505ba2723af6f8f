// The rules of single rows: what is written is read back exactly.
import { edge, idsOf, node, refused, type StoreRule, same } from "./store-rule.js";

/** Texts that have broken programs that put them into SQL, JSON or a shell. */
const hostileTexts: readonly string[] = [
  "'; DROP TABLE decision_nodes; --",
  '"; DELETE FROM decision_changes; --',
  "' OR '1'='1",
  "$1 :name ? %s {0}",
  "\\'; \\\\ \\u0041 \\x00",
  "100% _wild_ [a-z]*",
  "e\u0301 Grüße 🧪 \u202E \u2028 \uFEFF",
  "a\nb\r\n\tc",
  "null",
  "$$ $tag$ /* */ `id` #{x}",
  "\uFEFFthe mark of an order of bytes",
  " \u00A0 spaces around \u3000 ",
  "\uFFFE \uFFFF \u{10FFFF} \uE000",
  "\r\nlines\r\n",
];

export const rowRules: readonly StoreRule[] = [
  {
    name: "a node is read back as it was added, with its defaults",
    holds: async (store) => {
      await store.write([node("a", 5, { label: "Use JWT" }, "goal")]);
      const found = await store.read({ type: "node", nodeId: "a" });
      const expected = {
        id: "a",
        type: "goal",
        label: "Use JWT",
        status: "active",
        confidence: null,
        rationale: null,
        metadata: {},
        createdAt: 5,
        updatedAt: 5,
      };
      same(found, { nodes: [expected], truncated: false }, "the node");
      same(Object.keys(found.nodes[0] ?? {}), Object.keys(expected), "the order of its fields");
    },
  },
  {
    name: "every field of a node and an edge is read back",
    holds: async (store) => {
      const whole = {
        id: "A-Z.a_z:0/9-",
        type: "observation",
        label: "seen",
        status: "rejected",
        confidence: 0.1,
        rationale: "",
        metadata: { list: [1, null, true, { deep: "x" }], number: -1.5e-7, big: 2 ** 53 + 2 },
        createdAt: 1_790_000_000_123,
        updatedAt: 1_790_000_000_124,
      } as const;
      await store.write([{ type: "addNode", at: 7, node: whole }, node("b")]);
      const between = {
        id: "e",
        fromId: whole.id,
        toId: "b",
        edgeType: "blocks",
        metadata: { why: "so" },
        createdAt: 3,
      } as const;
      await store.write([{ type: "addEdge", at: 7, edge: between }]);
      same((await store.read({ type: "node", nodeId: whole.id })).nodes, [whole], "the node");
      same((await store.read({ type: "edges" })).edges, [between], "the edge");
    },
  },
  {
    name: "metadata keep the order of their keys",
    holds: async (store) => {
      const metadata = { z: 1, a: { y: 2, b: [{ x: 3, c: 4 }] }, "10": 5, "": 6, constructor: 7 };
      await store.write([node("a", 0, { metadata })]);
      const [found] = (await store.read({ type: "node", nodeId: "a" })).nodes;
      same(JSON.stringify(found?.metadata), JSON.stringify(metadata), "the metadata's text");
    },
  },
  {
    name: "SQL, escapes and odd characters are text in every field",
    holds: async (store) => {
      for (const [i, text] of hostileTexts.entries()) {
        const metadata = { [text]: [text], nested: { value: text } };
        const more = { label: `label ${text}`, rationale: text, metadata };
        await store.write([node(`n${i}`, i, more), node(`o${i}`, i, {}, "option")], `key ${text}`);
        const link = { ...edge(`n${i}`, `o${i}`).edge, metadata };
        await store.write([{ type: "addEdge", at: i, edge: link }]);
        const [found] = (await store.read({ type: "node", nodeId: `n${i}` })).nodes;
        same([found?.label, found?.rationale], [more.label, text], "the texts");
        same(JSON.stringify(found?.metadata), JSON.stringify(metadata), "the metadata");
        const edges = await store.read({ type: "edges", nodeId: `n${i}` });
        same(JSON.stringify(edges.edges[0]?.metadata), JSON.stringify(metadata), "the edge's");
        await store.write([
          {
            type: "updateNode",
            at: i,
            id: `n${i}`,
            patch: { label: text, rationale: `2 ${text}` },
          },
        ]);
        const [changed] = (await store.read({ type: "node", nodeId: `n${i}` })).nodes;
        same([changed?.label, changed?.rationale], [text, `2 ${text}`], "the changed texts");
      }
      const stats = await store.stats();
      same([stats.nodes, stats.edges], [2 * hostileTexts.length, hostileTexts.length], "how many");
      const retried = await store.write(
        [
          node("n0", 0, {
            label: `label ${hostileTexts[0]}`,
            rationale: hostileTexts[0] ?? "",
            metadata: {
              [hostileTexts[0] ?? ""]: [hostileTexts[0] ?? ""],
              nested: { value: hostileTexts[0] ?? "" },
            },
          }),
          node("o0", 0, {}, "option"),
        ],
        `key ${hostileTexts[0]}`,
      );
      same(retried.seq, 1, "the result of a write whose key is SQL");
    },
  },
  {
    name: "an unknown node has an empty list, and cannot be changed",
    holds: async (store) => {
      await store.write([node("a")]);
      const before = await store.everything();
      same(await store.read({ type: "node", nodeId: "b" }), { nodes: [], truncated: false }, "b");
      for (const type of ["descendants", "ancestors"] as const) {
        same(idsOf(await store.read({ type, nodeId: "b" })), "", type);
      }
      same(idsOf(await store.read({ type: "edges", nodeId: "b" })), "", "edges");
      same((await store.read({ type: "history", nodeId: "b" })).changes, [], "history");
      same((await store.read({ type: "why", nodeId: "b" })).steps, [], "why");
      same(idsOf(await store.read({ type: "pathBetween", fromId: "a", toId: "b" })), "", "path");
      const patch = { label: "x" };
      for (const operation of [
        { type: "updateNode", at: 1, id: "b", patch },
        { type: "deleteNode", at: 1, id: "b" },
        { type: "supersede", at: 1, oldId: "b", newId: "a", edgeId: "e" },
        { type: "supersede", at: 1, oldId: "a", newId: "b", edgeId: "e" },
        edge("a", "b"),
        edge("b", "a"),
      ] as const) {
        await refused("decisions.missing", operation.type, () => store.write([operation]));
      }
      same(await store.everything(), before, "the graph after the refusals");
    },
  },
  {
    name: "a patch changes what it names, and the time of update, which never goes back",
    holds: async (store) => {
      await store.write([node("a", 10, { confidence: 0.5, metadata: { a: 1, b: 2 } })]);
      const [before] = (await store.read({ type: "node", nodeId: "a" })).nodes;
      const patch = { status: "completed", metadata: { c: 3 } } as const;
      await store.write([{ type: "updateNode", at: 20, id: "a", patch }]);
      const [after] = (await store.read({ type: "node", nodeId: "a" })).nodes;
      same(after, { ...before, ...patch, updatedAt: 20 }, "the node");
      await store.write([{ type: "updateNode", at: 5, id: "a", patch: { confidence: null } }]);
      const [last] = (await store.read({ type: "node", nodeId: "a" })).nodes;
      same(last, { ...after, confidence: null }, "the node after a change with an earlier time");
    },
  },
  {
    name: "a deleted node takes its edges with it, and its id may come again",
    holds: async (store) => {
      await store.write([node("a"), node("b"), edge("a", "b"), edge("b", "a"), edge("b", "b")]);
      await store.write([{ type: "deleteNode", at: 1, id: "a" }]);
      same(idsOf(await store.read({ type: "node", nodeId: "a" })), "", "the node");
      same(idsOf(await store.read({ type: "edges" })), "b:b:leads_to", "the edges");
      same(idsOf(await store.read({ type: "descendants", nodeId: "b" })), "", "what b leads to");
      await store.write([node("a", 2), edge("a", "b", "leads_to", 2)]);
      same(idsOf(await store.read({ type: "descendants", nodeId: "a" })), "b", "the new a's");
      same(idsOf(await store.read({ type: "ancestors", nodeId: "b" })), "a", "b's ancestors");
    },
  },
  {
    name: "edges are found from both of their ends, once each",
    holds: async (store) => {
      await store.write([node("a"), node("b"), node("c")]);
      await store.write([
        edge("a", "b"),
        edge("c", "a", "requires", 1),
        edge("a", "a", "blocks", 2),
      ]);
      const of = (direction: "outgoing" | "incoming" | "both") =>
        store.read({ type: "edges", nodeId: "a", direction });
      same(idsOf(await of("outgoing")), "a:b:leads_to a:a:blocks", "outgoing");
      same(idsOf(await of("incoming")), "c:a:requires a:a:blocks", "incoming");
      same(idsOf(await of("both")), "a:b:leads_to c:a:requires a:a:blocks", "both");
    },
  },
];
