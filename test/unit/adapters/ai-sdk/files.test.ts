// Images and files on their way to a model: base64, data URLs, and URLs that the provider fetches
// itself or somebody has to fetch for it; in the words of each version of the specification.
import { MockLanguageModelV3 } from "ai/test";
import { MockLanguageModelV4 } from "ai-7/test";
import { describe, expect, it } from "vitest";
import type { AiInternal } from "../../../../src/adapters/ai-sdk/fetch-files.js";
import { modelPort } from "../../../../src/adapters/ai-sdk/model-port.js";
import type {
  Message,
  ToolContentPart,
  UserPart,
} from "../../../../src/core/kernel/vocabulary/index.js";
import { aCall, answer, failureOf } from "./support.js";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
const jpeg = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJ";
const url = "https://files.test/a%20b";

const sdks = [
  [
    "v3",
    (supportedUrls: Record<string, RegExp[]>) =>
      new MockLanguageModelV3({ supportedUrls, doGenerate: answer([]) }),
    () => import("ai/internal"),
  ],
  [
    "v4",
    (supportedUrls: Record<string, RegExp[]>) =>
      new MockLanguageModelV4({ supportedUrls, doGenerate: answer([]) as never }),
    () => import("ai-7/internal"),
  ],
] as const;

describe.each(sdks)("files for a model of specification %s", (version, modelOf, internal) => {
  /** The prompt that a model gets, and which URLs were fetched for it. */
  async function prompted(
    messages: readonly Message[],
    supportedUrls: Record<string, RegExp[]> = {},
    load: () => Promise<unknown> = internal,
  ) {
    const fetched: string[] = [];
    // The SDK's own decision what is to be fetched; only the network is ours.
    const download = async (files: readonly { url: URL; isUrlSupportedByModel: boolean }[]) =>
      files.map((file) => {
        if (file.isUrlSupportedByModel) return null;
        fetched.push(file.url.href);
        const data = Uint8Array.from(atob(png), (each) => each.charCodeAt(0));
        return { data, mediaType: "image/png" };
      });
    const sdk = async () => {
      const { convertToLanguageModelPrompt: convert } = (await load()) as AiInternal;
      return {
        convertToLanguageModelPrompt: (options: Parameters<typeof convert>[0]) =>
          convert({ ...options, download: download as never }),
      };
    };
    const model = modelOf(supportedUrls);
    const loader = { internal: sdk, ai: () => Promise.reject(new Error("no gateway")) };
    await modelPort(model, { family: "anthropic" }, loader).generate({ messages }, aCall());
    return { prompt: model.doGenerateCalls[0]?.prompt as never as Prompt, fetched };
  }
  type Prompt = readonly { role: string; content: readonly Record<string, unknown>[] }[];
  const unused = () => Promise.reject(new Error("ai is not needed here"));
  const user = (...content: UserPart[]): Message[] => [{ role: "user", content }];
  /** Data as this version says them. */
  const held = (data: unknown) => (version === "v4" ? { type: "data", data } : data);
  const anyImage = version === "v4" ? "image" : "image/*";

  it.each([
    [{ type: "image", image: png }, png, "image/png"],
    [{ type: "image", image: jpeg, mediaType: "image/*" }, jpeg, "image/jpeg"],
    [{ type: "image", image: png, mediaType: "image/jpeg" }, png, "image/jpeg"],
    [{ type: "image", image: "aGk=" }, "aGk=", anyImage],
    [{ type: "image", image: "not base64!" }, "not base64!", anyImage],
    [{ type: "image", image: "data:image/gif;base64,aGk=" }, "aGk=", "image/gif"],
    [{ type: "file", data: "data:;base64,aGk=", mediaType: "text/plain" }, "aGk=", "text/plain"],
    [
      { type: "file", data: "data:text/plain;charset=utf-8,h%C3%A9", mediaType: "x/y" },
      "aMOp",
      "text/plain",
    ],
    // What is no escape is itself, and bytes need not be text.
    [
      { type: "file", data: "data:image/svg+xml;utf8,<a b='9%'>%", mediaType: "x/y" },
      btoa("<a b='9%'>%"),
      "image/svg+xml",
    ],
    [{ type: "file", data: "data:x/y,%FF%fe%2%é", mediaType: "x/y" }, "//4lMiXDqQ==", "x/y"],
    [{ type: "file", data: "data:x/y;base64,aGk%3D", mediaType: "x/y" }, "aGk=", "x/y"],
    [{ type: "file", data: "aGk=", mediaType: "application/pdf" }, "aGk=", "application/pdf"],
  ] as const)("go as what they hold: %j", async (part, data, mediaType) => {
    const { prompt } = await prompted(user(part), {}, unused);
    expect(prompt).toEqual([
      { role: "user", content: [{ type: "file", data: held(data), mediaType }] },
    ]);
  });

  it("go with their name and options", async () => {
    const providerOptions = { acme: { a: 1 } };
    const file = {
      type: "file",
      data: "aGk=",
      mediaType: "text/plain",
      filename: "a.txt",
      providerOptions,
    } as const;
    const { prompt } = await prompted(user(file));
    expect(prompt[0]?.content[0]).toMatchObject({ filename: "a.txt", providerOptions });
  });

  it("are left to the provider where it fetches them itself", async () => {
    const { prompt, fetched } = await prompted(user({ type: "image", image: url }), {
      "image/*": [/^https:\/\/files\.test\//],
    });
    expect(fetched).toEqual([]);
    const there = version === "v4" ? { type: "url", url: new URL(url) } : new URL(url);
    expect(prompt[0]?.content).toEqual([{ type: "file", data: there, mediaType: anyImage }]);
  });

  it("are fetched where the provider does not, each once", async () => {
    const image = { type: "image", image: url } as const;
    const { prompt, fetched } = await prompted(user(image, { type: "text", text: "and" }, image));
    expect(fetched).toHaveLength(1);
    const [first, text, second] = prompt[0]?.content ?? [];
    expect(text).toEqual({ type: "text", text: "and" });
    for (const part of [first, second]) {
      expect(part).toEqual({
        type: "file",
        data: held(expect.any(Uint8Array)),
        mediaType: "image/png",
      });
    }
  });

  it("in a tool's result are fetched as well", async () => {
    const value: ToolContentPart[] = [
      { type: "image", image: url },
      { type: "file", data: "aGk=", mediaType: "text/plain", filename: "a.txt" },
    ];
    const call = { toolCallId: "c1", toolName: "look" };
    const { prompt, fetched } = await prompted([
      { role: "user", content: "x" },
      { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
      {
        role: "tool",
        content: [{ type: "tool-result", ...call, output: { type: "content", value } }],
      },
    ]);
    expect(fetched).toHaveLength(1);
    const parts = (prompt[2]?.content[0] as { output: { value: unknown } } | undefined)?.output
      .value;
    expect(parts).toEqual(
      version === "v4"
        ? [
            { type: "file", data: held(expect.any(Uint8Array)), mediaType: "image/png" },
            { type: "file", data: held("aGk="), mediaType: "text/plain", filename: "a.txt" },
          ]
        : [
            { type: "image-data", data: png, mediaType: "image/png" },
            { type: "file-data", data: "aGk=", mediaType: "text/plain", filename: "a.txt" },
          ],
    );
  });

  it("that cannot be had fail the call", async () => {
    const model = modelOf({});
    const internalGone = { internal: unused as never, ai: unused as never };
    const asking = modelPort(model, {}, internalGone).generate(
      { messages: user({ type: "image", image: url }) },
      aCall(),
    );
    expect(await failureOf(asking)).toMatchObject({ code: "llm.failed", transient: false });
    expect(model.doGenerateCalls).toEqual([]);
  });

  it("that are known by an id, and that nobody has fetched, fail the call", async () => {
    const model = modelOf({});
    const file = { type: "file", blob: "b7", mediaType: "application/pdf", size: 90_000 } as const;
    const output = { type: "content", value: [file] } as const;
    const result = { type: "tool-result", toolCallId: "c", toolName: "t", output } as const;
    const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: {} } as const;
    const within: readonly Message[] = [
      { role: "user", content: "go" },
      { role: "assistant", content: [call] },
      { role: "tool", content: [result] },
    ];
    for (const messages of [user(file), within]) {
      const error = await failureOf(
        modelPort(model, {}, { internal } as never).generate({ messages }, aCall()),
      );
      expect(error).toMatchObject({ code: "llm.failed", transient: false });
      expect(error.message).toContain('the file "b7" (application/pdf, 90000 bytes)');
    }
    expect(model.doGenerateCalls).toEqual([]);
  });
});
