// What a model answers before its call has gone out is stepped on the spot: what goes wrong with that
// answer, or comes beside it, takes nothing of what was there before along.
import { expect, it } from "vitest";
import { agent, type ModelPort, run, tool } from "../../../../src/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { watchedJournal } from "../../../support/watched-journal.js";

/** A model that calls a tool, and then says so; both at once. */
const model: ModelPort = {
  name: "at once",
  async generate({ messages }) {
    return messages.some(({ role }) => role === "tool")
      ? { content: [{ type: "text", text: "so" }], finishReason: "stop", usage: {} }
      : {
          content: [{ type: "tool-call", toolCallId: "c", toolName: "pay", input: {} }],
          finishReason: "tool-calls",
          usage: {},
        };
  },
};

it("a redaction that fails on an answer does not take along what settled before it", async () => {
  const paid: string[] = [];
  const pay = tool({ name: "pay", execute: (_input, { id }) => void paid.push(id) });
  const journal = watchedJournal();
  let answers = 0;
  const live = run(agent({ name: "a", tools: [pay] }), "go", {
    model,
    journal,
    redact(value) {
      if (value.type === "llm.succeeded") answers += 1;
      if (answers === 2) throw new Error("no");
      return value;
    },
  });
  expect(await rejection(live)).toMatchObject({ code: "redaction.refused" });
  expect(paid).toHaveLength(1);
  const events = (await linesIn(journal)).flatMap((line) =>
    "event" in line ? [line.event.type] : [],
  );
  expect(events).toEqual(["start", "llm.succeeded", "tool.succeeded"]);
});
