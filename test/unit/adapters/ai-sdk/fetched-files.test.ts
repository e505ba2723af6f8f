// Files behind URLs: which are fetched before a provider is asked, and what is kept of them.
import { describe, expect, it } from "vitest";
import { type AiInternal, fetchFiles } from "../../../../src/adapters/ai-sdk/fetch-files.js";
import type { Message, ToolOutput } from "../../../../src/core/kernel/vocabulary/index.js";

describe("files behind URLs", () => {
  /** What is asked for, where each URL holds this. */
  async function fetched(messages: readonly Message[], data: unknown = "aGk=") {
    const asked: unknown[] = [];
    const load = async (): Promise<AiInternal> => ({
      async convertToLanguageModelPrompt({ prompt }) {
        const [{ content }] = prompt.messages as [{ content: { data: URL }[] }];
        asked.push(...content.map((each) => each.data.href));
        return [{ content: content.map(() => ({ data, mediaType: "text/x" })) }];
      },
    });
    const files = await fetchFiles(messages, {}, load, new AbortController().signal);
    return { asked, files: Object.fromEntries(files) };
  }
  const image = { type: "image", image: "https://a.test/i" } as const;
  const result = (output: ToolOutput): Message => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output }],
  });

  it("are fetched where a message or a result in parts refers to them, each once", async () => {
    for (const message of [
      { role: "user", content: [image, image] },
      result({ type: "content", value: [image] }),
      result({ type: "error-content", value: [image] }),
    ] as Message[]) {
      expect((await fetched([message])).asked).toEqual(["https://a.test/i"]);
    }
  });

  it("are not, where it is only said or is JSON that looks like it", async () => {
    const messages: Message[] = [
      { role: "user", content: "https://a.test/i" },
      { role: "user", content: [{ type: "text", text: "https://a.test/i" }] },
      {
        role: "assistant",
        content: [{ type: "file", data: "https://a.test/i", mediaType: "x/y" }],
      },
      result({ type: "json", value: [image] }),
      result({ type: "text", value: "https://a.test/i" }),
    ];
    expect(await fetched(messages)).toEqual({ asked: [], files: {} });
  });

  it.each<[unknown, unknown]>([
    ["aGk=", "aGk="],
    [new Uint8Array([1]), new Uint8Array([1])],
    [{ type: "data", data: new Uint8Array([1]) }, new Uint8Array([1])],
    [{ type: "data", data: "aGk=" }, "aGk="],
  ])("are kept as they came: %#", async (data, held) => {
    const { files } = await fetched([{ role: "user", content: [image] }], data);
    expect(files).toEqual({ "https://a.test/i": { data: held, mediaType: "text/x" } });
  });

  it.each([[new URL("https://a.test/i")], [{ type: "url", url: new URL("https://a.test/i") }]])(
    "are left to the provider that fetches them itself: %#",
    async (data) => {
      expect((await fetched([{ role: "user", content: [image] }], data)).files).toEqual({});
    },
  );
});
