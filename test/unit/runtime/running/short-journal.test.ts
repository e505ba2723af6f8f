// A journal that is shorter than one of its snapshots proves it was: what ran behind its end must not run again.
import { describe, expect, it } from "vitest";
import { agent, agentTool, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  type RunOptions,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { linesIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { killedAfter } from "../../../support/watched-journal.js";

const paid: string[] = [];
const paying = (name: string) =>
  tool({
    name,
    execute: (_input, { id }) => {
      paid.push(id);
      return "paid";
    },
  });
const tools = [paying("pay"), paying("tip")];
const clerk = agent({ name: "clerk", conversation: true, tools });
const words = () =>
  scriptedModel([{ calls: [{ name: "pay" }, { name: "tip" }] }, "Done.", "Hello again."]);

/** The first lines of a journal, with all of its snapshots. */
async function rolledBack(lines: number, options: RunOptions = {}): Promise<JournalPort> {
  paid.length = 0;
  const journal = memoryJournal();
  await run(clerk, "Pay.", { ...options, model: words(), journal });
  expect((await journal.snapshots?.list())?.length).toBeGreaterThan(0);
  const cut = await killedAfter(journal, lines);
  return { ...cut, snapshots: journal.snapshots } as JournalPort;
}

describe("a journal that was longer once", () => {
  // Behind the header; the start; the answer, with which both tools began; the first result.
  it.each([1, 2, 4])(
    "is refused by resume at %d lines, and nothing runs or is written",
    async (lines) => {
      const journal = await rolledBack(lines);
      const before = [...paid];
      const error = await rejection(resume(clerk, journal, { model: words() }));
      expect(error).toMatchObject({ code: "journal.short", place: journal.name });
      expect(paid).toEqual(before);
      expect(await linesIn(journal)).toHaveLength(lines);
      // Whoever only reads does.
      expect((await replay(clerk, journal)).status).toBe("identical");
    },
  );

  it("is gone on with where the loss is accepted: what may have begun is unknown", async () => {
    // With one call at a time the second tool has no mark at the end of these lines, and began behind it.
    const journal = await rolledBack(3, { concurrency: 1 });
    expect(paid).toEqual(["tool/0/0", "tool/0/1"]);
    const end = await resume(clerk, journal, { model: words(), acceptLoss: true });
    expect(end).toMatchObject({ status: "waiting" });
    expect(paid).toEqual(["tool/0/0", "tool/0/1"]);
    const events = (await linesIn(journal)).flatMap((line) =>
      "event" in line ? [line.event] : [],
    );
    for (const id of paid) {
      const unknown = { type: "tool.failed", id, reason: "unknown" };
      expect(events).toContainEqual(expect.objectContaining(unknown));
    }
    expect((await replay(clerk, journal)).status).toBe("identical");
  });

  it.each(["stop", "continue"] as const)(
    "is gone on with, and no call behind the lost one is begun or said not to have run (%s)",
    async (onUnknown) => {
      paid.length = 0;
      const inTurn = agent({ name: "clerk", sequential: true, onUnknown, tools });
      const whole = memoryJournal();
      await run(inTurn, "Pay.", { model: words(), journal: whole });
      expect(paid).toEqual(["tool/0/0", "tool/0/1"]);
      // The header, the start and the answer: the first call has begun, and both ran behind that.
      const cut = await killedAfter(whole, 3);
      const journal = { ...cut, snapshots: whole.snapshots } as JournalPort;
      const told: unknown[] = [];
      const model = scriptedModel(({ messages }) => {
        const results = messages.flatMap((each) => (each.role === "tool" ? each.content : []));
        told.push(...results.map(({ output }) => output));
        return "Done.";
      });
      expect((await resume(inTurn, journal, { model, acceptLoss: true })).status).toBe("done");
      expect(paid).toEqual(["tool/0/0", "tool/0/1"]);
      const lost = /^The record of this tool call is lost\. It may have taken effect/;
      expect(told).toEqual(
        ["tool/0/0", "tool/0/1"].map((id) => ({
          type: "error-text",
          value: expect.stringContaining(`(call ${id} of run`),
        })),
      );
      for (const each of told) expect(each).toMatchObject({ value: expect.stringMatching(lost) });
      expect((await replay(inTurn, journal)).status).toBe("identical");
    },
  );

  it("asks no tool of a child again, which may have begun behind the end as well", async () => {
    paid.length = 0;
    const payer = agent({ name: "payer", tools });
    const boss = agent({ name: "boss", tools: [agentTool(payer, { name: "payer" })] });
    const model = scriptedModel(({ tools: offered }, turn) => {
      if (turn > 0) return "Done.";
      const names = offered?.length === 1 ? ["payer"] : ["pay", "tip"];
      return { calls: names.map((name) => ({ name, input: { prompt: "Pay." } })) };
    });
    const journal = memoryJournal();
    await run(boss, "Pay.", { model, journal, concurrency: 1 });
    expect(paid).toHaveLength(2);
    const issued = (await linesIn(journal)).findIndex(
      (line) => "run" in line && "do" in line && line.do?.some(({ type }) => type === "tool"),
    );
    const cut = await killedAfter(journal, issued + 1);
    const short = { ...cut, snapshots: journal.snapshots } as JournalPort;
    const how = { model, concurrency: 1 };
    expect(await rejection(resume(boss, short, how))).toMatchObject({ code: "journal.short" });
    expect((await resume(boss, short, { ...how, acceptLoss: true })).status).toBe("done");
    expect(paid).toHaveLength(2);
    expect((await replay(boss, short)).status).toBe("identical");
  });

  it.each([
    ["of another run", { runId: "other", clock: virtualClock(9_000) }],
    ["of an earlier run with its id", { runId: "r", clock: virtualClock(1) }],
  ])("is not one where the snapshot is %s", async (_which, options) => {
    const journal = await rolledBack(2, { runId: "r", clock: virtualClock(5_000) });
    const other = memoryJournal();
    await run(clerk, "Pay.", { ...options, model: words(), journal: other });
    const mixed = { ...journal, snapshots: other.snapshots } as JournalPort;
    expect((await resume(clerk, mixed, { model: words() })).status).toBe("waiting");
  });
});
