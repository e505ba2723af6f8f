// Runs that go on from other runs, and their forks: what is compared, driven again and made a case for
// a test begins where they began.
import { expect, test } from "vitest";
import type { HeaderLine, RunLink } from "../../../../src/core/journal/index.js";
import {
  agent,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  toArray,
} from "../../../../src/index.js";
import { fold, type JournalPort, replay, virtualClock } from "../../../../src/runtime/index.js";
import { diff, fixture, fork, redrive } from "../../../../src/time-travel.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { linesIn } from "../../../support/journal-text.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";

const talker = agent({ name: "talker", conversation: true });
/** It says how many messages it was asked with. */
const model = scriptedModel(({ messages }) => `${messages.length}`);

/** A run that goes on from another one, which is told something else behind that. */
async function pair(first: string) {
  const [before, journal] = [memoryJournal("before"), memoryJournal("journal")];
  await run(talker, first, { model, journal: before });
  await run(talker, "and then?", { model, journal, from: before });
  await resume(talker, before, { model, messages: ["something else"] });
  return { before, journal };
}

/** A fork of one, gone on with. */
async function forkOf(journal: JournalPort) {
  const forked = await fork(journal, { at: 1 });
  await resume(talker, forked.journal, { model, messages: ["and behind the fork?"] });
  return forked.journal;
}

test("a fork of one is driven again with what its run goes on from", async () => {
  const forked = await forkOf((await pair("hello")).journal);
  expect(await redrive(talker, forked)).toMatchObject({ asked: 2, reused: 2, fresh: 0 });
});

test("a fixture of one, or of its fork, begins as it began, and not where the other has come to", async () => {
  const { journal } = await pair("hello");
  for (const port of [journal, await forkOf(journal)]) {
    const made = memoryJournal("made");
    await fixture(talker, port, made);
    const [recorded, anew] = [await fold(talker, port), await fold(talker, made)];
    expect(toArray(anew.state?.context.messages as never)).toEqual(
      toArray(recorded.state?.context.messages as never),
    );
    expect(await replay(talker, made)).toMatchObject({ status: "identical" });
  }
});

test("two that go on from runs that said the same are the same, and so are their forks", async () => {
  const [one, other] = [(await pair("hello")).journal, (await pair("hello")).journal];
  expect(await diff(one, other)).toMatchObject({ same: true });
  expect(await diff(await forkOf(one), await forkOf(other))).toMatchObject({ same: true });
});

test("two that go on from other words part there, whatever they were told", async () => {
  const [one, other] = [(await pair("hello")).journal, (await pair("good day")).journal];
  const parting = { kind: "input", cause: "from", path: "from.input" };
  expect(await diff(one, other)).toMatchObject({ same: false, parting });
  const [left, right] = [memoryJournal("left"), memoryJournal("right")];
  await run(talker, "more", { model, journal: left, from: one });
  await run(talker, "more", { model, journal: right, from: other });
  expect((await diff(left, right)).parting).toMatchObject({ ...parting, path: "from.from.input" });
});

test("one that goes on from nothing, or from what is not there, is not the same", async () => {
  const { journal } = await pair("hello");
  const alone = memoryJournal("alone");
  await run(talker, "and then?", { model, journal: alone });
  const { runId, seq } = ((await linesIn(journal))[0] as HeaderLine).from as RunLink;
  expect((await diff(journal, alone)).parting).toEqual({
    kind: "input",
    cause: "from",
    path: "from",
    a: { runId, seq },
  });
  const lost: JournalPort = { ...journal, follow: () => memoryJournal("nothing") };
  expect((await diff((await pair("hello")).journal, lost)).parting).toMatchObject({ path: "from" });
});

test("links that lead round in a circle are refused", async () => {
  const link = (journal: string) => ({ journal, runId: journal, seq: 0, hash: journal });
  const one = await forged({ runId: "one", from: link("other") }, forgedEvent(0, { type: "go" }));
  const other = await forged({ runId: "other", from: link("one") }, forgedEvent(0, { type: "go" }));
  const follow = (name: string): JournalPort => ({ ...(name === "one" ? one : other), follow });
  const refused = await rejection(diff(follow("one"), follow("other")));
  expect([refused.code, refused.message]).toEqual([
    "journal.link",
    expect.stringContaining("form a cycle"),
  ]);
});

test("timers that are due as long after their beginning are the same", async () => {
  const timed = async (at: number, delay: number) => {
    const reasoner = smallReasoner({
      initial: "a",
      states: { a: { after: { [delay]: "b" } }, b: { type: "final" } },
    });
    const journal = memoryJournal(`at ${at}`);
    await run(reasoner, null, { journal, clock: virtualClock(at), timers: "return" });
    return journal;
  };
  expect((await diff(await timed(0, 100), await timed(5_000, 100))).parting).toBeUndefined();
  expect((await diff(await timed(0, 100), await timed(5_000, 200))).same).toBe(false);
});

test("a fork is folded up to an event that it shares", async () => {
  const journal = memoryJournal("journal");
  await run(talker, "hello", { model, journal });
  await resume(talker, journal, { model, messages: ["more"] });
  const { journal: forked, runId } = await fork(journal, { at: 2 });
  await resume(talker, forked, { model });
  for (const until of [0, 1, 2, 3]) {
    const { state, events } = await fold(talker, forked, until);
    expect([state?.seq, state?.runId, events]).toEqual([until, runId, until + 1]);
    const shared = await fold(talker, journal, until);
    if (until < 3) expect(state).toEqual({ ...shared.state, runId });
  }
  expect(await fold(talker, forked, -1)).toMatchObject({ state: undefined, events: 0 });
});
