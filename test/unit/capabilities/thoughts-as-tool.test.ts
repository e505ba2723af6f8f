/** An agent that thinks: a run of thoughts as its child, linked both ways. */

import { describe, expect, test } from "vitest";
import { think } from "../../../src/capabilities/index.js";
import { agent, agentTool } from "../../../src/core/agent/index.js";
import { itemAt, toArray } from "../../../src/core/kernel/values/index.js";
import { generate, keepBest, plan, score, thoughts } from "../../../src/core/thoughts/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  viewOf,
} from "../../../src/runtime/index.js";
import { splitJournal } from "../../../src/testing/text-journal.js";
import { textIn } from "../../support/journal-text.js";
import { refusal } from "../../support/thrown.js";

const byContentLength = ({ content }: { readonly content: string }) => content.length;
const byLength = thoughts({
  policy: plan([generate({ responses: 3 }), score({ by: byContentLength }), keepBest()]),
});
const thinker = agent({ name: "thinker", system: "Think first.", tools: [think(byLength)] });

function model(asked: string[] = []) {
  return scriptedModel((request, turn) => {
    if (request.system === "Think first.") {
      asked.push("agent");
      if (turn === 0) return { calls: [{ name: "think", input: { prompt: "What is long?" } }] };
      return "A long answer it is.";
    }
    asked.push("thought");
    return ["a", "a longer one", "mid"][asked.filter((who) => who === "thought").length - 1] ?? "?";
  });
}

const CHILD = "tool/0/0/0";

describe("think", () => {
  test("gives the agent the best thought, and both runs know each other", async () => {
    const journal = memoryJournal();
    const end = await run(thinker, "Go.", { model: model(), journal, runId: "r" });
    expect(end.status).toBe("done");
    const record = itemAt(end.context.toolCalls, 0);
    expect(record).toMatchObject({
      status: "succeeded",
      output: { answer: "a longer one", score: 12, thoughts: 4, runId: `r:${CHILD}` },
    });
    const child = await viewOf(journal).child(CHILD);
    expect(child?.header).toMatchObject({ runId: `r:${CHILD}`, reasoner: { id: "thoughts" } });
  });

  test("costs what the thoughts cost, and the journal replays", async () => {
    const journal = memoryJournal();
    const end = await run(thinker, "Go.", { model: model(), journal });
    expect(end.context.usage).toMatchObject({ requests: 5, toolCalls: 1, totalTokens: 76 });
    expect(await replay(thinker, journal)).toMatchObject({ status: "identical" });
  });

  test("goes on after a crash in the middle of the thoughts, asking for nothing that was settled", async () => {
    const journal = memoryJournal();
    const end = await run(thinker, "Go.", { model: model(), journal });
    const { lines } = splitJournal(await textIn(journal));
    for (let kept = 2; kept <= lines.length; kept++) {
      const cut = memoryJournal();
      await write(cut, lines.slice(0, kept));
      const asked: string[] = [];
      const again = await resume(thinker, cut, { model: model(asked) });
      expect(again.status).toBe("done");
      expect(toArray(again.context.messages).length).toBe(toArray(end.context.messages).length);
      const settled = lines
        .slice(0, kept)
        .filter((line) => line.includes('"run":') && line.includes('"llm.succeeded"')).length;
      expect(asked.filter((who) => who === "thought").length).toBe(3 - settled);
    }
  });
});

async function write(journal: JournalPort, lines: readonly string[]): Promise<void> {
  const writer = await journal.open("create");
  await writer.append(lines, { lines: 0, bytes: 0 });
  await writer.close();
}

test("think refuses at once what does not think, and says what does", () => {
  const thoughtful = "a reasoner of thoughts, as thoughts() makes it";
  for (const none of [undefined, {}, "x", thinker]) {
    const { code, message } = refusal(() => think(none as never));
    expect([code, message]).toEqual(["tool.invalid", expect.stringContaining(thoughtful)]);
  }
  expect(refusal(() => think(thinker as never)).message).toContain("with agentTool()");
  expect(refusal(() => agentTool(undefined as never, { name: "ask" })).message).toBe(
    "agentTool: what becomes a tool must be a reasoner, as agent(), thoughts() or defineReasoner() makes it; it is undefined.",
  );
});
