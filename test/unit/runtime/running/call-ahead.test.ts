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
  /** The types of the events that were appended together. */
  const writes: string[][] = [];
  const journal: JournalPort = {
    ...memory,
    async open(mode) {
      const writer = await memory.open(mode);
      return {
        append: async (lines, expected) => {
          writes.push(lines.flatMap((line) => JSON.parse(line).event?.type ?? []));
          await new Promise<void>((done, fail) => waiting.push({ done, fail }));
          await writer.append(lines, expected);
        },
        close: () => writer.close(),
      };
    },
  };
  return { journal, waiting, writes };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** @param answered resolves when the model may answer */
function aRun(answered: (call: number) => Promise<unknown> | undefined = () => undefined) {
  const { journal, waiting, writes } = slowJournal();
  const told: string[] = [];
  let signal: AbortSignal | undefined;
  let asked = 0;
  const model: ModelPort = {
    name: "watched",
    async generate(_request, call) {
      told.push("asked");
      signal = call.signal;
      asked += 1;
      const first = asked === 1;
      await answered(asked);
      call.onDelta({ type: "text", text: "so" });
      return first
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
  return { live, waiting, writes, told, signal: () => signal };
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
  expect((await live).status).toBe("done");
  expect(told.filter((each) => each === "asked")).toHaveLength(2);
});

it("what a model answers at once is written together with the call, and heard in its order", async () => {
  const { live, waiting, writes, told } = aRun();
  while (writes.length < 3) {
    waiting.shift()?.done();
    await turn();
  }
  // Until the line of the call is durable nothing of it is heard, its answer's neither.
  expect(told.slice(-2)).toEqual(["ran", "asked"]);
  waiting.shift()?.done();
  expect((await live).status).toBe("done");
  expect(writes).toEqual([["start"], ["llm.succeeded"], ["tool.succeeded", "llm.succeeded"]]);
  expect(told.slice(-4)).toEqual(["asked", "step tool.succeeded", "delta", "step llm.succeeded"]);
});

it("a model that takes its time does not hold the line of its call back", async () => {
  let answer: (() => void) | undefined;
  const { live, waiting, writes, told } = aRun((call) =>
    call === 1 ? undefined : new Promise<void>((resolve) => (answer = resolve)),
  );
  while (writes.length < 3) {
    waiting.shift()?.done();
    await turn();
  }
  expect(writes[2]).toEqual(["tool.succeeded"]);
  waiting.shift()?.done();
  await turn();
  expect(told.slice(-2)).toEqual(["asked", "step tool.succeeded"]);
  answer?.();
  while (waiting.length === 0) await turn();
  waiting.shift()?.done();
  expect((await live).status).toBe("done");
  expect(writes[3]).toEqual(["llm.succeeded"]);
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
