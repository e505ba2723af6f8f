// A provider that checks the model's tool calls itself, and refuses the answer: whole and streamed,
// told apart from every other 400.
import { describe, expect, it } from "vitest";
import { majors } from "../../../support/provider-model.js";
import { aCall, failureOf, hello } from "./support.js";
import { chunk, events, portTo, type Said } from "./wire-support.js";

const generation = '<function=weather>{"city": 5}</function>';
const refused = {
  error: {
    message: "Failed to call a function. Please adjust your prompt.",
    type: "invalid_request_error",
    code: "tool_use_failed",
    failed_generation: generation,
  },
};

describe.each(majors)(
  "a tool call that the provider refused, with the clients of ai %i",
  (major) => {
    const failing = async (said: Said, stream: boolean) =>
      failureOf((await portTo("openai-chat", major, [said], { stream })).generate(hello, aCall()));

    it.each([false, true])(
      "is known by its 400, with what the model wrote; stream: %s",
      async (s) => {
        expect(await failing({ status: 400, body: refused }, s)).toMatchObject({
          code: "llm.rejectedCall",
          status: 400,
          transient: false,
          detail: { error: { failed_generation: generation } },
        });
      },
    );

    it("is known inside a stream, before and after the first word", async () => {
      for (const before of [[], [chunk({ role: "assistant", content: "Let me " })]]) {
        const body = events([...before, { ...refused, status_code: 400 }]);
        expect(await failing({ body }, true)).toMatchObject({
          code: "llm.rejectedCall",
          transient: false,
          detail: { error: { failed_generation: generation } },
        });
      }
    });

    it.each([
      "tool call validation failed: parameters for tool weather did not match schema: errors: [`/city`: expected string]",
      "Provider returned error: Model produced invalid sequence as part of ToolUse",
      "attempted to call tool 'wether' which was not in request.tools",
    ])("is known by its words: %s", async (message) => {
      const body = { error: { message, type: "invalid_request_error" } };
      expect(await failing({ status: 400, body }, false)).toMatchObject({
        code: "llm.rejectedCall",
      });
    });

    it.each([
      [400, "An assistant message with 'tool_calls' must be followed by tool messages"],
      [400, "Invalid schema for function 'weather': None is not of type 'string'"],
      [
        400,
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
      ],
      [400, "max_tokens is too large"],
      [503, "tool_use_failed"],
    ])("is not what any other error says: %i %s", async (status, message) => {
      const body = { error: { message, type: "invalid_request_error" } };
      expect(await failing({ status, body }, false)).toMatchObject({ code: "llm.failed", status });
    });

    it("may be known by whoever uses the provider", async () => {
      const port = await portTo(
        "openai-chat",
        major,
        [{ status: 400, body: { error: { message: "E1234", type: "x" } } }],
        { isRejectedCall: ({ message, status }) => status === 400 && message.includes("E1234") },
      );
      expect(await failureOf(port.generate(hello, aCall()))).toMatchObject({
        code: "llm.rejectedCall",
        transient: false,
      });
    });
  },
);
