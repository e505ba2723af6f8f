// A model call may begin while the line that issues it is being written; everything else waits for the
// disk, what is heard of that call too.
import { expect, it } from "vitest";
import {
  agent,
  type JournalPort,
  type ModelPort,
  memoryJournal,
  run,
  tool,
} from "../../../../src/index.js";

/** A journal whose appends are durable when somebody says so. */
function slowJournal() {
  const memory = memoryJournal();
  const waiting: { readonly done: () => void; readonly fail: (why: Error) => void }[] = [];
  const journal: JournalPort = {
    ...memory,
    async open(mode) {
      const writer = await memory.open(mode);
      return {
        append: async (lines, expected) => {
          await new Promise<void>((done, fail) => waiting.push({ done, fail }));
          await writer.append(lines, expected);
        },
        close: () => writer.close(),
      };
    },
  };
  return { journal, waiting };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function aRun() {
  const { journal, waiting } = slowJournal();
  const told: string[] = [];
  let signal: AbortSignal | undefined;
  let asked = 0;
  const model: ModelPort = {
    name: "watched",
    async generate(_request, call) {
      told.push("asked");
      signal = call.signal;
      asked += 1;
      call.onDelta({ type: "text", text: "so" });
      return asked === 1
        ? {
            content: [{ type: "tool-call", toolCallId: "c", toolName: "touch", input: {} }],
            finishReason: "tool-calls",
            usage: {},
          }
        : { content: [{ type: "text", text: "so" }], finishReason: "stop", usage: {} };
    },
  };
  const touch = tool({ name: "touch", execute: () => void told.push("ran") });
  const live = run(agent({ name: "a", tools: [touch] }), "go", {
    model,
    journal,
    observers: [
      (seen) => {
        if (seen.type === "delta") told.push("delta");
        if (seen.type === "step") told.push(`step ${seen.event.type}`);
      },
    ],
  });
  return { live, waiting, told, signal: () => signal };
}

it("the model is asked before its line is durable, and nobody hears of it before", async () => {
  const { live, waiting, told } = aRun();
  while (waiting.length === 0) await turn();
  await turn();
  expect(told).toEqual(["asked"]);
  waiting.shift()?.done();
  while (waiting.length === 0) await turn();
  expect(told).toEqual(["asked", "step start", "delta"]);
  // The line of the answer: its tool waits for it.
  await turn();
  expect(told).not.toContain("ran");
  waiting.shift()?.done();
  while (waiting.length === 0) await turn();
  expect(told.slice(3)).toEqual(["step llm.succeeded", "ran", "asked"]);
  waiting.shift()?.done();
  while (waiting.length === 0) await turn();
  waiting.shift()?.done();
  expect((await live).status).toBe("done");
  expect(told.filter((each) => each === "asked")).toHaveLength(2);
});

it("a call whose line cannot be written is stopped, and nothing of it is heard", async () => {
  const { live, waiting, told, signal } = aRun();
  while (waiting.length === 0) await turn();
  await turn();
  waiting.shift()?.fail(new Error("the disk is full"));
  await expect(live).rejects.toMatchObject({ code: "journal.write" });
  expect(told).toEqual(["asked"]);
  expect(signal()).toBeDefined();
});
