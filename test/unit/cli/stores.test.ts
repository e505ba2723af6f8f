// Commands on stores: where a command takes a folder or a journal, a store or a run of one.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, it } from "vitest";
import { fileJournal, folderBlobs } from "../../../src/adapters/file-journal/index.js";
import { sqliteJournals } from "../../../src/adapters/sqlite/index.js";
import { main } from "../../../src/cli/program.js";
import { agent, resume, run, scriptedModel, virtualClock } from "../../../src/index.js";
import { fork } from "../../../src/time-travel.js";
import { textIn } from "../../support/journal-text.js";
import { aFolder, anIo } from "./support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

const once = agent({ name: "once" });
const talker = agent({ name: "talker", conversation: true });
const model = scriptedModel(() => "Good morning.");

/** A folder with a store in which runs are. */
async function aStore() {
  const folder = aFolder();
  const database = new Database(join(folder, "runs.db"));
  const store = sqliteJournals(database as never);
  const of = (id: string, at: number, person: string, tenant = "") => {
    const own = tenant === "" ? store : store.tenant(tenant);
    return run(once, `Hello ${id}`, {
      model,
      journal: own.journal(id),
      clock: virtualClock(at),
      person,
    });
  };
  await of("old", 1_000, "ada");
  await of("new/1", Date.parse("2026-01-01"), "bob");
  await of("theirs", 2_000, "ada", "acme");
  await run(talker, "Talk", { model, journal: store.journal("talk"), tags: ["vip"] });
  return { folder, store, close: () => database.close() };
}

const STORE = "sqlite:runs.db";

it("run, resume, show, replay, fork and diff take a run of a store", async () => {
  const folder = aFolder();
  const at = (id: string) => `sqlite:own.db#${id}`;
  const ran = await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", at("a"));
  expect(ran.code).toBe(3);
  const ended = await say(folder, "resume", at("a"), "--approve", "approval/1/0");
  expect(ended.code).toBe(0);
  expect((await say(folder, "show", at("a"))).stdout).toContain("approval/1/0");
  expect(await say(folder, "replay", "sqlite:own.db")).toMatchObject({ code: 0 });
  expect(await say(folder, "diff", at("a"), at("a"))).toMatchObject({ code: 0 });
  const forked = await say(folder, "fork", at("a"), "--at", "1", "--name", "f", "--json");
  expect(forked.code).toBe(0);
  expect((await say(folder, "forks", at("a"))).stdout).toContain("f");
  expect((await say(folder, "observe", "stats", "sqlite:own.db")).code).toBe(0);
  expect((await say(folder, "graph", at("a"), "--view", "trace")).stdout).toContain("flowchart");
  for (const [words, code] of [
    [["show", "sqlite:own.db"], "cli.usage"],
    [["show", at("none")], "journal.missing"],
    [["show", "sqlite:none.db#a"], "journal.missing"],
    [["show", "sqlite:#a"], "cli.usage"],
    [["show", "mysql://host/db#a"], "cli.usage"],
    [["unlock", at("a")], "cli.usage"],
    [["list", "notes.ts/sqlite:own.db"], "journal.missing"],
  ] as const) {
    const refused = await say(folder, ...words);
    expect([words, refused.code, refused.stderr]).toEqual([
      words,
      2,
      expect.stringContaining(`[${code}]`),
    ]);
  }
  expect(existsSync(join(folder, "none.db"))).toBe(false);
});

it("list shows a store by its index, and filters it", async () => {
  const { folder } = await aStore();
  const listed = await say(folder, "list", STORE);
  expect(listed.code).toBe(0);
  expect(listed.stdout.split("\n")[0]).toMatch(/^ready +sqlite:runs\.db#talk: talker “Talk”/);
  expect(listed.stdout).toMatch(/^done +sqlite:runs\.db#new\/1: once “Hello new\/1”/m);
  const ids = async (...words: string[]) => {
    const { stdout } = await say(folder, "list", ...words, "--json");
    return JSON.parse(stdout).runs.map(({ journal }: { journal: string }) => journal);
  };
  expect(await ids(STORE, "--tag", "vip")).toEqual(["sqlite:runs.db#talk"]);
  expect(await ids(STORE, "--person", "ada")).toEqual(["sqlite:runs.db#old"]);
  expect(await ids(STORE, "--status", "done", "--search", "hello NEW")).toEqual([
    "sqlite:runs.db#new/1",
  ]);
  expect(await ids(`${STORE}#@acme`)).toEqual(["sqlite:runs.db#@acme/theirs"]);
  expect((await say(folder, "show", `${STORE}#@acme/theirs`)).stdout).toContain("Good morning.");
  expect(await ids(`${STORE}#old`)).toEqual(["sqlite:runs.db#old"]);
  expect((await say(folder, "list", STORE, "--status", "ended")).code).toBe(2);
  expect((await say(folder, "list", ".", "--tag", "vip")).stderr).toContain("--tag needs a store");
});

it("export writes the bytes of a run, and import writes them back", async () => {
  const { folder, store } = await aStore();
  const bytes = await textIn(store.journal("talk"));
  expect(await say(folder, "export", `${STORE}#talk`, "--out", "talk.jsonl")).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(readFileSync(join(folder, "talk.jsonl"), "utf8")).toBe(bytes);
  expect((await say(folder, "export", `${STORE}#talk`, "--out", "talk.jsonl")).stderr).toContain(
    "journal.exists",
  );
  const back = await say(
    folder,
    "import",
    "talk.jsonl",
    "--into",
    "sqlite:other.db",
    "--id",
    "b/1",
  );
  expect(back).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sqlite:other\.db#b\/1: run /),
  });
  expect(await say(folder, "resume", "sqlite:other.db#b/1", "--config", "notes.ts")).toMatchObject({
    code: 2,
  });
  expect((await say(folder, "import", "talk.jsonl", "--into", STORE)).stderr).toContain(
    "journal.exists",
  );
  await say(folder, "export", `${STORE}#@acme/theirs`, "--out", "theirs.jsonl");
  // Its tenant stands in its header.
  const theirs = await say(folder, "import", "theirs.jsonl", "--into", "sqlite:other.db", "--json");
  expect(JSON.parse(theirs.stdout)).toMatchObject({ journal: "sqlite:other.db#@acme/theirs" });
  const refused = await say(folder, "import", "theirs.jsonl", "--into", "sqlite:other.db#@bob");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("journal.tenant") });
  const made = await fork(store.journal("talk"), { at: 0, name: "f" });
  await resume(talker, made.journal, { model });
  const forked = await say(folder, "export", `${STORE}#talk:f`, "--out", "f.jsonl");
  expect(forked.stderr).toContain("needs the run in talk");
  expect(await textIn(fileJournal(join(folder, "f.jsonl")))).toBe(await textIn(made.journal));
});

it("prune removes what has ended, one run, or nothing", async () => {
  const { folder, store } = await aStore();
  const dry = await say(folder, "prune", STORE, "--before", "1999-01-01", "--dry-run");
  expect(dry).toEqual({
    code: 0,
    stderr: "",
    stdout: "would be removed   sqlite:runs.db#old\n1 run would be removed\n",
  });
  const done = await say(folder, "prune", STORE, "--before", "1d", "--json");
  expect(done.code).toBe(0);
  const removed = JSON.parse(done.stdout).removed;
  expect(removed.sort()).toEqual(["new/1", "old"]);
  const made = await fork(store.journal("talk"), { at: 1, name: "f" });
  await resume(talker, made.journal, { model, messages: ["on"] });
  const kept = await say(folder, "prune", `${STORE}#talk`);
  expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining("talk:f needs it") });
  const detached = await say(folder, "prune", `${STORE}#talk`, "--detach");
  expect(detached).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("detached  sqlite:runs.db#talk"),
  });
  for (const words of [
    [STORE],
    [STORE, "--before", "soon"],
    [`${STORE}#talk:f`, "--tag", "x"],
    ["."],
  ]) {
    expect((await say(folder, "prune", ...words)).code).toBe(2);
  }
  expect((await say(folder, "prune", ".")).stderr).toContain(
    "The address names no store; write sqlite:FILE or postgres://HOST/DATABASE.",
  );
});

it("forget removes a tenant's or a person's runs", async () => {
  const { folder } = await aStore();
  expect((await say(folder, "forget", STORE)).code).toBe(2);
  const ada = await say(folder, "forget", STORE, "--person", "ada");
  expect(ada).toMatchObject({ code: 0, stdout: "removed   sqlite:runs.db#old\n1 run removed\n" });
  const acme = await say(folder, "forget", STORE, "--tenant", "acme", "--dry-run");
  expect(acme.stdout).toContain("would be removed   sqlite:runs.db#@acme/theirs");
  expect((await say(folder, "forget", `${STORE}#@acme`)).stdout).toContain(
    "removed   sqlite:runs.db#@acme/theirs",
  );
  expect((await say(folder, "forget", `${STORE}#@acme`, "--tenant", "bob")).code).toBe(2);
  expect((await say(folder, "forget", `${STORE}#talk`, "--person", "x")).code).toBe(2);
  expect(JSON.parse((await say(folder, "list", STORE, "--json")).stdout).runs).toHaveLength(2);
});

it("a password in an address is refused, and nothing of it is printed", async () => {
  for (const words of [
    ["list", "postgres://me:s3cret@127.0.0.1:1/db"],
    ["show", "postgres://127.0.0.1:1/db?password=s3cret#run"],
    ["import", "x.jsonl", "--into", "postgres://me:s3cret@127.0.0.1:1/db"],
  ]) {
    const { code, stdout, stderr } = await say(aFolder(), ...words);
    expect([code, stdout + stderr]).toEqual([2, expect.not.stringContaining("s3cret")]);
    expect(stderr).toContain("PGPASSWORD");
  }
  const unreachable = await say(aFolder(), "list", "postgres://127.0.0.1:1/db");
  expect(unreachable).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("[journal.unreadable]"),
  });
});

it("export and import carry the files that a run names, and refuse one that is not there with its place", async () => {
  const folder = aFolder();
  const database = new Database(join(folder, "runs.db"));
  const store = sqliteJournals(database as never).tenant("acme");
  const bytes = Buffer.alloc(100_000, 7);
  const image = { type: "file", data: bytes.toString("base64"), mediaType: "image/png" } as const;
  await run(talker, "Talk", { model, journal: store.journal("talk"), blobs: store.blobs });
  await resume(talker, store.journal("talk"), {
    ...{ model, blobs: store.blobs },
    messages: [[{ type: "text", text: "See." }, image]],
  });
  const talk = `${STORE}#@acme/talk`;
  const text = await textIn(store.journal("talk"));
  const [, id = ""] = /"blob":"([^"]+)"/.exec(text) ?? [];
  expect(await say(folder, "export", talk, "--out", "talk.jsonl")).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(readFileSync(join(folder, "talk.jsonl"), "utf8")).toBe(text);
  // They are those of a run in a file.
  const file = fileJournal(join(folder, "talk.jsonl"));
  const blobs = folderBlobs(join(folder, "talk.jsonl.blobs"));
  expect(Buffer.from((await blobs.read(file, id)) ?? [])).toEqual(bytes);

  expect(await say(folder, "import", "talk.jsonl", "--into", "sqlite:other.db")).toMatchObject({
    code: 0,
  });
  const other = sqliteJournals(new Database(join(folder, "other.db")) as never).tenant("acme");
  const copy = other.journal("talk");
  expect(await textIn(copy)).toBe(text);
  expect(Buffer.from((await other.blobs.read(copy, id)) ?? [])).toEqual(bytes);
  await other.prune({ ids: ["talk"] });
  expect(await other.blobs.read(copy, id)).toBeUndefined();

  rmSync(join(folder, "talk.jsonl.blobs"), { recursive: true });
  const refused = await say(folder, "import", "talk.jsonl", "--into", "sqlite:third.db");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    new RegExp(
      `^reckoner: .*There is no file "${id}", which \\S+talk\\.jsonl names in line \\d+\\.event\\.content\\[1\\]; .*\\[blob\\.missing\\]\\n$`,
    ),
  );
  database.prepare("DELETE FROM reckoner_blobs").run();
  const none = await say(folder, "export", talk, "--out", "again.jsonl");
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("[blob.missing]")]);
  expect(existsSync(join(folder, "again.jsonl"))).toBe(false);
});
