// What is kept of answers that an interrupt cuts off is bounded, so that an interrupt can always be
// written down: what is left out is said.
import { describe, expect, it } from "vitest";
import { fittingPartials } from "../../../../src/core/driver/partials.js";
import { type AgentContext, agent } from "../../../../src/index.js";
import { StreamedAnswer } from "../../../../src/runtime/effects/streamed-answer.js";
import {
  ModelError,
  type ModelPort,
  memoryJournal,
  replay,
  resume,
  run,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { messagesOf, transcriptFault } from "../../../support/agent-events.js";
import { linesIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { gate, settle } from "../../../support/watched-journal.js";

const MIB = 1024 * 1024;
const MOST = 5 * MIB;
const lengthOf = (value: unknown) => JSON.stringify(value).length;

/** What is kept of answers, each in pieces; and how many characters the notes say were cut. */
function keptOf(answers: readonly (readonly string[])[]) {
  const partials = answers.map((pieces, i) => {
    const streamed = new StreamedAnswer(1);
    for (const text of pieces) streamed.take({ type: "text", text });
    return [`llm/${i}`, streamed.partial()] as const;
  });
  const all = fittingPartials(Object.fromEntries(partials), MOST);
  const notes = JSON.stringify(all).matchAll(/\[cut: (\d+) more characters\]/g);
  return { all, cut: [...notes].map(([, count]) => Number(count)) };
}

describe("what had streamed", () => {
  it("is kept whole up to 5 MiB of JSON, of one answer and of several together", () => {
    const text = "x".repeat(MOST - 100);
    expect(keptOf([[text]]).all).toEqual({
      "llm/0": { content: [{ type: "text", text }], usage: { requests: 1 } },
    });
    const half = "x".repeat(MOST / 2 - 100);
    expect(keptOf([[half], [half], []]).cut).toEqual([]);
  });

  it.each([
    ["plain", "x"],
    ["of control characters, six of JSON each", "\u0001"],
    ["of quotes", '"'],
    ["of pairs", "\u{1F600}"],
  ])("and is more, %s, is cut, and says by how much", (_what, letter) => {
    for (const answers of [1, 3]) {
      const text = letter.repeat((9 * MIB) / letter.length);
      const { all, cut } = keptOf(Array.from({ length: answers }, () => [text]));
      expect(lengthOf(all)).toBeLessThan(MOST + 100 * answers);
      expect(lengthOf(all)).toBeGreaterThan(MOST - 200 * answers);
      expect(cut).toHaveLength(answers);
      Object.values(all).forEach(({ content }, i) => {
        const [part] = content as readonly { text: string }[];
        expect(part?.text).not.toMatch(/\p{Surrogate}/u);
        expect((part?.text.length ?? 0) + (cut[i] ?? 0)).toBe(text.length);
      });
    }
  });

  it("is not cut in a surrogate pair, and not gone on with behind what was left out", () => {
    const { all } = keptOf([["x".repeat(MOST - 1), "😀", "y"]]);
    const { content } = all["llm/0"] as { content: readonly { text: string }[] };
    const texts = content.map(({ text }) => text);
    expect(texts.join("")).not.toMatch(/[\p{Surrogate}y]/u);
    expect(texts.at(-1)).toMatch(/^\[cut: \d+ more characters\]$/);
  });

  it("is bounded as well where it comes in a million small parts", () => {
    const streamed = new StreamedAnswer(1);
    for (let i = 0; i < 300_000; i++) {
      streamed.take({ type: i % 2 === 0 ? "text" : "reasoning", text: "x" });
    }
    const partial = fittingPartials({ a: streamed.partial() }, MOST).a;
    expect(lengthOf(partial)).toBeLessThan(MOST + 100);
    const { content } = partial as { content: readonly { text: string }[] };
    const last = content.at(-1)?.text;
    expect(last).toBe(`[cut: ${300_000 - (content.length - 1)} more characters]`);
  });
});

describe("an interrupt", () => {
  it("between two attempts keeps nothing of the one that failed, and says that it was asked for", async () => {
    const clock = virtualClock(0);
    const model: ModelPort = {
      name: "m",
      generate: async (_request, { onDelta }) => {
        onDelta({ type: "text", text: "half an ans" });
        throw new ModelError({ code: "llm.failed", message: "busy", transient: true });
      },
    };
    const one = agent({ name: "a", conversation: true });
    const live = run(one, "go", { model, clock });
    await settle();
    live.interrupt();
    const end = await live;
    expect(JSON.stringify(messagesOf(end.context as AgentContext))).not.toContain("half an ans");
    expect([end.status, end.usage.requests]).toEqual(["waiting", 1]);
  });

  /** A model that writes so much at once, and then nothing more until it is stopped. */
  function flood(text: string, calls: number): { model: ModelPort; written: Promise<void> } {
    const all = gate();
    let asked = 0;
    const model: ModelPort = {
      name: "flood",
      generate(_request, { onDelta, signal }) {
        onDelta({ type: "text", text });
        asked += 1;
        if (asked === calls) all.open();
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
    };
    return { model, written: all.passed };
  }

  it("ends a turn whose answer is larger than an event may be; the conversation goes on", async () => {
    const { model, written } = flood("many words ".repeat(MIB), 1);
    const chat = agent({ name: "chat", conversation: true });
    const journal = memoryJournal();
    const live = run(chat, "hello", { model, journal });
    await written;
    live.interrupt("enough");
    const end = await live;
    expect(end).toMatchObject({ status: "waiting", reason: "ready" });
    const messages = messagesOf(end.context as AgentContext);
    expect(transcriptFault(messages)).toBeUndefined();
    expect(JSON.stringify(messages.at(-1))).toMatch(/\[cut: \d+ more characters\]/);
    expect((await replay(chat, journal)).status).toBe("identical");
    const brief: ModelPort = {
      name: "brief",
      generate: async () => ({
        content: [{ type: "text", text: "yes" }],
        finishReason: "stop",
        usage: {},
      }),
    };
    const next = await resume(chat, journal, { model: brief, messages: ["still there?"] });
    expect(next).toMatchObject({ status: "waiting", output: "yes" });
  });

  it("ends a turn with several answers that are too large together only", async () => {
    const llm = (i: number) => ({ type: "llm", id: `llm/${i}`, messages: [] });
    const wide = smallReasoner({
      initial: "a",
      states: {
        a: { entry: issue(llm(0), llm(1), llm(2), llm(3)), on: { interrupt: "b" } },
        b: { type: "final" },
      },
    });
    const { model, written } = flood("w".repeat(3 * MIB), 4);
    const journal = memoryJournal();
    const live = run(wide, null, { model, journal, concurrency: 4 });
    await written;
    live.interrupt();
    expect((await live).status).toBe("done");
    const { event } = (await linesIn(journal)).at(-1) as { event?: { partial?: object } };
    expect(Object.keys(event?.partial ?? {})).toHaveLength(4);
    expect((await replay(wide, journal)).status).toBe("identical");
  });
});
