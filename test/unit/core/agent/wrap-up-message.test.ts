// What the user says while a run at its limit gives its last answer is not lost: it is in the
// transcript of a run that ends, and begins the next turn of a conversation.

import { expect, it } from "vitest";
import { agent } from "../../../../src/core/agent/index.js";
import { owedBy } from "../../../../src/core/kernel/machine/index.js";
import { toArray } from "../../../../src/core/kernel/values/index.js";
import { type RunEvent, textOf, tool } from "../../../../src/core/kernel/vocabulary/index.js";

const call = { type: "tool-call", toolCallId: "c", toolName: "t", input: {} } as const;
const said = (content: readonly unknown[], id: string): RunEvent =>
  ({ type: "llm.succeeded", id, at: 1, content, finishReason: "stop", usage: {} }) as never;

function atItsLimit(conversation: boolean) {
  const asked = agent({
    name: "a",
    tools: [tool({ name: "t", reduce: () => 1 })],
    maxIterations: 1,
    onLimit: "answer",
    conversation,
  });
  let { state } = asked.start("go", { at: 0, runId: "r" });
  for (const event of [
    said([call], "llm/0"),
    { type: "message", at: 2, content: "one more thing" },
    said([{ type: "text", text: "my best" }], "llm/1"),
  ] as RunEvent[]) {
    ({ state } = asked.step(state, event));
  }
  const texts = toArray(state.context.messages).map(textOf);
  return { state, texts, output: asked.output(state) };
}

it("a run that ends keeps it in its transcript, and its answer is the model's", () => {
  const { state, texts, output } = atItsLimit(false);
  expect(state.value).toBe("concluded");
  expect(texts.at(-1)).toBe("one more thing");
  expect(output).toBe("my best");
});

it("a conversation goes on with it", () => {
  const { state, texts } = atItsLimit(true);
  expect(state.value).toBe("thinking");
  expect(texts.slice(-2)).toEqual(["my best", "one more thing"]);
  expect(owedBy(state).map(({ id }) => id)).toEqual(["llm/2"]);
});
