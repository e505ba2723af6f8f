// An owner who cannot be seen from here lives for as long as its heart beats; one who was silent finds its lock gone.
import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FileCalls, nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { BEAT, MAX_MISSED } from "../../../../src/adapters/file-journal/lock.js";
import { thisProcess } from "../../../../src/adapters/file-journal/owner.js";
import { bytesOf, endOf, filesBeside, lockedBy, place, refusal, START } from "./place.js";

const elsewhere = { host: "pod-1" };
/** Makes a lock as old as if so many milliseconds had passed on the file system's clock. */
function age(lock: string, ms: number): void {
  const at = (statSync(lock).mtimeMs - ms) / 1_000;
  utimesSync(lock, at, at);
}

describe("an owner on another host", () => {
  it("is dead when it has missed ten heartbeats, and two more that are watched", async () => {
    const path = await lockedBy(elsewhere);
    age(`${path}.lock`, BEAT * (MAX_MISSED + 1));
    const slept: number[] = [];
    const sleep = async (ms: number) => {
      slept.push(ms);
    };
    const writer = await fileJournal(path, { calls: { sleep } }).open("append");
    await writer.append(["two"], endOf("one\n"));
    await writer.close();
    expect(slept).toEqual([2 * BEAT]);
    expect(bytesOf(path)).toBe("one\ntwo\n");
    expect(filesBeside(path)).toEqual(["run.jsonl"]);
  });

  it("is dead as well where a power failure left nothing of its name", async () => {
    for (const left of ["", '{"pid":12,"bo']) {
      const path = await lockedBy(elsewhere);
      writeFileSync(`${path}.lock`, left);
      age(`${path}.lock`, BEAT * (MAX_MISSED + 1));
      const calls = { sleep: async () => {} };
      await (await fileJournal(path, { calls }).open("append")).close();
      expect(filesBeside(path)).toEqual(["run.jsonl"]);
    }
  });

  it("lives before, and nobody waits for it", async () => {
    const path = await lockedBy(elsewhere);
    age(`${path}.lock`, BEAT * (MAX_MISSED - 1));
    const calls = { sleep: () => Promise.reject(new Error("It was waited for.")) };
    expect(await refusal(fileJournal(path, { calls }).open("append"))).toMatch(
      /^journal\.locked: .* on host pod-1, .* silent for 30 seconds/,
    );
  });

  it("lives where its heart beats while it is watched: then the clock had jumped", async () => {
    const path = await lockedBy(elsewhere);
    age(`${path}.lock`, 86_400_000);
    const sleep = async () => writeFileSync(`${path}.lock`, bytesOf(`${path}.lock`));
    const before = bytesOf(`${path}.lock`);
    expect(await refusal(fileJournal(path, { calls: { sleep } }).open("append"))).toContain(
      "journal.locked",
    );
    expect(bytesOf(`${path}.lock`)).toBe(before);
    expect(filesBeside(path)).toEqual(["run.jsonl", "run.jsonl.lock"]);
  });

  it("that can be seen is asked for itself, however old its lock is", async () => {
    const path = await lockedBy({});
    age(`${path}.lock`, 86_400_000);
    expect(await refusal(fileJournal(path).open("append"))).toContain("a writer of this process");
  });
});

/** A writer of a journal with one line, and its heart. */
async function writing(kept = true) {
  const path = await place();
  let beat = () => {};
  let beats = false;
  const calls: Partial<FileCalls> = {
    every(ms, work) {
      expect(ms).toBe(BEAT);
      beat = work;
      beats = true;
      return () => {
        beats = false;
      };
    },
  };
  const others = kept
    ? []
    : await Promise.all(
        Array.from({ length: 64 }, async () => fileJournal(await place()).open("create")),
      );
  const writer = await fileJournal(path, { calls }).open("create");
  await writer.append(["one"], START);
  const close = () => Promise.all([...others, writer].map((each) => each.close()));
  return { path, lock: `${path}.lock`, writer, close, beat: () => beat(), beats: () => beats };
}

/** Somebody else's lock, in the place of one. */
function takeOver(lock: string): void {
  writeFileSync(`${lock}.heir`, `${JSON.stringify({ ...thisProcess("heir"), ...elsewhere })}\n`);
  renameSync(`${lock}.heir`, lock);
}

describe("a live owner", () => {
  it("writes its lock anew, the same bytes, until it closes", async () => {
    const { lock, writer, beat, beats } = await writing();
    const before = bytesOf(lock);
    age(lock, 60_000);
    const old = statSync(lock).mtimeMs;
    beat();
    expect(statSync(lock).mtimeMs).toBeGreaterThan(old);
    expect(bytesOf(lock)).toBe(before);
    expect(beats()).toBe(true);
    await writer.close();
    expect(beats()).toBe(false);
  });

  it.each([
    ["was taken over", takeOver, true],
    ["was taken over, beyond 64 writers", takeOver, false],
    ["was removed", rmSync, true],
  ])("whose lock %s writes nothing more", async (_how, lose, kept) => {
    const { path, lock, writer, close, beat } = await writing(kept);
    lose(lock);
    const heirs = lose === takeOver ? bytesOf(lock) : undefined;
    expect(await refusal(writer.append(["two"], endOf("one\n")))).toMatch(
      /^journal\.conflict: .* no longer locked by this writer.*nothing was written/,
    );
    beat();
    await close();
    expect(bytesOf(path)).toBe("one\n");
    if (heirs !== undefined) expect(bytesOf(lock)).toBe(heirs);
  });

  it("whose lock cannot be read cannot tell, and writes nothing", async () => {
    const path = await place();
    const faults: Partial<FileCalls> = {};
    const peek: FileCalls["peek"] = (name, most) => (faults.peek ?? nodeCalls.peek)(name, most);
    const writer = await fileJournal(path, { calls: { peek } }).open("create");
    faults.peek = () => {
      throw new Error("EIO: i/o error, read");
    };
    expect(await refusal(writer.append(["one"], START))).toContain("journal.write");
    delete faults.peek;
    await writer.append(["one"], START);
    await writer.close();
    expect(bytesOf(path)).toBe("one\n");
  });
});

it("peeking reads a small file whole, and nothing that is larger or is not there", async () => {
  const path = await place();
  expect(nodeCalls.peek(path, 10)).toBeUndefined();
  writeFileSync(path, "Grüße");
  expect(nodeCalls.peek(path, 7)).toBe("Grüße");
  expect(nodeCalls.peek(path, 6)).toBeUndefined();
});
