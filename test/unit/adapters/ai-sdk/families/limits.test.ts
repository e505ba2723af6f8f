// Requests that hold more than a family takes: what is left out of them, and what stays.
import { describe, expect, it } from "vitest";
import { MAX_EVENT_LENGTH } from "../../../../../src/core/kernel/values/index.js";
import type {
  FilePart,
  ImagePart,
  Message,
} from "../../../../../src/core/kernel/vocabulary/index.js";
import { MAX_RESULT_LENGTH } from "../../../../../src/runtime/for-adapters.js";
import { call, mended, pdf, png, result, said, sized, text, user } from "./support.js";

const many = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));
const LEFT_OUT = text("(image left out)");
const LOST =
  "Images or files beyond the limits of anthropic.messages:claude-sonnet-4-5 are left out, the oldest first.";
const sent = (...content: readonly (ImagePart | FilePart)[]) => {
  const { request, notices } = mended("anthropic", { messages: [user(content)] });
  return { parts: request.messages[0]?.content as readonly object[], notices };
};

describe("images for Anthropic", () => {
  it("of more than 8 000 pixels are left out", () => {
    const [tall, fitting] = [sized(10, 8_001), sized(8_000, 8_000)];
    expect(sent(tall, fitting)).toEqual({ parts: [LEFT_OUT, fitting], notices: [LOST] });
  });

  it("of more than 2 000 pixels are left out where there are more than twenty, the oldest first", () => {
    const [large, small] = [sized(2_001, 10), sized(2_000, 2_000)];
    expect(sent(...many(20, () => ({ ...large }))).notices).toEqual([]);
    const { parts } = sent({ ...large }, { ...large }, ...many(19, () => ({ ...small })));
    expect(parts).toEqual([LEFT_OUT, large, ...many(19, () => small)]);
    const crowd = sent({ ...large }, ...many(30, () => ({ ...small })));
    expect(crowd.parts).toEqual([LEFT_OUT, ...many(30, () => small)]);
  });

  it("and files together stay under 32 MB: the newest are sent", () => {
    const file = { ...pdf, data: "A".repeat(15_000_000) };
    const { parts } = sent({ ...png }, { ...file }, { ...file }, { ...png });
    expect(parts).toEqual([png, text("(file left out)"), file, png]);
  });
});

describe("messages for Anthropic", () => {
  it("go from the oldest on, and what stays begins with a user", () => {
    const turns = many(33_334, (i): readonly Message[] => [
      user(`q${i}`),
      said(call(`c${i}`)),
      result(`c${i}`),
    ]).flat();
    const { request, notices } = mended("anthropic", { messages: turns });
    expect(request.messages).toHaveLength(99_996);
    expect(request.messages[0]).toEqual(user("q2"));
    expect(notices).toEqual([
      "anthropic.messages:claude-sonnet-4-5 takes 100 000 messages; the oldest are left out.",
    ]);
  });
});

describe("texts for OpenAI's Responses API", () => {
  it("fit its 10 485 760 characters: a run takes no longer ones", () => {
    expect(Math.max(MAX_EVENT_LENGTH, MAX_RESULT_LENGTH)).toBeLessThanOrEqual(10_485_760);
  });
});
