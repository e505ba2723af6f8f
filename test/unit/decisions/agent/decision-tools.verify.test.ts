// The tools of decision tracking: schemas and results of the seed, what each writes, ids.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Decisions, memoryDecisions } from "../../../../src/decisions.js";
import type { Json } from "../../../../src/index.js";
import { ticking, track, tracking, type Wish } from "../../../support/decision-agent.js";

const idOf = (result: unknown) => (result as { id: string }).id;

/** One call after the other, each in an answer of its own; the last results and the graph. */
async function calling(...wishes: readonly (Wish | ((results: readonly Json[]) => Wish))[]) {
  const store = memoryDecisions();
  const steps = wishes.map((wish) =>
    typeof wish === "function" ? (results: readonly Json[]) => [wish(results)] : [wish],
  );
  const told = await track(store, [...steps, "ok"], undefined, { clock: ticking() });
  expect(told.end).toMatchObject({ status: "done", output: "ok" });
  const graph = new Decisions(store);
  const { nodes } = await graph.nodes();
  const { edges } = await graph.query({ type: "edges" });
  return { ...told, graph, nodes, edges, last: told.results.at(-1) };
}
const goal: Wish = ["add_goal", { label: "Auth", confidence: 0.9, rationale: "Users" }];

describe("the schemas", () => {
  const shown = () =>
    Object.fromEntries(
      Object.values(tracking().spec.tools).map(({ name, schema }) => [name, schema.inputSchema]),
    ) as Record<string, { properties: Record<string, { enum?: string[] }>; required: string[] }>;

  it("are the seed's, for its four tools", () => {
    const schemas = shown();
    const shape = (name: string) => ({
      properties: Object.keys(schemas[name]?.properties ?? {}),
      required: schemas[name]?.required,
    });
    expect(shape("add_goal")).toEqual({
      properties: ["label", "confidence", "rationale"],
      required: ["label"],
    });
    expect(shape("record_decision")).toEqual({
      properties: ["label", "parent_id", "edge_type", "confidence", "rationale"],
      required: ["label"],
    });
    expect(schemas.record_decision?.properties.edge_type?.enum).toEqual([
      "leads_to",
      "chosen",
      "rejected",
      "requires",
      "enables",
    ]);
    expect(shape("record_outcome")).toEqual({
      properties: ["label", "parent_id", "status", "rationale"],
      required: ["label", "parent_id"],
    });
    expect(schemas.record_outcome?.properties.status?.enum).toEqual([
      "active",
      "completed",
      "rejected",
    ]);
    expect(shape("query_decisions")).toEqual({
      properties: ["query_type", "node_id", "from_id", "to_id", "limit"],
      required: ["query_type"],
    });
    expect(schemas.query_decisions?.properties.query_type?.enum).toEqual([
      "active_goals",
      "recent_decisions",
      "path_between",
      "descendants",
      "ancestors",
    ]);
  });

  it("are seven tools", () => {
    expect(Object.keys(shown()).sort()).toEqual([
      "add_goal",
      "complete_goal",
      "query_decisions",
      "record_decision",
      "record_option",
      "record_outcome",
      "supersede_decision",
    ]);
  });
});

describe("ids and times", () => {
  it("follow from run, directive and index; a time is that of the model's answer", async () => {
    const { results, nodes, edges, calls, seen } = await calling(goal, ([first]) => [
      "record_decision",
      { label: "JWT", parent_id: idOf(first) },
    ]);
    const derived = (id: string, index: number) =>
      createHash("sha256")
        .update(JSON.stringify(["run", id, index]))
        .digest("hex")
        .slice(0, 32);
    expect(results.map(idOf)).toEqual([
      derived(`${calls[0]?.id}/0`, 0),
      derived(`${calls[1]?.id}/0`, 0),
    ]);
    expect(edges.map(({ id }) => id)).toEqual([derived(`${calls[1]?.id}/0`, 1)]);
    expect(new Set([...nodes, ...edges].map(({ id }) => id)).size).toBe(3);
    const times = seen.flatMap((each) =>
      each.type === "step" && each.event.type === "llm.succeeded" ? [each.event.at] : [],
    );
    expect(nodes.map(({ createdAt }) => createdAt)).toEqual(times.slice(0, 2));
  });
});

describe("the seed's tools", () => {
  it("add_goal", async () => {
    const { last, nodes } = await calling(goal);
    expect(last).toEqual({ status: "added", id: nodes[0]?.id, type: "goal", label: "Auth" });
    expect(nodes).toMatchObject([
      { type: "goal", label: "Auth", status: "active", confidence: 0.9, rationale: "Users" },
    ]);
  });

  it("record_decision, alone and below a node, by any of its edges", async () => {
    const alone = await calling(["record_decision", { label: "JWT", edge_type: "chosen" }]);
    expect(alone.last).toEqual({
      status: "recorded",
      id: alone.nodes[0]?.id,
      type: "decision",
      label: "JWT",
    });
    expect(alone.edges).toEqual([]);
    for (const edge_type of ["leads_to", "chosen", "rejected", "requires", "enables", null]) {
      const { edges, results } = await calling(goal, ([first]) => [
        "record_decision",
        { label: "JWT", parent_id: idOf(first), edge_type, confidence: null },
      ]);
      expect(edges).toMatchObject([
        { fromId: idOf(results[0]), toId: idOf(results[1]), edgeType: edge_type ?? "leads_to" },
      ]);
    }
  });

  it("record_outcome, completed where nothing is said", async () => {
    for (const status of [undefined, "active", "completed", "rejected"]) {
      const { last, nodes, edges } = await calling(goal, ([first]) => [
        "record_outcome",
        { label: "Works", parent_id: idOf(first), ...(status === undefined ? {} : { status }) },
      ]);
      expect(last).toMatchObject({ status: "recorded", type: "outcome", label: "Works" });
      expect(nodes[1]).toMatchObject({ type: "outcome", status: status ?? "completed" });
      expect(edges).toMatchObject([{ edgeType: "leads_to", toId: nodes[1]?.id }]);
    }
  });

  it("query_decisions, each of the five, five nodes where nothing is said, a path whole", async () => {
    const below =
      (label: string): ((results: readonly Json[]) => Wish) =>
      (results) => ["record_decision", { label, parent_id: idOf(results.at(-1)) }];
    const chain = ["1", "2", "3", "4", "5", "6"].map(below);
    const query =
      (input: (results: readonly Json[]) => object) =>
      (results: readonly Json[]): Wish => ["query_decisions", input(results) as Json];
    const { results, nodes } = await calling(
      goal,
      ...chain,
      query(() => ({ query_type: "active_goals" })),
      query(() => ({ query_type: "recent_decisions" })),
      query(() => ({ query_type: "recent_decisions", limit: 2 })),
      query(([first, ...rest]) => ({
        query_type: "path_between",
        from_id: idOf(first),
        to_id: idOf(rest[5]).slice(0, 10),
      })),
      query(([first]) => ({ query_type: "descendants", node_id: idOf(first) })),
      query((all) => ({ query_type: "ancestors", node_id: idOf(all[2]) })),
      query(() => ({ query_type: "descendants", node_id: "nobody" })),
      query(() => ({ query_type: "descendants" })),
      query(([first, ...rest]) => ({
        query_type: "path_between",
        from_id: idOf(first),
        to_id: idOf(rest[5]),
        limit: 3,
      })),
      query(() => ({ query_type: "recent_decisions", limit: 6 })),
    );
    const found = results.slice(7) as { count: number; truncated?: true; nodes: Json[] }[];
    const labels = ({ nodes }: { nodes: Json[] }) =>
      nodes.map((node) => (node as { label: string }).label);
    expect(found[0]).toEqual({
      status: "found",
      count: 1,
      nodes: [{ id: nodes[0]?.id, type: "goal", label: "Auth", status: "active", confidence: 0.9 }],
    });
    expect(found[1]).toMatchObject({ count: 5, truncated: true });
    expect(found[2]).toMatchObject({ count: 2, truncated: true });
    expect(labels(found[3] as never)).toEqual(["Auth", "1", "2", "3", "4", "5", "6"]);
    expect(found[3]).not.toHaveProperty("truncated");
    expect(labels(found[4] as never)).toEqual(["1", "2", "3", "4", "5"]);
    expect(labels(found[5] as never)).toEqual(["1", "Auth"]);
    expect(found[6]).toEqual({ status: "found", count: 0, nodes: [] });
    expect(found[7]).toMatchObject({
      status: "error",
      message: expect.stringContaining("query.nodeId"),
    });
    expect(labels(found[8] as never)).toEqual(["Auth", "1", "2"]);
    expect(found[8]).toMatchObject({ count: 3, truncated: true });
    expect(found[9]).toMatchObject({ count: 6 });
    expect(found[9]).not.toHaveProperty("truncated");
  });
});

it("query_decisions gives a path whole, however long it is", async () => {
  const store = memoryDecisions();
  await new Decisions(store).write([
    { type: "addNode", node: { id: "n0", type: "goal", label: "0" } },
    ...Array.from({ length: 150 }, (_, i) => [
      {
        type: "addNode" as const,
        node: { id: `n${i + 1}`, type: "action" as const, label: `${i + 1}` },
      },
      {
        type: "addEdge" as const,
        edge: { fromId: `n${i}`, toId: `n${i + 1}`, edgeType: "leads_to" as const },
      },
    ]).flat(),
  ]);
  const path = { query_type: "path_between", from_id: "n0", to_id: "n150" };
  const { results } = await track(store, [[["query_decisions", path]], "ok"]);
  expect(results[0]).toMatchObject({ status: "found", count: 151 });
  expect(results[0]).not.toHaveProperty("truncated");
});

it("query_decisions passes over what its query has no use for", async () => {
  const { last, nodes } = await calling(goal, [
    "query_decisions",
    { query_type: "active_goals", node_id: "nobody", from_id: "a", to_id: "b" },
  ]);
  expect(last).toMatchObject({ status: "found", count: 1, nodes: [{ id: nodes[0]?.id }] });
  const recent = await calling(goal, ["record_decision", { label: "JWT" }], (results) => [
    "query_decisions",
    { query_type: "recent_decisions", node_id: idOf(results[0]) },
  ]);
  expect(recent.last).toMatchObject({ status: "found", count: 1, nodes: [{ label: "JWT" }] });
});

describe("the other tools", () => {
  it("complete_goal, with a reason or none, and of a goal only", async () => {
    const { results, nodes } = await calling(
      goal,
      ([first]) => ["complete_goal", { goal_id: idOf(first) }],
      ["add_goal", { label: "Sign out" }],
      (all) => ["complete_goal", { goal_id: idOf(all[2]), rationale: "Seen to work" }],
      ["record_decision", { label: "JWT" }],
      (all) => ["complete_goal", { goal_id: idOf(all[4]) }],
      ([first]) => ["complete_goal", { goal_id: idOf(first).slice(0, 8) }],
    );
    expect(results[1]).toEqual({ status: "completed", id: idOf(results[0]) });
    expect(results[5]).toEqual({
      status: "error",
      message: expect.stringContaining("a node of type decision; give the id of one of type goal"),
    });
    expect(results[6]).toEqual({
      status: "error",
      message: expect.stringContaining("no node has that id"),
    });
    expect(nodes).toMatchObject([
      { status: "completed", rationale: "Users" },
      { status: "completed", rationale: "Seen to work" },
      { type: "decision", status: "active" },
    ]);
  });

  it("record_option, chosen or rejected if that is known", async () => {
    const { nodes, edges, last } = await calling(
      goal,
      ([first]) => ["record_option", { label: "A", parent_id: idOf(first), outcome: "chosen" }],
      ([first]) => ["record_option", { label: "B", parent_id: idOf(first), outcome: "rejected" }],
      ([first]) => ["record_option", { label: "C", parent_id: idOf(first), confidence: 0.2 }],
    );
    expect(last).toMatchObject({ status: "recorded", type: "option", label: "C" });
    const statuses = ["active", "completed", "rejected", "active"];
    expect(nodes.map(({ status }) => status)).toEqual(statuses);
    expect(nodes.map(({ confidence }) => confidence)).toEqual([0.9, null, null, 0.2]);
    expect(edges.map(({ edgeType }) => edgeType)).toEqual(["chosen", "rejected", "leads_to"]);
  });

  it("record_option with an id gives the option its outcome; a goal is refused", async () => {
    const { results, nodes, edges, graph } = await calling(
      goal,
      ([first]) => ["record_option", { label: "SAML", parent_id: idOf(first) }],
      ([first]) => ["record_option", { label: "OIDC", parent_id: idOf(first), rationale: "New" }],
      ([, saml]) => ["record_option", { id: idOf(saml), outcome: "rejected", rationale: "Old" }],
      ([, , oidc]) => ["record_option", { id: idOf(oidc), outcome: "chosen" }],
      ([first]) => ["record_option", { id: idOf(first), outcome: "rejected", rationale: "No" }],
      ([, saml]) => ["record_option", { id: idOf(saml), label: "x", outcome: "open" }],
      ["record_option", { outcome: "chosen" }],
      ([, saml]) => ["record_option", { id: idOf(saml), confidence: 1 }],
    );
    expect(results.slice(3, 5)).toEqual([
      { status: "rejected", id: idOf(results[1]) },
      { status: "chosen", id: idOf(results[2]) },
    ]);
    expect(results[5]).toEqual({
      status: "error",
      message: expect.stringContaining("a node of type goal; give the id of one of type option"),
    });
    for (const result of results.slice(6)) expect(String(result)).toContain("Give a label");
    expect(nodes).toMatchObject([
      { type: "goal", status: "active" },
      { label: "SAML", status: "rejected", rationale: "Old" },
      { label: "OIDC", status: "completed", rationale: "New" },
    ]);
    expect(edges.map(({ edgeType }) => edgeType)).toEqual(["rejected", "chosen"]);
    expect(await graph.context()).toMatch(/SAML \(rejected\)\n.*OIDC \(chosen\)/);
  });

  it("supersede_decision, by one that is there, or by a new one in the same transaction", async () => {
    const { results, nodes, edges, graph } = await calling(
      goal,
      ["record_decision", { label: "JWT", rationale: "Stateless" }],
      ["record_decision", { label: "Sessions" }],
      ([, jwt, sessions]) => [
        "supersede_decision",
        { old_id: idOf(jwt), new_id: idOf(sessions), rationale: "Revoke" },
      ],
      ([first, , sessions]) => [
        "supersede_decision",
        { old_id: idOf(sessions), label: "Passkeys", parent_id: idOf(first), confidence: 0.7 },
      ],
    );
    const [first, jwt, sessions] = results.map(idOf);
    const passkeys = nodes[3]?.id;
    expect(results.slice(3)).toEqual([
      { status: "superseded", id: sessions, supersedes: jwt },
      { status: "superseded", id: passkeys, supersedes: sessions },
    ]);
    expect(nodes).toMatchObject([
      { status: "active" },
      { label: "JWT", status: "superseded", rationale: "Revoke" },
      { label: "Sessions", status: "superseded" },
      { label: "Passkeys", status: "active", confidence: 0.7 },
    ]);
    expect(
      edges
        .filter(({ edgeType }) => edgeType === "supersedes")
        .map(({ fromId, toId }) => [fromId, toId]),
    ).toEqual([
      [sessions, jwt],
      [passkeys, sessions],
    ]);
    expect(await graph.getEdges(first ?? "")).toMatchObject({
      edges: [{ toId: passkeys, edgeType: "leads_to" }],
    });
    expect((await graph.stats()).seq).toBe(5);
  });

  it("supersede_decision, which needs to know by what, and does not guess", async () => {
    for (const more of [{}, { new_id: "x", label: "y" }]) {
      const { last, nodes } = await calling(["record_decision", { label: "JWT" }], ([jwt]) => [
        "supersede_decision",
        { old_id: idOf(jwt), ...more },
      ]);
      expect(String(last)).toContain("either new_id or label");
      expect(nodes).toMatchObject([{ status: "active" }]);
    }
  });

  it("supersede_decision of or by a goal is refused", async () => {
    const { last, nodes } = await calling(
      goal,
      ["record_decision", { label: "JWT" }],
      ([first, jwt]) => ["supersede_decision", { old_id: idOf(jwt), new_id: idOf(first) }],
    );
    expect(last).toMatchObject({ message: expect.stringContaining("a node of type goal") });
    expect(nodes.map(({ status }) => status)).toEqual(["active", "active"]);
  });
});

it("query_decisions shows the newest goals, also those of the same moment", async () => {
  const store = memoryDecisions();
  const graph = new Decisions(store, { now: () => 1 });
  for (let i = 1; i <= 8; i++) await graph.addNode({ type: "goal", label: `goal ${i}` });
  const { results } = await track(store, [
    [["query_decisions", { query_type: "active_goals" }]],
    "ok",
  ]);
  const found = results[0] as { nodes: { label: string }[]; truncated: boolean };
  const labels = [4, 5, 6, 7, 8].map((i) => `goal ${i}`);
  expect([found.nodes.map(({ label }) => label), found.truncated]).toEqual([labels, true]);
});

describe("what cannot be done", () => {
  it("is a result that says why, and leaves the graph as it was", async () => {
    const wrong: readonly (readonly [Wish, string])[] = [
      [["record_decision", { label: "x", parent_id: "nobody" }], "no node has that id"],
      [["record_outcome", { label: "x", parent_id: "nobody" }], "no node has that id"],
      [["complete_goal", { goal_id: "nobody" }], "no node has that id"],
      [["record_option", { id: "no body" }], "must be an id"],
      [["add_goal", { label: "  " }], "not blank"],
      [["add_goal", { label: "a\0b" }], "U+0000"],
      [["supersede_decision", { old_id: "a", label: "b" }], "no node has that id"],
    ];
    for (const [wish, message] of wrong) {
      const { last, nodes, edges } = await calling(wish);
      expect(last, wish[0]).toEqual({
        status: "error",
        message: expect.stringContaining(message),
      });
      expect([nodes, edges]).toEqual([[], []]);
    }
  });

  it("is told with the candidates if the beginning of an id is ambiguous", async () => {
    const store = memoryDecisions();
    const graph = new Decisions(store);
    for (const id of ["same-1", "same-2"]) await graph.addNode({ id, type: "goal", label: id });
    const query = { query_type: "descendants", node_id: "same" };
    const { results } = await track(store, [[["query_decisions", query]], "ok"]);
    expect(results).toEqual([
      { status: "error", message: expect.stringContaining("same-1, same-2") },
    ]);
  });

  it("is refused before anything is asked where the arguments do not fit", async () => {
    const wrong: readonly Wish[] = [
      ["add_goal", {}],
      ["add_goal", { label: 7 }],
      ["add_goal", { label: "x", confidence: 1.5 }],
      ["add_goal", { label: "x", confidence: "high" }],
      ["record_decision", { label: "x", edge_type: "supersedes" }],
      ["record_outcome", { label: "x" }],
      ["record_outcome", { label: "x", parent_id: "y", status: "superseded" }],
      ["query_decisions", { query_type: "constructor" }],
      ["query_decisions", { query_type: "active_goals", limit: 0 }],
      ["query_decisions", { query_type: "active_goals", limit: 1.5 }],
      ["record_option", { label: "x", outcome: "completed" }],
    ];
    for (const wish of wrong) {
      const { last, seen, nodes } = await calling(wish);
      expect(String(last), JSON.stringify(wish)).toMatch(/expected a|expected one of/);
      expect(nodes).toEqual([]);
      const asked = seen.flatMap((each) => (each.type === "step" ? each.directives : []));
      expect(asked.filter(({ type }) => type === "write")).toEqual([]);
      expect(asked.filter(({ type }) => type === "read")).toHaveLength(1);
    }
  });

  it("is written as it is said: SQL, markup and every other text in every field", async () => {
    for (const text of [
      "'); DROP TABLE decision_nodes; --",
      '"}], "status": "superseded", "x": [{"',
      "$1 ? :a @b \\' \u202e <b>",
    ]) {
      const { nodes } = await calling(
        ["add_goal", { label: text, rationale: text }],
        ([first]) => ["record_option", { label: text, parent_id: idOf(first), rationale: text }],
        (results) => [
          "record_option",
          { id: idOf(results[1]), outcome: "rejected", rationale: text },
        ],
        ["complete_goal", { goal_id: text }],
      );
      expect(nodes).toMatchObject([
        { label: text, rationale: text, status: "active" },
        { label: text, rationale: text, status: "rejected" },
      ]);
    }
  });
});

it("calls of one answer are written each for itself, in any order, and go on together", async () => {
  const store = memoryDecisions();
  const { results } = await track(store, [
    Array.from({ length: 20 }, (_, i): Wish => ["add_goal", { label: `Goal ${i}` }]),
    "ok",
  ]);
  expect(new Set(results.map(idOf)).size).toBe(20);
  expect((await new Decisions(store).stats()).nodes).toBe(20);
});
