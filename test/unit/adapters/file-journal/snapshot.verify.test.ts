// Snapshots are side files that can be lost: each replaced as a whole, its owner's alone, never in the way.
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, tool } from "../../../../src/index.js";
import {
  replay,
  resume,
  run,
  type SnapshotStore,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { place } from "./place.js";

const storeOf = (path: string) => fileJournal(path).snapshots as SnapshotStore;

it("lie in a folder beside the journal, and leave no draft", async () => {
  const path = await place();
  expect(await storeOf(path).write(3, "state", new Map())).toBe(5);
  expect(readFileSync(`${path}.snapshots/3.json`, "utf8")).toBe("state");
  expect(readdirSync(`${path}.snapshots`)).toEqual(["3.json"]);
});

it("are their owner's alone, as the journal is", async () => {
  const path = await place();
  await storeOf(path).write(3, "state", new Map());
  await (await fileJournal(path).open("create")).close();
  for (const each of [path, `${path}.snapshots/3.json`])
    expect(statSync(each).mode & 0o777).toBe(0o600);
  expect(statSync(`${path}.snapshots`).mode & 0o777).toBe(0o700);
});

it("do not pile up as drafts of killed processes", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshots`);
  writeFileSync(`${path}.snapshots/draft.tmp`, "half of a much longer st");
  const store = storeOf(path);
  await store.write(8, "state", new Map());
  expect(await store.list()).toEqual([{ seq: 8, size: 5 }]);
  expect(readdirSync(`${path}.snapshots`)).toEqual(["8.json"]);
});

it("of processes before are left where they are when one of this process is written", async () => {
  const path = await place();
  await storeOf(path).write(3, "state", new Map());
  const next = storeOf(path);
  await next.write(4, "later", new Map());
  expect([...(await next.list())].sort((a, b) => a.seq - b.seq)).toEqual([
    { seq: 3, size: 5 },
    { seq: 4, size: 5 },
  ]);
  await next.remove(3);
  expect(await next.read(3)).toBeUndefined();
});

it("are found by a link to the journal", async () => {
  const path = await place();
  writeFileSync(path, "");
  await storeOf(path).write(3, "state", new Map());
  const link = join(dirname(path), "link.jsonl");
  symlinkSync(path, link);
  expect(await storeOf(link).read(3)).toBe("state");
});

it("hang nobody and kill nobody, whatever lies in their place", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshots/1.json`, { recursive: true });
  execFileSync("mkfifo", [`${path}.snapshots/2.json`]);
  symlinkSync(`${path}.snapshots/3.json`, `${path}.snapshots/3.json`);
  writeFileSync(`${path}.snapshots/x.json`, "?");
  const store = storeOf(path);
  const listed = [...(await store.list())].sort((a, b) => a.seq - b.seq);
  expect(listed).toEqual([1, 2, 3].map((seq) => ({ seq, size: 0 })));
  for (const seq of [1, 2, 3]) await expect(store.read(seq)).rejects.toThrow();
  expect(await store.read(4)).toBeUndefined();
});

it("that cannot be read for another reason than that there is none are refused", async () => {
  const calls = {
    readdir: async () => [],
    readFile: async () => {
      throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    },
  };
  const store = fileJournal(await place(), { calls }).snapshots as SnapshotStore;
  await expect(store.read(1)).rejects.toThrow("EIO");
});

it("larger than a text can be are refused unread", async () => {
  const path = await place();
  const store = storeOf(path);
  await store.write(1, "state", new Map());
  truncateSync(`${path}.snapshots/1.json`, 513 * 1024 * 1024);
  await expect(store.read(1)).rejects.toThrow("too large");
});

/** Leaves a socket, as a process does that is killed over it. */
const SOCKET =
  'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';

describe("a run whose snapshots were tampered with goes on from its journal", () => {
  const asks = () => {
    let paid = 0;
    const pays = tool({ name: "pay", needsApproval: true, execute: () => ++paid });
    return agent({ name: "payer", tools: [pays] });
  };
  const model = () =>
    scriptedModel((_, turn) => (turn === 0 ? { calls: [{ name: "pay" }] } : "paid"));
  const hostile: readonly (readonly [string, (file: string) => void])[] = [
    ["a pipe", (file) => execFileSync("mkfifo", [file])],
    ["a folder", (file) => mkdirSync(file)],
    ["a folder that holds something", (file) => mkdirSync(join(file, "x"), { recursive: true })],
    ["a link to itself", (file) => symlinkSync(file, file)],
    ["a link to nowhere", (file) => symlinkSync(`${file}.gone`, file)],
    ["a socket", (file) => void spawnSync(process.execPath, ["-e", SOCKET, file])],
    ["a link to an endless device", (file) => symlinkSync("/dev/zero", file)],
    ["an empty file", (file) => writeFileSync(file, "")],
    ["no UTF-8", (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0]))],
    ["too deep a text", (file) => writeFileSync(file, "[".repeat(100_000))],
    [
      "more than a text can hold",
      (file) => {
        writeFileSync(file, "");
        truncateSync(file, 600 * 1024 * 1024);
      },
    ],
  ];
  for (const [what, put] of hostile) {
    it(`${what} in the newest one's place`, async () => {
      const path = await place();
      const waiting = await run(asks(), "go", { journal: path, model: model() });
      expect(waiting.status).toBe("waiting");
      const newest = `${path}.snapshots/${waiting.state.seq}.json`;
      rmSync(newest);
      put(newest);
      const live = resume(asks(), path, {
        model: model(),
        approvals: { "approval/0/0": { approve: true } },
      });
      const notices: string[] = [];
      for await (const each of live) if (each.type === "notice") notices.push(each.code);
      expect(await live).toMatchObject({ status: "done", output: "paid" });
      expect(notices).toEqual(["snapshot.unused"]);
      expect(await replay(asks(), path)).toMatchObject({ status: "identical" });
      expect(readdirSync(dirname(path)).filter((each) => each.includes("lock"))).toEqual([]);
    });
  }

  it("as many forged ones as there may be cost a few tries, and are thinned out", async () => {
    const path = await place();
    const waiting = await run(asks(), "go", { journal: path, model: model() });
    const newest = `${path}.snapshots/${waiting.state.seq}.json`;
    const text = readFileSync(newest, "utf8").replace('"pay"', '"say"');
    for (let seq = 0; seq < 200; seq++) writeFileSync(`${path}.snapshots/${seq}.json`, text);
    let reads = 0;
    const port = fileJournal(path);
    const counting = {
      ...port,
      read(from?: number) {
        reads += 1;
        return port.read(from);
      },
    };
    const approvals = { "approval/0/0": { approve: true } };
    const end = await resume(asks(), counting, { model: model(), approvals });
    expect(end).toMatchObject({ status: "done", output: "paid" });
    expect(reads).toBeLessThan(10);
    const kept = readdirSync(`${path}.snapshots`);
    expect(kept.length).toBeLessThanOrEqual(17);
    expect(await replay(asks(), path)).toMatchObject({ status: "identical" });
  });
});

it("can be tried again where one could not be written", async () => {
  const path = await place();
  writeFileSync(`${path}.snapshots`, "in the way");
  await expect(storeOf(path).write(1, "state", new Map())).rejects.toThrow();
});

it("that cannot be put in their place say so, and leave no draft", async () => {
  const path = await place();
  const failing = async () => {
    throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
  };
  const broken = fileJournal(path, { calls: { rename: failing } }).snapshots as SnapshotStore;
  await expect(broken.write(1, "state", new Map())).rejects.toThrow("EIO");
  expect(readdirSync(`${path}.snapshots`)).toEqual([]);
  // What was left cannot be looked for: it stays, and nothing else comes of it.
  const blind = fileJournal(path, { calls: { readdir: failing } }).snapshots as SnapshotStore;
  expect(await blind.write(1, "state", new Map())).toBe(5);
  expect(await blind.list()).toEqual([]);
  expect(await blind.read(2)).toBeUndefined();
  expect(await blind.read(1)).toBe("state");
});

it("are read up to a size, and only where they are files", async () => {
  const path = await place();
  writeFileSync(path, "four");
  expect(await nodeCalls.readFile(path, 4)).toBe("four");
  expect(await nodeCalls.readFile(path, 3)).toBeUndefined();
  expect(await nodeCalls.readFile(dirname(path), 2 ** 30)).toBeUndefined();
});

it("that are being drafted are left alone by whoever only reads", async () => {
  const path = await place();
  mkdirSync(`${path}.snapshots`);
  writeFileSync(`${path}.snapshots/draft.tmp`, "half");
  expect(await storeOf(path).list()).toEqual([]);
  expect(readdirSync(`${path}.snapshots`)).toEqual(["draft.tmp"]);
});

it("wait for no pipe that lies where they are drafted", async () => {
  const path = await place();
  const store = storeOf(path);
  await store.write(1, "one", new Map());
  execFileSync("mkfifo", [`${path}.snapshots/draft.tmp`]);
  await store.write(2, "two", new Map());
  expect(readFileSync(`${path}.snapshots/2.json`, "utf8")).toBe("two");
});
