// Parts of a request, one translation at a time: what is not there is left out, and is no key with
// nothing in it, since providers refuse those.
import { describe, expect, it } from "vitest";
import { filePart, urlOf } from "../../../../src/adapters/ai-sdk/to-file-part.js";
import { toPrompt } from "../../../../src/adapters/ai-sdk/to-prompt.js";
import { toToolOutput } from "../../../../src/adapters/ai-sdk/to-tool-output.js";
import { toTools } from "../../../../src/adapters/ai-sdk/to-tools.js";
import type { Message, ToolContentPart } from "../../../../src/core/kernel/vocabulary/index.js";

const acme = { acme: { n: 1 } };
const none = new Map<string, never>();

describe("a file of a request", () => {
  const file = { type: "file", data: "aGk=", mediaType: "text/plain" } as const;

  it("has a name and options where it was given them", () => {
    expect(filePart("v3", file, none)).toStrictEqual(file);
    expect(filePart("v3", { ...file, filename: "a", providerOptions: acme }, none)).toStrictEqual({
      ...file,
      filename: "a",
      providerOptions: acme,
    });
    expect(filePart("v4", file, none)).toStrictEqual({
      ...file,
      data: { type: "data", data: "aGk=" },
    });
  });

  it("is in its URL where that is one of data, and at its URL where it is not", () => {
    const held = filePart("v3", { ...file, data: "DATA:text/html;charset=x,a%20b" }, none);
    expect(held).toStrictEqual({ ...file, data: "YSBi", mediaType: "text/html" });
    const at = "https://a.test/?q=data:text/html,x";
    expect(filePart("v3", { ...file, data: at }, none)).toStrictEqual({
      ...file,
      data: new URL(at),
    });
  });

  it("is base64 where it is not a URL, though it begins as one", () => {
    expect(urlOf("http://[")).toBeUndefined();
    expect(urlOf("aGk=")).toBeUndefined();
    expect(urlOf("gs+x.y-z:bucket")).toBeInstanceOf(URL);
  });
});

describe("a message of a request", () => {
  const prompt = (message: Message, version: "v2" | "v3" | "v4" = "v3") =>
    toPrompt(version, { messages: [message] }, none);

  it.each<[Message, object[]]>([
    [{ role: "system", content: "s" }, [{ role: "system", content: "s" }]],
    [{ role: "user", content: "" }, [{ role: "user", content: [{ type: "text", text: "" }] }]],
    [
      { role: "assistant", content: "a" },
      [{ role: "assistant", content: [{ type: "text", text: "a" }] }],
    ],
    [
      { role: "user", content: "u", providerOptions: acme },
      [{ role: "user", content: [{ type: "text", text: "u" }], providerOptions: acme }],
    ],
    [
      { role: "assistant", content: [{ type: "file", data: "aGk=", mediaType: "text/plain" }] },
      [{ role: "assistant", content: [{ type: "file", data: "aGk=", mediaType: "text/plain" }] }],
    ],
    [
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { a: 1 } }],
      },
      [
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { a: 1 } }],
        },
      ],
    ],
    [
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c",
            toolName: "t",
            output: { type: "text", value: "" },
          },
        ],
      },
      [
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c",
              toolName: "t",
              output: { type: "text", value: "" },
            },
          ],
        },
      ],
    ],
  ])("goes without what it does not say: %j", (message, said) => {
    expect(prompt(message)).toStrictEqual(said);
  });
});

describe("a tool's result in parts", () => {
  const out = (version: "v2" | "v3" | "v4", part: ToolContentPart) => {
    const { value } = toToolOutput(version, { type: "content", value: [part] }, none) as {
      value: unknown[];
    };
    return value[0];
  };
  const png = { type: "file", data: "aGk=", mediaType: "image/png" } as const;

  it("is an image by its type or its media type, with options where it has them", () => {
    const held = { type: "image-data", data: "aGk=", mediaType: "image/png" };
    expect(out("v3", png)).toStrictEqual(held);
    expect(out("v3", { type: "image", image: "aGk=" })).toStrictEqual({
      ...held,
      mediaType: "image/*",
    });
    expect(out("v3", { ...png, providerOptions: acme })).toStrictEqual({
      ...held,
      providerOptions: acme,
    });
    const at = { type: "image", image: "https://a.test/i", providerOptions: acme } as const;
    expect(out("v3", at)).toStrictEqual({
      type: "image-url",
      url: "https://a.test/i",
      providerOptions: acme,
    });
  });

  it("is a file otherwise, with its name where it has one", () => {
    const text = { type: "file", data: "aGk=", mediaType: "text/image" } as const;
    expect(out("v3", text)).toStrictEqual({ ...text, type: "file-data" });
    expect(out("v3", { ...text, filename: "a" })).toStrictEqual({
      ...text,
      type: "file-data",
      filename: "a",
    });
    expect(out("v3", { ...text, data: "https://a.test/f" })).toStrictEqual({
      type: "file-url",
      url: "https://a.test/f",
    });
    expect(out("v2", text)).toStrictEqual({ type: "media", data: "aGk=", mediaType: "text/image" });
  });
});

describe("a tool of a request", () => {
  const shown = (schema: object) =>
    toTools({ specificationVersion: "v3", provider: "acme.chat" }, {
      tools: [{ name: "t", description: "", inputSchema: {}, ...schema }],
    } as never).tools;
  const bare = { type: "function", name: "t", inputSchema: {} };

  it("goes with what is said of it, and nothing else", () => {
    expect(shown({})).toStrictEqual([bare]);
    expect(shown({ description: "d", strict: false })).toStrictEqual([
      { ...bare, description: "d", strict: false },
    ]);
    expect(shown({ deferLoading: true })).toStrictEqual([
      { ...bare, providerOptions: { acme: { deferLoading: true } } },
    ]);
    const providerOptions = { acme: { deferLoading: false, n: 1 }, other: {} };
    expect(shown({ deferLoading: true, providerOptions })).toStrictEqual([
      { ...bare, providerOptions },
    ]);
  });
});
