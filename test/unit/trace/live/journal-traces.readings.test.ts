// When journals are read: who asks gets what was there when it asked, and one reading is enough for
// all who wait for it. What was derived may fail to be kept.
import { expect, it } from "vitest";
import { agent, memoryJournal, scriptedModel } from "../../../../src/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { lived } from "../../../support/traced.js";
import { gate, settle } from "../../../support/watched-journal.js";

const talker = agent({ name: "talker" }) as never;
const said = async (runId: string) => {
  const model = scriptedModel(["Hi."]);
  return (await lived(talker, "hello", { runId, model, journal: memoryJournal(runId) })).journal;
};

it("who asks while journals are read gets a reading that begins later, shared by all who wait", async () => {
  const held = gate();
  const ports: JournalPort[] = [await said("one")];
  let readings = 0;
  const store = journalTraces(async () => {
    const found = [...ports];
    readings += 1;
    if (readings === 1) await held.passed;
    return found;
  });
  const runs = async () => (await store.read({}, {})).runs.map(({ runId }) => runId);
  const first = [runs(), runs()];
  await settle();
  ports.push(await said("two"));
  const later = [runs(), runs()];
  await settle();
  expect(readings).toBe(1);
  held.open();
  expect(await Promise.all(first)).toEqual([["one"], ["one"]]);
  expect(await Promise.all(later)).toEqual([
    ["one", "two"],
    ["one", "two"],
  ]);
  expect(readings).toBe(2);
});

it("a reading that failed is that of who waited for it, and the next one begins", async () => {
  const port = await said("one");
  let readings = 0;
  const store = journalTraces(async () => {
    readings += 1;
    if (readings === 1) throw new Error("not now");
    return [port];
  });
  await expect(store.read({}, {})).rejects.toThrow("not now");
  expect((await store.read({}, {})).events).toHaveLength(2);
});

it("an index that cannot even be written down is done without", async () => {
  const index = {
    load: async () => undefined,
    // As JSON.stringify does where the text would be too long.
    save: () => {
      throw new RangeError("Invalid string length");
    },
  };
  const store = journalTraces(await said("one"), { index });
  expect((await store.read({}, {})).events).toHaveLength(2);
});
