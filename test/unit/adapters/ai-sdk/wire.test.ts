// What is seen of a call as it goes over the wire, through the model's own fetch, and that nothing of
// it is changed.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIOf7 } from "@ai-sdk/openai-4";
import { describe, expect, it } from "vitest";
import { aiSdk } from "../../../../src/adapters/ai-sdk/index.js";
import type { SpecModel } from "../../../../src/adapters/ai-sdk/specification.js";
import { tapped } from "../../../../src/adapters/ai-sdk/wire.js";
import { majors } from "../../../support/provider-model.js";
import { aCall, failureOf, hello } from "./support.js";

const stream = (...chunks: readonly (string | Uint8Array)[]) =>
  new ReadableStream({
    start(controller) {
      for (const each of chunks)
        controller.enqueue(typeof each === "string" ? new TextEncoder().encode(each) : each);
      controller.close();
    },
  });
const eventStream = { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "r1" };

/** Has a model call its fetch, which answers so; the answer, and what was seen. */
async function through(response: Response, init?: RequestInit) {
  const asked: unknown[] = [];
  const fetch = async (...given: unknown[]) => {
    asked.push(given);
    return response;
  };
  const { model, wire } = tapped({ config: { fetch } } as never);
  const { config } = model as unknown as { config: { fetch: typeof globalThis.fetch } };
  const answer = await config.fetch("https://a.test/", init);
  return { answer, wire, asked };
}
const seenOf = async (...chunks: readonly (string | Uint8Array)[]) => {
  const { answer, wire } = await through(new Response(stream(...chunks), { headers: eventStream }));
  const text = await answer.text();
  return { text, wire };
};

describe("an event stream", () => {
  it("is passed on as it came, with status and headers", async () => {
    const given = new Response(stream("data: a\n\n"), {
      status: 203,
      statusText: "Changed",
      headers: eventStream,
    });
    const { answer } = await through(given);
    expect([answer.status, answer.statusText]).toEqual([203, "Changed"]);
    expect(answer.headers.get("x-request-id")).toBe("r1");
    expect(await answer.text()).toBe("data: a\n\n");
  });

  it.each([
    [["data: [DONE]\n\n"]],
    [["data: [DONE]"]],
    [["data:[DONE]\r\n\r\n"]],
    [["data: {}\rdata: [DONE]\r"]],
    [["data: {}\n\nda", "ta: [DO", "NE]\n"]],
  ])("says that it is done: %j", async (chunks) => {
    expect((await seenOf(...chunks)).wire.done).toBe(true);
  });

  it.each([
    [["data: {}\n\n"]],
    [["[DONE]\n"]],
    [["event: [DONE]\n"]],
    [["xdata: [DONE]\n"]],
    [["data: x[DONE]\n"]],
    [[]],
  ])("does not: %j", async (chunks) => {
    const { text, wire } = await seenOf(...chunks);
    expect(text).toBe(chunks.join(""));
    expect(wire.done).toBe(false);
  });

  it("shows the last error in it, whole", async () => {
    const error = (message: string) => ({ error: { message }, status_code: 400 });
    const { wire } = await seenOf(
      `data: ${JSON.stringify(error("one"))}\n\ndata: ${JSON.stringify(error("two"))}\n\n`,
      'data: {"error":null}\n\ndata: {"text":"no \\"error\\" at all"}\n\n',
      'data: {"error": broken\n\n',
    );
    expect(wire.error).toEqual(error("two"));
  });

  it.each([['data: {"error":null}\n'], ['data: {"a":"\\"error\\""}\n'], ['data: null "error"\n']])(
    "has none: %j",
    async (line) => {
      const { text, wire } = await seenOf(line);
      expect(text).toBe(line);
      expect(wire.error).toBeUndefined();
    },
  );

  it("may be cut in the middle of a letter", async () => {
    const bytes = new TextEncoder().encode('data: {"error":{"message":"é🙂"}}\n');
    for (let at = 1; at < bytes.length; at++) {
      const { wire } = await seenOf(bytes.subarray(0, at), bytes.subarray(at));
      expect(wire.error).toEqual({ error: { message: "é🙂" } });
    }
  });
});

describe("an answer that is not an event stream, or has no body", () => {
  it.each([
    ["JSON", new Response('{"error":1}', { headers: { "content-type": "application/json" } })],
    ["nothing", new Response(null, { status: 204, headers: eventStream })],
    ["of no type", new Response(stream("data: [DONE]\n"))],
  ])("is passed on as it came: %s", async (_, response) => {
    const [before, { status, headers }] = [await response.clone().text(), response];
    const { answer, wire } = await through(response);
    expect([answer.status, answer.headers]).toEqual([status, headers]);
    expect(await answer.text()).toBe(before);
    expect(wire).toMatchObject({ done: false, error: undefined, endless: false });
  });
});

describe("an answer without end", () => {
  const piece = new TextEncoder().encode("x".repeat(1024 * 1024));
  /** A body of so many MiB, if anybody reads as many; and how many were read. */
  function body(most: number) {
    const read = { pieces: 0 };
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (read.pieces++ < most) controller.enqueue(piece);
      else controller.close();
    };
    return { read, stream: new ReadableStream({ pull }) };
  }

  it.each([
    ["JSON", { "content-type": "application/json" }],
    ["one line of a stream", eventStream],
  ])("is given up at 30 MiB: %s", async (_, headers) => {
    const { read, stream: endless } = body(1_000);
    const { answer, wire } = await through(new Response(endless, { headers }));
    await expect(answer.text()).rejects.toThrow("larger than any may be");
    expect(wire.endless).toBe(true);
    expect(read.pieces).toBeLessThan(40);
    const fitting = await through(new Response(body(30).stream, { headers }));
    expect(await fitting.answer.text()).toHaveLength(30 * piece.length);
    expect(fitting.wire.endless).toBe(false);
  });

  it("is no matter of a stream's length, if its lines end", async () => {
    const line = new TextEncoder().encode(`data: ${"x".repeat(1024 * 1024)}\n`);
    let lines = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (lines++ < 40) controller.enqueue(line);
      else controller.close();
    };
    const given = new Response(new ReadableStream({ pull }), { headers: eventStream });
    const { answer, wire } = await through(given);
    expect(await answer.text()).toHaveLength(40 * line.length);
    expect(wire.endless).toBe(false);
  });

  it.each(majors)("fails the call, and not for a while: ai %i", async (major) => {
    const { stream: endless } = body(1_000);
    const fetch = async () =>
      new Response(endless, { headers: { "content-type": "application/json" } });
    const make = major === 6 ? createOpenAI : createOpenAIOf7;
    const model = aiSdk(make({ apiKey: "k", fetch }).chat("gpt-4o"));
    expect(await failureOf(model.generate(hello, aCall()))).toMatchObject({
      code: "llm.failed",
      transient: false,
      message: expect.stringContaining("larger than 5 MiB, so it was given up"),
    });
  });
});

describe("credentials", () => {
  it("are the values of headers that carry them, without the scheme", async () => {
    const headers = { authorization: "Bearer  a b.c", "x-api-key": "k w", "x-other": "plain" };
    const { wire, asked } = await through(new Response("{}"), { headers });
    expect([...wire.credentials].sort()).toEqual(["a b.c", "w"]);
    expect(asked).toEqual([["https://a.test/", { headers }]]);
    expect((await through(new Response("{}"))).wire.credentials).toEqual([]);
  });
});

describe("a model", () => {
  it("is looked at through a copy, and stays as it is", () => {
    const fetch = async () => new Response("{}");
    class Config {
      fetch = fetch;
      url = "u";
      get path() {
        return `${this.url}/p`;
      }
    }
    const config = new Config();
    const given = { config, modelId: "m" } as unknown as SpecModel;
    const { model } = tapped(given);
    const seen = model as unknown as { config: Config };
    expect([model.modelId, seen.config.path]).toEqual(["m", "u/p"]);
    expect(seen.config).toBeInstanceOf(Config);
    expect(Object.keys(seen.config).sort()).toEqual(["fetch", "url"]);
    expect(seen.config.fetch).not.toBe(fetch);
    expect(config.fetch).toBe(fetch);
  });

  it("without such a config, or with private names, is called as it is", () => {
    class Private {
      readonly config = {};
      #secret = 1;
      secret() {
        return this.#secret;
      }
    }
    class Below extends Private {}
    const models = [{}, { config: null }, { config: 5 }, new Private(), new Below()];
    for (const model of models) expect(tapped(model as never).model).toBe(model);
    const bare = Object.assign(Object.create(null), { config: {} });
    expect(tapped(bare).model).not.toBe(bare);
    class Hash {
      readonly config = { "a#b": "c#d" };
    }
    const plain = new Hash();
    expect(tapped(plain as never).model).not.toBe(plain);
  });
});
