// The tools of decision tracking: schemas and results of the seed, what each writes, ids, prefixes.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Decisions, memoryDecisions } from "../../../src/decisions.js";
import type { Json } from "../../../src/index.js";
import { ticking, track, tracking, type Wish } from "../../support/decision-agent.js";

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

  it("are there for everything else that the graph can do", () => {
    expect(Object.keys(shown()).sort()).toEqual([
      "add_goal",
      "complete_goal",
      "link",
      "query_decisions",
      "record_action",
      "record_decision",
      "record_observation",
      "record_option",
      "record_outcome",
      "reject_option",
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
        { label: "JWT", parent_id: idOf(first).slice(0, 8), edge_type, confidence: null },
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
  it("complete_goal and reject_option, by a prefix, with a reason or none", async () => {
    const { results, nodes } = await calling(
      goal,
      ([first]) => ["record_option", { label: "SAML", parent_id: idOf(first) }],
      ([, option]) => ["reject_option", { option_id: idOf(option).slice(0, 8), rationale: "Old" }],
      ([first]) => ["complete_goal", { goal_id: idOf(first).slice(0, 8) }],
      ["add_goal", { label: "Sign out" }],
      (all) => ["complete_goal", { goal_id: idOf(all[4]), rationale: "Seen to work" }],
    );
    expect(results.slice(2, 4)).toEqual([
      { status: "rejected", id: idOf(results[1]) },
      { status: "completed", id: idOf(results[0]) },
    ]);
    expect(nodes).toMatchObject([
      { status: "completed", rationale: "Users" },
      { type: "option", status: "rejected", rationale: "Old" },
      { status: "completed", rationale: "Seen to work" },
    ]);
  });

  it("record_option, chosen or rejected where that is known", async () => {
    const { nodes, edges, last } = await calling(
      goal,
      ([first]) => ["record_option", { label: "A", parent_id: idOf(first), edge_type: "chosen" }],
      ([first]) => ["record_option", { label: "B", parent_id: idOf(first), edge_type: "rejected" }],
      ([first]) => ["record_option", { label: "C", parent_id: idOf(first), confidence: 0.2 }],
    );
    expect(last).toMatchObject({ status: "recorded", type: "option", label: "C" });
    expect(nodes.map(({ status }) => status)).toEqual(["active", "active", "rejected", "active"]);
    expect(nodes.map(({ confidence }) => confidence)).toEqual([0.9, null, null, 0.2]);
    expect(edges.map(({ edgeType }) => edgeType)).toEqual(["chosen", "rejected", "leads_to"]);
  });

  it("record_action and record_observation", async () => {
    const { nodes, edges, results } = await calling(
      goal,
      ([first]) => ["record_action", { label: "Migrate", parent_id: idOf(first) }],
      ["record_action", { label: "Tested", status: "completed", rationale: "To be sure" }],
      ([, action]) => [
        "record_observation",
        { label: "Slow", parent_id: idOf(action), confidence: 0.5 },
      ],
    );
    expect(results.slice(1)).toMatchObject([
      { status: "recorded", type: "action", label: "Migrate" },
      { status: "recorded", type: "action", label: "Tested" },
      { status: "recorded", type: "observation", label: "Slow" },
    ]);
    expect(nodes.slice(1)).toMatchObject([
      { type: "action", status: "active" },
      { type: "action", status: "completed", rationale: "To be sure" },
      { type: "observation", status: "active", confidence: 0.5 },
    ]);
    expect(edges).toMatchObject([
      { fromId: nodes[0]?.id, toId: nodes[1]?.id, edgeType: "leads_to" },
      { fromId: nodes[1]?.id, toId: nodes[3]?.id, edgeType: "leads_to" },
    ]);
  });

  it("supersede_decision, by one that is there, or by a new one in the same transaction", async () => {
    const { results, nodes, edges, graph } = await calling(
      goal,
      ["record_decision", { label: "JWT", rationale: "Stateless" }],
      ["record_decision", { label: "Sessions" }],
      ([, jwt, sessions]) => [
        "supersede_decision",
        { old_id: idOf(jwt).slice(0, 8), new_id: idOf(sessions).slice(0, 9), rationale: "Revoke" },
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

  it("link", async () => {
    for (const edge_type of ["leads_to", "chosen", "rejected", "requires", "blocks", "enables"]) {
      const { results, edges } = await calling(goal, ["add_goal", { label: "B" }], ([a, b]) => [
        "link",
        { from_id: idOf(a).slice(0, 8), to_id: idOf(b).slice(0, 8), edge_type },
      ]);
      const [a, b] = results.map(idOf);
      expect(edges).toMatchObject([{ fromId: a, toId: b, edgeType: edge_type }]);
      const id = edges[0]?.id;
      expect(results[2]).toEqual({ status: "linked", id, from_id: a, to_id: b, edge_type });
    }
  });
});

it("a store that does not say what a prefix stood for: the model reads the prefix again", async () => {
  for (const answer of [
    undefined,
    null,
    {},
    { resolved: "a" },
    { resolved: { given: "a", id: "b" } },
    { resolved: [null, 7, {}, { given: "ab" }, { id: "ab" }, { given: 1, id: "ab" }] },
    { resolved: [{ given: "ab", id: 2 }] },
  ]) {
    const store = memoryDecisions();
    const silent = { ...store, write: async () => answer as Json };
    const { results } = await track(silent, [
      [["link", { from_id: "ab", to_id: "cd", edge_type: "blocks" }]],
      "ok",
    ]);
    expect(results).toMatchObject([{ status: "linked", from_id: "ab", to_id: "cd" }]);
  }
  const told = {
    ...memoryDecisions(),
    write: async () => ({ resolved: [null, { given: "ab", id: "abc" }] }),
  };
  const { results } = await track(told, [
    [["link", { from_id: "ab", to_id: "cd", edge_type: "blocks" }]],
    "ok",
  ]);
  expect(results).toMatchObject([{ status: "linked", from_id: "abc", to_id: "cd" }]);
});

describe("what cannot be done", () => {
  it("is a result that says why, and leaves the graph as it was", async () => {
    const wrong: readonly (readonly [Wish, string])[] = [
      [["record_decision", { label: "x", parent_id: "nobody" }], "no node has that id"],
      [["record_outcome", { label: "x", parent_id: "nobody" }], "no node has that id"],
      [["complete_goal", { goal_id: "nobody" }], "no node has that id"],
      [["reject_option", { option_id: "no body" }], "give an id"],
      [["add_goal", { label: "  " }], "not blank"],
      [["add_goal", { label: "a\0b" }], "U+0000"],
      [["link", { from_id: "a", to_id: "b", edge_type: "leads_to" }], "no node has that id"],
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

  it("is told with the candidates where a prefix is ambiguous", async () => {
    const store = memoryDecisions();
    const graph = new Decisions(store);
    for (const id of ["same-1", "same-2"]) await graph.addNode({ id, type: "goal", label: id });
    const { results } = await track(store, [[["complete_goal", { goal_id: "same" }]], "ok"]);
    expect(results).toEqual([
      { status: "error", message: expect.stringContaining("same-1, same-2") },
    ]);
    expect((await graph.activeGoals()).nodes).toHaveLength(2);
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
      ["link", { from_id: "a", to_id: "b", edge_type: "supersedes" }],
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
        (results) => ["reject_option", { option_id: idOf(results[1]), rationale: text }],
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
