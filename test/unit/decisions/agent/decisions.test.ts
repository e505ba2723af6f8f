// The decisions plug-in: what the agent is shown and when, and what becomes of it without a store.
import { describe, expect, it } from "vitest";
import { AS_OF_TURN } from "../../../../src/decisions/agent/texts.js";
import { Decisions, decisions, memoryDecisions } from "../../../../src/decisions.js";
import {
  agent,
  basicBehaviour,
  type ModelRequest,
  memoryJournal,
  replay,
  resume,
  run,
  type StorePort,
  scriptedModel,
  textOf,
} from "../../../../src/index.js";
import { answering, track, tracking } from "../../../support/decision-agent.js";
import { everyWay } from "../../../support/every-way.js";
import { refusal } from "../../../support/thrown.js";

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
    expect(prompts[0]).toContain("- [goal-of-ours] Implement auth (status: active)");
    expect(prompts[0]).toContain("  └─ [jwt-tokens-it-is] Use JWT (chosen)");
  });

  it("shows no goals where there are none", async () => {
    const { prompts } = await track(memoryDecisions(), ["ok"]);
    expect(prompts[0]).toContain("add_goal");
    expect(prompts[0]).not.toContain("Active Goals");
    expect(prompts[0]).not.toContain("Recent Decisions");
    // Nothing stands where they would.
    expect(prompts[0]).toMatch(/which stand in brackets\.$/);
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
  it("as it is at the run's first request, and stays in view", async () => {
    const { store } = await filled();
    const { prompts, seen } = await track(store, [addGoal("New"), addGoal("Newer"), "ok"]);
    expect(prompts[0]).toContain("Implement auth");
    expect(prompts).toEqual([prompts[0], prompts[0], prompts[0]]);
    const reads = seen.filter(
      (each) => each.type === "step" && each.event.type.startsWith("read."),
    );
    expect(reads).toHaveLength(1);
  });

  it("by every_iteration at each turn's first request too, which it says", async () => {
    const { store, graph } = await filled();
    const before = await graph.context();
    const { prompts, seen } = await track(store, [addGoal("New"), "ok"], {
      store: "decisions",
      injectStrategy: "every_iteration",
    });
    expect(prompts[0]?.endsWith(`\n\n${before}\n\n${AS_OF_TURN}`)).toBe(true);
    expect(prompts[1]).toBe(prompts[0]);
    const reads = seen.filter(
      (each) => each.type === "step" && each.event.type.startsWith("read."),
    );
    expect(reads).toHaveLength(1);
  });

  it("also where the first request is asked again", async () => {
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
    expect(prompts[0]).toContain("Implement auth");
    expect(prompts).toEqual([prompts[0], prompts[0], prompts[0]]);
  });

  it("also with what is asked at the limit", async () => {
    const { store } = await filled();
    for (const injectStrategy of ["first_only", "every_iteration"] as const) {
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
      expect(prompts[0]).toContain("Implement auth");
      expect(prompts).toEqual([prompts[0], prompts[0]]);
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
    (notices as { topic: string; data: { message: string } }[]).flatMap(({ topic, data }) =>
      topic === "tool.settled" ? [] : [[topic, data.message]],
    );

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

  it("for a turn, what is shown is what was known last, and says so", async () => {
    const { store } = await filled();
    const { said } = await conversation(failingFrom(store, 1, 1), 3);
    expect(said[1]).toContain("out of date");
    expect(said[1]).toContain("Implement auth");
    expect(said[1]).not.toContain("Goal of turn");
    expect(said[2]).toContain("Goal of turn 2");
    expect(said[2]).not.toContain("out of date");
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
              ["record_decision", { label: "Use sessions", parent_id: "goal-of-ours" }],
              ["record_option", { label: "Passkeys", parent_id: "goal-of-ours" }],
            ],
            (results) => [
              [
                "supersede_decision",
                {
                  old_id: "jwt-tokens-it-is",
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
    expect(stores.length).toBeGreaterThan(8);
    const { nodes, edges } = await graph.stats();
    expect({ nodes, edges }).toEqual({ nodes: 4, edges: 4 });
    expect(new Set(told).size).toBe(3);
    expect(await graph.getNode("jwt-tokens-it-is")).toMatchObject({ status: "superseded" });
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

  it.each(["first_only", "every_iteration"] as const)(
    "waits and is resumed: by %s the system text stays, and what is new comes before the user's message",
    async (injectStrategy) => {
      const { store } = await filled();
      const { systems, said, last } = await conversation(store, 3, injectStrategy);
      expect(systems[0]).toContain("Implement auth");
      expect(systems).toEqual([systems[0], systems[0], systems[0]]);
      expect(said[0]).toBe("Turn 0");
      expect(said[1]).toContain("Goal of turn 1");
      // The tools were explained at the beginning.
      expect(said[1]).not.toContain("add_goal");
      expect(last?.messages.map(({ role }) => role).join(" ")).toBe(
        "user assistant user user assistant user user",
      );
      expect(last?.messages[3]).toMatchObject({ content: "Turn 1" });
    },
  );

  it("says nothing twice where nothing is new", async () => {
    const { store } = await filled();
    const { last } = await conversation(store, 3, "first_only", false);
    expect(last?.messages.map(({ role }) => role).join(" ")).toBe(
      "user assistant user assistant user",
    );
  });
});

/**
 * A conversation of so many turns, with a new goal before each but the first.
 * @returns of each turn its system text, and what its user's messages say
 */
async function conversation(
  store: StorePort,
  turns: number,
  injectStrategy: "first_only" | "every_iteration" = "first_only",
  isNew = true,
) {
  const requests: ModelRequest[] = [];
  const talk = agent({
    name: "talk",
    conversation: true,
    plugins: [decisions({ store: "decisions", injectStrategy })],
  });
  const journal = memoryJournal();
  const host = {
    stores: { decisions: store },
    model: scriptedModel((request) => {
      requests.push(request);
      return "ok";
    }),
  };
  await run(talk, "Turn 0", { ...host, journal });
  for (let turn = 1; turn < turns; turn++) {
    const label = `Goal of turn ${turn}`;
    if (isNew) await new Decisions(store).addNode({ type: "goal", label, createdAt: turn });
    await resume(talk, journal, { ...host, messages: [`Turn ${turn}`] });
  }
  expect((await replay(talk, journal)).status).toBe("identical");
  const saidIn = ({ messages }: ModelRequest) => {
    const last = messages.findLastIndex(({ role }) => role === "assistant");
    return messages
      .slice(last + 1)
      .map((message) => textOf(message))
      .join("\n");
  };
  return {
    systems: requests.map(({ system }) => system),
    said: requests.map(saidIn),
    last: requests.at(-1),
  };
}
