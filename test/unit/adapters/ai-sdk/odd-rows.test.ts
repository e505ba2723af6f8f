// Rows of what providers do that stand in no rule, since the clients or the reading of errors hold them.
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../../../src/runtime/index.js";
import { majors } from "../../../support/provider-model.js";
import { aCall, failureOf } from "./support.js";
import { anthropicMessage, openaiResponse, openaiText, portTo, report } from "./wire-support.js";

const asked: ModelRequest["messages"][number] = { role: "user", content: "Who won?" };

describe.each(majors)("with the clients of ai %i", (major) => {
  it.each(["commentary", "final_answer"])(
    "the phase %s of a text goes back unchanged, or preambles are read as answers",
    async (phase) => {
      const text = { ...openaiText("I look."), phase };
      const port = await portTo(
        "openai-responses",
        major,
        [
          { body: openaiResponse([text]) },
          {
            body: openaiResponse([openaiText("Ada.")]),
            expect: { input: [{}, { role: "assistant", phase }, {}] },
          },
        ],
        { model: "gpt-5.4" },
      );
      const first = await port.generate({ messages: [asked] }, aCall());
      const messages = [asked, { role: "assistant", content: first.content } as const, asked];
      await port.generate({ messages }, aCall());
      expect(report().mismatches).toEqual([]);
    },
  );

  it.each([
    [{ error: { message: "Provider is overloaded", code: 502 } }, true],
    [{ error: { message: "No credits are left", code: 402 } }, false],
  ])(
    "an error in the body of a 200 is one, and its code says whether to ask again: %j",
    async (body, transient) => {
      const port = await portTo("openai-chat", major, [{ body }]);
      const error = await failureOf(port.generate({ messages: [asked] }, aCall()));
      expect(error).toMatchObject({ transient, message: body.error.message });
    },
  );

  it("a body of nulls without an answer is asked for again", async () => {
    const body = { id: null, object: null, model: null, choices: null };
    const port = await portTo("openai-chat", major, [{ body }]);
    const error = await failureOf(port.generate({ messages: [asked] }, aCall()));
    expect(error).toMatchObject({ transient: true });
  });

  it("a prompt that a filter refused is a bad request, and is not asked again", async () => {
    const body = {
      error: { message: "The prompt was filtered", code: "content_filter", status: 400 },
    };
    const port = await portTo("openai-chat", major, [{ body, status: 400 }]);
    const error = await failureOf(port.generate({ messages: [asked] }, aCall()));
    expect(error).toMatchObject({ transient: false, status: 400 });
  });

  it("a request of instructions alone has a word of a user", async () => {
    const port = await portTo("openai-responses", major, [
      {
        body: openaiResponse([openaiText("Yes.")]),
        expect: { input: [{ role: "developer" }, { role: "user" }] },
      },
    ]);
    await port.generate({ system: "Begin.", messages: [] }, aCall());
    expect(report().mismatches).toEqual([]);
  });

  it("a text after calls, and an empty answer of Anthropic's, are taken as they are", async () => {
    const call = {
      type: "function_call",
      id: "fc_1",
      call_id: "c1",
      name: "t",
      arguments: "{}",
      status: "completed",
    };
    const late = await portTo("openai-responses", major, [
      { body: openaiResponse([call, openaiText("I looked.")]) },
    ]);
    const { content } = await late.generate({ messages: [asked] }, aCall());
    expect(content.map(({ type }) => type)).toEqual(["tool-call", "text"]);
    const empty = await portTo("anthropic-messages", major, [{ body: anthropicMessage([]) }]);
    const answer = await empty.generate({ messages: [asked] }, aCall());
    expect(answer).toMatchObject({ content: [], finishReason: "stop" });
  });
});
