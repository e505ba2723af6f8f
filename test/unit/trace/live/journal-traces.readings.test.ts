// When journals are read: who asks gets what was there when it asked.
import { expect, it } from "vitest";
import { agent, memoryJournal, scriptedModel } from "../../../../src/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { contentsOf, lived } from "../../../support/traced.js";
import { gate, settle } from "../../../support/watched-journal.js";

const talker = agent({ name: "talker" }) as never;
const said = async (runId: string) => {
  const model = scriptedModel(["Hi."]);
  return (await lived(talker, "hello", { runId, model, journal: memoryJournal(runId) })).journal;
};

it("who asks while journals are read gets a reading that begins later", async () => {
  const held = gate();
  const ports: JournalPort[] = [await said("one")];
  let readings = 0;
  const store = journalTraces(async () => {
    const found = [...ports];
    readings += 1;
    if (readings === 1) await held.passed;
    return found;
  });
  const runs = async () => (await contentsOf(store)).runs.map(({ runId }) => runId);
  const first = runs();
  await settle();
  ports.push(await said("two"));
  const later = runs();
  await settle();
  expect(readings).toBe(1);
  held.open();
  expect(await first).toEqual(["one"]);
  expect(await later).toEqual(["one", "two"]);
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
  await expect(contentsOf(store)).rejects.toThrow("not now");
  expect((await contentsOf(store)).events).toHaveLength(2);
});
