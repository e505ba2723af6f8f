// `shown` of messages that a page has come to by ways of its own: calls that were withdrawn, or cut off and begun anew.
import { expect, it } from "vitest";
import { shown } from "../../../../src/page.js";

const step = { type: "step-start" };
const text = (id: string, words: string) => ({
  ...{ type: "text", text: words, providerMetadata: { reckoner: { id } } },
});
const call = (toolCallId: string, state: string, more: object = {}) => ({
  ...{ type: "tool-look", toolCallId, state, ...more },
});
const brief = (parts: readonly object[]) =>
  shown({ parts: parts as readonly { type: string }[] }).parts.map((part) => {
    const { type, text: words, toolCallId } = part as { [name: string]: unknown };
    return words ?? toolCallId ?? type;
  });

it("leaves out a call that came to nothing, and keeps one that failed", () => {
  const withdrawn = { type: "data-reckoner-withdrawn", data: { ids: ["llm/0/0~1.1"] } };
  const parts = [
    ...[step, text("llm/0/0~1.1", "I"), call("c1", "output-error", { errorText: "withdrawn" })],
    ...[withdrawn, text("llm/0/0~1.2", "I see."), call("c2", "output-error", { errorText: "no" })],
  ];
  expect(brief(parts)).toEqual(["step-start", "I see.", "c2"]);
});

it("shows a call that streams in, and not one that a broken stream has left behind", () => {
  const left = [step, text("llm/0/0~1.1", "I"), call("c1", "input-streaming")];
  expect(brief(left)).toEqual(["step-start", "I", "c1"]);
  expect(brief([...left, step, text("llm/0/0", "I see."), call("c2", "input-available")])).toEqual([
    ...["step-start", "I see.", "c2"],
  ]);
});

it("puts a text before the calls of its step, whichever came first", () => {
  const parts = [
    ...[step, text("llm/0/0~1.1", "I"), call("c1", "output-available")],
    ...[step, text("llm/0/0", "I see."), text("llm/0/1", "Let me look.")],
  ];
  expect(brief(parts)).toEqual(["step-start", "I see.", "Let me look.", "c1"]);
});

it("begins anew where the message is told anew, whatever was withdrawn meanwhile", () => {
  const before = [step, text("llm/0/0~1.1", "I"), text("llm/0/1~1.1", "thought")];
  const again = [{ type: "data-reckoner-again", data: {} }, step, text("llm/0/0", "Good.")];
  expect(brief([...before, call("c1", "approval-requested"), ...again])).toEqual([
    ...["step-start", "Good."],
  ]);
});

it("has no step of which nothing is left but that it failed", () => {
  const failed = { type: "data-reckoner-failed", data: { code: "x", message: "no" } };
  expect(brief([step, failed])).toEqual(["data-reckoner-failed"]);
});
