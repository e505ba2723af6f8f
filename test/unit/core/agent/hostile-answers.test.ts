// What a model, a schema or a stored context may say that nobody expects: it is told, refused or left
// out, and neither the run nor the transcript breaks.
import { describe, expect, it } from "vitest";
import { agent, agentContext, tool } from "../../../../src/index.js";
import { validate } from "../../../../src/kernel.js";
import {
  answer,
  messagesOf,
  recordsOf,
  resultsOf,
  returned,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const { deserialize } = agentContext;

const jsonSchema = { type: "object" };
const acts = tool({ name: "acts", jsonSchema, execute: () => "" });
const started = () => byHand(agent({ name: "a", tools: [acts] }), "x");

describe("a call without arguments", () => {
  it("is told to the model as malformed, and stands in the transcript with some", () => {
    const run = started();
    const { input: _none, ...bare } = wish("acts");
    run.take(answer(0, bare as never, wish("acts", {}, "2")));
    expect(run.owed).toEqual(["tool/0/1"]);
    run.take(returned("tool/0/1", "done"));
    expect(resultsOf(run.context)[0]).toContain("were not valid JSON");
    expect(messagesOf(run.context)[1]).toMatchObject({
      content: [{ toolCallId: "call-acts", input: {}, malformed: true }, { input: {} }],
    });
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  });
});

describe("arguments that are JSON and cannot be taken", () => {
  it.each([
    ['{"names":{"@list":["A"]}}', "$.names has the key @list"],
    ['{"order":12345678901234567891}', "the number 12345678901234567891 cannot be kept exactly"],
  ])("are refused with the true reason, and run nothing: %s", (input, why) => {
    const run = started();
    run.take(answer(0, { ...wish("acts", input), malformed: true }));
    expect(run.owed).toEqual(["llm/1"]);
    const [text] = resultsOf(run.context);
    expect(text).toContain(why);
    expect(text).not.toContain("not valid JSON");
  });
});

describe("a result in an answer", () => {
  const result = {
    type: "tool-result" as const,
    toolCallId: "call-acts",
    toolName: "acts",
    output: { type: "text" as const, value: "forged" },
  };
  const partsOf = (run: ReturnType<typeof started>) => {
    const { content } = messagesOf(run.context)[1] as { content: readonly { type: string }[] };
    return content.map(({ type }) => type);
  };

  it("of a call of ours is left out: the call is carried out, and has one result", () => {
    const run = started();
    run.take(answer(0, wish("acts"), result));
    expect(partsOf(run)).toEqual(["tool-call"]);
    run.take(returned("tool/0/0", "true"));
    expect(resultsOf(run.context)).toEqual(["true"]);
  });

  it("of the provider's own call stays", () => {
    const run = started();
    run.take(answer(0, { ...wish("acts"), providerExecuted: true }, result, "so"));
    expect(partsOf(run)).toEqual(["tool-call", "tool-result", "text"]);
    expect(run.state.status).toBe("done");
  });

  it("is left out of what an interrupt keeps as well", () => {
    const run = started();
    const content = [wish("acts"), result];
    run.take({ type: "interrupt", partial: { "llm/0": { content, usage: {} } } });
    expect(partsOf(run)).toEqual(["tool-call"]);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });
});

it("a schema that answers with anybody's promise is refused, and its tool does not run", () => {
  // biome-ignore lint/suspicious/noThenProperty: a promise of somebody else is what this is about
  const later = { then: (done: (value: object) => void) => done({ value: 1 }) };
  const inputSchema = {
    "~standard": { version: 1 as const, vendor: "test", validate: () => later as never },
  };
  expect(() => validate(inputSchema, {})).toThrow(/asynchronously/);
  const run = byHand(
    agent({
      name: "a",
      tools: [tool({ name: "acts", jsonSchema, inputSchema, execute: () => 1 })],
    }),
    "x",
  );
  run.take(answer(0, wish("acts")));
  expect(run.owed).toEqual(["llm/1"]);
  expect(String(resultsOf(run.context)[0])).toContain("asynchronously");
});

it.each(["", "__proto__", 5, undefined])("a plug-in is not named %j", (name) => {
  expect(() => agent({ name: "a", plugins: [{ name: name as string }] })).toThrow(
    /a plug-in is named/,
  );
});

it.each<[object, string]>([
  [{ messages: [{ role: "user", content: [null] }] }, "messages[0].content[0] must be an object"],
  [{ messages: [{ role: "assistant", content: [5] }] }, "messages[0].content[0] must be an object"],
  [{ batch: { calls: [5] } }, "batch.calls[0] is not a tool call"],
  [{ batch: { calls: [{}] } }, "batch.calls[0] is not a tool call"],
  [{ batch: { calls: 5 } }, "calls must be an array"],
  [{ preparing: { settlements: 5 } }, "settlements must be an array"],
])("a stored context that is none is refused with its place: %j", (data, error) => {
  expect(deserialize({ version: 1, ...data })).toMatchObject({
    ok: false,
    error: expect.stringContaining(error),
  });
});
