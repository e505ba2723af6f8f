// Rules of journals in databases, beside the laws of every journal: for SQLite and for Postgres.
import { expect } from "vitest";
import { fileJournal } from "../../src/adapters/file-journal/index.js";
import type { JournalStore } from "../../src/adapters/journal-tables/index.js";
import { agent, resume, run, scriptedModel, tool } from "../../src/index.js";
import {
  headOf,
  type JournalPort,
  type JournalWriter,
  memoryJournal,
  virtualClock,
} from "../../src/runtime/index.js";
import { checkpoint, copyJournal, fork, rewind } from "../../src/time-travel.js";
import { textIn } from "./journal-text.js";
import { rejection } from "./thrown.js";

/** A database that is empty. */
export interface EmptyDatabase {
  /** Makes a store over it, as each process has one. */
  store(): JournalStore;
  /** Counts the transactions from now on. */
  count(): () => number;
  /** A path in a folder that goes when the test is over. */
  path(): Promise<string>;
}

const START = { lines: 0, bytes: 0 };
const talker = agent({ name: "talker", conversation: true });
const model = scriptedModel((request) => `answer ${request.messages.length} – Grüße 🧪`);

async function conversation(journal: JournalPort, runId = "talk"): Promise<void> {
  const clock = virtualClock(0);
  await run(talker, "one", { model, journal, clock, runId });
  clock.advance(60_000);
  await resume(talker, journal, { model, messages: ["two"], clock });
}

/** The rules, by what they say. */
export const databaseRules: Readonly<Record<string, (db: EmptyDatabase) => Promise<void>>> = {
  "a run writes the bytes that it writes to a file, and they go to a file and back": async (db) => {
    const file = fileJournal(`${await db.path()}.jsonl`);
    await conversation(file);
    const store = db.store();
    const journal = store.journal("talk/1");
    await conversation(journal);
    const bytes = await textIn(file);
    expect(await textIn(journal)).toBe(bytes);
    const exported = fileJournal(`${await db.path()}.jsonl`);
    await copyJournal(journal, exported);
    expect(await textIn(exported)).toBe(bytes);
    await copyJournal(exported, store.journal("back"));
    expect(await textIn(store.journal("back"))).toBe(bytes);
    // Its snapshot came along: the next resume begins there.
    const sizes = async (port: JournalPort) =>
      (await port.snapshots?.list())?.map(({ seq }) => seq);
    expect(await sizes(store.journal("back"))).toEqual(await sizes(journal));
    await resume(talker, store.journal("back"), { model, messages: ["three"] });
    expect(await textIn(store.journal("back"))).toContain("three");
  },

  "an id is any text, and journals are listed by it": async (db) => {
    const store = db.store();
    const ids = ["b", "a/../é🧪'\";--", " ", "a%", "A"];
    for (const id of ids) {
      const writer = await store.journal(id).open("create");
      await writer.append([`of ${id}`], START);
      await writer.close();
    }
    // One in which nothing stands yet is none.
    await (await store.journal("empty").open("create")).close();
    const listed: string[] = [];
    for await (const id of store.ids()) listed.push(id);
    expect(listed).toEqual([" ", "A", "a%", "a/../é🧪'\";--", "b"]);
    for (const id of ids) expect(await textIn(store.journal(id))).toBe(`of ${id}\n`);
    for (const id of ["", "\0", "\ud800", "x".repeat(1_001), 7]) {
      const make = async () => store.journal(id as string);
      expect(await rejection(make())).toMatchObject({ code: "option.invalid" });
    }
  },

  "a store of a later process reads it, forks it, rewinds it and goes on from it": async (db) => {
    const store = db.store();
    await conversation(store.journal("talk"));
    await checkpoint(store.journal("talk"), { name: "n".repeat(3_000), at: 1 });
    const other = db.store().journal("talk");
    const made = await fork(other, { at: 1, name: "f".repeat(3_000) });
    await resume(talker, made.journal, { model, messages: ["forked"] });
    await rewind(other, { checkpoint: "n".repeat(3_000) });
    const again = db.store().journal("talk");
    await resume(talker, again, { model, messages: ["rewound"] });
    expect(await textIn(await headOf(again))).toContain("rewound");
    expect(await textIn(again)).not.toContain("rewound");
    const once = agent({ name: "once" });
    const from = db.store().journal("first");
    await run(once, "hello", { model, journal: from });
    const next = db.store().journal("next");
    // From one store to another of the same database there is no way but through one of them.
    expect(await rejection(run(once, "on", { model, journal: next, from }))).toMatchObject({
      code: "journal.link",
    });
    const both = db.store();
    const options = { model, journal: both.journal("next"), from: both.journal("first") };
    expect((await run(once, "on", options)).status).toBe("done");
  },

  "of two processes the one that writes first goes on, and the other gets a conflict": async (
    db,
  ) => {
    const [one, other] = [db.store().journal("run"), db.store().journal("run")];
    const [a, b] = [await one.open("create"), await other.open("create")];
    await a.append(["1"], START);
    await rejection(b.append(["1"], START)).then(({ code }) =>
      expect(code).toBe("journal.conflict"),
    );
    await a.append(["2"], { lines: 1, bytes: 2 });
    // At the right place it is a writer like another, as long as it is first.
    await b.close();
    const c = await other.open("append");
    await c.append(["3"], { lines: 2, bytes: 4 });
    const refused = await rejection(a.append(["3"], { lines: 2, bytes: 4 }));
    expect(refused).toMatchObject({ code: "journal.conflict" });
    // Though it says the very same.
    expect(await textIn(one)).toBe("1\n2\n3\n");
    const at = { lines: 3, bytes: 6 };
    const both = await Promise.allSettled([a.append(["4"], at), c.append(["four"], at)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    await Promise.all([a.close(), c.close()]);
    expect(await textIn(one)).toBe("1\n2\n3\nfour\n");
  },

  "two processes that resume a run at once do nothing twice": async (db) => {
    let done = 0;
    const pay = tool({
      name: "pay",
      idempotent: false,
      needsApproval: true,
      execute: () => {
        done += 1;
        return "paid";
      },
    });
    const clerk = agent({ name: "clerk", tools: [pay] });
    const paying = () => scriptedModel([{ calls: [{ name: "pay", input: {} }] }, "It is paid."]);
    const waiting = await run(clerk, "pay", {
      model: paying(),
      journal: db.store().journal("run"),
    });
    if (waiting.status !== "waiting") throw new Error(waiting.status);
    const approvals = { [waiting.approvals[0]?.id ?? ""]: { approve: true } };
    const ends = await Promise.allSettled(
      [db.store(), db.store(), db.store()].map((store) =>
        resume(clerk, store.journal("run"), {
          model: paying(),
          approvals,
        }).then(({ status }) => status),
      ),
    );
    expect(done).toBe(1);
    const codes = ends.map((end) =>
      end.status === "fulfilled" ? end.value : (end.reason as { code: string }).code,
    );
    expect(codes.filter((code) => code === "done").length).toBeGreaterThanOrEqual(1);
    expect(codes.filter((code) => code !== "done" && code !== "journal.conflict")).toEqual([]);
  },

  "a head is moved only by who knows the journal's end, and then nobody else goes on": async (
    db,
  ) => {
    const [one, other] = [db.store().journal("run"), db.store().journal("run")];
    const live = await one.open("create");
    await live.append(["1"], START);
    const late = await other.open("append");
    await live.append(["2"], { lines: 1, bytes: 2 });
    const refused = await rejection(other.notes?.write("head", "head", "moved", undefined));
    expect(refused).toMatchObject({ code: "journal.conflict" });
    expect(await one.notes?.list("head")).toEqual([]);
    await late.close();
    const mover = await other.open("append");
    // Checkpoints and forks are in nobody's way.
    expect(await other.notes?.write("forks", "f", "fork", undefined)).toBe(true);
    await live.append(["3"], { lines: 2, bytes: 4 });
    await mover.close();
    const again = await other.open("append");
    expect(await other.notes?.write("head", "head", "moved", undefined)).toBe(true);
    const stopped = await rejection(live.append(["4"], { lines: 3, bytes: 6 }));
    expect(stopped).toMatchObject({
      code: "journal.conflict",
      message: expect.stringContaining("has another writer since"),
    });
    // The one that moved it is the writer still; of notes the text that is replaced has to be right.
    expect(await other.notes?.write("head", "head", "further", "elsewhere")).toBe(false);
    expect(await other.notes?.write("head", "head", "further", "moved")).toBe(true);
    await again.append(["4"], { lines: 3, bytes: 6 });
    expect(await one.notes?.list("head")).toEqual(["further"]);
    await Promise.all([live.close(), again.close()]);
  },

  "appends of many runs that wait at once are one transaction": async (db) => {
    const store = db.store();
    const journals = Array.from({ length: 50 }, (_, n) => store.journal(`run ${n}`));
    const writers = [];
    for (const journal of journals) writers.push(await journal.open("create"));
    const counted = db.count();
    const appends = writers.flatMap((writer) => [
      writer.append(["one"], START),
      writer.append(["two", "three"], { lines: 1, bytes: 4 }),
    ]);
    await Promise.all(appends);
    expect(counted()).toBe(1);
    for (const writer of writers) await writer.close();
    for (const journal of journals) expect(await textIn(journal)).toBe("one\ntwo\nthree\n");
  },

  "appends of one turn of the event loop are one transaction, whenever in it they come": async (
    db,
  ) => {
    const store = db.store();
    const writers: JournalWriter[] = [];
    for (const id of ["a", "b", "c", "d"]) writers.push(await store.journal(id).open("create"));
    const counted = db.count();
    const later = async (writer: JournalWriter, microtasks: number) => {
      for (let n = 0; n < microtasks; n++) await undefined;
      await writer.append(["line"], START);
    };
    await Promise.all(writers.map((writer, n) => later(writer, n * 5)));
    expect(counted()).toBe(1);
    for (const writer of writers) await writer.close();
  },

  "an append that does not follow from those that wait with it is a conflict by itself": async (
    db,
  ) => {
    const journal = db.store().journal("run");
    const writer = await journal.open("create");
    const ends = await Promise.allSettled([
      writer.append(["one"], START),
      writer.append(["none"], { lines: 5, bytes: 50 }),
      writer.append(["two"], { lines: 1, bytes: 4 }),
    ]);
    const end = { lines: 2, bytes: 8 };
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await writer.append(["three"], end);
    await writer.close();
    expect(await textIn(journal)).toBe("one\ntwo\nthree\n");
  },

  "a conflict of one run is nobody else's": async (db) => {
    const store = db.store();
    const writers = [];
    for (const id of ["a", "b", "c"]) writers.push(await store.journal(id).open("create"));
    const thief = await db.store().journal("b").open("append");
    await thief.append(["mine"], START);
    const ends = await Promise.allSettled(writers.map((writer) => writer.append(["line"], START)));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    for (const writer of [...writers, thief]) await writer.close();
  },

  "a journal is read from within a line": async (db) => {
    const store = db.store();
    const writer = await store.journal("run").open("create");
    await writer.append(["one", "two", "three"], START);
    await writer.close();
    expect(await textIn(store.journal("run"), 5)).toBe("wo\nthree\n");
    expect(await textIn(store.journal("run"), 1_000)).toBe("");
  },

  "a journal of many pieces is read whole, from any byte on": async (db) => {
    const port = db.store().journal("long");
    const lines = Array.from({ length: 3_000 }, (_, n) => `${n} ${"ü".repeat(n % 700)}`);
    lines[1_500] = "x".repeat(3 * 1024 * 1024);
    const writer = await port.open("create");
    await writer.append(lines, START);
    await writer.close();
    const whole = lines.map((line) => `${line}\n`).join("");
    expect((await textIn(port)) === whole).toBe(true);
    const bytes = Buffer.from(whole);
    for (const from of [1, 65_536, 700_000, 2_000_000, bytes.length - 1, bytes.length]) {
      const rest: Uint8Array[] = [];
      for await (const piece of port.read(from)) rest.push(piece);
      expect(Buffer.concat(rest).equals(bytes.subarray(from))).toBe(true);
    }
  },

  "a copy from memory is the same": async (db) => {
    const journal = memoryJournal();
    await conversation(journal);
    await copyJournal(journal, db.store().journal("copy"));
    expect(await textIn(db.store().journal("copy"))).toBe(await textIn(journal));
  },
};
