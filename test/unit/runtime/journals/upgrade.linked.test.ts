// Runs that begin with what another left, upgraded since: their own lines say how they go on, whatever
// has become of the other.
import { expect, it } from "vitest";
import { defineReasoner, setupReasoner } from "../../../../src/kernel.js";
import {
  fold,
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
} from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { fork, Timeline } from "../../../../src/time-travel/live/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

interface Count {
  readonly n: number;
}

/** It begins with one more than the run that it goes on from. */
const counter = (version: number) => {
  const { createMachine } = setupReasoner<{ n: number }, null, { type: "go" }>();
  const machine = createMachine({
    context: ({ input: { from } }) => ({ n: ((from as Count | undefined)?.n ?? 0) + 1 }),
    initial: "a",
    states: { a: { on: { go: "b" } }, b: { on: { go: "a" } } },
  });
  return defineReasoner<null, unknown, Count>({ id: "counter", version, machine } as never);
};
const [first, second] = [counter(1), counter(2)];
const go = { events: [{ type: "go" }] };

/** A journal without snapshots, and what it links to has none either. */
const bare = ({ snapshots: _none, ...port }: JournalPort, links?: JournalPort): JournalPort =>
  links === undefined ? port : { ...port, follow: () => links };

it("a fork and its original that were both upgraded at its cut go on by themselves", async () => {
  const journal = memoryJournal("original");
  await run(first, null, { journal });
  await resume(second, journal, { upgrade: true });
  const forked = bare((await fork(journal, { at: 0 })).journal, bare(journal));
  const untouched = bare((await fork(journal, { at: 0 })).journal, bare(journal));
  await resume([second, first], forked, { upgrade: true, ...go });
  expect((await fold(second, forked)).state).toMatchObject({ value: "b", version: 2 });
  expect(await resume(second, forked, go)).toMatchObject({ state: { value: "a" } });
  // Where it was not upgraded, what is said is that its code is missing.
  const refused = await rejection(resume(second, untouched, { upgrade: true }));
  expect(refused).toMatchObject({ code: "upgrade.refused" });
});

it("one that goes on from a run of code that is gone is shown from its upgrade on", async () => {
  const [before, journal] = [memoryJournal("before"), memoryJournal("journal")];
  await run(first, null, { journal: before });
  await run(first, null, { journal, from: before });
  await resume(second, journal, { upgrade: true, ...go });
  const port = bare(journal, bare(before));
  const timeline = await Timeline.open(second, port);
  expect(await timeline.at(1)).toMatchObject({
    same: true,
    state: { value: "b", context: { n: 2 } },
  });
  expect(await rejection(timeline.at(0))).toMatchObject({ code: "journal.configuration" });
  for (const keepGoing of [false, true]) {
    const found = await replay(second, port, { keepGoing });
    expect(found).toMatchObject({ status: "identical", events: 1 });
  }
});

it("one that had not begun at its upgrade is not shown to begin with nothing", async () => {
  const [before, journal] = [memoryJournal("before"), memoryJournal("journal")];
  await run(first, null, { journal: before });
  await run(first, null, { journal, from: before });
  const [header] = (await textIn(journal)).split("\n");
  const killed: JournalPort = { ...textJournal(`${header}\n`), follow: () => bare(before) };
  await resume([second, first], killed, { upgrade: true });
  expect((await fold([second, first], killed)).state).toMatchObject({ context: { n: 2 } });
  const timeline = await Timeline.open(second, killed);
  expect(await rejection(timeline.at(0))).toMatchObject({ code: "journal.configuration" });
  expect(await rejection(replay(second, killed, { keepGoing: true }))).toMatchObject({
    code: "journal.link",
  });
});

it("one that was not upgraded is not compared by code that cannot tell what it began with", async () => {
  const [before, journal] = [memoryJournal("before"), memoryJournal("journal")];
  await run(first, null, { journal: before });
  await run(first, null, { journal, from: before });
  const port = bare(journal, bare(before));
  expect(await rejection(replay(second, port, { keepGoing: true }))).toMatchObject({
    code: "journal.link",
  });
  const lost: JournalPort = { ...port, follow: () => memoryJournal("nothing") };
  for (const refused of [replay(first, lost, { keepGoing: true }), Timeline.open(first, lost)]) {
    expect(await rejection(refused)).toMatchObject({ code: "journal.link" });
  }
});
