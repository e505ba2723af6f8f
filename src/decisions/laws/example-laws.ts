/**
 * Laws of a decision store as fixed examples: each writes and reads, and the store must give the rows, the
 * order and the refusals that the graph in memory gives. `storeLaws` lists them.
 */
import type { Operation } from "../pure/index.js";
import { edge, node, type OpenStoreLaw } from "./store-law.js";

/** Texts that have broken programs that put them into SQL, JSON or a shell. */
const hostileTexts: readonly string[] = [
  "'; DROP TABLE decision_nodes; --",
  '"; DELETE FROM decision_edges; --',
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
  "\uFFFE \uFFFF \u{10FFFF} \uE000 \uD800",
  "\r\nlines\r\n",
];

const supersede = (oldId: string, newId: string, at = 1): Operation => {
  const ends = { oldId, newId, edgeId: `${newId}:${oldId}` };
  return { type: "supersede", at, ...ends, rationale: `${newId} is better` };
};
const update = (id: string, patch: object): object => ({ type: "updateNode", at: 1, id, patch });
const decide = (id: string, outcome: string, more: object = {}): object => {
  return { type: "decideOption", at: 4, id, outcome, ...more };
};

/** Operations that are refused, each for another reason; `a`, `b`, `old` and `new` are there. */
const faults: readonly unknown[] = [
  null,
  { type: "addNodes", at: 0 },
  { type: "deleteNode", id: "a" },
  node("a b"),
  node("x", -1),
  node("x", 0, { label: " \n" }),
  node("x", 0, { label: "a\0b" }),
  node("x", 0, { status: "superseded" }),
  node("x", 0, { confidence: 1.01 }),
  node("x", 0, { confidence: Number.NaN }),
  node("x", 0, { metadata: { a: ["\0"] } }),
  node("x", 0, { metadata: JSON.parse('{"__proto__":{"a":1}}') }),
  node("x", 5, { updatedAt: 4 }),
  node("x", 0, { more: 1 } as object),
  edge("a", "b", "likes" as "chosen"),
  update("a", {}),
  update("a", { id: "z" }),
  update("a", { status: "superseded" }),
  update("old", { status: "active" }),
  edge("a", "nobody"),
  edge("nobody", "a"),
  edge("a", "b"),
  node("a"),
  node("first"),
  supersede("a", "a"),
  supersede("old", "b"),
  supersede("new", "old"),
  edge("old", "new", "supersedes"),
  { type: "deleteNode", at: 0, id: "new" },
  decide("a", "chosen"),
  { ...update("a", { label: "x" }), nodeType: "goal" },
  // The beginnings of ids.
  { type: "deleteNode", at: 0, id: "ol" },
  supersede("ne", "a"),
  edge("a", "ne"),
  { ...node("x"), scope: "one" },
];

const badQueries: readonly unknown[] = [
  null,
  { type: "everything" },
  { type: "toString" },
  { type: "descendants" },
  { type: "node", nodeId: "' OR 1=1" },
  { type: "activeGoals", limit: 0 },
  { type: "edges", direction: "both" },
  { type: "nodes", where: { types: ["likes"] } },
  { type: "nodes", where: JSON.parse('{"__proto__":1}') },
  { type: "stats", scope: "one" },
];

/** A story in transactions: goals, options and what became of them, decisions that change. */
const story: readonly (readonly unknown[])[] = [
  [
    node("top", 1, { confidence: 0.9, metadata: { x: 1 } }, "goal"),
    node("sub", 1, {}, "goal"),
    node("done", 0, { status: "completed" }, "goal"),
    node("auth", 2, { rationale: "at first" }),
    ...["jwt", "cookies", "basic"].map((id) => node(id, 3, {}, "option")),
    node("sign", 4, {}, "action"),
    edge("top", "sub"),
    edge("sub", "auth"),
    ...["jwt", "cookies", "basic"].map((id) => edge("auth", id)),
    edge("top", "sub", "chosen"),
    edge("jwt", "sign", "requires"),
    edge("top", "sign", "blocks"),
  ],
  [decide("jwt", "chosen"), decide("cookies", "rejected", { rationale: "too slow" })],
  [decide("basic", "rejected"), decide("basic", "open")],
  // Times that go back, and ids that go against the order of commits.
  [node("z", 2), node("m", 2), node("b", 2), node("no", 9, { status: "rejected" })],
  [update("auth", { rationale: "on reflection", confidence: 0.5, metadata: { z: 1, a: 2 } })],
  [supersede("auth", "z", 5), { ...update("z", { status: "completed" }), nodeType: "decision" }],
  [
    {
      type: "addEdge",
      at: 6,
      edge: { ...edge("b", "m", "supersedes").edge, metadata: { rationale: "own" } },
    },
  ],
  // A transaction has room for what it deleted.
  [
    { type: "deleteNode", at: 7, id: "sign" },
    node("sign", 7, {}, "outcome"),
    edge("jwt", "sign"),
    node("gone", 7),
    edge("gone", "sign"),
    { type: "deleteNode", at: 7, id: "gone" },
  ],
];

/** Everything that is asked about a story, with several limits. */
const questions: readonly object[] = [
  { type: "activeGoals" },
  { type: "recentDecisions" },
  { type: "recentDecisions", statuses: ["superseded", "rejected"] },
  { type: "nodes", order: "newest" },
  { type: "nodes", where: { types: [] } },
  { type: "nodes", where: { types: ["option", "decision"], statuses: ["active"] } },
  ...["outgoing", "incoming", "both"].map((direction) => {
    return { type: "edges", nodeId: "auth", direction };
  }),
  ...["node", "descendants", "ancestors", "why", "history", "edges"].flatMap((type) =>
    ["auth", "jwt", "top", "nobody", "aut"].map((nodeId) => ({ type, nodeId })),
  ),
  { type: "why", nodeId: "coo", prefix: true },
  { type: "node", nodeId: "nobody", prefix: true },
  { type: "pathBetween", fromId: "t", toId: "jw", prefix: true },
  { type: "pathBetween", fromId: "jwt", toId: "top" },
  { type: "summary", decisionLimit: 1 },
  { type: "history" },
];

export const exampleLaws: readonly OpenStoreLaw[] = [
  {
    name: "every field is read back to the last character, metadata in the order of their keys",
    async holds(pair) {
      const numbers = { list: [1, null, true], number: -1.5e-7, big: 2 ** 53 + 2, "": {} };
      const more = { confidence: 0.1, rationale: "", metadata: numbers, updatedAt: 8 };
      await pair.write([node("A-Z.a_z:0/9-", 7, more, "observation")]);
      for (const [i, text] of hostileTexts.entries()) {
        const metadata = { z: 1, [text]: [text], a: { "10": text, constructor: 7 } };
        const about = { label: `label ${text}`, rationale: text, metadata };
        await pair.write([node(`n${i}`, i, about), node(`o${i}`)], `key ${text}`);
        const link = { ...edge(`n${i}`, `o${i}`).edge, metadata };
        await pair.write([{ type: "addEdge", at: i, edge: link }]);
        await pair.write([update(`n${i}`, { label: text, rationale: `2 ${text}`, metadata })]);
      }
      await pair.compareAll();
    },
  },
  {
    name: "what is refused has a code and names the field, and nothing of its transaction is written",
    async holds(pair) {
      await pair.write([...["a", "b", "old", "new"].map((id) => node(id)), edge("a", "b")]);
      await pair.write([supersede("old", "new")]);
      for (const fault of faults) await pair.write([node("first"), fault]);
      await pair.write([]);
      for (const query of badQueries) await pair.read(query);
      await pair.compareAll();
    },
  },
  {
    name: "a key with the same operations has its first result and no second effect; with others it is refused",
    async holds(pair) {
      const operations = [node("a", 1), node("b", 1), edge("a", "b", "chosen", 1)];
      await pair.write(operations, "once");
      await pair.write([node("c", 2)], "other");
      await pair.write(operations, "once");
      await pair.write(
        operations.map((each) => ({ ...each, at: 9 })),
        "once",
      );
      await pair.write(operations.slice(1), "once");
      await pair.write([node("a", 1, { metadata: { x: 1 } }), ...operations.slice(1)], "once");
      await pair.write([edge("nobody", "a")], "free");
      await pair.write([node("d", 3)], "free");
      await pair.compareAll();
    },
  },
  {
    name: "queries of goals, decisions and reasons give the same nodes in the same order, and keep limits",
    async holds(pair) {
      await pair.compareAll();
      for (const operations of story) await pair.write(operations);
      await pair.compareAll();
      for (const query of questions) {
        for (const limit of [1, 2, 3]) await pair.read({ ...query, limit });
        await pair.read(query);
      }
    },
  },
  {
    name: "traversals go breadth first in the order of commits, round every cycle, as far as there are edges",
    async holds(pair) {
      const links = ["s b", "s a", "a x", "x t", "b y", "y t", "t s", "b b", "y a", "u v"];
      await pair.write([
        ...["u", "s", "b", "y", "t", "a", "x", "v"].map((id) => node(id, 5)),
        ...links.map((link) => edge(link.charAt(0), link.charAt(2))),
      ]);
      await pair.compareAll();
      for (const limit of [1, 2]) {
        await pair.read({ type: "pathBetween", fromId: "s", toId: "t", limit });
        await pair.read({ type: "descendants", nodeId: "s", limit });
      }
      // Longer than what databases limit theirs to.
      const chain = Array.from({ length: 1_001 }, (_, i) => `n${i}`);
      await pair.write(chain.map((id, i) => node(id, i)));
      await pair.write(chain.slice(1).map((id, i) => edge(`n${i}`, id)));
      await pair.read({ type: "pathBetween", fromId: "n0", toId: "n1000" });
      await pair.read({ type: "ancestors", nodeId: "n1000" });
    },
  },
  {
    name: "scopes are kept apart: nodes, edges, keys, versions, the beginnings of ids",
    scoped: true,
    async holds(pair) {
      const inScope = (scope: string, name: string) =>
        [node("abc", 1, { label: name }), node("x", 1), edge("abc", "x", "chosen", 1)].map(
          (each) => ({ ...each, scope }),
        );
      await pair.write(inScope("one", "first"), "key");
      await pair.compareAll({ scope: "two" });
      await pair.write(inScope("two", "second"), "key");
      await pair.write([{ type: "deleteNode", at: 2, id: "abc", scope: "two" }]);
      await pair.write(inScope("one", "first"), "key");
      for (const scope of ["one", "two"]) {
        await pair.compareAll({ scope });
        await pair.read({ type: "node", nodeId: "a", prefix: true, scope });
      }
    },
  },
  {
    name: "a scope that is missing, or not the same throughout, is an error and never everything",
    scoped: true,
    async holds(pair) {
      const one = { ...node("a"), scope: "one" };
      await pair.write([one]);
      await pair.write([node("b")]);
      await pair.write([
        { ...one, node: node("b").node },
        { ...node("c"), scope: "two" },
      ]);
      await pair.write([{ ...one, node: node("b").node }, node("c")]);
      for (const type of ["nodes", "activeGoals", "edges", "history", "stats", "summary"]) {
        await pair.read({ type });
        for (const scope of ["", "%", "'", null]) await pair.read({ type, scope });
      }
      await pair.compareAll({ scope: "one" });
    },
  },
];
