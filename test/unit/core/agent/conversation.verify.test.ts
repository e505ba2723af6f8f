// Conversations: many turns in one journal, at flat cost; a message at any moment; an end.

import { describe, expect, it } from "vitest";
import { emptyTable } from "../../../../src/core/kernel/values/index.js";
import {
  type AgentContext,
  agent,
  type End,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  textOf,
  tool,
} from "../../../../src/index.js";
import {
  answer,
  messagesOf,
  returned,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";
import { textIn } from "../../../support/journal-text.js";
import { killedAfter, watchedJournal } from "../../../support/watched-journal.js";

const look = tool({ name: "look", idempotent: true, execute: () => "seen" });
const talker = agent({ name: "t", tools: [look], conversation: true });
/** Answers a user's message with a call and then with its text. */
const model = scriptedModel(({ messages }) => {
  const last = messages.at(-1);
  return last?.role === "tool" ? "I looked." : { calls: [{ name: "look" }] };
});
const saying = scriptedModel(({ messages }) => `You said ${textOf(messages.at(-1))}.`);

describe("a conversation", () => {
  it("is ready after an answer, which is its output so far", () => {
    const one = byHand(talker, "Hello");
    one.take(answer(0, "Hi"));
    expect(one.state).toMatchObject({
      status: "active",
      value: "ready",
      outstanding: emptyTable(),
    });
    expect(one.output).toBe("Hi");
    one.take({ type: "message", content: "Look" });
    expect(one.owed).toEqual(["llm/1"]);
    one.take(answer(1, wish("look")));
    one.take(returned("tool/1/0", "seen"));
    one.take(answer(2, "I looked."));
    expect(one.output).toBe("I looked.");
    expect(one.context).toMatchObject({ turn: 2, turnIteration: 3 });
  });

  it("is ready too after a final tool, and its result is not the next turn's", () => {
    const done = tool({ name: "done", final: true, reduce: () => "finished" });
    const one = byHand(agent({ name: "t", tools: [done], conversation: true }), "Hello");
    one.take(answer(0, wish("done")));
    expect(one.state.value).toBe("ready");
    expect(one.output).toBe("finished");
    one.take({ type: "message", content: "More" });
    one.take(answer(1, "Said."));
    expect(one.output).toBe("Said.");
  });

  it("may ask so often in each turn", () => {
    const one = byHand(
      agent({ name: "t", tools: [look], conversation: true, maxIterations: 2 }),
      "x",
    );
    for (const turn of [0, 1, 2]) {
      one.take(answer(2 * turn, wish("look", {}, `c${turn}`)));
      one.take(returned(`tool/${2 * turn}/0`, "seen"));
      one.take(answer(2 * turn + 1, "I looked."));
      expect(one.state.value).toBe("ready");
      one.take({ type: "message", content: "again" });
    }
    one.take(answer(6, wish("look", {}, "c6")));
    one.take(returned("tool/6/0", "seen"));
    one.take(answer(7, wish("look", {}, "c7")));
    one.take(returned("tool/7/0", "seen"));
    // The turn fails, and the conversation goes on.
    expect(one.state.value).toBe("ready");
    expect(one.state.context).toMatchObject({ failure: { code: "agent.maxIterations" } });
  });

  it("takes what the user says while the model thinks with the next request", () => {
    const one = byHand(talker, "Hello");
    one.take({ type: "message", content: "And quick!" });
    expect(one.directives).toEqual([]);
    expect(messagesOf(one.context)).toHaveLength(1);
    one.take(answer(0, "Hi"));
    expect(one.owed).toEqual(["llm/1"]);
    expect(messagesOf(one.context).map((each) => textOf(each))).toEqual([
      "Hello",
      "Hi",
      "And quick!",
    ]);
    one.take(answer(1, "Quick enough?"));
    expect(one.state.value).toBe("ready");
  });

  it("takes what the user says while tools run behind their results", () => {
    const one = byHand(talker, "Hello");
    one.take(answer(0, wish("look")));
    one.take({ type: "message", content: "Stop looking" });
    one.take({ type: "message", content: "Please" });
    one.take(returned("tool/0/0", "seen"));
    expect(messagesOf(one.context).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "user",
    ]);
    expect(transcriptFault(messagesOf(one.context))).toBeUndefined();
    expect(one.owed).toEqual(["llm/1"]);
  });

  it("ends with conversation.end where it is ready, and nowhere else", () => {
    const one = byHand(talker, "Hello");
    one.take({ type: "conversation.end" });
    expect(one.step.ignored).toMatchObject({ reason: "refused", code: "conversation.busy" });
    one.take(answer(0, "Hi"));
    one.take({ type: "conversation.end" });
    expect(one.state).toMatchObject({ status: "done", value: "ended" });
    expect(one.output).toBe("Hi");
    one.take({ type: "message", content: "Hello?" });
    expect(one.step.ignored?.reason).toBe("ended");
  });

  it("can be cancelled where it is ready", () => {
    const one = byHand(talker, "Hello");
    one.take(answer(0, "Hi"));
    one.take({ type: "cancel", reason: "enough" });
    expect(one.state).toMatchObject({ status: "cancelled", value: "cancelled" });
  });
});

describe("a conversation in one journal", () => {
  it("goes on in a new process with a message", async () => {
    const journal = memoryJournal();
    const first = await run(talker, "Hello", { model: saying, journal });
    expect(first).toMatchObject({ status: "waiting", reason: "ready", approvals: [] });
    const second = await resume(talker, journal, { model: saying, messages: ["Bye"] });
    expect(second).toMatchObject({ status: "waiting", reason: "ready" });
    expect(messagesOf(second.context).map((each) => textOf(each))).toEqual([
      "Hello",
      "You said Hello.",
      "Bye",
      "You said Bye.",
    ]);
    expect((await replay(talker, journal)).status).toBe("identical");
  });

  it("that is resumed without a message waits again, and asks nobody", async () => {
    const journal = memoryJournal();
    await run(talker, "Hello", { model: saying, journal });
    const before = await textIn(journal);
    const again = await resume(talker, journal, {});
    expect(again).toMatchObject({ status: "waiting", reason: "ready" });
    expect(await textIn(journal)).toBe(before);
  });

  it("is ended by an event sent to the live run", async () => {
    const journal = memoryJournal();
    await run(talker, "Hello", { model: saying, journal });
    const live = resume(talker, journal, {});
    live.send({ type: "conversation.end" });
    expect(await live).toMatchObject({
      status: "done",
      reason: "ended",
      output: "You said Hello.",
    });
    await expect(resume(talker, journal, { messages: ["Hello?"] })).rejects.toMatchObject({
      code: "run.ended",
    });
  });

  it("costs the same bytes at turn 5 and at turn 200", async () => {
    const journal = watchedJournal();
    let bytes = 0;
    journal.before = (lines) => {
      for (const line of lines) bytes += line.length + 1;
    };
    const sizes = [0];
    const text = "x".repeat(20);
    const live = run(talker, text, {
      model,
      journal,
      runId: "run",
      observers: [
        (seen) => {
          if (seen.type !== "step" || seen.state.value !== "ready") return;
          sizes.push(bytes);
          if (sizes.length <= 200) live.message(text);
        },
      ],
    });
    expect(await live).toMatchObject({ status: "waiting", context: { turn: 200 } });
    const cost = (turn: number) => (sizes[turn] as number) - (sizes[turn - 1] as number);
    const ratio = cost(200) / cost(5);
    // Ids, sizes and the like have three digits by then, and had one.
    const digits = 25;
    expect(ratio).toBeGreaterThan(0.98);
    expect((cost(200) - digits) / cost(5)).toBeLessThan(1.02);
    expect((await replay(talker, journal)).status).toBe("identical");
    const again = await resume(talker, journal, { model, messages: [text] });
    expect(again).toMatchObject({ status: "waiting", context: { turn: 201 } });
  });

  it("comes to the same after a crash anywhere", async () => {
    const { end, lines } = await everyWay({
      reasoner: talker,
      input: "turn 0",
      world: () => ({ model }),
      word: ({ context }) =>
        context.turn < 4 ? { messages: [`turn ${context.turn}`] } : undefined,
    });
    expect(end).toMatchObject({ status: "waiting", reason: "ready" });
    expect(end.context).toMatchObject({ turn: 4, iteration: 8, usage: { toolCalls: 4 } });
    expect(lines).toBeGreaterThan(16);
  });

  it("keeps a message that came while the model thought, after a crash anywhere", async () => {
    const journal = memoryJournal();
    const asking = scriptedModel(({ messages }) => {
      if (messages.length === 1) live.message("Wait!");
      return `You said ${textOf(messages.at(-1))}.`;
    });
    const live = run(talker, "Hello", { model: asking, journal, runId: "run" });
    const end: End = await live;
    const transcript = ["Hello", "You said Hello.", "Wait!", "You said Wait!."];
    const texts = (of: End) => messagesOf(of.context as AgentContext).map((each) => textOf(each));
    expect(texts(end)).toEqual(transcript);
    const lines = (await textIn(journal)).trimEnd().split("\n");
    const heard = lines.findIndex((line) => line.includes('"message"') && line.includes("Wait!"));
    expect(heard).toBeGreaterThan(0);
    for (let kept = heard + 1; kept <= lines.length; kept++) {
      const rest = await killedAfter(journal, kept);
      const again = await resume(talker, rest, { model: saying });
      expect(texts(again as End)).toEqual(transcript);
      expect((await replay(talker, rest)).status).toBe("identical");
    }
  });
});
