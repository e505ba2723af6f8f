/** What is open at a fork's cut: tools that had started, writes, children, and links that lead wrong. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { encodeLine, type HeaderLine } from "../../../../src/core/journal/index.js";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  agent,
  type Json,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { memoryJournal, viewOf, virtualClock } from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel/live/index.js";
import { calls, familyOf, runIdIn, worker } from "../../../support/family.js";
import { eventsIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";

const folder = mkdtempSync(join(tmpdir(), "fork-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string) => join(folder, `${name}.jsonl`);

/** A journal of the first lines of another. */
function prefix(from: string, to: string, lines: number) {
  const text = readFileSync(from, "utf8").split("\n").slice(0, lines).join("\n");
  writeFileSync(to, `${text}\n`);
  return fileJournal(to);
}

describe("what is open at the cut", () => {
  test("goes on with what the first run got, where a fork between was killed over taking it", async () => {
    let looked = 0;
    const look = tool({ name: "look", jsonSchema: {}, execute: () => `${++looked} files` });
    const desk = agent({ name: "desk", tools: [look] });
    const two = [{ name: "look" }, { name: "look" }];
    const model = scriptedModel(({ messages }) =>
      messages.length === 1 ? { calls: two } : JSON.stringify(messages.at(-1)?.content),
    );
    await run(desk, "Look", { model, journal: fileJournal(pathOf("seen")), runId: "one" });
    const first = await fork(fileJournal(pathOf("seen")), {
      at: 1,
      to: fileJournal(pathOf("seen-fork")),
    });
    await resume(desk, first.journal, { model });
    // Header and the answer of the first tool: there the fork died.
    const died = prefix(pathOf("seen-fork"), pathOf("seen-died"), 2);
    expect((await eventsIn(died)).map(({ event }) => event.type)).toEqual(["tool.succeeded"]);
    const second = await fork(died);
    const end = await resume(desk, second.journal, { model });
    expect([end.status, looked]).toEqual(["done", 2]);
    const events = await eventsIn(second.journal);
    expect(events.map(({ event }) => event)).toMatchObject([
      { type: "tool.succeeded", id: "tool/0/1", output: "2 files" },
      { type: "llm.succeeded" },
    ]);
  });

  test("a tool that had started and not settled is unknown, whatever it allows", async () => {
    for (const idempotent of [false, true]) {
      const keys: string[] = [];
      const pay = tool({
        name: "pay",
        idempotent,
        execute: (_input, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          return "paid";
        },
      });
      const payer = agent({ name: "payer", tools: [pay] });
      const model = scriptedModel((request) => {
        const last = JSON.stringify(request.messages.at(-1));
        if (request.messages.length === 1) return { calls: [{ name: "pay" }] };
        return last.includes("paid") ? "Paid." : "Nobody knows.";
      });
      const whole = pathOf(`whole-${idempotent}`);
      await run(payer, "Pay", { model, journal: fileJournal(whole), runId: "one" });
      expect(keys).toEqual(["one:tool/0/0"]);
      // Header, start, the answer that starts the tool: there the process died.
      const died = prefix(whole, pathOf(`died-${idempotent}`), 3);
      const forked = await fork(died);
      const end = await resume(payer, forked.journal, { model });
      expect(keys).toEqual(["one:tool/0/0"]);
      expect(end).toMatchObject({ status: "done", output: "Nobody knows." });
      const settled = (await eventsIn(forked.journal)).find(({ event }) => "id" in event);
      expect(settled?.event).toMatchObject({ type: "tool.failed", reason: "unknown" });
      expect(JSON.stringify(settled)).toContain("one:tool/0/0");
      expect(await replay(payer, forked.journal)).toMatchObject({ status: "identical" });
      // If it settled later, that is the answer.
      const later = await fork(fileJournal(whole), { at: 1 });
      expect(await resume(payer, later.journal, { model })).toMatchObject({ output: "Paid." });
      // And what had not started there runs here.
      const fresh = await fork(prefix(whole, pathOf(`fresh-${idempotent}`), 2));
      expect(await resume(payer, fresh.journal, { model })).toMatchObject({ output: "Paid." });
      expect(keys).toEqual(["one:tool/0/0", pairKey(fresh.runId, "tool/0/0")]);
    }
  });

  test("a write that had not settled is store.unknown", async () => {
    const writer = smallReasoner({
      initial: "writing",
      states: {
        writing: {
          entry: issue({ type: "write", id: "write/0", store: "notes", operations: [{ add: 1 }] }),
          on: { "write.succeeded": "done", "write.failed": "unsure" },
        },
        done: { type: "final" },
        unsure: { type: "final", tags: ["failed"] },
      },
    });
    const whole = pathOf("write");
    await run(writer, null, { journal: fileJournal(whole), runId: "one" });
    const died = prefix(whole, pathOf("write-died"), 2);
    const forked = await fork(died);
    const end = await resume(writer, forked.journal);
    expect(end.status).toBe("failed");
    const [event] = (await eventsIn(forked.journal)).map((line) => line.event);
    expect(event).toMatchObject({ type: "write.failed", error: { code: "store.unknown" } });
    const set = await fork(died, { set: { "write/0": { version: 2 } } });
    expect(await resume(writer, set.journal)).toMatchObject({ status: "done" });
  });

  test("a child whose answer is set goes along, and is cancelled by it", async () => {
    const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const child = (each: string) => ({
      name: each,
      tools: [pay],
      says: [{ calls: [{ name: "pay" }] }, `${each} is through`],
    });
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("one", "two"), "all is done"],
      children: [child("one"), child("two")],
    });
    const journal = fileJournal(pathOf("set"));
    expect((await run(parent, "go", { model, journal })).status).toBe("waiting");
    const forked = await fork(journal, { set: { "tool/0/0/0": "one was told" } });
    expect(forked.children).toEqual(["tool/0/0/0", "tool/0/1/0"]);
    const end = await resume(parent, forked.journal, { model, approve: () => ({ approve: true }) });
    expect(end).toMatchObject({ status: "done", output: "all is done" });
    const settled = (await eventsIn(forked.journal)).map(({ event }) => event);
    expect(settled).toContainEqual(expect.objectContaining({ id: "tool/0/0/0" }));
    expect(await replay(parent, forked.journal)).toMatchObject({ status: "identical" });
  });

  test("open children are forked with their parent; what is theirs stays theirs", async () => {
    const done: string[] = [];
    const note = tool({
      name: "note",
      execute: (_input, { idempotencyKey }) => {
        done.push(idempotencyKey);
        return "noted";
      },
    });
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("child"), "all is done"],
      children: [
        {
          name: "child",
          tools: [{ ...note, needsApproval: true }],
          says: [{ calls: [{ name: "note" }] }, "the child is through"],
        },
      ],
    });
    const original = fileJournal(pathOf("family"));
    const clock = virtualClock(1_000);
    const waiting = await run(parent, "go", { model, journal: original, runId: "p", clock });
    expect(waiting.status).toBe("waiting");
    const forked = await fork(original, { runId: "f" });
    expect(forked.children).toEqual(["tool/0/0/0"]);
    const approvals = waiting.status === "waiting" ? waiting.approvals : [];
    const yes = Object.fromEntries(approvals.map(({ id }) => [id, { approve: true }]));
    const ends = [];
    for (const journal of [forked.journal, original]) {
      ends.push(await resume(parent, journal, { model, approvals: yes, clock }));
    }
    for (const end of ends) expect(end).toMatchObject({ status: "done", output: "all is done" });
    expect(done).toEqual([
      pairKey(pairKey("f", "tool/0/0/0"), "tool/0/0"),
      pairKey(pairKey("p", "tool/0/0/0"), "tool/0/0"),
    ]);
    expect(await replay(parent, forked.journal)).toMatchObject({ status: "identical" });
    // The answer that the original's child got meanwhile is that of another fork: nothing runs again, and a
    // person is asked again.
    const later = await fork(original, { at: 3 });
    expect(later.children).toEqual(["tool/0/0/0"]);
    const open = await fork(forked.journal, { at: forked.from.seq });
    done.length = 0;
    for (const { journal } of [later, open]) {
      expect(await resume(parent, journal, { model })).toMatchObject({ status: "waiting" });
      expect(done).toEqual([]);
    }
  });

  test("a tool that a child had started and not settled is unknown to the child", async () => {
    const keys: string[] = [];
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("child"), "all is done"],
      children: [
        {
          name: "child",
          tools: [worker(keys, "pay")],
          says: ({ messages }, turn) => {
            if (turn === 0) return { calls: [{ name: "pay" }] };
            return /pay done/.test(JSON.stringify(messages.at(-1))) ? "Paid." : "Nobody knows.";
          },
        },
      ],
    });
    const whole = pathOf("child-whole");
    await run(parent, "Pay", { model, journal: fileJournal(whole), runId: "one" });
    const key = pairKey(runIdIn("one", ["tool/0/0/0"]), "tool/0/0");
    expect(keys).toEqual([key]);
    const started = (await eventsIn(fileJournal(whole))).find(({ starts }) => starts !== undefined);
    const died = prefix(whole, pathOf("child-died"), (started?.seq ?? 0) + 2);
    const forked = await fork(died);
    expect(await resume(parent, forked.journal, { model })).toMatchObject({ status: "done" });
    expect(keys).toEqual([key]);
    const [first] = await eventsIn(forked.journal);
    expect(first).toMatchObject({
      run: "tool/0/0/0",
      event: { type: "tool.failed", id: "tool/0/0", reason: "unknown" },
    });
    expect(JSON.stringify(first)).toContain(key);
    expect(await replay(parent, forked.journal)).toMatchObject({ status: "identical" });
    // If it settled later, that is the answer.
    const later = await fork(fileJournal(whole), { at: started?.seq });
    expect(await resume(parent, later.journal, { model })).toMatchObject({ status: "done" });
    expect((await eventsIn(later.journal))[0]).toMatchObject({
      run: "tool/0/0/0",
      event: { type: "tool.succeeded", output: "pay done" },
    });
    expect(keys).toEqual([key]);
  });
});

describe("what cannot be forked", () => {
  const talker = agent({ name: "talker" });
  const model = scriptedModel(["hello", "again"]);

  test.each<[object, RegExp, string]>([
    [{ at: 9 }, /has no event 9; its last is 1/, "fork.point"],
    [{ at: -1 }, /has no event before that/, "fork.point"],
    [{ set: { "tool/9": 1 } }, /asks for no tool\/9 that is open/, "fork.point"],
    [
      { set: { "llm/0": 5 } },
      /llm\/0 is set to cannot be taken: .*must be an object/,
      "fork.answer",
    ],
    [{ set: { "llm/0": [{ type: "text" }] } }, /\[0\]\.text is missing/, "fork.answer"],
  ])("%j", async (options, message, code) => {
    const journal = memoryJournal();
    await run(talker, "hi", { model, journal });
    const thrown = await rejection(fork(journal, options));
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("more forks than there may be, or two of one name", async () => {
    const journal = memoryJournal();
    await run(talker, "hi", { model, journal });
    await fork(journal, { name: "a" });
    expect(await rejection(fork(journal, { name: "a" }))).toMatchObject({ code: "fork.exists" });
    for (let i = 0; i < 9; i++) await fork(journal);
    expect(await rejection(fork(journal))).toMatchObject({ code: "fork.limit" });
    await fork(journal, { limit: 11 });
  });

  test("links that lead round in a circle, or to another run, are refused", async () => {
    const journal = fileJournal(pathOf("circle"));
    await run(talker, "hi", { model, journal, runId: "one" });
    const forked = await fork(journal, { to: fileJournal(pathOf("round")) });
    const text = await textIn(forked.journal);
    const { hash: _hash, ...header } = JSON.parse(text) as HeaderLine & { hash: string };
    const written = (path: string, fields: object) => {
      const open = JSON.stringify({ ...header, ...fields }).slice(0, -1);
      writeFileSync(path, `${encodeLine(open, "").text}\n`);
      return fileJournal(path);
    };
    const link = header.fork as object;
    const round = written(pathOf("round"), {
      runId: "one",
      fork: { ...link, journal: "round.jsonl" },
    });
    const circle = { code: "journal.link", message: expect.stringMatching(/cycle/) };
    for (const read of [
      async () => await resume(talker, round),
      () => replay(talker, round),
      () => all(viewOf(round).lines()),
    ]) {
      expect(await rejection(read())).toMatchObject(circle);
    }
    // And so of a run that goes on from itself.
    const from = { ...link, journal: "itself.jsonl" };
    const itself = written(pathOf("itself"), { runId: "one", fork: undefined, from });
    for (const read of [async () => await resume(talker, itself), () => replay(talker, itself)]) {
      expect(await rejection(read())).toMatchObject(circle);
    }
    const wrong: readonly [object, RegExp][] = [
      [{ ...link, journal: "gone.jsonl" }, /gone|does not exist/],
      [{ ...link, seq: 7 }, /does not hold event 7/],
      [{ ...link, hash: "x".repeat(32) }, /does not hold event 1/],
      [{ ...link, runId: "other" }, /run (one|other)/],
    ];
    for (const [fields, message] of wrong) {
      const bad = written(pathOf("bad"), { fork: fields });
      for (const read of [async () => await resume(talker, bad), () => replay(talker, bad)]) {
        const thrown = await rejection(read());
        expect((thrown as Error).message).toMatch(message);
      }
    }
    copyFileSync(pathOf("circle"), pathOf("copy"));
    expect(
      JSON.parse(JSON.stringify((await fork(fileJournal(pathOf("copy")))).from)) as Json,
    ).toEqual({
      runId: "one",
      seq: 1,
    });
  });
});

async function all(lines: AsyncIterable<unknown>): Promise<void> {
  for await (const _line of lines);
}
