// Reading line by line: what is held does not grow with the journal, and what is read is the same.
import { describe, expect, it } from "vitest";
import { RecordedSteps } from "../../../../src/cli/recorded.js";
import { agent } from "../../../../src/core/agent/index.js";
import { RecordedValues } from "../../../../src/core/journal/index.js";
import { tool } from "../../../../src/core/kernel/index.js";
import {
  type JournalPort,
  memoryJournal,
  readHistory,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
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

/** @returns the steps, and how much was held at most */
async function stepsOf(journal: JournalPort, values: RecordedValues) {
  const steps = new RecordedSteps(values);
  const found: unknown[] = [];
  let most = 0;
  for await (const { line } of readHistory(journal)) {
    const step = steps.take(line);
    if (step !== undefined) found.push(step);
    most = Math.max(most, values.size);
  }
  return { found, most };
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
      (await stepsOf(await conversation(turns), RecordedValues.recent())).most;
    expect(await held(300)).toBe(await held(30));
    const bounded = async (events: number) =>
      (await stepsOf(await listless(events), RecordedValues.recent(small))).most;
    expect(await bounded(3_000)).toBeLessThanOrEqual((await bounded(300)) + 2);
    expect((await stepsOf(await conversation(300), new RecordedValues())).most).toBeGreaterThan(
      900,
    );
  });
});
