// What the journal keeps of a step: every value once, lists by what is new, and nothing that grows.
import { describe, expect, it } from "vitest";
import {
  decodeLine,
  type EventLine,
  type Line,
  type ListPart,
  RecordedValues,
  Recorder,
  replayJournal,
  splitJournal,
} from "../../../../src/core/journal/index.js";
import {
  agent,
  append,
  assign,
  type Json,
  type List,
  listOf,
  type Message,
  tool,
} from "../../../../src/index.js";
import { memoryJournal, run, scriptedModel } from "../../../../src/runtime/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

/** A journal of a run, and its event lines. */
async function recorded(...args: Parameters<typeof run>) {
  const journal = memoryJournal();
  await run(args[0], args[1], { ...args[2], journal });
  const text = await journal.read();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const events = lines.filter((line): line is EventLine => line.type === "event");
  return { text, lines, events, replay: () => replayJournal(args[0] as never, splitJournal(text)) };
}

const LONG = "The system prompt, which is long enough to be worth a hash. ".repeat(20);
const count = (text: string, part: string) => text.split(part).length - 1;

describe("values", () => {
  it("that do not grow are stored once, whatever the number of turns", async () => {
    const look = tool({ name: "look", description: LONG.toUpperCase(), execute: () => "seen" });
    const one = agent({ name: "a", system: LONG, tools: [look], maxIterations: 30 });
    const model = scriptedModel((_, turn) => (turn < 20 ? { calls: [{ name: "look" }] } : "done"));
    const { text, replay } = await recorded(one as never, "go", { model });
    expect(count(text, JSON.stringify(LONG).slice(1, -1))).toBe(1);
    expect(count(text, JSON.stringify(LONG.toUpperCase()).slice(1, -1))).toBe(1);
    expect(replay()).toMatchObject({ status: "identical", events: 42 });
  });

  it("that an event holds are not stored again", async () => {
    const answer = `An answer ${"of many words ".repeat(30)}`;
    const input = { text: `An input ${"of many words ".repeat(30)}` };
    const echo = tool({ name: "echo", jsonSchema: {}, execute: () => answer });
    const one = agent({ name: "a", tools: [echo] });
    const model = scriptedModel([{ calls: [{ name: "echo", input }] }, "done"]);
    const { text } = await recorded(one as never, "go", { model });
    expect(count(text, answer)).toBe(1);
    expect(count(text, input.text)).toBe(1);
  });

  it("that are short stand for themselves", async () => {
    const { events } = await recorded(
      smallReasoner({ entry: issue({ type: "notify", topic: "t", data: { n: 1 } }) }),
      null,
    );
    expect(events[0]?.directives).toEqual([
      { type: "notify", parts: { topic: { is: "t" }, data: { is: { n: 1 } } } },
    ]);
  });

  it("that hold a List can be read back", async () => {
    const data = { items: listOf(["one", "two"]), more: "x".repeat(100) };
    const { events, replay } = await recorded(
      smallReasoner({ entry: issue({ type: "notify", topic: "t", data }) }),
      null,
    );
    expect(Object.keys(events[0]?.values ?? {})).toHaveLength(1);
    expect(replay().status).toBe("identical");
  });

  it("an output that is or holds a List can be read back", async () => {
    const output = { list: listOf([1, 2]), more: "x".repeat(100) };
    const reasoner = smallReasoner({
      context: { output },
      initial: "over",
      states: { over: { type: "final" } },
    });
    const { replay } = await recorded(reasoner, null);
    expect(replay().status).toBe("identical");
  });
});

describe("lists", () => {
  const listPart = (events: readonly EventLine[], seq: number) =>
    events[seq]?.directives?.[0]?.parts.messages as ListPart;

  it("cost their new items", async () => {
    const one = agent({ name: "a", tools: [tool({ name: "t", execute: () => "ok" })] });
    const model = scriptedModel((_, turn) => (turn < 3 ? { calls: [{ name: "t" }] } : "done"));
    const { events } = await recorded(one as never, "go", { model });
    const parts = [0, 2, 4].map((seq) => listPart(events, seq));
    expect(parts.map(({ size, from, items }) => [size, from, items.length])).toEqual([
      [1, 0, 1],
      [3, 1, 2],
      [5, 3, 2],
    ]);
  });

  it("that are replaced by another are recorded anew, and each can be shown", () => {
    const message = (content: string): Message => ({ role: "user", content });
    const first = listOf([message("a"), message("b")]);
    const lists: List<Message>[] = [
      first,
      append(first, message("c")),
      listOf([message("z")]),
      first,
    ];
    const recorder = new Recorder();
    const llm = smallReasoner({});
    const { state } = llm.start(null, { at: 0, runId: "r" });
    let previous = "";
    const lines = lists.map((messages, seq) => {
      const directives = [{ type: "llm", id: `llm/${seq}`, messages } as const];
      const step = { state: { ...state, seq }, directives };
      const { text } = recorder.event(llm, { type: "x", at: 0 }, step, []);
      const decoded = decodeLine(text, seq + 2, previous);
      previous = decoded.hash;
      return decoded.line as EventLine;
    });
    expect(lines.map((line) => listPart([line], 0).from)).toEqual([0, 2, 0, 0]);
    const shown = lines.map((line, i) => {
      const values = new RecordedValues(lines.slice(0, i + 1));
      const record = line.directives?.[0];
      return (values.part(record!, "messages") as { content: string }[]).map(
        ({ content }) => content,
      );
    });
    expect(shown).toEqual([["a", "b"], ["a", "b", "c"], ["z"], ["a", "b"]]);
  });

  it("that are plain arrays are recorded by their hash", async () => {
    const messages = Array.from({ length: 5 }, (_, i) => ({
      role: "user",
      content: `message ${i}`,
    }));
    const { events, replay } = await recorded(
      smallReasoner({ entry: issue({ type: "llm", id: "llm/0", messages }) }),
      null,
    );
    expect(typeof events[0]?.directives?.[0]?.parts.messages).toBe("string");
    expect(replay().status).toBe("identical");
  });
});

describe("bytes", () => {
  it("a turn costs the same at turn 10 and at turn 1 000, within 2 %", async () => {
    const work = tool({ name: "work", jsonSchema: {}, execute: () => "x".repeat(200) });
    const one = agent({ name: "a", system: LONG, tools: [work], maxIterations: 2_000 });
    const model = scriptedModel((request) =>
      request.messages.length < 2_100
        ? { calls: [{ name: "work", input: { n: 100_000 } }] }
        : "done",
    );
    const { events } = await recorded(one as never, "go", { model });
    const bytes = (turn: number) => JSON.stringify(events.slice(2 * turn - 1, 2 * turn + 1)).length;
    // Numbers of one more digit, here and there, are the 2 %.
    expect(Math.abs(bytes(1_000) / bytes(10) - 1)).toBeLessThan(0.02);
  });
});

it("what a machine did not do is not in a line", async () => {
  const reasoner = smallReasoner({ on: { go: { actions: assign({}) } } });
  const { events } = await recorded(reasoner, null);
  expect(Object.keys(events[0] as object)).toEqual([
    "type",
    "seq",
    "event",
    "value",
    "prev",
    "hash",
  ]);
});

it("a value of any kind survives being recorded and shown", () => {
  const values: Json[] = [
    null,
    0,
    "",
    "x".repeat(99),
    [],
    {},
    [1, [2]],
    { "@hash": "h" },
    { a: { b: [null] } },
  ];
  const reasoner = smallReasoner({});
  const { state } = reasoner.start(null, { at: 0, runId: "r" });
  for (const data of values) {
    const step = { state, directives: [{ type: "notify", topic: "t", data } as const] };
    const { text } = new Recorder().event(reasoner, { type: "x", at: 0 }, step, []);
    const { line } = decodeLine(text, 2, "");
    const [record] = (line as EventLine).directives ?? [];
    expect(new RecordedValues([line]).part(record!, "data")).toEqual(data);
  }
});
