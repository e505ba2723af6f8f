/** A new run that goes on from another's last context: by link, not by copy. */

import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent } from "../../../../src/core/agent/index.js";
import { sizeOf, toArray } from "../../../../src/core/kernel/values/index.js";
import { textOf, tool } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  fold,
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { fork, rewind, Timeline } from "../../../../src/time-travel.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const folder = mkdtempSync(join(tmpdir(), "link-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const talker = agent({ name: "talker", system: "You talk.", conversation: false });
const model = scriptedModel((request) => `answer ${request.messages.length}`);
const LONG = "a long story ".repeat(200);

async function two(first: JournalPort, second: JournalPort) {
  await run(talker, { prompt: LONG, deps: { who: "me" } }, { model, journal: first, runId: "one" });
  return run(talker, "And then?", { model, journal: second, from: first, runId: "two" });
}

describe("a run that goes on from another", () => {
  for (const [where, make] of [
    ["in memory", (name: string) => memoryJournal(name)],
    ["in files", (name: string) => fileJournal(join(folder, `${name}.jsonl`))],
  ] as const) {
    test(`${where}: has its messages and deps, and copies nothing`, async () => {
      const [first, second] = [make("a"), make("b")];
      const end = await two(first, second);
      expect(toArray(end.context.messages).map(textOf)).toEqual([
        LONG,
        "answer 1",
        "And then?",
        "answer 3",
      ]);
      expect(end.context.deps).toEqual({ who: "me" });
      expect(end.context.usage.requests).toBe(1);
      const text = await textIn(second);
      expect(text).not.toContain("long story");
      expect(JSON.parse(text.slice(0, text.indexOf("\n"))).from).toMatchObject({
        runId: "one",
        seq: 1,
      });
    });

    test(`${where}: replays, folds and resumes from each of its lines`, async () => {
      const [first, second] = [make("c"), make("d")];
      const end = await two(first, second);
      expect(await replay(talker, second)).toMatchObject({ status: "identical", events: 2 });
      expect((await fold(talker, second)).state).toEqual(end.state);
      const lines = (await textIn(second)).split("\n").slice(0, -1);
      for (let kept = 1; kept <= lines.length; kept++) {
        const cut = make(`e${kept}`);
        cut.link?.(first);
        const writer = await cut.open("create");
        await writer.append(lines.slice(0, kept), { lines: 0, bytes: 0 });
        await writer.close();
        const again = await resume(talker, cut, { model });
        expect(textOf(toArray(again.context.messages).at(-1))).toBe("answer 3");
      }
    });

    test(`${where}: is not disturbed when the earlier one has gone on since`, async () => {
      const [first, second] = [make("f"), make("g")];
      const chat = agent({ name: "chat", conversation: true });
      await run(chat, "one", { model, journal: first });
      await run(chat, "two", { model, journal: second, from: first });
      await resume(chat, first, { model, messages: ["three"] });
      expect(await replay(chat, second)).toMatchObject({ status: "identical" });
      expect(sizeOf((await fold(chat, second)).state?.context.messages ?? ([] as never))).toBe(4);
    });

    test(`${where}: a third goes on from the second`, async () => {
      const [first, second, third] = [make("h"), make("i"), make("j")];
      await two(first, second);
      const end = await run(talker, "More?", { model, journal: third, from: second });
      expect(sizeOf(end.context.messages)).toBe(6);
      expect(await replay(talker, third)).toMatchObject({ status: "identical" });
    });
  }

  test("is refused, and writes nothing, where the other has not begun", async () => {
    const second = memoryJournal();
    await expect(
      Promise.resolve(run(talker, "x", { model, journal: second, from: memoryJournal("nobody") })),
    ).rejects.toMatchObject({ code: "journal.missing" });
    await expect(textIn(second)).rejects.toMatchObject({ code: "journal.missing" });
  });

  test("says that the one that it was forked from is gone", async () => {
    const path = join(folder, "forked.jsonl");
    await run(talker, "Hello", { model, journal: fileJournal(path), runId: "one" });
    const { journal } = await fork(fileJournal(path), { at: 0 });
    renameSync(path, `${path}.gone`);
    for (const looking of [
      () => replay(talker, journal),
      () => fold(talker, journal),
      () => Timeline.open(talker, journal),
      () => fork(journal),
    ]) {
      const error = await rejection(looking());
      expect(error).toMatchObject({ code: "journal.link", place: path });
      expect(error.cause).toMatchObject({ code: "journal.missing", place: path });
      expect(error.message).toContain(`${journal.name} links to it, and it is not there.`);
    }
  });

  test("says of one that is there and damaged what is wrong with it", async () => {
    const path = (name: string) => join(folder, `${name}.jsonl`);
    await two(fileJournal(path("whole")), fileJournal(path("after")));
    const { journal: forked } = await fork(fileJournal(path("whole")), { at: 0 });
    writeFileSync(path("whole"), readFileSync(path("whole"), "utf8").replace('"at":', '"at": '));
    for (const journal of [fileJournal(path("after")), forked]) {
      for (const keepGoing of [false, true]) {
        expect(await rejection(replay(talker, journal, { keepGoing }))).toMatchObject({
          code: "journal.chain",
        });
      }
    }
  });

  test("says that the other is gone, or is another one", async () => {
    const path = (name: string) => join(folder, `${name}.jsonl`);
    await two(fileJournal(path("k")), fileJournal(path("l")));
    renameSync(path("k"), path("k-gone"));
    const gone = {
      code: "journal.link",
      place: path("k"),
      message: `The run to go on from, in ${path("k")}, cannot be found: ${path("l")} links to it, and it is not there.`,
    };
    for (const looking of [
      () => replay(talker, fileJournal(path("l"))),
      () => replay(talker, fileJournal(path("l")), { keepGoing: true }),
      () => Timeline.open(talker, fileJournal(path("l"))),
    ]) {
      expect(await rejection(looking())).toMatchObject(gone);
    }
    await run(talker, "another", { model, journal: fileJournal(path("k")) });
    await expect(replay(talker, fileJournal(path("l")))).rejects.toMatchObject({
      code: "journal.link",
      message: expect.stringContaining("does not hold event 1 of run one"),
    });
  });
});

describe("a run whose code was not given", () => {
  const talk = (version: number) => agent({ name: "talk", version });

  test("is gone on from as its snapshot has it", async () => {
    const before = memoryJournal("before");
    await run(talk(1), "go", { model, journal: before });
    const end = await run(talk(2), "and", { model, journal: memoryJournal(), from: before });
    expect(end.status).toBe("done");
    const said = toArray(end.context.messages).map(({ role }) => role);
    expect(said).toEqual(["user", "assistant", "user", "assistant"]);
  });

  test("and that has not begun begins with what it goes on from, as often as it is read", async () => {
    const [before, header] = [memoryJournal("before"), memoryJournal("header")];
    await run(talk(1), "go", { model, journal: before });
    const after = memoryJournal("after");
    await run(talk(1), "and", { model, journal: after, from: before });
    header.link?.(before);
    const writer = await header.open("create");
    await writer.append((await textIn(after)).split("\n").slice(0, 1), { lines: 0, bytes: 0 });
    await writer.close();
    const end = await resume(talk(2), header, { model, upgrade: true });
    expect(toArray(end.context.messages).map(textOf)).toEqual([
      "go",
      "answer 1",
      "and",
      "answer 3",
    ]);
    const { snapshots: _, ...lines } = header;
    expect((await fold(talk(2), lines)).state).toEqual(end.state);
  });

  /** Two versions of a conversation that goes on from a run of earlier code; no snapshot is left. */
  const talkOf = (version: number) => agent({ name: "talk", version, conversation: true });
  async function goneOnFrom() {
    const [before, after] = [memoryJournal("before"), memoryJournal("after")];
    await run(talk(1), "go", { model, journal: before });
    await run(talkOf(2), "and", { model, journal: after, from: before });
    return { before, after };
  }
  async function removeSnapshots({ snapshots }: JournalPort) {
    for (const { seq } of (await snapshots?.list()) ?? []) await snapshots?.remove(seq);
  }

  test("is not asked for by a replay where an upgrade says what became of it", async () => {
    const { before, after } = await goneOnFrom();
    await removeSnapshots(before);
    expect((await rejection(replay(talkOf(3), after))).code).toBe("journal.link");
    await resume(talkOf(3), after, { model, upgrade: true, messages: ["more"] });
    const report = await replay(talkOf(3), after);
    expect(report.status).toBe("identical");
    expect(report.segments.map(({ events, checked }) => [events, checked])).toEqual([
      [2, false],
      [2, true],
    ]);
    expect((await rejection(replay([talkOf(3), talkOf(2)], after))).code).toBe("journal.link");
  });

  test("is asked for by a replay of one that had not begun when it was upgraded", async () => {
    const { before, after } = await goneOnFrom();
    const header = memoryJournal("header");
    header.link?.(before);
    const writer = await header.open("create");
    await writer.append((await textIn(after)).split("\n").slice(0, 1), { lines: 0, bytes: 0 });
    await writer.close();
    await resume(talkOf(3), header, { model, upgrade: true });
    expect((await replay(talkOf(3), header)).status).toBe("identical");
    await removeSnapshots(before);
    expect((await rejection(replay(talkOf(3), header))).code).toBe("journal.link");
  });

  test("is refused where no snapshot says what came of it", async () => {
    const { snapshots: _, ...before } = memoryJournal("before");
    await run(talk(1), "go", { model, journal: before });
    const after = run(talk(2), "and", { model, journal: memoryJournal(), from: before });
    await expect(after).rejects.toMatchObject({ code: "journal.link" });
  });
});

describe("the run that another goes on from", () => {
  const pay = (needsApproval: boolean) =>
    tool({ name: "pay", needsApproval, execute: () => "paid" });
  const payer = (system: string, needsApproval = false) =>
    agent({ name: "payer", system, tools: [pay(needsApproval)], conversation: true });
  const says = scriptedModel(({ messages }) =>
    messages.length === 1 ? { calls: [{ name: "pay" }] } : `answer ${messages.length}`,
  );
  /** A conversation, in a port that keeps no snapshots unless they are asked for. */
  async function talked(first = payer("old")) {
    const journal = memoryJournal("talked");
    await run(first, "Pay", { model: says, journal });
    const { snapshots: _, ...bare } = journal;
    return { journal, bare };
  }
  const next = async (reasoner: ReturnType<typeof payer>, from: JournalPort) => {
    const journal = memoryJournal("next");
    const end = await run(reasoner, "And?", { model: says, journal, from });
    return { journal, said: toArray(end.context.messages).map(textOf) };
  };

  test("is what was recorded, under code that asks for something else", async () => {
    const { journal, bare } = await talked();
    const { said } = await next(payer("new", true), journal);
    expect((await next(payer("new"), bare)).said).toEqual(said);
    const gone = await next(payer("new"), bare);
    expect((await replay(payer("new"), gone.journal)).status).toBe("identical");
  });

  test("is refused where the present code comes to something else, and nobody knows what it was", async () => {
    const { journal, bare } = await talked();
    const changed = payer("old", true);
    const refused = await rejection(next(changed, bare));
    expect([refused.code, refused.place]).toEqual(["journal.link", "talked"]);
    expect(refused.message).toContain("reaches other states than it recorded");
    // Resumed once with its own code it says what it was.
    for (const { seq } of (await journal.snapshots?.list()) ?? []) {
      await journal.snapshots?.remove(seq);
    }
    await resume(payer("old"), journal, { model: says });
    expect((await next(changed, journal)).said).toContain("answer 3");
  });

  test("is what its upgrade says, whatever the present code makes of what was before", async () => {
    const { journal, bare } = await talked();
    const changed = payer("new", true);
    await resume(changed, journal, { model: says, upgrade: true, messages: ["More"] });
    expect((await next(changed, bare)).said).toEqual((await next(changed, journal)).said);
  });

  test("is the one where its head is, also before that has gone on", async () => {
    const { journal } = await talked(payer("old"));
    await resume(payer("old"), journal, { model: says, messages: ["More"] });
    await rewind(journal, { at: 3 });
    const { journal: third, said } = await next(payer("old"), journal);
    expect(said.slice(-3)).toEqual(["answer 3", "And?", "answer 5"]);
    expect((await replay(payer("old"), third)).status).toBe("identical");
    await resume(payer("old"), journal, { model: says, messages: ["Else"] });
    expect((await next(payer("old"), journal)).said.slice(-4)).toEqual([
      "Else",
      "answer 5",
      "And?",
      "answer 7",
    ]);
  });

  test("has to be where the new journal can refer to it", async () => {
    const { journal } = await talked();
    const path = join(folder, "cannot-refer.jsonl");
    const options = { model: says, journal: fileJournal(path), from: journal };
    const refused = await rejection(run(payer("old"), "And?", options));
    expect([refused.code, existsSync(path)]).toEqual(["journal.link", false]);
    expect(await rejection(fork(journal, { to: fileJournal(path) }))).toMatchObject({
      code: "fork.point",
      message: expect.stringContaining("cannot refer to the run"),
    });
    expect(existsSync(path)).toBe(false);
  });
});
