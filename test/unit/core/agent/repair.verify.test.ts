// What a repair does to a transcript, case by case, and what it says of it.
import "../../../support/work.js";

import { describe, expect, it } from "vitest";
import {
  type AssistantPart,
  agent,
  basicBehaviour,
  type Message,
  repairTranscript,
  type ToolCallPart,
  toArray,
} from "../../../../src/index.js";
import { answer, messagesOf, readOf, recordsOf, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { expectFlat } from "../../../support/work.js";

const NOT = "Tool call was interrupted and not executed. Please retry if needed.";
const user: Message = { role: "user", content: "hi" };
const asks = (...parts: readonly (string | AssistantPart)[]): Message => ({
  role: "assistant",
  content: parts.map((part) => (typeof part === "string" ? wish("t", {}, part) : part)),
});
const result = (id: string, value = `of ${id}`, toolName = "t") => ({
  type: "tool-result" as const,
  toolCallId: id,
  toolName,
  output: { type: "text" as const, value },
});
const tells = (...ids: readonly string[]): Message => ({
  role: "tool",
  content: ids.map((id) => result(id)),
});
const provided = (id: string): ToolCallPart => ({
  ...wish("search", {}, id),
  providerExecuted: true,
});
/** A transcript in short: roles, and for results which call they answer with what. */
const short = (messages: readonly Message[]) =>
  messages.map((message) =>
    message.role === "tool"
      ? message.content.map(({ toolCallId, output }) => `${toolCallId}: ${readOf(output)}`).join()
      : message.role,
  );
const nothing = { moved: 0, orphans: 0, duplicates: 0, answered: 0, renamed: 0 };

describe("a repair", () => {
  const cases: readonly (readonly [string, readonly Message[], readonly string[], object])[] = [
    [
      "moves a late result behind its call",
      [asks("a"), user, tells("a")],
      ["assistant", "a: of a", "user"],
      { moved: 1 },
    ],
    [
      "leaves nothing of an answer that holds a late result alone",
      [asks("a"), user, { role: "assistant", content: [result("a")] }],
      ["assistant", "a: of a", "user"],
      { moved: 1 },
    ],
    [
      "puts results into call order",
      [asks("a", "b", "c"), tells("c", "a"), tells("b")],
      ["assistant", "a: of a", "b: of b", "c: of c"],
      { moved: 2 },
    ],
    [
      "answers what has none, in call order, between those that have one",
      [asks("a", "b", "c"), tells("b"), user],
      ["assistant", `a: ${NOT}`, "b: of b", `c: ${NOT}`, "user"],
      { answered: 2 },
    ],
    [
      "drops an orphan",
      [tells("x"), user, asks("a"), tells("a")],
      ["user", "assistant", "a: of a"],
      { orphans: 1 },
    ],
    [
      "drops a result that stands before its call: it answers another one that was cut off",
      [tells("a"), asks("a"), user],
      ["assistant", `a: ${NOT}`, "user"],
      { orphans: 1, answered: 1 },
    ],
    [
      "drops duplicates: the first counts",
      [asks("a"), { role: "tool", content: [result("a", "first")] }, tells("a"), user, tells("a")],
      ["assistant", "a: first", "user"],
      { duplicates: 2 },
    ],
    [
      "drops a message without results",
      [asks("a"), tells("a"), { role: "tool", content: [] }],
      ["assistant", "a: of a"],
      { orphans: 1 },
    ],
    [
      "takes late results of an id that comes again in their order",
      [
        asks("a"),
        user,
        asks("a"),
        user,
        { role: "tool", content: [result("a", "1"), result("a", "2")] },
      ],
      ["assistant", "a: 1", "user", "assistant", "a: 2", "user"],
      { moved: 2 },
    ],
    [
      "gives one late result of such an id to the last call",
      [asks("a"), user, asks("a"), user, tells("a")],
      ["assistant", `a: ${NOT}`, "user", "assistant", "a: of a", "user"],
      { moved: 1, answered: 1 },
    ],
    [
      "gives the k-th call with one id an id of its own, in call and result",
      [asks("a", "a", "a"), tells("a", "a")],
      ["assistant", "a: of a", "a_2: of a", `a_3: ${NOT}`],
      { renamed: 2, answered: 1 },
    ],
    [
      "does not meet an id that is there already",
      [asks("a", "a", "a_2"), tells("a", "a", "a_2")],
      ["assistant", "a: of a", "a_3: of a", "a_2: of a_2"],
      { renamed: 1 },
    ],
    [
      "names the tool that was called",
      [asks("a"), { role: "tool", content: [result("a", "x", "other")] }],
      ["assistant", "a: x"],
      { renamed: 1 },
    ],
    [
      "takes our results out of the model's message",
      [asks("a", result("a", "inside")), user],
      ["assistant", "a: inside", "user"],
      { moved: 1 },
    ],
    [
      "takes the first of two such results out, and drops the second",
      [asks("a", result("a", "inside"), result("a", "again")), user],
      ["assistant", "a: inside", "user"],
      { moved: 1, duplicates: 1 },
    ],
    [
      "leaves the provider's own calls and results to it, and drops one that was cut off from its call",
      [
        asks(provided("p"), result("p")),
        asks(result("p")),
        asks(result("q"), { type: "text", text: "x" }),
      ],
      ["assistant", "assistant", "assistant"],
      { orphans: 1 },
    ],
    [
      "lets the provider's own call keep its id, whose result knows it by that",
      [asks("p", provided("p"), result("p")), tells("p")],
      ["assistant", "p_2: of p"],
      { renamed: 1 },
    ],
  ];
  it.each(cases)("%s", (_name, given, after, counts) => {
    const { messages, repair } = repairTranscript(given);
    expect(short(messages)).toEqual(after);
    expect(repair).toEqual({ ...nothing, ...counts });
    expect(repairTranscript(messages).messages).toBe(messages);
  });

  it("keeps what a provider wants to see again, of the message and of the result", () => {
    const providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
    const content = [{ ...result("a"), providerOptions }];
    const { messages } = repairTranscript([
      asks("a"),
      user,
      { role: "tool", content, providerOptions },
    ]);
    expect(messages[1]).toEqual({ role: "tool", content, providerOptions });
  });

  it("leaves the calls open that are being carried out, and only those", () => {
    const given = [asks("a"), user, asks("b", "c"), tells("b")];
    expect(short(repairTranscript(given, true).messages)).toEqual([
      "assistant",
      `a: ${NOT}`,
      "user",
      "assistant",
      "b: of b",
    ]);
    expect(repairTranscript(given.slice(2), true).repair).toBeNull();
  });

  it("costs the transcript's length, though all messages are of one id", () =>
    expectFlat(
      (count) => {
        const long = Array.from({ length: count }, () => [
          asks("a", "a"),
          user,
          tells("a"),
          tells("a"),
        ]).flat();
        return () => {
          const { repair } = repairTranscript(long);
          expect(repair).toMatchObject({ moved: 2 * count, renamed: count });
        };
      },
      300,
      3_000,
    ));
});

describe("an agent", () => {
  it("tells observers at the start what it did to the transcript it was given", () => {
    const run = byHand(agent({ name: "a" }), { messages: [asks("a"), user, tells("a")] });
    expect(run.directives).toMatchObject([
      {
        type: "notify",
        topic: "transcript.repaired",
        data: { source: "input", ...nothing, moved: 1 },
      },
      { type: "llm", id: "llm/0" },
    ]);
    expect(run.context.notices).toEqual([]);
    run.take(answer(0, "done"));
    expect(run.directives).toEqual([]);
  });

  it("tells two calls with one id apart, in call, result and record; the event keeps the id", () => {
    const event = answer(0, wish("t", { n: 1 }, "x"), "and", wish("t", { n: 2 }, "x"));
    const run = byHand(agent({ name: "a" }), "go");
    run.take(event);
    expect(event.content.filter(({ type }) => type === "tool-call")).toMatchObject([
      { toolCallId: "x" },
      { toolCallId: "x" },
    ]);
    const messages = messagesOf(run.context);
    expect(messages[1]?.content).toMatchObject([
      { toolCallId: "x", input: { n: 1 } },
      { text: "and" },
      { toolCallId: "x_2", input: { n: 2 } },
    ]);
    expect(short(messages.slice(2))).toEqual(["x: Tool not found: t", "x_2: Tool not found: t"]);
    expect(recordsOf(run.context).map(({ callId }) => callId)).toEqual(["x", "x_2"]);
  });

  it("cut to its last part by a behaviour, sends no orphan, and says so with each request", () => {
    const cutting = agent({
      name: "a",
      behaviour: {
        ...basicBehaviour,
        name: "cutting",
        buildMessages: (_spec, { messages }) => toArray(messages).slice(-1),
      },
    });
    const run = byHand(cutting, "go");
    run.take(answer(0, wish("t")));
    expect(run.directives).toMatchObject([
      { topic: "transcript.repaired", data: { source: "request", orphans: 1 } },
      {
        topic: "request.changed",
        data: { part: "messages", why: "behaviour cutting changes what was said before" },
      },
      { type: "llm", id: "llm/1", messages: [] },
    ]);
  });
});
