// What a behaviour makes of an answer is what runs and what the transcript says; it, or stopWhen, may
// end the turn at any call.
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, it } from "vitest";
import {
  type AgentContext,
  type AssistantMessage,
  type AssistantPart,
  agent,
  agentContext,
  type Behaviour,
  basicBehaviour,
  scriptedModel,
  type ToolCallPart,
  tool,
} from "../../../../src/index.js";
import {
  answer,
  lastOf,
  messagesOf,
  recordsOf,
  resultsOf,
  returned,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const send = tool({ name: "send", execute: () => "sent" });
const draft = tool({ name: "draft", execute: () => "drafted" });
const alone = tool({ name: "alone", sequential: true, execute: () => "done" });
const NOT_EXECUTED = "Tool call was not executed, since the turn was ended before it.";

const started = (callbacks: Partial<Behaviour>, more: object = {}) => {
  const behaviour = { ...basicBehaviour, name: "own", ...callbacks };
  return byHand(agent({ name: "a", tools: [send, draft, alone], behaviour, ...more }), "Go.");
};
/** Takes the answer in with other parts. */
const changing = (change: (parts: readonly AssistantPart[]) => readonly AssistantPart[]) => ({
  processResponse: (_agent: unknown, message: AssistantMessage, context: AgentContext) =>
    agentContext.addMessage(context, {
      role: "assistant",
      content: change(message.content as readonly AssistantPart[]),
    }),
});
const isCall = (part: AssistantPart): part is ToolCallPart => part.type === "tool-call";
const whole = (run: { context: AgentContext }) =>
  expect(transcriptFault(messagesOf(run.context))).toBeUndefined();

describe("a call that processResponse", () => {
  it("takes away does not run", () => {
    const run = started(
      changing((parts) => parts.filter((part) => !isCall(part) || part.toolName !== "send")),
    );
    run.take(answer(0, wish("send"), "Hm.", wish("draft")));
    expect(run.directives).toMatchObject([{ type: "tool", id: "tool/0/0", name: "draft" }]);
    run.take(returned("tool/0/0", "drafted"));
    expect(recordsOf(run.context).map(({ name }) => name)).toEqual(["draft"]);
    whole(run);
  });

  it("takes away, and there is no other, leaves what is said as the answer", () => {
    const run = started(changing(() => [{ type: "text", text: "I will not send it." }]));
    run.take(answer(0, wish("send")));
    expect([run.state.value, run.output]).toEqual(["answered", "I will not send it."]);
  });

  it("changes runs as it was changed, and so it stands in the transcript and in the record", () => {
    const run = started(
      changing((parts) =>
        parts.map((part) =>
          isCall(part) ? { ...part, toolName: "draft", input: { to: "nobody" } } : part,
        ),
      ),
    );
    run.take(answer(0, wish("send", { to: "everybody" })));
    expect(run.directives).toMatchObject([{ name: "draft", input: { to: "nobody" } }]);
    run.take(returned("tool/0/0", "drafted"));
    expect(recordsOf(run.context)).toMatchObject([{ name: "draft", input: { to: "nobody" } }]);
    expect(JSON.stringify(messagesOf(run.context))).not.toContain("everybody");
    whole(run);
  });

  it("adds runs, where the model called none", () => {
    const run = started(changing((parts) => [...parts, wish("draft", { n: 1 })]));
    run.take(answer(0, "Let me see."));
    expect(run.directives).toMatchObject([{ type: "tool", name: "draft", input: { n: 1 } }]);
  });

  it("has answered itself does not run; the others do, and each has its result in call order", () => {
    const run = started({
      processResponse: (_agent, message, context) =>
        agentContext.addMessages(context, [
          message,
          {
            role: "tool",
            content: [
              {
                type: "tool-result",
                toolCallId: "call-draft",
                toolName: "draft",
                output: { type: "text", value: "cached" },
              },
            ],
          },
        ]),
    });
    run.take(answer(0, wish("send"), wish("draft")));
    expect(run.directives).toMatchObject([{ name: "send" }]);
    run.take(returned("tool/0/0", "sent"));
    expect(resultsOf(run.context)).toEqual(["sent", "cached"]);
    whole(run);
  });

  it("says something behind runs all the same, and that comes behind its result", () => {
    const run = started({
      processResponse: (_agent, message, context) =>
        context.iteration > 1
          ? agentContext.addMessage(context, message)
          : agentContext.addMessages(context, [
              message,
              { role: "user", content: "Mind the cost." },
            ]),
    });
    run.take(answer(0, wish("send")));
    run.take(returned("tool/0/0", "sent"));
    expect(messagesOf(run.context).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
    ]);
    run.take(answer(1, "Done."));
    expect(run.output).toBe("Done.");
  });

  it("gives a second time under one id has an id of its own", () => {
    const run = started(changing((parts) => [...parts, ...parts]));
    run.take(answer(0, wish("send", {}, "c")));
    expect(run.owed).toEqual(["tool/0/0", "tool/0/1"]);
    expect(recordsOf(run.context)).toEqual([]);
    run.take(returned("tool/0/1", 2));
    run.take(returned("tool/0/0", 1));
    expect(recordsOf(run.context).map(({ callId }) => callId)).toEqual(["c", "c_2"]);
    whole(run);
  });

  it("makes no message of is the run's end, with the place", () => {
    const run = started(changing((parts) => [...parts, { type: "tool-call" } as never]));
    run.take(answer(0, wish("send")));
    expect(run.state.status).toBe("failed");
    expect(run.state.fault?.place).toContain(
      "the transcript of behaviour own: messages[1].content[1].toolCallId is missing",
    );
  });
});

describe("needsResponse: false", () => {
  const stopped = (run: ReturnType<typeof started>, output: string) => {
    expect([run.state.value, run.output]).toEqual(["stopped", output]);
    expect(run.context).toMatchObject({ needsResponse: false, usage: { requests: 1 } });
    whole(run);
  };

  it("from processResponse ends the turn, and the calls of the answer are not executed", () => {
    const run = started({
      processResponse: (_agent, message, context) =>
        agentContext.setNeedsResponse(agentContext.addMessage(context, message), false),
    });
    run.take(answer(0, "I would send it.", wish("send"), wish("alone")));
    stopped(run, "I would send it.");
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual([
      "not-executed",
      "not-executed",
    ]);
    expect(resultsOf(run.context)).toEqual([NOT_EXECUTED, NOT_EXECUTED]);
  });

  it("from afterTool ends it behind the wave; what is begun has its result, the rest is not executed", () => {
    const run = started({
      afterTool: (_agent, { name }, context) =>
        name === "send" ? agentContext.setNeedsResponse(context, false) : context,
    });
    run.take(answer(0, wish("send"), wish("draft"), wish("alone")));
    run.take(returned("tool/0/1", "drafted"));
    run.take(returned("tool/0/0", "sent"));
    stopped(run, "");
    expect(resultsOf(run.context)).toEqual(["sent", "drafted", NOT_EXECUTED]);
  });

  it("from afterTool may be taken back by a later call of the wave", () => {
    const run = started({
      afterTool: (_agent, { name }, context) =>
        agentContext.setNeedsResponse(context, name !== "send"),
    });
    run.take(answer(0, wish("send"), wish("draft")));
    run.take(returned("tool/0/0", "sent"));
    run.take(returned("tool/0/1", "drafted"));
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("ends a turn of a conversation, and the next message begins another", () => {
    const run = started(
      { afterTool: (_agent, _call, context) => agentContext.setNeedsResponse(context, false) },
      { conversation: true },
    );
    run.take(answer(0, wish("send")));
    run.take(returned("tool/0/0", "sent"));
    expect([run.state.value, run.owed]).toEqual(["ready", []]);
    run.take({ type: "message", content: "And?" });
    expect(run.owed).toEqual(["llm/1"]);
    whole(run);
  });

  it("is overruled by what the user says meanwhile", () => {
    const run = started({
      afterTool: (_agent, _call, context) => agentContext.setNeedsResponse(context, false),
    });
    run.take(answer(0, wish("send")));
    run.take({ type: "message", content: "Wait!" });
    run.take(returned("tool/0/0", "sent"));
    expect([run.owed, lastOf(run.context)]).toEqual([
      ["llm/1"],
      { role: "user", content: "Wait!" },
    ]);
  });

  it("before there is an output of the required form ends the run as one without", () => {
    const schema: StandardSchemaV1 = {
      "~standard": { version: 1, vendor: "t", validate: (value: unknown) => ({ value }) },
    };
    const a = agent({
      name: "a",
      tools: [send],
      stopWhen: () => true,
      output: { schema, jsonSchema: { type: "object" } },
    });
    const run = byHand(a, "Go.");
    run.take(answer(0, wish("send")));
    run.take(returned("tool/0/0", "sent"));
    expect(run.state.value).toBe("invalidOutput");
    expect(a.error(run.state)?.message).toContain("ended before there was an answer");
  });
});

describe("stopWhen", () => {
  const stopping = (
    stopWhen: (context: AgentContext, calls: readonly { name: string }[]) => unknown,
  ) => byHand(agent({ name: "a", tools: [send, draft], stopWhen: stopWhen as never }), "Go.");

  it("sees the calls of the last answer with their results, and ends the turn", () => {
    const seen: unknown[] = [];
    const run = stopping((context, calls) => {
      seen.push([context.iteration, calls.map(({ name }) => name)]);
      return calls.some(({ name }) => name === "send");
    });
    run.take(answer(0, wish("draft")));
    run.take(returned("tool/0/0", "drafted"));
    run.take(answer(1, "Off it goes.", wish("draft"), wish("send"), wish("nope")));
    run.take(returned("tool/1/0", "drafted"));
    run.take(returned("tool/1/1", "sent"));
    expect([run.state.value, run.output]).toEqual(["stopped", "Off it goes."]);
    expect(seen).toEqual([
      [1, ["draft"]],
      [2, ["draft", "send", "nope"]],
    ]);
  });

  it("says nothing of an answer without calls", () => {
    const run = stopping(() => true);
    run.take(answer(0, "Done."));
    expect([run.state.value, run.output]).toEqual(["answered", "Done."]);
  });

  const wrong: readonly (readonly [string, () => unknown, string])[] = [
    [
      "throws",
      () => {
        throw new Error("no idea");
      },
      "stopWhen",
    ],
    [
      "returns what is neither true nor false",
      () => 1,
      "what stopWhen returns must be true or false",
    ],
  ];
  it.each(wrong)("that %s is the run's end, with the place", (_what, stopWhen, place) => {
    const run = stopping(stopWhen);
    run.take(answer(0, wish("send")));
    run.take(returned("tool/0/0", "sent"));
    expect(run.state.status).toBe("failed");
    expect(run.state.fault?.place).toContain(place);
  });

  it("is part of the configuration, and comes to the same after a crash anywhere", async () => {
    const again = tool({ name: "send", idempotent: true, execute: () => "sent" });
    const made = (stopWhen?: () => boolean) =>
      agent({ name: "a", tools: [again], ...(stopWhen && { stopWhen }) });
    expect(made(() => true).fingerprint).not.toBe(made().fingerprint);
    const model = scriptedModel([{ text: "Sending.", calls: [{ name: "send" }] }]);
    const { end } = await everyWay({
      reasoner: made(() => true),
      input: "Go.",
      world: () => ({ model }),
    });
    expect(end).toMatchObject({ status: "done", reason: "stopped", output: "Sending." });
  });
});

describe("an interrupt while the model answers", () => {
  it("leaves what the behaviour makes of the unfinished answer", () => {
    const run = started(
      changing((parts) => parts.filter((part) => !isCall(part))),
      {
        conversation: true,
      },
    );
    const content = [{ type: "text", text: "Let me" }, wish("send")];
    run.take({ type: "interrupt", partial: { "llm/0": { content, usage: {} } } });
    expect(run.state.value).toBe("ready");
    expect(lastOf(run.context)).toEqual({ role: "assistant", content: [content[0]] });
    expect(recordsOf(run.context)).toEqual([]);
  });
});
