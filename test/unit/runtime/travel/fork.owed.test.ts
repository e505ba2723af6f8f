// What a fork owes from before its cut is answered by what its original got later; all else is its own.
import { expect, it } from "vitest";
import { agent, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { fork, type JournalPort, memoryJournal } from "../../../../src/runtime/index.js";
import { eventsIn, linesIn } from "../../../support/journal-text.js";
import { gate, killedAfter, settle, watchedJournal } from "../../../support/watched-journal.js";

const look = tool({ name: "look", execute: () => "seen" });
const clerk = (system: string) => agent({ name: "clerk", system, tools: [look] });
const settledIn = async (port: JournalPort) =>
  (await eventsIn(port)).flatMap(({ event }) => ("id" in event ? [[event.id, event.type]] : []));

/** A journal's first lines, without its snapshots, leading where it leads. */
async function cutOff(journal: JournalPort, lines?: number, leadsTo?: JournalPort) {
  const all = (await linesIn(journal)).length;
  const { snapshots: _, ...copy } = await killedAfter(journal, lines ?? all);
  if (leadsTo !== undefined) copy.link?.(leadsTo);
  return copy;
}

it("a tool that began behind the cut, in a line of its own, is not begun again", async () => {
  const calls: string[] = [];
  const paid = gate();
  const pay = (name: string) =>
    tool({
      name,
      execute: async () => {
        calls.push(name);
        if (name === "second") await paid.passed;
        return "paid";
      },
    });
  const payer = agent({ name: "payer", tools: [pay("first"), pay("second")] });
  const model = scriptedModel([{ calls: [{ name: "first" }, { name: "second" }] }, "Done."]);
  const journal = watchedJournal();
  const live = run(payer, "Pay", { model, journal, concurrency: 1 });
  await settle();
  const died = await cutOff(journal);
  paid.open();
  await live;
  expect(calls).toEqual(["first", "second"]);
  const forked = await fork(died, { at: 1 });
  await resume(payer, forked.journal, { model });
  expect(calls).toEqual(["first", "second"]);
  expect((await settledIn(forked.journal)).slice(0, 2)).toEqual([
    ["tool/0/0", "tool.succeeded"],
    ["tool/0/1", "tool.failed"],
  ]);
});

it("what is owed is answered also where the fork goes on under another configuration", async () => {
  const model = scriptedModel([{ calls: [{ name: "look" }] }, "Done."]);
  const journal = memoryJournal("original");
  await run(clerk("old"), "go", { model, journal });
  const bare = await cutOff(journal);
  const forked = await fork(bare, { at: 1 });
  const both = [clerk("new"), clerk("old")];
  const end = await resume(both, forked.journal, { model, upgrade: true });
  expect(end).toMatchObject({ status: "done", output: "Done." });
  expect((await settledIn(forked.journal))[0]).toEqual(["tool/0/0", "tool.succeeded"]);
});

it("what a fork asks itself is not answered by what its original was told under the same id", async () => {
  const says = (text: string) => scriptedModel([{ calls: [{ name: "look" }] }, text, text]);
  const journal = memoryJournal("original");
  await run(clerk("s"), "go", { model: says("The original's."), journal });
  const forked = await fork(journal, { set: { "tool/0/0": "something else" } });
  await resume(clerk("s"), forked.journal, { model: says("The fork's.") });
  // Behind the answer that was set the model was asked, and the process died.
  const died = await cutOff(forked.journal, 2, journal);
  expect(await settledIn(died)).toEqual([["tool/0/0", "tool.succeeded"]]);
  const end = await resume(clerk("s"), died, { model: says("Asked anew.") });
  expect(end).toMatchObject({ status: "done", output: "Asked anew." });
});
