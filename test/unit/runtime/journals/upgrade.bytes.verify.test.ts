// An upgrade's line costs what it changed: Lists that were there before are referred to, and whoever has the new code
// alone, and no snapshot, reads them from the lines.
import { describe, expect, it } from "vitest";
import { openFold } from "../../../../src/core/driver/index.js";
import { agent, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { Timeline } from "../../../../src/time-travel/live/index.js";
import { textIn } from "../../../support/journal-text.js";

const look = tool({ name: "look", execute: () => `seen ${"x".repeat(300)}` });
const chat = (system: string, tools: readonly (typeof look)[] = []) =>
  agent({ name: "chat", system, conversation: true, tools });

/** Calls the tool in each turn, where there is one. */
const model = scriptedModel((request) => {
  const isAsked = request.messages.at(-1)?.role === "user";
  const calls = isAsked && (request.tools ?? []).length > 0 ? [{ name: "look" }] : [];
  return calls.length > 0 ? { text: "", calls } : `an answer ${"of words ".repeat(40)}`;
});

async function talked(turns: number, code: ReturnType<typeof chat>, journal: JournalPort) {
  for (let i = 0; i < turns; i++)
    await resume(code, journal, { model, messages: [`question ${i}`] });
}

const upgradesIn = async (journal: JournalPort) =>
  (await textIn(journal)).split("\n").filter((line) => line.startsWith('{"upgrade"'));

/** The lengths of the lines of two upgrades, so many turns apart. */
async function twoUpgrades(turns: number, tools: readonly (typeof look)[] = []) {
  const journal = memoryJournal();
  const codes = ["a", "b", "c"].map((system) => chat(system, tools));
  const [first, second, third] = codes as [(typeof codes)[0], (typeof codes)[0], (typeof codes)[0]];
  await run(first, "begin", { model, journal, runId: "one" });
  await talked(turns, first, journal);
  await resume(second, journal, { model, upgrade: true, messages: ["under b"] });
  await talked(3, second, journal);
  await resume(third, journal, { model, upgrade: true, messages: ["under c"] });
  const lengths = (await upgradesIn(journal)).map(({ length }) => length);
  expect(lengths).toHaveLength(2);
  return { journal, codes, lengths };
}

describe("a changed prompt", () => {
  it("costs the same behind message 400 as behind message 10", async () => {
    const early = await twoUpgrades(5);
    const late = await twoUpgrades(200);
    expect((late.lengths[0] as number) / (early.lengths[0] as number)).toBeLessThan(1.05);
    expect((late.lengths[1] as number) / (early.lengths[1] as number)).toBeLessThan(1.05);
  });

  it("writes the records of calls once", async () => {
    const { lengths } = await twoUpgrades(40, [look]);
    const [first, second] = lengths as [number, number];
    expect(first).toBeGreaterThan(40 * 300);
    // Those of four turns, and what changed.
    expect(second).toBeLessThan(10 * 600);
  });
});

describe.each([
  ["without tools", []],
  ["with calls", [look]],
])("a run %s that was upgraded twice", (_name, tools) => {
  it("is read by the code of its last configuration alone, without snapshots, wherever lines are read", async () => {
    const { journal, codes } = await twoUpgrades(12, tools);
    const [first, second, last] = codes as [
      (typeof codes)[0],
      (typeof codes)[0],
      (typeof codes)[0],
    ];
    const { snapshots: _none, ...bare } = journal;
    const text = await textIn(journal);
    const whole = openFold([last, second, first] as never, { approvals: "outside" });
    const alone = openFold([last] as never, { approvals: "outside" });
    for (const line of text.split("\n").slice(0, -1)) {
      whole.take(line);
      alone.take(line);
    }
    expect(alone.state).toEqual(whole.state);

    const report = await replay(last, bare);
    expect(report.status).toBe("identical");
    expect(report.segments.map(({ checked }) => checked)).toEqual([false, false, true]);
    expect((await replay([last, second, first], bare)).status).toBe("identical");

    const timeline = await Timeline.open(last, bare);
    const { state } = await timeline.at(timeline.events - 1);
    expect(state).toEqual(whole.state);

    const end = await resume(last, bare, { model, messages: ["one more"] });
    expect(end.status).toBe("waiting");
    expect((await replay([last, second, first], bare)).status).toBe("identical");
  });
});
