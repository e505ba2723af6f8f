// Runs of hosts and retention in one database: a run that has ended, was edited and goes on is kept whole.
import { replay } from "reckoner";
import { sqliteHostStore, sqliteJournals } from "reckoner/sqlite";
import { fork } from "reckoner/time-travel";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../support/journal-databases.js";
import { textIn } from "../../support/journal-text.js";
import { desk, virtualWorld } from "../../support/serve.js";
import { rejection } from "../../support/thrown.js";

describe.each([0, 1])("a run that has ended and goes on behind an edit of its message %i", (n) => {
  it.each([false, true])("is not pruned as one that has ended (detach: %s)", async (detach) => {
    const database = openSqlite("libsql");
    const { host, at, until } = virtualWorld((clock) => sqliteHostStore(database, { clock }));
    const own = host();
    const run = own.run("r1");
    await at(run.start({ input: { prompt: "refund" } }));
    await until(async () => (await run.row()).approvals.length > 0);
    await at(run.interrupt());
    await at(run.message("refund"));
    await until(async () => (await run.row()).approvals.length > 0);
    const said = (await at(run.lines())).lines.map((line) => JSON.parse(line));
    await at(run.cancel());
    await until(async () => (await run.row()).status === "cancelled");
    const seq = n === 0 ? 0 : said.find(({ event }) => event?.type === "message")?.seq;
    expect((await at(run.edit(seq, "refund"))).outcome).toBe("taken");
    await until(async () => (await run.row()).approvals.length > 0);
    const before = await at(run.lines());
    const head = before.journal.replace(/^.*#/, "");
    const owned = database.prepare("SELECT name FROM reckoner_hosted WHERE owner <> ''");
    await until(async () => owned.all().length === 0);

    const journals = sqliteJournals(database);
    const ended = await journals.prune({ before: Number.MAX_SAFE_INTEGER, detach });
    expect(ended).toEqual({ removed: [], detached: [], kept: [] });
    const named = await journals.prune({ ids: ["r1"], detach });
    expect(named.kept).toEqual([{ id: "r1", why: "needed", by: [head] }]);
    expect(await at(run.lines())).toEqual(before);
    const id = (await at(run.row())).approvals[0]?.id ?? "";
    expect((await at(run.decide(id, { approve: true }))).outcome).toBe("taken");
    await until(async () => (await run.row()).status === "ready");
    await at(run.cancel());
    await until(async () => (await run.row()).status === "cancelled");
    await at(own.drain());
    // With its head it goes.
    const gone = await journals.prune({ before: Number.MAX_SAFE_INTEGER });
    expect([...gone.removed].sort()).toEqual(["r1", head].sort());
    expect((await journals.list()).runs).toEqual([]);
  });
});

it("a run that is removed but for the lines of its forks is no host's any more", async () => {
  const database = openSqlite("libsql");
  const { host, at, until } = virtualWorld((clock) => sqliteHostStore(database, { clock }));
  const own = host();
  const run = own.run("r1");
  const start = { input: { prompt: "Hello." } };
  await at(run.start(start, { key: "s" }));
  await until(async () => (await run.row()).status === "ready");
  await at(run.message("Hi."));
  await until(async () => (await run.row()).status === "ready");
  const journals = sqliteJournals(database);
  const made = await fork(journals.journal("r1"), { at: 1, name: "other" });
  const owned = database.prepare("SELECT name FROM reckoner_hosted WHERE owner <> ''");
  await until(async () => owned.all().length === 0);
  expect(await journals.prune({ ids: ["r1"], detach: true })).toMatchObject({ detached: ["r1"] });
  const left = await textIn(journals.journal("r1"));
  expect(await rejection(at(run.row()))).toMatchObject({ code: "run.missing" });
  expect((await at(own.list())).runs).toEqual([]);
  for (const [said, code] of [
    [run.message("Ho."), "run.missing"],
    [run.start(start), "run.exists"],
    [run.start(start, { key: "s" }), "run.exists"],
  ] as const) {
    expect(await at(said)).toMatchObject({ outcome: "refused", code });
  }
  expect(await textIn(journals.journal("r1"))).toBe(left);
  expect((await replay(desk, made.journal)).status).toBe("identical");
  await at(own.drain());
});
