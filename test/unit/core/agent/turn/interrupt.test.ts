// Stopping a turn: the conversation goes on, nothing is lost that had streamed, and the transcript is
// valid (P3).
import { describe, expect, it } from "vitest";
import { type AgentDefinition, agent, basicBehaviour, tool } from "../../../../../src/index.js";
import {
  answer,
  mayHaveRun,
  messagesOf,
  recordsOf,
  resultsOf,
  returned,
  transcriptFault,
  wish,
} from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

const NOT = "Tool call was interrupted and not executed. Please retry if needed.";
const jsonSchema = { type: "object" };
const tools = [
  tool({ name: "t", jsonSchema, execute: () => "" }),
  tool({ name: "asks", jsonSchema, needsApproval: true, execute: () => "" }),
];
const started = (more: Partial<AgentDefinition> = {}) =>
  byHand(agent({ name: "a", tools, ...more }), "hello");
const chat = (more: Partial<AgentDefinition> = {}) => started({ conversation: true, ...more });
const text = (said: string) => ({ type: "text", text: said });
const interrupt = (partial: object = {}, reason?: string) => ({
  type: "interrupt",
  partial,
  ...(reason === undefined ? {} : { reason }),
});
const streamed = (...content: readonly object[]) =>
  interrupt({ "llm/0": { content, usage: { inputTokens: 7, outputTokens: 3 } } });
const message = { type: "message", content: "no, like this" };

describe("while the model answers", () => {
  it("what had streamed is kept, the call is cancelled, and the conversation waits", () => {
    const run = chat();
    run.take(streamed(text("As far as")));
    expect(run.directives).toEqual([{ type: "cancel", target: "llm/0" }]);
    expect(run.state).toMatchObject({ status: "active", value: "ready" });
    expect(run.owed).toEqual([]);
    expect(messagesOf(run.context).at(-1)).toEqual({
      role: "assistant",
      content: [text("As far as")],
    });
    expect(run.context).toMatchObject({ iteration: 1, turn: 1, turnIteration: 1, answer: null });
    expect(run.context.usage).toMatchObject({ requests: 1, inputTokens: 7, totalTokens: 10 });
    run.take(message);
    expect(run.owed).toEqual(["llm/1"]);
    run.take(answer(1, "like that"));
    expect(run.output).toBe("like that");
  });

  it("nothing had streamed: no message is made, one request counts, and ids are new", () => {
    const run = chat();
    run.take(interrupt());
    expect(messagesOf(run.context)).toHaveLength(1);
    expect(run.context.usage.requests).toBe(1);
    run.take(message);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("unfinished calls are left out; finished ones are answered as not executed", () => {
    const run = chat();
    run.take(
      streamed(
        text("I look."),
        wish("t", { n: 1 }, "x"),
        { ...wish("t", '{"n', "y"), malformed: true },
        { ...wish("search", {}, "p"), providerExecuted: true },
        wish("t", { n: 2 }, "x"),
      ),
    );
    const all = messagesOf(run.context);
    expect(all[1]?.content).toMatchObject([
      text("I look."),
      { toolCallId: "x", input: { n: 1 } },
      { toolCallId: "x_2", input: { n: 2 } },
    ]);
    expect(resultsOf(run.context)).toEqual([NOT, NOT]);
    expect(recordsOf(run.context)).toMatchObject([
      { id: "tool/0/0", status: "not-executed" },
      { id: "tool/0/1", status: "not-executed" },
    ]);
    expect(transcriptFault(all)).toBeUndefined();
    run.take(message);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it.each<[string, readonly object[]]>([
    ["empty text", [text("")]],
    ["reasoning alone", [{ type: "reasoning", text: "hm" }]],
    ["a call that is cut off", [{ ...wish("t", '{"n'), malformed: true }]],
  ])("%s is not an answer", (_what, content) => {
    const run = chat();
    run.take(streamed(...content));
    expect(messagesOf(run.context)).toHaveLength(1);
  });

  it("a behaviour takes the part of an answer as it takes any", () => {
    const seen: unknown[] = [];
    const behaviour = {
      ...basicBehaviour,
      name: "seeing",
      processResponse: (...args: Parameters<typeof basicBehaviour.processResponse>) => {
        seen.push(args[1].content);
        return basicBehaviour.processResponse(...args);
      },
    };
    chat({ behaviour }).take(streamed(text("so far")));
    expect(seen).toEqual([[text("so far")]]);
  });
});

describe("while tools run and approvals wait", () => {
  const asked = answer(0, wish("t", {}, "1"), wish("t", {}, "2"), wish("asks"));

  it("open approvals are cancelled, what runs is unknown, what is settled is kept", () => {
    const run = chat();
    run.take(asked);
    run.take(returned("tool/0/0", "seen"));
    run.take(interrupt({}, "Wait."));
    expect(run.directives).toEqual([
      { type: "cancel", target: "tool/0/1" },
      { type: "cancel", target: "approval/0/2" },
    ]);
    expect(run.state).toMatchObject({ value: "ready" });
    expect(run.owed).toEqual([]);
    expect(resultsOf(run.context)).toEqual(["seen", mayHaveRun("tool/0/1"), NOT]);
    // The run goes on: nothing was cancelled but the turn.
    expect(run.context.cancelReason).toBeNull();
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
    run.take(message);
    expect(run.owed).toEqual(["llm/2"]);
  });

  it("an agent without a queued message ends as interrupted", () => {
    const run = started();
    run.take(asked);
    run.take(interrupt({}, "Enough."));
    expect(run.state).toMatchObject({ status: "cancelled", value: "interrupted" });
    expect(run.context).toMatchObject({ cancelReason: "Enough.", batch: null });
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });

  it("an agent with a queued message goes on with it, in a new turn", () => {
    const run = started({ maxIterations: 1, deadlineMs: 100 });
    run.take(asked);
    run.take(message);
    run.take(interrupt());
    expect(run.state.status).toBe("active");
    expect(run.owed).toEqual(["timer/deadline/1", "llm/2"]);
    expect(messagesOf(run.context).at(-1)).toEqual({ role: "user", content: "no, like this" });
    run.take(answer(2, "good"));
    expect(run.output).toBe("good");
  });
});

describe("elsewhere", () => {
  it("a conversation that waits has no turn to stop, and handles it", () => {
    const run = chat();
    run.take(answer(0, "hi"));
    const { context } = run;
    const { ignored } = run.take(interrupt());
    expect(ignored).toBeUndefined();
    expect(run.state.value).toBe("ready");
    expect(run.context).toEqual(context);
    expect(run.output).toBe("hi");
  });

  it("a plug-in's step is cancelled, and taken anew in the next turn", () => {
    const plugin = { name: "p", issue: () => [{ type: "read", store: "s", query: 1 } as const] };
    const run = chat({ plugins: [plugin] });
    expect(run.owed).toEqual(["plugin/0/0/0"]);
    run.take(interrupt());
    expect(run.directives).toEqual([{ type: "cancel", target: "plugin/0/0/0" }]);
    run.take(message);
    expect(run.owed).toEqual(["plugin/1/0/0"]);
  });

  it("the last answer of a run at its limit is stopped as well", () => {
    const run = started({ maxIterations: 1, onLimit: "answer" });
    run.take(answer(0, wish("t")));
    run.take(returned("tool/0/0", "seen"));
    run.take(interrupt({ "llm/1": { content: [text("I th")], usage: {} } }));
    expect(run.state).toMatchObject({ status: "cancelled", value: "interrupted" });
    expect(messagesOf(run.context).at(-1)?.content).toEqual([text("I th")]);
    expect(run.context.usage.requests).toBe(2);
  });

  it("what was cancelled and comes all the same is stale", () => {
    const run = chat();
    run.take(interrupt());
    expect(run.take(answer(0, "late")).ignored).toMatchObject({ reason: "stale" });
    expect(run.state.value).toBe("ready");
  });

  it.each<[string, object]>([
    ["without partial", { type: "interrupt" }],
    ["with a list", { type: "interrupt", partial: [] }],
    ["with an answer without usage", interrupt({ "llm/0": { content: [] } })],
    ["with an answer without content", interrupt({ "llm/0": { usage: {} } })],
    ["with a part that is none", interrupt({ "llm/0": { content: [5], usage: {} } })],
    ["with text that is none", interrupt({ "llm/0": { content: [{ type: "text" }], usage: {} } })],
  ])("an interrupt %s is refused", (_what, event) => {
    const run = chat();
    expect(refusal(() => run.take(event as { type: string })).code).toBe("event.invalid");
  });
});
