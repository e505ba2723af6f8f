// What a provider's error repeats of credentials does not leave the adapter: not in its text, not in
// its detail, not in its cause, also where the key looks like nothing.
import { inspect } from "node:util";
import { APICallError } from "@ai-sdk/provider";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import { serveConversation } from "../../../support/conversation-server.js";
import { majors, providerModel } from "../../../support/provider-model.js";
import { aCall, hello } from "./support.js";
import { portTo } from "./wire-support.js";

const thrownBy = (asking: Promise<unknown>): Promise<Error> =>
  asking.then(
    () => Promise.reject(new Error("it was answered")),
    (thrown: Error) => thrown,
  );

describe.each(majors)(
  "an error that repeats the request's headers, with the clients of ai %i",
  (major) => {
    it.each(["openai-chat", "openai-responses", "anthropic-messages"] as const)(
      "is masked, whatever the key looks like: %s",
      async (api) => {
        // The clients of the tests ask with the key `none`, which is too short to be told from a word.
        const exchange = {
          request: { method: "POST", path: "", body: {} },
          response: {
            status: 401,
            contentType: "application/json",
            body: {
              type: "error",
              error: {
                message: "odd.key/of+mine is not known",
                type: "authentication_error",
                seen: "with odd.key/of+mine",
              },
            },
          },
        };
        const server = await serveConversation({
          name: "x",
          api,
          about: "",
          exchanges: [exchange],
        });
        const model = providerModel(api, "m", server.url, major, "odd.key/of+mine");
        const thrown = await thrownBy(aiSdk(model).generate(hello, aCall()));
        await server.close();
        expect(thrown.message).toBe("[masked] is not known");
        expect(inspect(thrown, { depth: 10, showHidden: true })).not.toContain("odd.key");
        expect(thrown).toMatchObject({ error: { status: 401, transient: false } });
      },
    );

    it("inside a stream is masked as well", async () => {
      const body = 'data: {"error":{"message":"Bearer abc.def was refused","code":"x"}}\n\n';
      const port = await portTo("openai-chat", major, [{ body }], { stream: true });
      const thrown = await thrownBy(port.generate(hello, aCall()));
      expect(thrown.message).toBe("Bearer [masked] was refused");
      expect(inspect(thrown, { depth: 10 })).not.toContain("abc.def");
    });
  },
);

describe("an error of whatever a model throws", () => {
  const failing = (options: object = {}) => {
    const doGenerate = async () => {
      throw new APICallError({
        message: "Incorrect API key provided: sk-proj-abcdefghijklmnop",
        url: "https://user:hunter2@x.test/v1?key=AIzaSyA1234567890abcdefghijklmnopqrstu",
        requestBodyValues: { messages: ["what was said"] },
        statusCode: 401,
        responseHeaders: { "set-cookie": "session=abc", "x-request-id": "r1" },
        responseBody: JSON.stringify({ headers: { "x-api-key": "plain", n: 1 } }),
        cause: new Error("authorization: Bearer zzz"),
      });
    };
    return thrownBy(
      aiSdk(new MockLanguageModelV3({ doGenerate }), options).generate(hello, aCall()),
    );
  };

  it("shows no credentials, and nothing of the request or of the answer's headers", async () => {
    const thrown = await failing();
    const shown = inspect(thrown, { depth: 10, showHidden: true });
    for (const each of [
      "sk-proj",
      "hunter2",
      "AIza",
      "session=",
      "plain",
      "zzz",
      "what was said",
    ]) {
      expect(shown, each).not.toContain(each);
    }
    expect(thrown).toMatchObject({
      message: "Incorrect API key provided: [masked]",
      error: { status: 401, detail: { headers: { "x-api-key": "[masked]", n: 1 } } },
      cause: { name: "AI_APICallError", cause: { message: "authorization: [masked]" } },
    });
  });

  it("may be its own cause, or throw when it is looked at", async () => {
    const circle = new Error("around");
    circle.cause = circle;
    const hostile = new Proxy(new Error("x"), {
      get: () => {
        throw new Error("sk-proj-abcdefghijklmnop");
      },
    });
    for (const each of [circle, hostile, null, undefined, Object.create(null)]) {
      const doGenerate = async () => {
        throw each;
      };
      const thrown = await thrownBy(
        aiSdk(new MockLanguageModelV3({ doGenerate })).generate(hello, aCall()),
      );
      expect(thrown).toMatchObject({ name: "ModelError", error: { transient: false } });
      expect(inspect(thrown, { depth: 10 })).not.toContain("sk-proj");
    }
  });

  it("is as it was thrown where that is wanted", async () => {
    const thrown = await failing({ maskCredentials: false });
    expect(thrown.message).toContain("sk-proj");
    expect(thrown.cause).toBeInstanceOf(APICallError);
  });

  it("is cut after it was masked, so that no half of a key is left", async () => {
    const key = "sk-proj-abcdefghijklmnop";
    const doGenerate = async () => {
      throw new APICallError({
        message: "no",
        url: "https://x.test",
        requestBodyValues: {},
        statusCode: 500,
        responseBody: `${"x".repeat(16_384 - 8)} ${key}`,
      });
    };
    const thrown = await thrownBy(
      aiSdk(new MockLanguageModelV3({ doGenerate })).generate(hello, aCall()),
    );
    expect(inspect(thrown, { maxStringLength: null })).not.toContain("sk-p");
  });
});
