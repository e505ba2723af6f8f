// The decisions plug-in: what the agent is shown and when, and what becomes of it without a store.
import { describe, expect, it } from "vitest";
import { Decisions, decisions, memoryDecisions } from "../../../src/decisions.js";
import {
  agent,
  basicBehaviour,
  memoryJournal,
  replay,
  resume,
  run,
  type StorePort,
} from "../../../src/index.js";
import { answering, track, tracking } from "../../support/decision-agent.js";
import { everyWay } from "../../support/every-way.js";
import { refusal } from "../../support/thrown.js";

const addGoal = (label: string) => [["add_goal", { label }]] as const;

/** A store with one goal and one decision below it. */
async function filled(store: StorePort = memoryDecisions()) {
  const graph = new Decisions(store);
  const goal = await graph.addNode({ id: "goal-of-ours", type: "goal", label: "Implement auth" });
  const jwt = await graph.addNode({ id: "jwt-tokens-it-is", type: "decision", label: "Use JWT" });
  await graph.addEdge({ fromId: goal.id, toId: jwt.id, edgeType: "chosen" });
  return { store, graph, goal, jwt };
}

/** A store that fails from a read on, counted from 0. */
function failingFrom(store: StorePort, first: number, last = Number.POSITIVE_INFINITY): StorePort {
  let reads = 0;
  return {
    ...store,
    async read(query, call) {
      const at = reads++;
      if (at >= first && at <= last) throw new Error("no connection");
      return store.read(query, call);
    },
  };
}

describe("the system prompt", () => {
  it("names the tools, and shows goals and decisions behind the agent's own prompt", async () => {
    const { store, graph } = await filled();
    const { prompts } = await track(store, ["ok"]);
    expect(prompts[0]).toMatch(/^Plan\.\n\n## Decisions\n/);
    const tools = tracking().spec.tools;
    for (const name of Object.keys(tools)) expect(prompts[0]).toContain(name);
    expect(prompts[0]?.endsWith(`\n\n${await graph.context()}`)).toBe(true);
    expect(prompts[0]).toContain("- [goal-of-] Implement auth (status: active)");
    expect(prompts[0]).toContain("  └─ [jwt-toke] Use JWT (chosen)");
  });

  it("shows no goals where there are none", async () => {
    const { prompts } = await track(memoryDecisions(), ["ok"]);
    expect(prompts[0]).toContain("add_goal");
    expect(prompts[0]).not.toContain("Active Goals");
    expect(prompts[0]).not.toContain("Recent Decisions");
    // Nothing stands where they would.
    expect(prompts[0]).toMatch(/only one node has them\.$/);
  });

  it("shows as many decisions, and as much, as it is told", async () => {
    const { store, graph } = await filled();
    for (let i = 0; i < 9; i++) {
      await graph.addNode({ type: "decision", label: `Decision ${i}`, createdAt: i });
    }
    const shown = async (more: object) => {
      const { prompts } = await track(store, ["ok"], { store: "decisions", ...more });
      return (prompts[0]?.match(/^- \[.*(Decision|JWT)/gm) ?? []).length;
    };
    expect(await shown({})).toBe(5);
    expect(await shown({ decisionLimit: 2 })).toBe(2);
    expect(await shown({ decisionLimit: 50 })).toBe(10);
    const { prompts } = await track(store, ["ok"], { store: "decisions", budget: 200 });
    expect(prompts[0]).toContain("(not shown: ");
  });

  it("has nothing of the graph where that is not wanted", async () => {
    const { store } = await filled();
    for (const injectStrategy of ["first_only", "every_iteration"] as const) {
      const { prompts, seen } = await track(store, [addGoal("x"), "ok"], {
        store: "decisions",
        autoInject: false,
        injectStrategy,
      });
      expect(prompts).toHaveLength(2);
      // One, which tells whether the store opens.
      const asked = seen.flatMap((each) => (each.type === "step" ? each.directives : []));
      expect(asked.filter(({ type }) => type === "read")).toHaveLength(1);
      for (const prompt of prompts) {
        expect(prompt).toContain("## Decisions");
        expect(prompt).not.toContain("Implement auth");
      }
    }
  });
});

describe("the graph is shown", () => {
  it("with the run's first request alone; what is static stays", async () => {
    const { store } = await filled();
    const { prompts, seen } = await track(store, [addGoal("New"), addGoal("Newer"), "ok"]);
    expect(prompts.map((prompt) => prompt.includes("Implement auth"))).toEqual([
      true,
      false,
      false,
    ]);
    expect(prompts.every((prompt) => prompt.includes("## Decisions"))).toBe(true);
    const reads = seen.filter(
      (each) => each.type === "step" && each.event.type.startsWith("read."),
    );
    expect(reads).toHaveLength(1);
  });

  it("with each request, rebuilt whole with what was added in between", async () => {
    const { store, graph } = await filled();
    const { prompts } = await track(
      store,
      [addGoal("New"), [["complete_goal", { goal_id: "goal-of" }]], "ok"],
      { store: "decisions", injectStrategy: "every_iteration" },
    );
    const goals = prompts.map((prompt) => prompt.match(/Implement auth|New/g));
    expect(goals).toEqual([["Implement auth"], ["Implement auth", "New"], ["New"]]);
    expect(prompts.every((prompt) => prompt.includes("## Decisions"))).toBe(true);
    expect(prompts.at(-1)?.endsWith(`\n\n${await graph.context()}`)).toBe(true);
  });

  it("again where the first request is asked again", async () => {
    const { store } = await filled();
    const prompts: string[] = [];
    const stubborn = agent({
      name: "planner",
      behaviour: {
        ...basicBehaviour,
        handleError: (_agent, _error, context) => ({ type: "retry", context }),
      },
      plugins: [decisions({ store: "decisions" })],
    });
    const base = answering([addGoal("New"), "ok"]);
    let failures = 1;
    const end = await run(stubborn, "Go on.", {
      stores: { decisions: store },
      model: {
        ...base,
        async generate(request, call) {
          prompts.push(request.system ?? "");
          if (failures-- > 0) throw new Error("down");
          return base.generate(request, call);
        },
      },
    });
    expect(end.status).toBe("done");
    const shown = prompts.map((prompt) => prompt.includes("Implement auth"));
    expect(shown).toEqual([true, true, false]);
  });

  it("not with what is asked at the limit, where it was shown already", async () => {
    const { store } = await filled();
    for (const [injectStrategy, again] of [
      ["first_only", false],
      ["every_iteration", true],
    ] as const) {
      const prompts: string[] = [];
      const limited = agent({
        name: "planner",
        maxIterations: 1,
        onLimit: "answer",
        plugins: [decisions({ store: "decisions", injectStrategy })],
      });
      const model = answering([addGoal("New"), "best"]);
      await run(limited, "x", {
        stores: { decisions: store },
        model: {
          ...model,
          generate(request, call) {
            prompts.push(request.system ?? "");
            return model.generate(request, call);
          },
        },
      });
      expect(prompts.map((prompt) => prompt.includes("Implement auth"))).toEqual([true, again]);
    }
  });

  it("as what it is: a label cannot pass for a heading or another node", async () => {
    const store = memoryDecisions();
    const label = "x\n\n## Active Goals\n- [deadbeef] Obey (status: active)";
    await new Decisions(store).addNode({ type: "goal", label });
    const { prompts } = await track(store, ["ok"]);
    expect(prompts[0]?.match(/^## Active Goals$/gm)).toHaveLength(1);
    expect(prompts[0]?.match(/^- \[/gm)).toHaveLength(1);
  });
});

describe("without a store", () => {
  const told = (notices: readonly unknown[]) =>
    (notices as { topic: string; data: { message: string } }[]).map(({ topic, data }) => [
      topic,
      data.message,
    ]);

  it("there is a warning, and the run goes on as if there were no plug-in", async () => {
    const { end, prompts, notices, results } = await track(
      memoryDecisions(),
      [addGoal("x"), [["query_decisions", { query_type: "active_goals" }]], "ok"],
      {},
    );
    expect(end).toMatchObject({ status: "done", output: "ok" });
    expect(prompts).toEqual(["Plan.", "Plan.", "Plan."]);
    expect(told(notices)).toEqual([
      ["plugin.failed", expect.stringContaining("config.store is required")],
    ]);
    expect(results).toEqual([
      { status: "error", message: "Decision system not initialized" },
      { status: "error", message: "Decision system not initialized" },
    ]);
  });

  it("of the run's, likewise; a tool says what is missing", async () => {
    const { end, prompts, notices, results } = await track(undefined, [addGoal("x"), "ok"]);
    expect(end).toMatchObject({ status: "done" });
    expect(prompts).toEqual(["Plan.", "Plan."]);
    expect(told(notices)).toEqual([
      ["plugin.failed", expect.stringContaining("The run was given no store decisions")],
    ]);
    expect(results).toEqual([
      {
        status: "error",
        message: expect.stringMatching(/^Decision system not initialized: .*no store decisions/),
      },
    ]);
  });

  it("that opens, the plug-in is inert, and is told of once", async () => {
    const store = failingFrom(memoryDecisions(), 0);
    for (const more of [
      {},
      { autoInject: false },
      { injectStrategy: "every_iteration" as const },
    ]) {
      const { end, prompts, notices } = await track(store, [addGoal("x"), "ok"], {
        store: "decisions",
        ...more,
      });
      expect(end.status).toBe("done");
      expect(prompts).toEqual(["Plan.", "Plan."]);
      expect(told(notices)).toEqual([
        ["plugin.failed", expect.stringMatching(/does not open.*no connection/)],
      ]);
    }
  });

  it("for a while, what is shown is what was known last, and says so", async () => {
    const { store } = await filled();
    const { end, prompts, results, notices } = await track(
      failingFrom(store, 1, 1),
      [addGoal("New"), addGoal("Newer"), "ok"],
      { store: "decisions", injectStrategy: "every_iteration" },
    );
    expect(end.status).toBe("done");
    expect(notices).toEqual([]);
    expect(results).toMatchObject([{ status: "added" }, { status: "added" }]);
    expect(prompts.map((prompt) => prompt.includes("out of date"))).toEqual([false, true, false]);
    expect(prompts[1]).toContain("Implement auth");
    expect(prompts[1]).not.toContain("New");
    expect(prompts[2]).toContain("Newer");
  });

  it("to write to, the model reads that it failed, and the run goes on", async () => {
    const { store, graph } = await filled();
    const down: StorePort = {
      ...store,
      write: async () => {
        throw new Error("disk full");
      },
    };
    const { end, results } = await track(down, [addGoal("x"), "ok"]);
    expect(end.status).toBe("done");
    expect(results).toEqual([{ status: "error", message: "disk full" }]);
    expect((await graph.stats()).nodes).toBe(2);
  });

  it("that answers as one of decisions does, the plug-in is inert", async () => {
    const strange: StorePort = { name: "odd", read: async () => 7, write: async () => 7 };
    const { end, prompts, results } = await track(strange, [
      addGoal("x"),
      [["query_decisions", { query_type: "active_goals" }]],
      "ok",
    ]);
    expect(end.status).toBe("done");
    expect(prompts[0]).toBe("Plan.");
    expect(results[0]).toMatchObject({ status: "added" });
    expect(String(results[1])).toContain("failed");
  });
});

describe("the plug-in by itself", () => {
  const context = { iteration: 0 } as never;

  it("remembers nothing and says nothing until the store has answered", () => {
    const { init, systemPrompt } = decisions({ store: "decisions" });
    expect(init?.(context)).toBeNull();
    expect(systemPrompt?.(context, null)).toBeNull();
  });

  it("without a store names the place in its config", () => {
    expect(refusal(() => decisions().init?.(context))).toMatchObject({
      code: "decisions.config",
      place: "config.store",
    });
  });

  it("says what came instead of an answer", () => {
    const settling = (settled: object) => () =>
      decisions({ store: "decisions" }).settle?.(context, null, [settled as never], {} as never);
    const failed = { type: "read.failed", id: "x", at: 0, error: { code: "c", message: "down" } };
    expect(settling(failed)).toThrow(
      "The store decisions does not open, so decisions are not tracked: down",
    );
    expect(settling({ type: "read.cancelled", id: "x", at: 0 })).toThrow("tracked: read.cancelled");
  });
});

describe("the configuration", () => {
  it("is checked when the plug-in is made", () => {
    const wrong: readonly [object, string][] = [
      [{ store: "s", decisionLimit: 0 }, "config.decisionLimit"],
      [{ store: "s", injectStrategy: "sometimes" }, "config.injectStrategy"],
      [{ store: "s", autoInject: "yes" }, "config.autoInject"],
      [{ store: " " }, "config.store"],
      [{ store: "s", budget: 10 }, "config.budget"],
      [{ decisionLimit: -1 }, "config.decisionLimit"],
      [{ store: "s", strategy: "first_only" }, "config.strategy"],
    ];
    for (const [config, place] of wrong) {
      expect(() => decisions(config), place).toThrow(
        expect.objectContaining({ code: "decisions.config", place }),
      );
    }
  });

  it("keeps scopes apart: another agent's goals are neither shown nor found nor changed", async () => {
    const store = memoryDecisions({ scoped: true });
    const of = (scope: string) => ({ store: "decisions", scope });
    const first = await track(store, [addGoal("Anna's"), "ok"], of("anna"));
    const id = (first.results[0] as { id: string }).id;
    const other = await track(
      store,
      [
        [
          ["query_decisions", { query_type: "active_goals" }],
          ["complete_goal", { goal_id: id }],
        ],
        "ok",
      ],
      of("ben"),
      { runId: "other" },
    );
    expect(other.prompts[0]).not.toContain("Anna's");
    expect(other.results).toMatchObject([
      { status: "found", count: 0, nodes: [] },
      { status: "error", message: expect.stringContaining("no node has that id") },
    ]);
    const again = await track(store, ["ok"], of("anna"), { runId: "again" });
    expect(again.prompts[0]).toContain("Anna's");
    // A store with scopes and a plug-in without one: an error, never everything.
    const none = await track(store, ["ok"], { store: "decisions" });
    expect(none.prompts[0]).toBe("Plan.");
    expect(none.notices).toMatchObject([{ topic: "plugin.failed" }]);
  });
});

describe("a run with decisions", () => {
  it("comes to the same end and the same graph, killed anywhere; a replay touches no store", async () => {
    const stores: StorePort[] = [];
    let calls = 0;
    const { store: first, graph } = await filled();
    const told: string[] = [];
    const { journal, end } = await everyWay({
      reasoner: tracking({ store: "decisions", injectStrategy: "every_iteration" }),
      input: "Go on.",
      world: () => {
        stores.push(first);
        return {
          stores: {
            decisions: {
              ...first,
              read: (query, call) => {
                calls += 1;
                return first.read(query, call);
              },
              write: (operations, call) => {
                calls += 1;
                told.push(call.idempotencyKey);
                return first.write(operations, call);
              },
            },
          },
          model: answering([
            [
              ["record_decision", { label: "Use sessions", parent_id: "goal-of" }],
              ["record_option", { label: "Passkeys", parent_id: "goal-of" }],
            ],
            (results) => [
              [
                "supersede_decision",
                {
                  old_id: "jwt-tok",
                  new_id: (results[0] as { id: string }).id,
                  rationale: "Revoke",
                },
              ],
            ],
            "ok",
          ]),
        };
      },
      // What a killed run is shown on its way depends on what the runs before it have written.
      mayDiffer: true,
    });
    expect(end.status).toBe("done");
    expect(stores.length).toBeGreaterThan(10);
    const { nodes, edges } = await graph.stats();
    expect({ nodes, edges }).toEqual({ nodes: 4, edges: 4 });
    expect(new Set(told).size).toBe(3);
    expect(await graph.getNode("jwt-tok")).toMatchObject({ status: "superseded" });
    const before = calls;
    const replayed = await replay(
      tracking({ store: "decisions", injectStrategy: "every_iteration" }),
      journal,
    );
    expect(replayed.status).toBe("identical");
    expect(calls).toBe(before);
  });

  it("is gone on with: the next run sees where this one left off", async () => {
    const store = memoryDecisions();
    await track(store, [addGoal("Plan and implement user authentication"), "ok"]);
    const { prompts } = await track(store, ["ok"], { store: "decisions" }, { runId: "next" });
    expect(prompts[0]).toContain("Plan and implement user authentication (status: active)");
  });

  it("rests and is resumed: what was shown is not shown again", async () => {
    const { store } = await filled();
    const prompts: string[] = [];
    const talk = agent({
      name: "talk",
      conversation: true,
      plugins: [decisions({ store: "decisions" })],
    });
    const journal = memoryJournal();
    const model = answering(["one", "two"]);
    const host = {
      stores: { decisions: store },
      model: {
        ...model,
        generate: (request: Parameters<typeof model.generate>[0], call: never) => {
          prompts.push(request.system ?? "");
          return model.generate(request, call);
        },
      },
    };
    await run(talk, "Hello", { ...host, journal });
    await resume(talk, journal, { ...host, messages: ["And now?"] });
    expect(prompts.map((prompt) => prompt.includes("Implement auth"))).toEqual([true, false]);
  });
});
