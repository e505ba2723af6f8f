// Rules of the index of runs in a database: for SQLite and for Postgres.
import { expect } from "vitest";
import { fileJournal } from "../../src/adapters/file-journal/index.js";
import type { JournalStore, ListOptions } from "../../src/adapters/journal-tables/index.js";
import {
  agent,
  type JournalPort,
  type RunOptions,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../src/index.js";
import { memoryJournal, summaryOf, virtualClock } from "../../src/runtime/index.js";
import { copyJournal, fork } from "../../src/time-travel.js";
import type { EmptyDatabase } from "./database-rules.js";
import { rejection } from "./thrown.js";

const START = { lines: 0, bytes: 0 };
const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
const clerk = agent({ name: "clerk", tools: [pay] });
const talker = agent({
  name: "talker",
  conversation: true,
  publicDeps: ["user"],
  deps: { user: "Zoë" },
});
const pays = () => scriptedModel([{ calls: [{ name: "pay" }] }, "Paid."]);
const talks = () => scriptedModel(() => "Good morning.");

const ids = async (store: JournalStore, options?: ListOptions) =>
  (await store.list(options)).runs.map(({ id }) => id);

async function all(items: AsyncIterable<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A conversation of one turn, at a time. */
const talk = (journal: JournalPort, at: number, options: RunOptions = {}, words = "Hello") =>
  run(talker, words, {
    model: talks(),
    journal,
    clock: virtualClock(at),
    runId: `at-${at}`,
    ...options,
  });

/** The rules, by what they say. */
export const indexRules: Readonly<Record<string, (db: EmptyDatabase) => Promise<void>>> = {
  "a list has the row that each run's lines give, the newest first, in any process": async (db) => {
    const store = db.store();
    await talk(store.journal("talk"), 5_000, { person: "ada", tags: ["a"] });
    const waits = { model: pays(), journal: store.journal("pay"), clock: virtualClock(9_000) };
    await run(clerk, "Pay the bill", waits);
    await talk(store.journal("old"), 1_000);
    const { runs, unreadable, next } = await db.store().list();
    expect(runs.map(({ id }) => id)).toEqual(["pay", "talk", "old"]);
    for (const { id, ...row } of runs) expect(row).toEqual(await summaryOf(store.journal(id)));
    expect(runs[0]).toMatchObject({ status: "waiting", approvals: [{ subject: { tool: "pay" } }] });
    expect(runs[1]).toMatchObject({ person: "ada", tags: ["a"], data: { user: "Zoë" } });
    expect([unreadable, next]).toEqual([[], undefined]);
    const late = { model: talks(), clock: virtualClock(20_000) };
    await resume(talker, db.store().journal("old"), { ...late, messages: ["And?"] });
    expect(await ids(store)).toEqual(["old", "pay", "talk"]);
  },

  "a list is filtered by status, reasoner, person, tag, time and words": async (db) => {
    const store = db.store();
    await talk(store.journal("1"), 1_000, { person: "ada", tags: ["vip", "a%b"] }, "Größe_1");
    await talk(store.journal("2"), 2_000, { person: "bob", tags: ["VIP"] }, "The price");
    const waits = { model: pays(), journal: store.journal("3"), clock: virtualClock(3_000) };
    await run(clerk, "Pay", { ...waits, tags: ["vi"] });
    const found = async (options: ListOptions) => (await ids(store, options)).join("");
    expect(await found({ status: "waiting" })).toBe("3");
    expect(await found({ status: ["waiting", "ready"] })).toBe("321");
    expect(await found({ status: "done" })).toBe("");
    expect(await found({ reasoner: "talker" })).toBe("21");
    expect(await found({ person: "ada" })).toBe("1");
    expect(await found({ tag: "vip" })).toBe("1");
    expect(await found({ tag: "vi" })).toBe("3");
    expect(await found({ tag: "a%b" })).toBe("1");
    expect(await found({ tag: "%" })).toBe("");
    expect(await found({ before: 2_000 })).toBe("1");
    expect(await found({ search: "GRÖSSE" })).toBe("");
    expect(await found({ search: "gRÖße_" })).toBe("1");
    expect(await found({ search: "_" })).toBe("1");
    expect(await found({ search: "zoë" })).toBe("21");
    expect(await found({ search: "vip" })).toBe("21");
    expect(await found({ search: "price", person: "ada" })).toBe("");
    const tagged = [{ type: "run.tagged", tags: ["done with"] }];
    await resume(talker, store.journal("1"), { clock: virtualClock(9_000), events: tagged });
    expect(await found({ tag: "vip" })).toBe("");
    expect(await found({ search: "done w" })).toBe("1");
    for (const wrong of [
      { status: 7 },
      { limit: 0 },
      { after: "x" },
      { tags: ["a"] },
      { before: "now" },
    ]) {
      expect(await rejection(store.list(wrong as never))).toMatchObject({ code: "option.invalid" });
    }
  },

  "a list comes in pages, of which each run is in one": async (db) => {
    const store = db.store();
    // Three of each time: the order within is that of their making.
    for (let n = 0; n < 9; n++) await talk(store.journal(`${n}`), 1_000 * Math.floor(n / 3));
    const pages: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await store.list({ limit: 4, after });
      pages.push(page.runs.map(({ id }) => id).join(""));
      after = page.next;
      if (after === undefined) break;
      // One that goes to the front meanwhile moves no other.
      if (pages.length === 1) await talk(store.journal("new"), 50_000);
    }
    expect(pages).toEqual(["8765", "4321", "0"]);
  },

  "what was copied or forked is listed, and what cannot be read is said": async (db) => {
    const store = db.store();
    const file = fileJournal(`${await db.path()}.jsonl`);
    await talk(file, 4_000, { person: "ada" });
    await copyJournal(file, store.journal("copy"));
    const { journal: forked, runId } = await fork(store.journal("copy"), { at: 0 });
    const writer = await store.journal("note").open("create");
    await writer.append(["no journal"], START);
    await writer.close();
    const { runs, unreadable } = await store.list();
    expect(runs.map(({ runId }) => runId).sort()).toEqual(["at-4000", runId].sort());
    const row = runs.find((each) => each.runId === runId);
    expect(row).toMatchObject({ person: "ada", link: { journal: "copy", seq: 0 } });
    expect(unreadable).toMatchObject([{ id: "note", code: "journal.format" }]);
    expect(await ids(store, { search: "hello" })).toHaveLength(2);
    await resume(talker, forked, { model: talks() });
    expect((await store.list({ status: "ready" })).runs).toHaveLength(2);
  },

  "a fork that was there before the run that it shares is listed with it": async (db) => {
    const store = db.store();
    const memory = memoryJournal("run");
    await talk(memory, 1_000);
    await copyJournal((await fork(memory, { at: 0 })).journal, store.journal("fork"));
    expect((await store.list()).unreadable).toMatchObject([{ id: "fork", code: "journal.link" }]);
    await copyJournal(memory, store.journal("run"));
    expect((await ids(store)).sort()).toEqual(["fork", "run"]);
  },

  "lines that come without a row are listed by what they say": async (db) => {
    const store = db.store();
    const journal = store.journal("run");
    // A port of somebody's own around it passes on what it knows.
    const plain: JournalPort = {
      ...journal,
      async open(mode) {
        const { append, close } = await journal.open(mode);
        return { append: (lines, expected) => append(lines, expected), close };
      },
    };
    await talk(plain, 1_000);
    expect((await store.list()).runs).toMatchObject([{ id: "run", status: "ready", events: 2 }]);
    await resume(talker, plain, { model: talks(), messages: ["More."] });
    expect((await store.list()).runs).toMatchObject([{ events: 4 }]);
    await resume(talker, journal, { model: talks(), messages: ["More."] });
    expect((await store.list()).runs).toMatchObject([{ events: 6 }]);
  },

  "tenants are apart: by any id, link, list or name": async (db) => {
    const store = db.store();
    const [a, b] = [store.tenant("a"), store.tenant("b")];
    await talk(a.journal("run"), 1_000, { tags: ["x"] });
    await talk(b.journal("run"), 2_000, { tenant: "b" });
    await talk(store.journal("run"), 3_000);
    for (const [own, runId, tenant] of [
      [a, "at-1000", "a"],
      [b, "at-2000", "b"],
      [store, "at-3000", undefined],
    ] as const) {
      const { runs } = await own.list();
      expect(runs.map((each) => [each.id, each.runId, each.tenant])).toEqual([
        ["run", runId, tenant],
      ]);
      expect(await all(own.ids())).toEqual(["run"]);
    }
    expect(await all(store.tenants())).toEqual(["a", "b"]);
    expect((await a.list({ tag: "x" })).runs).toHaveLength(1);
    expect((await b.list({ tag: "x" })).runs).toEqual([]);
    // Each has a writer of its own.
    const writers = [await a.journal("run").open("append"), await b.journal("run").open("append")];
    for (const writer of writers) await writer.close();
    const made = await fork(a.journal("run"), { at: 0 });
    await resume(talker, made.journal, { model: talks() });
    expect((await a.list()).runs).toHaveLength(2);
    expect((await b.list()).runs).toHaveLength(1);
    const elsewhere = fork(a.journal("run"), { to: b.journal("taken") });
    expect(await rejection(elsewhere)).toMatchObject({ code: "fork.point" });
    for (const journal of [store.journal("x"), a.journal("x")]) {
      const refused = talk(journal, 1, { tenant: "b" });
      expect(await rejection(refused)).toMatchObject({ code: "journal.tenant" });
      const copied = copyJournal(b.journal("run"), journal);
      expect(await rejection(copied)).toMatchObject({ code: "journal.tenant" });
    }
    for (const wrong of ["", "a\nb", 7]) {
      const make = async () => store.tenant(wrong as string);
      expect(await rejection(make())).toMatchObject({ code: "option.invalid" });
    }
  },

  "what a row says of the caller's is short, and any text": async (db) => {
    const store = db.store();
    const big = agent({ name: "big", publicDeps: ["text"], deps: { text: "x".repeat(50_000) } });
    await run(big, "\0 \ud800 '\";--", { model: talks(), journal: store.journal("big") });
    const [row] = (await store.list({ search: "'\";--" })).runs;
    expect(row).toMatchObject({ id: "big", status: "done", title: expect.stringContaining("\0") });
    expect(row).not.toHaveProperty("data");
    for (const asked of ["person", "reasoner", "tag", "search"]) {
      expect(await store.list({ [asked]: "no\0body" })).toMatchObject({ runs: [] });
    }
  },
};
