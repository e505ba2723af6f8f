// Rules of removing runs from a database: for SQLite and for Postgres.
import { expect } from "vitest";
import type { JournalStore } from "../../src/adapters/journal-tables/index.js";
import { agent, type JournalPort, resume, run, scriptedModel, tool } from "../../src/index.js";
import { fold, headOf, replay, virtualClock } from "../../src/runtime/index.js";
import { fork, forks, rewind } from "../../src/time-travel.js";
import type { EmptyDatabase } from "./database-rules.js";
import { textIn } from "./journal-text.js";
import { rejection } from "./thrown.js";

const once = agent({ name: "once" });
const talker = agent({ name: "talker", conversation: true });
const model = scriptedModel(() => "Good morning.");

const ended = (journal: JournalPort, at: number, from?: JournalPort, person?: string) =>
  run(once, "Hello", { model, journal, clock: virtualClock(at), from, person });

/** A conversation of so many turns. */
async function talk(journal: JournalPort, turns: number): Promise<void> {
  await run(talker, "turn 1", { model, journal });
  for (let n = 2; n <= turns; n++)
    await resume(talker, journal, { model, messages: [`turn ${n}`] });
}

const ids = async (store: JournalStore) =>
  (await store.list({ limit: 1_000 })).runs.map(({ id }) => id).sort();

/** The rules, by what they say. */
export const retentionRules: Readonly<Record<string, (db: EmptyDatabase) => Promise<void>>> = {
  "runs that have ended go by their time, and a dry run says which": async (db) => {
    const store = db.store();
    for (const n of [1, 2, 3]) await ended(store.journal(`${n}`), 1_000 * n);
    await run(talker, "Hello", {
      model,
      journal: store.journal("waiting"),
      clock: virtualClock(1),
    });
    const before = 3_000;
    const plan = await store.prune({ before, dryRun: true });
    expect(plan).toEqual({ removed: ["1", "2"], detached: [], kept: [] });
    expect(await ids(store)).toEqual(["1", "2", "3", "waiting"]);
    expect(await store.prune({ before })).toEqual(plan);
    expect(await ids(store)).toEqual(["3", "waiting"]);
    expect(await rejection(textIn(store.journal("1")))).toMatchObject({ code: "journal.missing" });
    expect((await store.journal("1").snapshots?.list()) ?? []).toEqual([]);
    // What is gone may begin anew.
    await ended(store.journal("1"), 9_000);
    expect(await store.prune({ status: "ready", reasoner: "talker" })).toMatchObject({
      removed: ["waiting"],
    });
    for (const wrong of [{}, { ids: ["1"], before: 1 }, { ids: "1" }, { older: 1 }]) {
      expect(await rejection(store.prune(wrong as never))).toMatchObject({
        code: "option.invalid",
      });
    }
    expect(await rejection(store.prune({ ids: ["1", "none"] }))).toMatchObject({
      code: "journal.missing",
    });
    expect(await ids(store)).toEqual(["1", "3"]);
  },

  "a run that another was forked from, or goes on from, is kept": async (db) => {
    const store = db.store();
    await ended(store.journal("first"), 1_000);
    await ended(store.journal("next"), 2_000, store.journal("first"));
    await talk(store.journal("talk"), 3);
    const { journal } = await fork(store.journal("talk"), { at: 1, name: "f" });
    await resume(talker, journal, { model, messages: ["elsewhere"] });
    const forked = (await ids(store)).find((id) => id.includes("f") && id !== "first") ?? "";
    const why = { why: "needed", by: ["next"] };
    expect(await store.prune({ ids: ["first"] })).toMatchObject({
      removed: [],
      kept: [{ id: "first", ...why }],
    });
    expect(await store.prune({ ids: ["talk"] })).toMatchObject({
      kept: [{ id: "talk", why: "needed", by: [forked] }],
    });
    expect((await forks(store.journal("talk"))).forks).toHaveLength(1);
    expect(await store.prune({ ids: ["next", "first", forked] })).toMatchObject({ kept: [] });
    // Its note beside the original goes with it.
    expect((await forks(store.journal("talk"))).forks).toHaveLength(0);
    expect(await ids(store)).toEqual(["talk"]);
  },

  "detached, the lines that others share stay byte for byte, and go with the last of them": async (
    db,
  ) => {
    const store = db.store();
    const original = store.journal("talk");
    await talk(original, 4);
    const before = await textIn(original);
    const made = [];
    for (const at of [1, 3]) {
      const { journal } = await fork(original, { at, name: `f${at}` });
      await resume(talker, journal, { model, messages: ["elsewhere"] });
      made.push(journal);
    }
    const forked = (await ids(store)).filter((id) => id !== "talk");
    const states = await Promise.all(made.map(async (port) => (await fold(talker, port)).state));
    const plan = await store.prune({ ids: ["talk"], detach: true, dryRun: true });
    expect(plan).toEqual({ removed: [], detached: ["talk"], kept: [] });
    expect(await textIn(original)).toBe(before);
    expect(await store.prune({ ids: ["talk"], detach: true })).toEqual(plan);
    const left = await textIn(original);
    expect(before.startsWith(left)).toBe(true);
    expect(left.length).toBeLessThan(before.length);
    expect(left).toContain("turn 2");
    expect(left).not.toContain("turn 3");
    expect(await ids(store)).toEqual(forked);
    for (const [n, port] of made.entries()) {
      expect((await fold(talker, port)).state).toEqual(states[n]);
      expect((await replay(talker, port)).status).toBe("identical");
      await resume(talker, port, { model, messages: ["more"] });
    }
    expect(await rejection(original.open("append"))).toMatchObject({ code: "journal.missing" });
    expect(await rejection(talk(original, 1))).toMatchObject({ code: "journal.exists" });
    const [one, other] = forked as [string, string];
    expect(await store.prune({ ids: [one] })).toEqual({ removed: [one], detached: [], kept: [] });
    expect((await textIn(original)).length).toBeGreaterThan(0);
    expect(await store.prune({ ids: [other] })).toEqual({
      removed: [other],
      detached: [],
      kept: [],
    });
    expect(await rejection(textIn(original))).toMatchObject({ code: "journal.missing" });
  },

  "a fork of a fork keeps what both share": async (db) => {
    const store = db.store();
    await talk(store.journal("a"), 3);
    const b = await fork(store.journal("a"), { at: 3, name: "b" });
    await resume(talker, b.journal, { model, messages: ["in b"] });
    const c = await fork(b.journal, { at: 5, name: "c" });
    await resume(talker, c.journal, { model, messages: ["in c"] });
    const [bId, cId] = ["a:b", "a%3ab:c"];
    expect(await ids(store)).toEqual(["a", cId, bId]);
    expect(await store.prune({ ids: ["a", bId] })).toMatchObject({
      kept: [
        { id: "a", by: [bId] },
        { id: bId, by: [cId] },
      ],
    });
    expect(await store.prune({ ids: ["a", bId], detach: true })).toMatchObject({
      detached: ["a", bId],
    });
    expect((await replay(talker, c.journal)).status).toBe("identical");
    expect(await store.prune({ ids: [cId] })).toMatchObject({ removed: [cId] });
    for (const journal of [store.journal("a"), b.journal]) {
      expect(await rejection(textIn(journal))).toMatchObject({ code: "journal.missing" });
    }
  },

  "a fork that has not taken over what its original was answered is not cut off from it": async (
    db,
  ) => {
    const store = db.store();
    let done = 0;
    const pay = tool({
      name: "pay",
      idempotent: false,
      execute: () => {
        done += 1;
        return "paid";
      },
    });
    const clerk = agent({ name: "clerk", tools: [pay] });
    const pays = () => scriptedModel([{ calls: [{ name: "pay" }] }, "Paid."]);
    await run(clerk, "Pay", { model: pays(), journal: store.journal("run") });
    const { journal } = await fork(store.journal("run"), { at: 1 });
    const forked = (await ids(store)).find((id) => id !== "run");
    const options = { ids: ["run"], detach: true };
    expect(await store.prune(options)).toMatchObject({ kept: [{ why: "inherits", by: [forked] }] });
    expect((await resume(clerk, journal, { model: scriptedModel(() => "Paid.") })).status).toBe(
      "done",
    );
    expect(await store.prune(options)).toMatchObject({ detached: ["run"] });
    expect((await fold(clerk, journal)).state?.status).toBe("done");
    expect(done).toBe(1);
  },

  "the head of a run that is kept is kept": async (db) => {
    const store = db.store();
    await talk(store.journal("talk"), 2);
    await rewind(store.journal("talk"), { at: 1 });
    const head = await headOf(store.journal("talk"));
    await resume(talker, store.journal("talk"), { model, messages: ["rewound"] });
    const id = (await ids(store)).find((each) => each !== "talk") ?? "";
    for (const detach of [false, true]) {
      expect(await store.prune({ ids: [id], detach })).toMatchObject({
        kept: [{ id, why: "needed", by: ["talk"] }],
      });
    }
    expect(await textIn(head)).toContain("rewound");
    expect(await store.prune({ ids: [id, "talk"] })).toMatchObject({ kept: [] });
    expect(await ids(store)).toEqual([]);
  },

  "two removals at once are each what they say": async (db) => {
    for (let ahead = 0; ahead < 10; ahead++) {
      const store = db.store();
      const id = `run${ahead}`;
      const journal = store.journal(id);
      await talk(journal, 2);
      await fork(journal, { at: 1, name: "other" });
      // It may come too late, and then it says so.
      const mine = db
        .store()
        .prune({ ids: [id], detach: true })
        .catch((thrown) => {
          expect(thrown).toMatchObject({ code: "journal.missing", place: id });
          return { removed: [id], detached: [], kept: [] };
        });
      // So many turns later another process forgets all.
      for (let n = 0; n < ahead; n++) await Promise.resolve();
      const [pruned, forgotten] = await Promise.all([mine, db.store().forget()]);
      expect(pruned.removed.length + pruned.detached.length + pruned.kept.length).toBe(1);
      expect(forgotten.removed.length).toBeGreaterThan(0);
      await store.forget();
      expect(await ids(store)).toEqual([]);
    }
  },

  "a run that was rewound goes by what its head is, and never without it": async (db) => {
    const store = db.store();
    for (const id of ["ended", "rewound"]) {
      const journal = store.journal(id);
      await talk(journal, 2);
      await resume(talker, journal, { model, signal: AbortSignal.abort() });
      await rewind(journal, { at: 1 });
    }
    const ended = store.journal("ended");
    await resume(talker, ended, { model, signal: AbortSignal.abort() });
    await resume(talker, store.journal("rewound"), { model, messages: ["rewound"] });
    const [endedHead = "", head = ""] = (await ids(store)).filter((id) => id.includes(":"));
    const all = { before: Number.MAX_SAFE_INTEGER };
    for (const detach of [false, true]) {
      const named = await store.prune({ ids: ["rewound"], detach });
      expect(named.kept).toEqual([{ id: "rewound", why: "needed", by: [head] }]);
      expect(await store.prune({ ...all, detach, status: "waiting" })).toMatchObject({ kept: [] });
    }
    expect(await store.prune({ ...all, detach: true })).toEqual({
      ...{ removed: ["ended", endedHead], detached: [], kept: [] },
    });
    expect(await ids(store)).toEqual(["rewound", head]);
    await resume(talker, store.journal("rewound"), { model, messages: ["on"] });
    expect(await textIn(await headOf(store.journal("rewound")))).toContain('"on"');
    expect(await store.prune({ status: "ready" })).toMatchObject({ removed: ["rewound", head] });
  },

  "a run that is being written is kept, here and by another process": async (db) => {
    const store = db.store();
    await ended(store.journal("run"), 1_000);
    const writer = await store.journal("run").open("append");
    expect(await store.prune({ ids: ["run"] })).toMatchObject({
      kept: [{ id: "run", why: "open" }],
    });
    await writer.close();
    expect(await store.prune({ ids: ["run"] })).toMatchObject({ removed: ["run"] });
    // Who has it open elsewhere is told.
    const other = await db.store().journal("live").open("create");
    await other.append(["one"], { lines: 0, bytes: 0 });
    expect(await store.forget()).toMatchObject({ removed: ["live"] });
    const refused = await rejection(other.append(["two"], { lines: 1, bytes: 4 }));
    expect(refused).toMatchObject({
      code: "journal.write",
      message: expect.stringContaining("removed"),
    });
    await other.close();
  },

  "a person's and a tenant's runs are forgotten, and nobody else's": async (db) => {
    const store = db.store();
    const acme = store.tenant("acme");
    for (const each of [store, acme]) {
      await ended(each.journal("ada"), 1_000, undefined, "ada");
      await ended(each.journal("bob"), 2_000, undefined, "bob");
    }
    await ended(acme.journal("on"), 3_000, acme.journal("ada"), "bob");
    expect(await acme.forget({ person: "ada", dryRun: true })).toMatchObject({
      kept: [{ by: ["on"] }],
    });
    // Another's run shares its lines: nobody is forgotten in part.
    expect(await acme.forget({ person: "ada" })).toMatchObject({
      removed: [],
      kept: [{ id: "ada" }],
    });
    expect(await acme.prune({ ids: ["ada"], detach: true })).toMatchObject({ detached: ["ada"] });
    expect(await acme.forget({ person: "ada" })).toMatchObject({
      kept: [{ id: "ada", by: ["on"] }],
    });
    expect(await acme.forget({ person: "bob" })).toMatchObject({ removed: ["bob", "on"] });
    expect(await rejection(textIn(acme.journal("ada")))).toMatchObject({ code: "journal.missing" });
    expect(await ids(store)).toEqual(["ada", "bob"]);
    await ended(acme.journal("more"), 1_000);
    expect(await acme.forget()).toMatchObject({ removed: ["more"], kept: [] });
    expect(await store.forget({ person: "ada" })).toMatchObject({ removed: ["ada"] });
    expect(await ids(store)).toEqual(["bob"]);
    expect(await rejection(store.forget({ person: "" }))).toMatchObject({ code: "option.invalid" });
  },
};
