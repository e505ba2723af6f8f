// Budgets and deadlines: in every phase, with an error or a last answer, a valid transcript (P3), and
// no timer left.

import { describe, expect, it } from "vitest";
import { owedBy } from "../../../../../src/core/kernel/machine/index.js";
import { emptyTable } from "../../../../../src/core/kernel/values/index.js";
import { agent, type Plugin, scriptedModel, tool } from "../../../../../src/index.js";
import {
  answer,
  lastOf,
  mayHaveRun,
  messagesOf,
  recordsOf,
  resultsOf,
  returned,
  transcriptFault,
  wish,
} from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";
import { everyWay } from "../../../../support/every-way.js";

const look = tool({ name: "look", idempotent: true, execute: () => "seen" });
const ask = tool({ name: "ask", needsApproval: true, execute: () => "asked" });
const alone = tool({ name: "alone", sequential: true, execute: () => "alone" });
const fetches = tool({
  name: "fetches",
  issue: () => [
    { type: "read", store: "s", query: 1 },
    { type: "read", store: "s", query: 2 },
  ],
  settle: () => "both",
});
const tools = [look, ask, alone, fetches];
const plugin: Plugin = {
  name: "p",
  issue: () => [
    { type: "read", store: "p", query: 1 },
    { type: "read", store: "p", query: 2 },
  ],
};
const DEADLINE = "timer/deadline/0";
const fired = { type: "timer.fired", id: DEADLINE, at: 100 };
const NOT = "Tool call was interrupted and not executed. Please retry if needed.";
const BEST =
  "A limit of this run is reached. Give your best answer now, from what you know, without calling tools.";

describe("max iterations", () => {
  it("of endless calls end the run after so many requests, with the code and everything kept", () => {
    const a = agent({ name: "a", tools, maxIterations: 2 });
    const run = byHand(a, "x");
    for (let i = 0; run.state.status === "active"; i++) {
      run.take(answer(i, wish("look", {}, `c${i}`)));
      run.take(returned(`tool/${i}/0`, "seen"));
    }
    expect(run.state).toMatchObject({ status: "failed", value: "maxIterations" });
    expect(a.error(run.state)).toMatchObject({ code: "agent.maxIterations" });
    expect(a.error(run.state)?.message).toContain("2 times");
    expect(run.context).toMatchObject({ iteration: 2, usage: { requests: 2, toolCalls: 2 } });
    expect(messagesOf(run.context)).toHaveLength(5);
  });

  it.each([0, -1, 1.5, Number.NaN])("of %d are refused", (maxIterations) => {
    expect(() => agent({ name: "a", maxIterations })).toThrow("maxIterations");
  });

  it.each([{ tokenBudget: 0 }, { tokenBudget: Number.NaN }, { deadlineMs: 0 }, { deadlineMs: -5 }])(
    "like %j are refused",
    (limit) => {
      expect(() => agent({ name: "a", ...limit })).toThrow("must be a number above 0");
    },
  );
});

describe("a token budget", () => {
  const a = agent({ name: "a", tools, tokenBudget: 30 });

  it("that is spent ends the run before the next request", () => {
    const run = byHand(a, "x");
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    expect(run.owed).toEqual(["llm/1"]);
    run.take(answer(1, wish("look", {}, "c2")));
    run.take(returned("tool/1/0", "seen"));
    expect(run.state).toMatchObject({ status: "failed", value: "tokenBudget" });
    expect(a.error(run.state)).toMatchObject({ code: "agent.tokenBudget" });
    expect(a.error(run.state)?.message).toContain("30 tokens of its 30");
  });

  it("does not take an answer back that spent it", () => {
    const run = byHand(agent({ name: "a", tokenBudget: 1 }), "x");
    run.take(answer(0, "Done."));
    expect(run.output).toBe("Done.");
  });
});

describe("a deadline", () => {
  const spec = { name: "a", tools, deadlineMs: 100 } as const;
  const failing = agent(spec);
  const answering = agent({ ...spec, onLimit: "answer" });

  it("is a timer from the start, cancelled when the run ends", () => {
    const run = byHand(failing, "x");
    expect(run.directives[0]).toEqual({ type: "timer", id: DEADLINE, until: 100, deadline: true });
    run.take(answer(0, "Done."));
    expect(run.output).toBe("Done.");
    expect(run.directives).toEqual([{ type: "cancel", target: DEADLINE }]);
    expect(run.owed).toEqual([]);
  });

  type Phase = readonly [
    name: string,
    more: { readonly plugins?: readonly Plugin[] },
    events: readonly { type: string }[],
    cancelled: readonly string[],
    results: readonly string[],
  ];
  const phases: readonly Phase[] = [
    ["while the model thinks", {}, [], ["llm/0"], []],
    [
      "while tools run and approvals wait",
      {},
      [answer(0, wish("look"), wish("ask"), wish("fetches"), wish("alone"))],
      ["tool/0/0", "approval/0/1", "tool/0/2/0", "tool/0/2/1"],
      [mayHaveRun("tool/0/0"), NOT, mayHaveRun("tool/0/2"), NOT],
    ],
    [
      "while some are settled",
      {},
      [
        answer(0, wish("look"), wish("ask"), wish("fetches"), wish("alone")),
        returned("tool/0/0", "seen"),
        { type: "read.succeeded", id: "tool/0/2/1", value: 1 } as { type: string },
      ],
      ["approval/0/1", "tool/0/2/0"],
      ["seen", NOT, mayHaveRun("tool/0/2"), NOT],
    ],
    [
      "while a plug-in prepares",
      { plugins: [plugin] },
      [{ type: "read.succeeded", id: "plugin/0/0/1", value: 1 } as { type: string }],
      ["plugin/0/0/0"],
      [],
    ],
    [
      "while the model thinks about results",
      {},
      [answer(0, wish("look")), returned("tool/0/0", "seen")],
      ["llm/1"],
      ["seen"],
    ],
  ];

  it.each(phases)(
    "%s fails the run: all is cancelled, all is kept",
    (_name, more, events, cancelled, results) => {
      const a = agent({ ...spec, ...more });
      const run = byHand(a, "x");
      for (const event of events) run.take(event);
      run.take(fired);
      expect(run.state).toMatchObject({
        status: "failed",
        value: "deadline",
        outstanding: emptyTable(),
      });
      expect(a.error(run.state)).toMatchObject({ code: "agent.deadline" });
      const targets = run.directives.map((each) => (each as { target?: string }).target);
      expect(targets).toEqual(cancelled);
      expect(resultsOf(run.context)).toEqual(results);
      expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
      expect(recordsOf(run.context)).toHaveLength(results.length);
    },
  );

  it.each(phases)(
    "%s, with onLimit answer, asks once more without tools",
    (_name, more, events, cancelled, results) => {
      const run = byHand(agent({ ...spec, ...more, onLimit: "answer" }), "x");
      for (const event of events) run.take(event);
      run.take(fired);
      expect(run.directives.slice(0, cancelled.length)).toEqual(
        cancelled.map((target) => ({ type: "cancel", target })),
      );
      expect(resultsOf(run.context)).toEqual(results);
      expect(lastOf(run.context)).toEqual({ role: "user", content: BEST });
      expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
      expect(run.owed).toHaveLength(1);
      const [id] = run.owed;
      expect(run.directive(id as string)).not.toHaveProperty("tools");
      run.take({ ...answer(0, "So far: nothing."), id });
      expect(run.state).toMatchObject({
        status: "done",
        value: "concluded",
        outstanding: emptyTable(),
      });
      expect(run.output).toBe("So far: nothing.");
    },
  );

  it("what comes back late is stale, and changes nothing", () => {
    const run = byHand(answering, "x");
    run.take(answer(0, wish("look")));
    run.take(fired);
    const before = run.state.context;
    run.take(returned("tool/0/0", "seen"));
    expect(run.step.ignored?.reason).toBe("stale");
    expect(run.context).toEqual(before);
  });

  it("calls of the last answer are not executed", () => {
    const run = byHand(answering, "x");
    run.take(fired);
    const [id] = run.owed;
    run.take({ ...answer(0, "I need to look.", wish("look")), id });
    expect(resultsOf(run.context)).toEqual([NOT]);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
    expect(run.state).toMatchObject({ status: "done", value: "concluded" });
    expect(run.output).toBe("I need to look.");
  });

  it("a last answer of calls alone is none, and says so", () => {
    const run = byHand(answering, "x");
    run.take(fired);
    run.take({ ...answer(0, wish("look")), id: run.owed[0] });
    expect(resultsOf(run.context)).toEqual([NOT]);
    expect(run.state).toMatchObject({ status: "failed", value: "invalidOutput" });
    expect(answering.error(run.state)).toMatchObject({
      code: "agent.output",
      message: expect.stringContaining("There is not an answer"),
    });
  });

  it("a last answer that fails fails the run, with the model's error", () => {
    const run = byHand(answering, "x");
    run.take(fired);
    run.take({
      type: "llm.failed",
      id: run.owed[0],
      error: { code: "llm.failed", message: "down" },
    });
    expect(run.state).toMatchObject({ status: "failed", value: "modelFailed" });
    expect(answering.error(run.state)?.message).toBe("down");
  });

  it("that fires during the last answer at another limit waits for that answer", () => {
    const run = byHand(agent({ ...spec, maxIterations: 1, onLimit: "answer" }), "x");
    run.take(answer(0, wish("nope")));
    expect(run.owed).toEqual([DEADLINE, "llm/1"]);
    run.take(fired);
    expect(run.owed).toEqual(["llm/1"]);
    run.take(answer(1, "So far."));
    expect(run.state.value).toBe("concluded");
  });

  it("of a conversation counts turn by turn, and none runs while it waits", () => {
    const run = byHand(agent({ ...spec, conversation: true }), "x");
    run.take({ ...answer(0, "One."), at: 50 });
    expect(run.state).toMatchObject({ value: "ready", outstanding: emptyTable() });
    expect(run.directives).toContainEqual({ type: "cancel", target: DEADLINE });
    run.take({ type: "message", content: "y", at: 1_000 });
    expect(run.directives).toMatchObject([
      { type: "timer", id: "timer/deadline/1", until: 1_100 },
      { type: "llm", id: "llm/1" },
    ]);
    run.take({ type: "timer.fired", id: "timer/deadline/1", at: 1_100 });
    expect(run.state).toMatchObject({ status: "active", value: "ready" });
    expect(run.context.failure).toMatchObject({ code: "agent.deadline" });
  });

  it("of a conversation with onLimit answer ends the turn and not the conversation", () => {
    const run = byHand(agent({ ...spec, conversation: true, onLimit: "answer" }), "x");
    run.take(fired);
    run.take({ ...answer(0, "So far."), id: run.owed[0] });
    expect(run.state).toMatchObject({ value: "ready", outstanding: emptyTable() });
    run.take({ type: "message", content: "y" });
    expect(run.owed).toEqual(["timer/deadline/1", "llm/1"]);
    expect((run.directive("llm/1") as { tools?: unknown[] }).tools).toHaveLength(4);
    run.take(answer(1, "Two."));
    expect(run.output).toBe("Two.");
  });
});

describe("limits, live and killed after every line", () => {
  const slow = tool({
    name: "slow",
    idempotent: true,
    retries: 20,
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      }),
    timeoutMs: 100_000,
  });
  const script = (turns: number) =>
    scriptedModel(({ messages, tools: offered }) => {
      if (offered === undefined) return "So far.";
      const turn = messages.filter(({ role }) => role === "assistant").length;
      return turn < turns
        ? { calls: [{ name: "look" }] }
        : { calls: [{ name: "slow" }, { name: "ask" }] };
    });
  const all = [look, slow, ask];
  const cases = [
    ["maxIterations", { maxIterations: 2 }, script(9), undefined],
    ["tokenBudget", { tokenBudget: 30 }, script(9), undefined],
    ["deadline", { deadlineMs: 500 }, script(1), ["seen", mayHaveRun("tool/1/0"), NOT]],
  ] as const;

  it.each(cases)("%s ends as failed", async (reason, limit, model, results) => {
    const { end } = await everyWay({
      reasoner: agent({ name: "a", tools: all, ...limit }),
      input: "x",
      world: () => ({ model }),
    });
    expect(end).toMatchObject({ status: "failed", reason, error: { code: `agent.${reason}` } });
    expect(end.context.usage.requests).toBe(2);
    if (results !== undefined) expect(resultsOf(end.context)).toEqual(results);
  });

  it.each(cases)("%s ends with a last answer", async (_reason, limit, model) => {
    const { end } = await everyWay({
      reasoner: agent({ name: "a", tools: all, onLimit: "answer", ...limit }),
      input: "x",
      world: () => ({ model }),
    });
    expect(end).toMatchObject({ status: "done", reason: "concluded", output: "So far." });
    expect(owedBy(end.state)).toEqual([]);
  });
});
