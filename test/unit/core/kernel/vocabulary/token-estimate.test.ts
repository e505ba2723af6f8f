// How many tokens a text or a file may be, without a tokenizer: in Latin letters, four to a token.
import { describe, expect, it } from "vitest";
import {
  lettersAround,
  lettersOfAnswer,
  lettersOfMessages,
  lettersOfText,
} from "../../../../../src/core/kernel/vocabulary/index.js";

describe("letters of a text", () => {
  it.each([
    ["", 0],
    ["four", 4],
    ["déjà vu – “quoted”", 18],
    // Han, kana, hangul: one and a half tokens each.
    ["请帮我", 18],
    ["かな カナ", 4 * 6 + 1],
    ["한국어", 18],
    // Other scripts: a token a letter. Greek, Arabic, Thai.
    ["γεια", 16],
    ["سلام", 16],
    ["ไทย", 12],
    // Beyond the basic plane: four tokens a code point, not two UTF-16 units.
    ["🙂", 16],
    ["a🙂请é", 1 + 16 + 6 + 1],
  ])("%j", (text, letters) => expect(lettersOfText(text)).toBe(letters));
});

describe("letters of messages", () => {
  const user = (...content: object[]) => [{ role: "user", content }] as never;
  const tokensOf = (part: object) => lettersOfMessages(user(part)) / 4;

  it("are those of texts, tool results and calls; media are counted apart", () => {
    const shot = { type: "image", image: "A".repeat(1_400_000), mediaType: "image/png" };
    const output = { type: "content", value: [{ type: "text", text: "seen" }, shot] };
    const messages = [
      { role: "user", content: "look" },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "t", output }] },
    ] as never;
    expect(lettersOfMessages(messages, "texts")).toBe(8);
    expect(lettersOfMessages(messages, "media")).toBe(10_000);
    expect(lettersOfMessages(messages)).toBe(10_008);
  });

  it.each([
    // An image of unknown size, whatever its bytes are.
    [{ type: "image", image: "A".repeat(400) }, 2_500],
    [{ type: "image", image: "https://a.example/i.png" }, 2_500],
    [
      {
        type: "file",
        blob: "b",
        mediaType: "image/png",
        size: 9,
        measures: { width: 512, height: 512 },
      },
      415,
    ],
    [
      {
        type: "file",
        blob: "b",
        mediaType: "image/png",
        size: 9,
        measures: { width: 1024, height: 768 },
      },
      1_245,
    ],
    [
      {
        type: "file",
        blob: "b",
        mediaType: "image/png",
        size: 9,
        measures: { width: 4000, height: 3000 },
      },
      24 * 258,
    ],
    [
      { type: "file", blob: "b", mediaType: "application/pdf", size: 1, measures: { pages: 7 } },
      21_000,
    ],
    [{ type: "file", blob: "b", mediaType: "application/pdf", size: 320 * 1024 }, 30_000],
    [{ type: "file", blob: "b", mediaType: "audio/mpeg", size: 1, measures: { seconds: 10 } }, 320],
    [
      { type: "file", blob: "b", mediaType: "video/mp4", size: 1, measures: { seconds: 10 } },
      3_000,
    ],
    [{ type: "file", data: "A".repeat(4_000), mediaType: "text/plain" }, 1_000],
    [{ type: "file", data: "https://a.example/a.pdf", mediaType: "application/pdf" }, 3_000],
  ])("%j", (part, tokens) => expect(tokensOf(part)).toBe(tokens));

  it("of an answer are what the model wrote, and not what its provider's tools came to", () => {
    const content = [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "So." },
      { type: "tool-call", toolCallId: "c", toolName: "t", input: {} },
      {
        type: "tool-result",
        toolCallId: "p",
        toolName: "web",
        output: { type: "json", value: "x".repeat(900) },
      },
    ];
    expect(lettersOfAnswer(content as never)).toBe(2 + 3 + '["t",{}]'.length);
  });

  it("around them are the system text, the tools and the form of the answer", () => {
    const tools = [{ name: "t", description: "", inputSchema: {} }];
    expect(lettersAround({ system: "请", tools } as never)).toBe(6 + JSON.stringify(tools).length);
  });
});
