// What a model answers before its call has gone out is stepped on the spot: what goes wrong with that
// answer, or comes beside it, takes nothing of what was there before along.
import { expect, it } from "vitest";
import {
  agent,
  type ModelPort,
  memoryJournal,
  type Run,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

/** A model that calls a tool, and then says so; both at once. */
const model: ModelPort = {
  name: "at once",
  async generate({ messages }) {
    return messages.some(({ role }) => role === "tool")
      ? {
          content: [{ type: "text", text: "so" }],
          finishReason: "stop",
          usage: { inputTokens: 9, outputTokens: 9 },
        }
      : {
          content: [{ type: "tool-call", toolCallId: "c", toolName: "pay", input: {} }],
          finishReason: "tool-calls",
          usage: { inputTokens: 9, outputTokens: 9 },
        };
  },
};

it("an answer that the redaction hook refuses has failed, and what settled before it stays", async () => {
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
  expect(await live).toMatchObject({ status: "failed", error: { code: "redaction.refused" } });
  expect(paid).toHaveLength(1);
  const events = (await linesIn(journal)).flatMap((line) =>
    "event" in line ? [line.event.type] : [],
  );
  expect(events).toEqual(["start", "llm.succeeded", "tool.succeeded", "llm.failed"]);
});

it("the second of two results that the redaction hook refuses has failed, whatever the journal", async () => {
  for (const journal of [watchedJournal(), memoryJournal()]) {
    const both = gate();
    const tools = ["a", "b"].map((name) =>
      tool({ name, execute: () => both.passed.then(() => name) }),
    );
    let results = 0;
    const live = run(agent({ name: "x", tools }), "go", {
      journal,
      model: scriptedModel([{ calls: [{ name: "a" }, { name: "b" }] }, "so"]),
      redact(value) {
        if (value.type === "tool.succeeded" && ++results === 2) throw new Error("no");
        return value;
      },
    });
    await settle();
    both.open();
    expect(await live).toMatchObject({ status: "done", output: "so" });
    const events = (await linesIn(journal)).flatMap((line) =>
      "event" in line ? [line.event] : [],
    );
    expect(events.slice(2)).toMatchObject([
      { type: "tool.succeeded" },
      { type: "tool.failed", reason: "error", error: { code: "redaction.refused" } },
      { type: "llm.succeeded" },
    ]);
  }
});

it("what arrives with an interrupt is not stepped before it, but written with it", async () => {
  const journal = watchedJournal();
  const touch = tool({ name: "touch", execute: () => "touched" });
  const writes: string[][] = [];
  journal.before = (lines) => {
    writes.push(lines.flatMap((line) => JSON.parse(line).event?.type ?? []));
  };
  let live: Run | undefined;
  let asked = 0;
  live = run(agent({ name: "a", conversation: true, tools: [touch] }), "go", {
    journal,
    model: {
      name: "watched",
      async generate() {
        asked += 1;
        if (asked === 1) {
          return {
            content: [{ type: "tool-call", toolCallId: "c", toolName: "touch", input: {} }],
            finishReason: "tool-calls",
            usage: { inputTokens: 9, outputTokens: 9 },
          };
        }
        if (asked === 2) {
          live?.message("and?");
          live?.interrupt("enough");
        }
        return {
          content: [{ type: "text", text: "so" }],
          finishReason: "stop",
          usage: { inputTokens: 9, outputTokens: 9 },
        };
      },
    },
  });
  expect(await live).toMatchObject({ status: "waiting", reason: "ready" });
  expect(writes).toEqual([
    ["start"],
    ["llm.succeeded"],
    // The answer comes after the turn is over: it is no answer. The message asks once more.
    ["tool.succeeded", "message", "interrupt"],
    ["llm.succeeded"],
  ]);
});

it("once an answer is there nothing else is waited for", async () => {
  const journal = watchedJournal();
  journal.before = settle;
  const pay = tool({ name: "pay", execute: () => "paid" });
  let said = false;
  const live: Run = run(agent({ name: "a", conversation: true, tools: [pay] }), "go", {
    journal,
    model: {
      ...model,
      async generate(request, call) {
        const answer = await model.generate(request, call);
        if (!said && request.messages.some(({ role }) => role === "tool")) {
          said = true;
          void (async () => {
            for (let i = 0; i < 48; i++) await undefined;
            live.message("and?");
          })();
        }
        return answer;
      },
    },
  });
  await live;
  expect(journal.log.filter((each) => each.includes("message"))).toHaveLength(1);
  // The header and the start, the call, what came of it with the answer; then what was said since.
  expect(journal.appends.slice(0, 3)).toEqual([2, 1, 2]);
  expect(journal.log.slice(3, 5)).toEqual([
    "durable event 2 tool.succeeded",
    "durable event 3 llm.succeeded",
  ]);
});

it("a step that asks no model is written without waiting for anything", async () => {
  const journal = watchedJournal();
  journal.before = settle;
  const after = (microtasks: number) => async () => {
    for (let i = 0; i < microtasks; i++) await undefined;
    return "done";
  };
  const tools = [
    tool({ name: "quick", execute: after(0) }),
    tool({ name: "slower", execute: after(32) }),
  ];
  const calls = [{ name: "quick" }, { name: "slower" }];
  await run(agent({ name: "a", tools }), "go", {
    journal,
    model: scriptedModel([{ calls }, "so"]),
  });
  // The header and the start, the calls, the first result; then the second, and the answer to both.
  expect(journal.appends).toEqual([2, 1, 1, 2]);
});

it("a model that is stopped and goes on writing is not heard any more", async () => {
  const told: string[] = [];
  const unmoved: ModelPort = {
    name: "unmoved",
    generate: (_request, { signal, onDelta }) =>
      new Promise(() => {
        onDelta({ type: "text", text: "early" });
        signal.addEventListener("abort", () => onDelta({ type: "text", text: "late" }));
      }),
  };
  const live = run(agent({ name: "a" }), "go", {
    model: unmoved,
    journal: memoryJournal(),
    observers: [(seen) => void (seen.type === "delta" && told.push(seen.delta.text))],
  });
  await settle();
  live.cancel();
  expect((await live).status).toBe("cancelled");
  expect(told).toEqual(["early"]);
});
