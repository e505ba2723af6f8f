// The machine: the seed's states, messages and rules, and what it promises beside them.
import { describe, expect, it } from "vitest";
import {
  type LlmDirective,
  memoryJournal,
  replay,
  run,
  scriptedModel,
} from "../../../../src/index.js";
import {
  aggregate,
  beamSearch,
  connect,
  generate,
  keepBest,
  type OperationSpec,
  plan,
  plans,
  score,
  thoughtGraph,
  thoughts,
  thoughtsView,
} from "../../../../src/thoughts.js";
import { answer, drive, promptOf } from "./drive.js";

const { getThought, leaves, listEdges, listThoughts } = thoughtGraph;
const origin = { at: 1_000, runId: "r" };
const byLength = ({ content }: { content: string }) => content.length;
const io = () => thoughts({ policy: plan([generate()]) });

describe("a run of thoughts", () => {
  it("starts at once: the root holds the prompt, and the model is asked", () => {
    const { state, directives } = io().start("why?", origin);
    expect(thoughtsView.status(state)).toBe("generating");
    expect(state.value).toBe("generating");
    expect(listThoughts(state.context.graph)).toMatchObject([
      { id: "root", content: "why?", depth: 0, kind: "root", score: null },
    ]);
    expect(directives.map((each) => "id" in each && each.id)).toEqual(["llm/0-generate/0/0"]);
  });

  it("takes an object of parameters, with a prompt or without", () => {
    const { state } = io().start({ prompt: "sort", list: [2, 1] }, origin);
    expect(getThought(state.context.graph, "root")).toMatchObject({
      content: "sort",
      state: { prompt: "sort", list: [2, 1] },
    });
    const bare = io().start({ list: [2, 1] }, origin).state;
    expect(getThought(bare.context.graph, "root")?.content).toBe('{"list":[2,1]}');
  });

  it("adds a thought one deeper, below what was asked about, and says what came of it", () => {
    const { state, output } = drive(io(), "why?", () => "because");
    expect(listThoughts(state.context.graph)[1]).toMatchObject({
      id: "thought/0-generate/0/0",
      content: "because",
      depth: 1,
      operation: "0-generate",
    });
    expect(listEdges(state.context.graph)).toEqual([
      { from: "root", to: "thought/0-generate/0/0", type: "generates" },
    ]);
    expect(output).toEqual({
      result: "because",
      reason: "success",
      thought: "thought/0-generate/0/0",
      state: {},
      score: null,
      valid: null,
      solved: null,
      whole: true,
      finals: [
        {
          thought: "thought/0-generate/0/0",
          content: "because",
          score: null,
          valid: null,
          solved: null,
          whole: true,
        },
      ],
      thoughts: 2,
      modelCalls: 1,
      totalTokens: 15,
      cost: null,
      failures: 0,
    });
  });

  it("ignores a stale result, a message and a second start, and says which", () => {
    const reasoner = thoughts({ policy: plan([generate({ responses: 2 })]) });
    const { state, directives } = reasoner.start("why?", origin);
    const [call] = directives as readonly LlmDirective[];
    const once = reasoner.step(
      state,
      answer(call!, () => "because", 1_001),
    );
    const stale = reasoner.step(
      once.state,
      answer(call!, () => "again", 1_002),
    );
    expect(stale.ignored).toMatchObject({ reason: "stale", id: call!.id });
    expect(stale.state.context).toEqual(once.state.context);
    const busy = reasoner.step(once.state, { type: "start", id: "again", at: 1_002 });
    expect(busy.ignored).toEqual({ reason: "busy", type: "start", id: "again" });
    expect(
      reasoner.step(once.state, { type: "message", content: "hi", at: 1_002 }).ignored?.reason,
    ).toBe("unhandled");
  });

  it("is cancelled at any moment, and calls off what is outstanding", () => {
    const reasoner = thoughts({ policy: plan([generate({ responses: 2 })]) });
    const { state } = reasoner.start("why?", origin);
    const step = reasoner.step(state, { type: "cancel", reason: "enough", at: 1_001 });
    expect(step.state.status).toBe("cancelled");
    expect(thoughtsView.status(step.state)).toBe("cancelled");
    expect(step.directives.map(({ type }) => type)).toEqual(["cancel", "cancel"]);
    expect(step.state.context.cancelReason).toBe("enough");
    expect(thoughtsView.snapshot(step.state)).toMatchObject({ status: "failure", done: true });
  });

  it("asks once more where a call fails, then drops the branch, and fails when nothing is left", () => {
    const reasoner = thoughts({ policy: plan([generate({ responses: 2 })]), retries: 1 });
    const one = drive(reasoner, "why?", ({ id }) =>
      id.startsWith("llm/0-generate/0/0") ? { error: "overloaded" } : "because",
    );
    expect(one.calls.map(({ id }) => id)).toEqual([
      "llm/0-generate/0/0",
      "llm/0-generate/0/1",
      "llm/0-generate/0/0/again/1",
    ]);
    const [first, , again] = one.calls;
    expect(again).toEqual({ ...first, id: "llm/0-generate/0/0/again/1" });
    expect(one.output).toMatchObject({ result: "because", failures: 1, modelCalls: 3 });
    const none = drive(reasoner, "why?", () => ({ error: "overloaded" }));
    expect(none.state).toMatchObject({ status: "failed", value: "error" });
    expect(reasoner.error(none.state)).toEqual({
      code: "thoughts.nothingLeft",
      message:
        "Every branch was dropped; 2 failures were counted, the last of a model: overloaded.",
    });
    expect(thoughtsView.snapshot(none.state)).toMatchObject({
      status: "failure",
      result: { error: "thoughts.nothingLeft" },
    });
  });

  it("makes no thought of an empty answer", () => {
    const { state } = drive(io(), "why?", () => "  ");
    expect(state.value).toBe("error");
    expect(getThought(state.context.graph, "root")?.failures).toBe(1);
  });

  it("goes through the states that its operations name", () => {
    const seen: unknown[] = [];
    const policy = beamSearch({ rounds: 2, refine: { every: 2 }, connect: { every: 2 } });
    drive(thoughts({ policy }), "why?", () => "valid\nScore: 7", {
      watch: ({ state }) => seen.push(state.value),
    });
    expect([...new Set(seen)]).toEqual([
      "generating",
      "scoring",
      "refining",
      "connecting",
      "aggregating",
      "completed",
    ]);
  });

  it("gives each call a seed of its own where the run has one", () => {
    const reasoner = thoughts({
      policy: plan([generate({ responses: 3 })]),
      settings: { topP: 1 },
    });
    const seeds = (seed: string) =>
      drive(reasoner, "why?", () => "x", { seed }).calls.map(({ settings }) => settings?.seed);
    expect(new Set(seeds("1")).size).toBe(3);
    expect(seeds("1")).toEqual(seeds("1"));
    expect(seeds("1")).not.toEqual(seeds("2"));
    expect(drive(reasoner, "why?", () => "x").calls[0]?.settings).toEqual({ topP: 1 });
  });

  it("shows partial text to observers only", async () => {
    const model = scriptedModel(() => "because");
    const seen: string[] = [];
    const end = await run(io(), "why?", {
      model,
      observers: [(observation) => seen.push(observation.type)],
    });
    expect(seen).toContain("delta");
    expect(JSON.stringify(end.state)).not.toContain("delta");
  });

  it("adds up what the model calls cost", () => {
    const reasoner = thoughts({ policy: plans.tot({}, { branches: 2, rounds: 2 }) });
    const { state } = drive(reasoner, "why?", () => "Score: 5");
    expect(state.context.usage).toMatchObject({
      requests: 8,
      inputTokens: 80,
      outputTokens: 40,
      totalTokens: 120,
    });
  });

  it("adds up what failed and cancelled calls cost as well", () => {
    const reasoner = thoughts({
      policy: plan([generate({ responses: 3 })]),
      price: { inputPerMillion: 1, outputPerMillion: 1 },
      retries: 0,
    });
    let { state, directives } = reasoner.start("why?", origin);
    const calls = directives.filter((each): each is LlmDirective => each.type === "llm");
    const error = { code: "llm.failed" as const, message: "down" };
    const [first, second] = calls.map(({ id }) => id);
    const failed = { type: "llm.failed" as const, id: first as string, at: 1_001, error };
    const usage = { inputTokens: 7 };
    ({ state } = reasoner.step(state, { ...failed, usage, attempts: 3 }));
    expect(state.context.usage).toMatchObject({ requests: 3, totalTokens: 7, cost: 7_000 });
    ({ state } = reasoner.step(state, { ...failed, id: second as string }));
    expect(state.context.usage.requests).toBe(4);
    ({ state } = reasoner.step(state, { type: "cancel", at: 1_002 }));
    expect(state.context.usage.requests).toBe(5);
  });

  it("counts the calls that a deadline calls off, and none that was not made", () => {
    const policy = plan([generate({ responses: 3 }), generate()]);
    const reasoner = thoughts({ policy, deadlineMs: 10 });
    const { state } = reasoner.start("why?", origin);
    const cut = reasoner.step(state, { type: "timer.fired", id: "timer/deadline", at: 1_010 });
    expect(cut.state.context.usage.requests).toBe(3);
  });

  it("names what its chart changes and issues", () => {
    const { config } = io().machine;
    expect(JSON.stringify([config.on, config.states])).not.toContain("function");
    const names = JSON.stringify(config);
    const changes = [
      "keepAnswer",
      "takeThoughts",
      "concludeAndDecide",
      "askWhatFits",
      "noteCancel",
    ];
    for (const name of [...changes, "askModel", "budgetAllows", "oldestIsAnswered"]) {
      expect(names).toContain(`"${name}"`);
    }
  });

  it("adds input and output up where the provider does not", () => {
    const reasoner = io();
    const { state, directives } = reasoner.start("why?", origin);
    const event = answer(directives[0] as LlmDirective, () => "x", 1_001);
    const usage = { inputTokens: 7, outputTokens: 2 };
    const step = reasoner.step(state, { ...event, usage } as typeof event);
    expect(step.state.context.usage.totalTokens).toBe(9);
    const spent = { requests: 1, inputTokens: 7, outputTokens: 2, totalTokens: 9 };
    expect(thoughtsView.snapshot(step.state).details.usage).toEqual(spent);
  });

  it("shows a snapshot of what it does", () => {
    const { state } = thoughts({ policy: beamSearch() }).start("why?", origin);
    expect(thoughtsView.snapshot(state)).toEqual({
      status: "running",
      done: false,
      result: null,
      details: {
        phase: "generating",
        nodeCount: 1,
        currentNodeId: "root",
        maxNodes: 20,
        maxDepth: 5,
        policy: "beamSearch",
        modelCalls: 3,
      },
    });
  });
});

describe("a budget ends a run with the best so far and the reason", () => {
  const tot = plans.tot({ scorer: byLength }, { branches: 4, rounds: 3 });
  const answers = ({ id }: LlmDirective) => `${id} ${"x".repeat(id.length)}`;
  it.each([
    ["maxNodes", { maxNodes: 7 }, 7, 6],
    ["maxDepth", { maxDepth: 1 }, 5, 4],
    ["modelCalls", { modelCalls: 5 }, 6, 5],
    ["tokens", { tokens: 60 }, 5, 4],
  ] as const)("%s", (reason, budget, nodes, modelCalls) => {
    const { state, output } = drive(thoughts({ policy: tot, ...budget }), "why?", answers);
    expect(state.status).toBe("done");
    expect(output).toMatchObject({ reason, thoughts: nodes, modelCalls });
    const best = Math.max(...leaves(state.context.graph).map((thought) => thought.score ?? 0));
    expect(output?.score).toBe(best);
  });

  it("the deadline, by its timer, which goes off before what comes later", () => {
    const reasoner = thoughts({ policy: tot, deadlineMs: 50 });
    const first = reasoner.start("why?", origin);
    expect(first.directives[0]).toEqual({ type: "timer", id: "timer/deadline", until: 1_050 });
    const [call] = first.directives.filter((each) => each.type === "llm");
    const some = reasoner.step(first.state, answer(call!, answers, 1_010));
    const fired = { type: "timer.fired" as const, id: "timer/deadline", at: 1_050 };
    const timed = reasoner.step(some.state, fired);
    expect(timed.state.status).toBe("done");
    expect(reasoner.output(timed.state)).toMatchObject({ reason: "deadline", thoughts: 2 });
    expect(timed.directives.map(({ type }) => type)).toEqual(["cancel", "cancel", "cancel"]);
  });

  it("the deadline of a live run whose model does not answer", async () => {
    const model = {
      name: "silent",
      generate: (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise<never>((_resolve, fail) => {
          signal.addEventListener("abort", () => fail(signal.reason));
        }),
    };
    const journal = memoryJournal();
    const reasoner = thoughts({ policy: tot, deadlineMs: 20 });
    const end = await run(reasoner, "why?", { model, journal });
    expect(end).toMatchObject({ status: "done", output: { reason: "deadline", result: null } });
    expect((await replay(reasoner, journal)).status).toBe("identical");
  });

  it("of nothing at all: the run is done, and there is no result", () => {
    const { output } = drive(thoughts({ policy: tot, maxNodes: 1 }), "why?", answers);
    expect(output).toMatchObject({ result: null, reason: "maxNodes", thoughts: 1 });
  });

  it("of which calls under way are not lost: what is paid for is scored and kept", () => {
    const policy = plan([generate({ responses: 4 }), score({ by: byLength }), keepBest()]);
    const { output } = drive(thoughts({ policy, modelCalls: 3 }), "why?", ({ id }) =>
      id.endsWith("/2") ? "the longest" : "short",
    );
    expect(output).toMatchObject({ result: "the longest", score: 11, reason: "modelCalls" });
  });
});

describe("prompts", () => {
  it("are the seed's in substance, and show the way so far", () => {
    const policy = plan([generate({ id: "a" }), generate({ id: "b" })]);
    const { calls } = drive(thoughts({ policy }), "why?", ({ id }) => `said by ${id}`);
    expect(calls[0]?.system).toContain("line of reasoning");
    expect(promptOf(calls[1]!)).toContain("why?");
    expect(promptOf(calls[1]!)).toContain("said by llm/a/0/0");
  });

  it("show what is merged with its score, where it has one", () => {
    const merged = (...more: OperationSpec[]) =>
      drive(
        thoughts({ policy: plan([generate({ responses: 2 }), ...more, aggregate()]) }),
        "why?",
        ({ id }) => id,
      ).calls.map(promptOf)[2];
    expect(merged()).toContain("merge:\n\nllm/0-generate/0/0\n");
    expect(merged(score({ by: () => 4 }))).toContain("merge:\n\n(score 4) llm/0-generate/0/0\n");
  });

  it("show how each of several thoughts begins", () => {
    const policy = plan([generate({ responses: 2 }), connect()]);
    const { calls } = drive(thoughts({ policy }), "why?", () => "x".repeat(300));
    const shown = promptOf(calls[2]!).match(/^\[.*$/gm);
    expect(shown).toEqual([0, 1].map((i) => `[thought/0-generate/0/${i}]: ${"x".repeat(200)}`));
  });

  it("can be replaced, for all operations or for one", () => {
    const policy = plan([
      generate(),
      generate({ prompt: ({ thought }) => `more of ${thought.content}` }),
    ]);
    const reasoner = thoughts({ policy, prompts: { generate: ({ prompt }) => `Q: ${prompt}` } });
    const { calls } = drive(reasoner, "why?", () => "A");
    expect(calls.map(promptOf)).toEqual(["Q: why?", "more of A"]);
    expect(calls[0]?.system).toBeUndefined();
  });

  it.each([-1, 1.5])("a budget of %s is refused", (maxNodes) => {
    expect(() => thoughts({ policy: beamSearch(), maxNodes })).toThrow(
      expect.objectContaining({ code: "thoughts.invalid" }),
    );
  });
});
