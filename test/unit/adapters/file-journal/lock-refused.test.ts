// A lock that cannot be taken: what failed is said, nothing of it stays, and nobody waits for ever.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { thisProcess } from "../../../../src/adapters/file-journal/owner.js";
import { bytesOf, dead, filesBeside, lockedBy, place, refusal } from "./place.js";

describe("a lock that cannot be taken", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(`${code}: no`), { code });
  };

  it("is not taken by another way where the disk is broken, and nothing of it stays", async () => {
    for (const written of [undefined, 0, 7]) {
      const path = await place();
      const calls = {
        async writeFile(to: string, text: string) {
          if (written !== undefined) await nodeCalls.writeFile(to, text.slice(0, written));
          failing("ENOSPC")();
        },
      };
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

  it("is given up after a hundred rounds", async () => {
    const path = await place();
    let rounds = 0;
    const writeFile = async () => {
      rounds += 1;
      failing("EEXIST")();
    };
    expect(await refusal(fileJournal(path, { calls: { writeFile } }).open("create"))).toContain(
      "by an owner who cannot be determined",
    );
    expect(rounds).toBe(100);
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

it("a lock that is seen before its text is written is looked at once more", async () => {
  const path = await lockedBy({});
  const text = bytesOf(`${path}.lock`);
  writeFileSync(`${path}.lock`, "");
  const calls = { sleep: async () => writeFileSync(`${path}.lock`, text) };
  expect(await refusal(fileJournal(path, { calls }).open("append"))).toContain(
    `by a writer of this process (${process.pid})`,
  );
});
