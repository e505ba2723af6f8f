// Files of the runs of a host: outside before anybody is told, apart by tenants, and gone with the last run.
import { agent, type ModelPort, type UserPart, virtualClock } from "reckoner";
import { memoryBlobs } from "reckoner/serve";
import { sqliteHostStore, sqliteJournals } from "reckoner/sqlite";
import { expect, it } from "vitest";
import { openSqlite } from "../../support/journal-databases.js";
import { deskModel, memoryHost } from "../../support/serve.js";

const DATA = Buffer.alloc(9 * 1024 * 1024, 5).toString("base64");
const file: UserPart = { type: "file", data: DATA, mediaType: "application/pdf" };
const talker = agent({ name: "talker", conversation: true });

/** The desk's model, and the files that it was given. */
function listening() {
  const files: string[] = [];
  const model: ModelPort = {
    name: "listening",
    async generate(request, call) {
      const last = request.messages.at(-1)?.content;
      if (typeof last === "object") {
        for (const part of last) if ("data" in part) files.push(String(part.data));
      }
      return deskModel.generate(request, call);
    },
  };
  return { model, files };
}

it("a message may be larger than a line, since its file lies outside", async () => {
  const { model, files } = listening();
  const blobs = memoryBlobs();
  const { host, store, at, until } = memoryHost({ model, blobs, reasoners: [talker] });
  const run = host.tenant("acme").run("r1");
  await at(run.start({ input: { prompt: [file] } }));
  await until(async () => (await run.row()).status === "ready");
  expect(files).toEqual([DATA]);
  await at(run.message([file], { key: "m" }));
  await until(async () => files.length === 2);
  await until(async () => (await run.row()).status === "ready");
  const text = (await at(run.lines())).lines.join();
  expect(text.length).toBeLessThan(100_000);
  const [, blob = ""] = /"blob":"([^"]+)"/.exec(text) ?? [];

  // The same file by its id; another tenant has none of it.
  const named = { type: "file", blob, mediaType: "application/pdf", size: 1 } as const;
  expect((await at(run.edit(2, [named]))).outcome).toBe("taken");
  const other = host.tenant("rival").run("r1");
  await at(other.start({ input: { prompt: "Hello." } }));
  expect(await at(other.message([named]))).toMatchObject({
    outcome: "refused",
    code: "blob.missing",
    message: expect.stringContaining("content[0]"),
  });
  await at(host.drain());
  const journal = (tenant: string) => store.journal({ tenant, id: "r1" });
  expect(await blobs.read(journal("acme"), blob)).toHaveLength(9 * 1024 * 1024);
  expect(await blobs.read(journal("rival"), blob)).toBeUndefined();
});

it("the files of a host in SQLite go with its runs, and so does all that was said", async () => {
  const database = openSqlite("libsql");
  const clock = virtualClock(Date.UTC(2026, 0, 31));
  const store = sqliteHostStore(database, { clock });
  const { model, files } = listening();
  const { blobs } = store;
  const made = memoryHost({ store, model, blobs, reasoners: [talker] }, clock);
  const runs = made.host.tenant("acme");
  for (const id of ["a", "b"]) {
    await made.at(runs.run(id).start({ input: { prompt: [file] } }));
    await made.until(async () => (await runs.run(id).row()).status === "ready");
  }
  expect(files).toEqual([DATA, DATA]);
  await made.at(made.host.drain());
  const journals = sqliteJournals(database).tenant("acme");
  const left = () =>
    ["blobs", "blob_holds", "hosted", "mail", "journals"].map(
      (table) => database.prepare(`SELECT * FROM reckoner_${table}`).all().length,
    );
  expect(left()).toEqual([1, 2, 2, 2, 2]);
  // A run that a host has at this moment stays.
  database.exec("UPDATE reckoner_hosted SET owner = 'h' WHERE name = 'b'");
  expect(await journals.forget()).toMatchObject({
    removed: ["a"],
    kept: [{ id: "b", why: "open" }],
  });
  expect(left()).toEqual([1, 1, 1, 1, 1]);
  database.exec("UPDATE reckoner_hosted SET owner = ''");
  await journals.forget();
  expect(left()).toEqual([0, 0, 0, 0, 0]);
});

it("what is held for a run that never began is forgotten after an hour", async () => {
  const database = openSqlite("libsql");
  const store = sqliteHostStore(database);
  await store.open();
  const { blobs } = store;
  await blobs?.keep(store.journal({ tenant: "", id: "never" }), "x", Uint8Array.of(1));
  await store.sweep();
  const count = () => database.prepare("SELECT * FROM reckoner_blobs").all().length;
  expect(count()).toBe(1);
  database.exec("UPDATE reckoner_blob_holds SET since = since - 3700000");
  await store.sweep();
  expect(count()).toBe(0);
});
