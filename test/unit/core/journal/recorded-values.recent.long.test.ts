// Reading line by line: what is held does not grow with the journal, and what is read is the same.
import { describe, expect, it } from "vitest";
import { assign } from "xstate";
import { agent } from "../../../../src/core/agent/index.js";
import { MAX_LENGTH } from "../../../../src/core/journal/held-values.js";
import { RecordedValues } from "../../../../src/core/journal/index.js";
import {
  append,
  chain,
  type Json,
  type List,
  listOf,
} from "../../../../src/core/kernel/values/index.js";
import { tool } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
  viewOf,
} from "../../../../src/runtime/index.js";
import { RecordedSteps } from "../../../../src/studio/model/index.js";
import { smallReasoner } from "../../../support/small-machine.js";

const read = tool({ name: "read", jsonSchema: {}, execute: (input) => ({ page: input }) });

/** A conversation of so many turns, none of which says what another said. */
async function conversation(turns: number): Promise<JournalPort> {
  const journal = memoryJournal();
  const one = agent({ name: "a", system: "S".repeat(400), tools: [read], maxIterations: 1e4 });
  const says = (i: number) => `${i} `.repeat(200);
  const model = scriptedModel((_request, turn) =>
    turn === turns
      ? "Done."
      : { text: says(turn), calls: [{ name: "read", input: { at: turn, text: says(-turn) } }] },
  );
  await run(one, "go", { model, journal });
  return journal;
}

/** A machine without a List: what it issues is what came long before, and what came just now. */
async function listless(events: number): Promise<JournalPort> {
  const journal = memoryJournal();
  const note = { type: "notify", topic: "t", data: { first: "F".repeat(300) } };
  const says = ({ event }: { event: { readonly said?: unknown } }) => [
    note,
    { type: "notify", topic: "said", data: { said: event.said ?? null } },
  ];
  const one = smallReasoner({
    initial: "a",
    states: {
      a: { on: { say: { actions: { type: "issue", params: says } }, end: "b" } },
      b: { type: "final" },
    },
  });
  const live = run(one, null, { journal });
  for (let i = 0; i < events; i++) live.send({ type: "say", said: `${i} `.repeat(200) });
  live.send({ type: "end" });
  expect(await live).toMatchObject({ status: "done" });
  return journal;
}

/** A machine with a List whose requests say again and again what only the input holds. */
async function asking(turns: number): Promise<JournalPort> {
  const journal = memoryJournal();
  const about = "A".repeat(300);
  const one = smallReasoner({
    context: ({ input }: { input: { input: { about: string } } }) => ({
      tools: [{ name: "t", description: input.input.about, inputSchema: { about } }],
      messages: listOf([]),
      n: 0,
    }),
    initial: "a",
    states: {
      a: {
        entry: {
          type: "issue",
          params: ({ context }: { context: Record<string, unknown> }) => [
            {
              type: "llm",
              id: `llm/${context.n}`,
              tools: context.tools,
              messages: context.messages,
            },
          ],
        },
        on: {
          "llm.succeeded": [
            { guard: ({ context }: { context: { n: number } }) => context.n >= turns, target: "b" },
            {
              target: "a",
              reenter: true,
              actions: assign(({ context, event }: never) => grown(context, event)),
            },
          ],
        },
      },
      b: { type: "final" },
    },
  });
  const model = scriptedModel((_request, turn) => `${turn} `.repeat(100));
  const end = await run(one, { about: "B".repeat(300) }, { journal, model });
  expect(end.status).toBe("done");
  return journal;
}

function grown(context: { n: number; messages: List<Json> }, { content }: { content: Json }) {
  const said = { role: "assistant", content };
  return { ...context, n: context.n + 1, messages: append(context.messages, said as Json) };
}

/** @returns the steps, and how much was held at most: by number, and by characters */
async function stepsOf(journal: JournalPort, values: RecordedValues) {
  const steps = new RecordedSteps(values);
  const found: unknown[] = [];
  let most = 0;
  let longest = 0;
  for await (const { line } of viewOf(journal).lines()) {
    const step = steps.take(line);
    if (step !== undefined) found.push(step);
    most = Math.max(most, values.size);
    longest = Math.max(longest, values.length);
  }
  return { found, most, longest };
}

describe("the values of the newest lines", () => {
  const small = { length: 64 * 1024, nodes: 64, lists: 8 };

  it.each([
    ["a conversation", conversation, RecordedValues.recent()],
    [
      "a conversation, by a reader that remembers little",
      conversation,
      RecordedValues.recent(small),
    ],
    ["a machine without a List", listless, RecordedValues.recent()],
    ["what only the input holds", asking, RecordedValues.recent()],
    [
      "what only the input holds, by a reader that remembers little",
      asking,
      RecordedValues.recent(small),
    ],
    ["such a machine, by a reader that remembers little", listless, RecordedValues.recent(small)],
  ])("are those of the whole: %s", async (_name, made, values) => {
    const journal = await made(300);
    const whole = await stepsOf(journal, new RecordedValues());
    const recent = await stepsOf(journal, values);
    expect(whole.found.length).toBeGreaterThan(300);
    expect(JSON.stringify(whole.found)).not.toContain("@ref");
    expect(recent.found).toEqual(whole.found);
  });

  it("are held for a turn or two, however many there are", async () => {
    const held = async (turns: number) =>
      (await stepsOf(await conversation(turns), RecordedValues.recent(small))).most;
    expect(await held(600)).toBeLessThanOrEqual((await held(150)) + 2);
    const bounded = async (events: number) =>
      (await stepsOf(await listless(events), RecordedValues.recent(small))).most;
    expect(await bounded(3_000)).toBeLessThanOrEqual((await bounded(300)) + 2);
    expect((await stepsOf(await conversation(300), new RecordedValues())).most).toBeGreaterThan(
      900,
    );
  });

  it("are so many characters, however long each of them is", async () => {
    const journal = memoryJournal();
    const page = (i: number) => `${i} `.repeat(8_000);
    const says = ({ event }: { event: { readonly n?: number } }) => [
      { type: "notify", topic: "page", data: { page: page(event.n ?? 0) } },
    ];
    const one = smallReasoner({
      initial: "a",
      states: {
        a: { on: { say: { actions: { type: "issue", params: says } }, end: "b" } },
        b: { type: "final" },
      },
    });
    const live = run(one, null, { journal });
    for (let n = 0; n < 200; n++) live.send({ type: "say", n });
    live.send({ type: "end" });
    expect(await live).toMatchObject({ status: "done" });
    const whole = await stepsOf(journal, new RecordedValues());
    const limits = { length: 256 * 1024, nodes: 1_024, lists: 8 };
    const recent = await stepsOf(journal, RecordedValues.recent(limits));
    expect(recent.found).toEqual(whole.found);
    expect(JSON.stringify(recent.found).length).toBeGreaterThan(10 * limits.length);
    // Events, values and Lists: two generations of each.
    expect(recent.longest).toBeLessThanOrEqual(6 * limits.length);
  });

  it("that a List takes on are found as far as its writer remembers them, and no further", () => {
    const input = "go";
    const said = { type: "message", at: 0, content: "" };
    const room = MAX_LENGTH - JSON.stringify(said).length;
    for (const [length, found] of [
      [room, 2],
      [room + 1, undefined],
    ] as const) {
      const content = "M".repeat(length);
      const items = [input, content].map((each) => ({ role: "user", content: each }));
      const list = `@2#${items.reduce((at, item) => chain(at, item), "")}`;
      const values = RecordedValues.recent();
      values.take({ type: "header", input } as never);
      const ask = { type: "llm", id: "llm/0", messages: list };
      const event = { ...said, content };
      values.take({ seq: 0, event, do: [ask], value: "a", state: "" } as never);
      expect(values.items(list)?.length).toBe(found);
    }
  });

  it("that no List takes on do not pile up", () => {
    const held = (events: number) => {
      const values = RecordedValues.recent();
      let most = 0;
      for (let seq = 0; seq < events; seq++) {
        const event = { type: "message", at: seq, content: "M".repeat(1_000_000) };
        values.take({ seq, event, value: "a", state: "" } as never);
        most = Math.max(most, values.size);
      }
      return most;
    };
    expect(held(400)).toBeLessThanOrEqual(held(140) + 2);
  });
});
