// A lock that cannot be taken: what failed is said, nothing of it stays, and nobody waits for ever.
import { linkSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileCalls, nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { thisProcess } from "../../../../src/adapters/file-journal/owner.js";
import { bytesOf, dead, filesBeside, lockedBy, place, refusal } from "./place.js";

describe("a lock that cannot be taken", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(`${code}: no`), { code });
  };

  it("is not taken by another way where the disk is broken, and nothing of it stays", async () => {
    for (const calls of [
      { link: failing("EIO") },
      {
        link: failing("EPERM"),
        async writeFile(to: string, text: string) {
          if (to.endsWith(".lock")) failing("ENOSPC")();
          await nodeCalls.writeFile(to, text);
        },
      },
    ]) {
      const path = await place();
      expect(await refusal(fileJournal(path, { calls }).open("create"))).toMatch(
        /^journal\.write: /,
      );
      expect(filesBeside(path)).toEqual([]);
    }
  });

  it("from a dead owner is left as it was, and not claimed", async () => {
    const path = await lockedBy(dead);
    const before = bytesOf(`${path}.lock`);
    const calls = { rename: async () => failing("EIO")() };
    expect(await refusal(fileJournal(path, { calls }).open("append"))).toContain("EIO");
    expect(bytesOf(`${path}.lock`)).toBe(before);
    expect(filesBeside(path)).toEqual(["run.jsonl", "run.jsonl.lock"]);
  });

  it("is given up after a hundred rounds, and the names of drafts after ten thousand", async () => {
    const path = await place();
    let rounds = 0;
    const link = () => {
      rounds += 1;
      failing("EEXIST")();
    };
    expect(await refusal(fileJournal(path, { calls: { link } }).open("create"))).toContain(
      "by an owner who cannot be determined",
    );
    expect(rounds).toBe(100);
    let drafts = 0;
    const writeFile = async () => {
      drafts += 1;
      failing("EEXIST")();
    };
    expect(await refusal(fileJournal(path, { calls: { writeFile } }).open("create"))).toContain(
      "EEXIST",
    );
    expect(drafts).toBe(10_001);
  });

  it("by a process that is not this one says whom to wait for", async () => {
    const { started: _started, ...owner } = thisProcess("other");
    const path = await lockedBy({});
    writeFileSync(`${path}.lock`, JSON.stringify({ ...owner, pid: process.ppid }));
    expect(await refusal(fileJournal(path).open("append"))).toBe(
      `journal.locked: ${path} is locked by process ${process.ppid}: wait for it or end it; if that process does not write it, remove ${path}.lock.`,
    );
  });
});

it("a record is on the disk before it is a lock, under the first name that is free", async () => {
  const path = await place();
  writeFileSync(`${path}.lock.0.tmp`, JSON.stringify(thisProcess("draft")));
  const done: string[] = [];
  const calls: Partial<FileCalls> = {
    async writeFile(to, text) {
      done.push(`draft ${basename(to)}`);
      await nodeCalls.writeFile(to, text);
    },
    async fsync() {
      done.push("synced");
    },
    link(from, to) {
      done.push(`lock ${basename(from)}`);
      linkSync(from, to);
    },
  };
  await (await fileJournal(path, { calls }).open("create")).close();
  expect(done.slice(0, 4)).toEqual([
    "draft run.jsonl.lock.0.tmp",
    "draft run.jsonl.lock.1.tmp",
    "synced",
    "lock run.jsonl.lock.1.tmp",
  ]);
});

it("a file system without hard links has locks too", async () => {
  const path = await lockedBy(dead);
  const calls = {
    link: () => {
      throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
    },
  };
  const writer = await fileJournal(path, { calls }).open("append");
  expect(await refusal(fileJournal(path, { calls }).open("append"))).toContain("journal.locked");
  await writer.close();
  expect(filesBeside(path)).toEqual(["run.jsonl"]);
});
