// One writer at a time, across processes: the lock of a living owner holds, that of a dead one is
// taken over by exactly one heir.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { type Owner, thisProcess } from "../../../../src/adapters/file-journal/owner.js";
import { textIn } from "../../../support/journal-text.js";
import { CHILD, Child } from "./child.js";
import {
  bytesOf,
  dead,
  endOf,
  filesBeside,
  folder,
  lockedBy,
  place,
  refusal,
  START,
} from "./place.js";

const LINUX = existsSync("/proc/self/stat");

const ownerOf = (lock: string): Owner => JSON.parse(readFileSync(lock, "utf8"));

async function isTakenOver(path: string): Promise<void> {
  const writer = await fileJournal(path).open("append");
  expect(ownerOf(`${path}.lock`)).toMatchObject({ pid: process.pid, host: hostname() });
  await writer.append(["two"], endOf("one\n"));
  await writer.close();
  expect(bytesOf(path)).toBe("one\ntwo\n");
  expect(filesBeside(path)).toEqual(["run.jsonl"]);
}

describe("a living owner's lock", () => {
  it("names its process, boot and host, and goes when the writer closes", async () => {
    const path = await place();
    const writer = await fileJournal(path).open("create");
    const owner = ownerOf(`${path}.lock`);
    expect(owner).toEqual({ ...thisProcess(owner.token) });
    expect(filesBeside(path)).toEqual(["run.jsonl", "run.jsonl.lock"]);
    await writer.close();
    expect(filesBeside(path)).toEqual(["run.jsonl"]);
  });

  it("keeps another process out, naming the owner and how to mend it", async () => {
    const path = await place();
    const child = await Child.start();
    expect(await child.open(path, "create")).toEqual({});
    for (const mode of ["append", "create"] as const) {
      expect(await refusal(fileJournal(path).open(mode))).toBe(
        `journal.locked: ${path} is locked by process ${child.pid}: wait for it or end it; if that process does not write it, remove ${path}.lock.`,
      );
    }
    expect(await child.append(["one"], START)).toEqual({});
    expect(await textIn(fileJournal(path))).toBe("one\n");
    expect(await child.close()).toEqual({});
    await (await fileJournal(path).open("append")).close();
  });

  it("keeps a second writer of the same process out", async () => {
    const path = await place();
    const writer = await fileJournal(path).open("create");
    expect(await refusal(fileJournal(path).open("append"))).toBe(
      `journal.locked: ${path} is locked by a writer of this process (${process.pid}): close that one first.`,
    );
    await writer.close();
  });

  it("holds by whatever path the file is reached", async () => {
    const inside = await folder();
    const path = join(inside, "run.jsonl");
    const writer = await fileJournal(path).open("create");
    symlinkSync(path, join(inside, "link.jsonl"));
    symlinkSync(inside, join(inside, "folder"));
    for (const other of ["link.jsonl", "folder/run.jsonl"]) {
      expect(await refusal(fileJournal(join(inside, other)).open("append"))).toContain(
        "journal.locked",
      );
    }
    await writer.close();
  });

  it("is not removed by a writer that lost it", async () => {
    const path = await place();
    const first = await fileJournal(path).open("create");
    rmSync(`${path}.lock`);
    const second = await fileJournal(path).open("append");
    await first.close();
    expect(existsSync(`${path}.lock`)).toBe(true);
    await second.close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("that somebody removed is gone already when its writer closes", async () => {
    const path = await place();
    const writer = await fileJournal(path).open("create");
    rmSync(`${path}.lock`);
    await writer.close();
    expect(filesBeside(path)).toEqual(["run.jsonl"]);
  });

  it("that goes between two looks is taken", async () => {
    const path = await lockedBy({});
    let looked = 0;
    const journal = fileJournal(path, {
      calls: {
        async writeFile(to, text) {
          looked += 1;
          if (looked > 1) return nodeCalls.writeFile(to, text);
          rmSync(`${path}.lock`);
          throw Object.assign(new Error("EEXIST"), { code: "EEXIST" });
        },
      },
    });
    await (await journal.open("append")).close();
    expect([looked, filesBeside(path)]).toEqual([2, ["run.jsonl"]]);
  });

  it("is told of with its place", async () => {
    const path = await lockedBy({});
    await expect(fileJournal(path).open("append")).rejects.toMatchObject({ place: path });
  });

  it("is given up where the file cannot be opened", async () => {
    const path = await place();
    expect(await refusal(fileJournal(path).open("append"))).toContain("journal.missing");
    expect(filesBeside(path)).toEqual([]);
  });
});

describe("what killed processes left", () => {
  it("claims are removed where a lock is taken over", async () => {
    const path = await lockedBy(dead);
    for (const [name, owner] of [
      ["older", dead],
      ["older.heir", dead],
      ["living", {}],
    ] as const) {
      const text = JSON.stringify({ ...thisProcess("claim"), ...owner });
      writeFileSync(`${path}.lock.${name}`, text);
    }
    // What is another journal's is not this one's to clean up.
    const other = JSON.stringify({ ...thisProcess("other"), ...dead });
    writeFileSync(join(dirname(path), "other.jsonl.lock"), other);
    await (await fileJournal(path).open("append")).close();
    expect(filesBeside(path)).toEqual(["other.jsonl.lock", "run.jsonl", "run.jsonl.lock.living"]);
  });

  it("claims that cannot be looked for are in nobody's way", async () => {
    const path = await lockedBy(dead);
    const calls = {
      readdir: () => Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" })),
    };
    await (await fileJournal(path, { calls }).open("append")).close();
    expect(filesBeside(path)).toEqual(["run.jsonl"]);
  });
});

describe("a lock that nobody here can judge", () => {
  it("of another host is left alone, with a word on how to remove it", async () => {
    const path = await lockedBy({ ...dead, host: "elsewhere", pid: 77 });
    const lock = bytesOf(`${path}.lock`);
    expect(await refusal(fileJournal(path).open("append"))).toBe(
      `journal.locked: ${path} is locked by process 77 on host elsewhere, which cannot be seen from here: its lock is taken over when it has been silent for 30 seconds; if it no longer runs, say so with reckoner unlock, open the journal with fileJournal(path, { steal: true }), or remove ${path}.lock.`,
    );
    expect(bytesOf(`${path}.lock`)).toBe(lock);
  });

  it("of another host is taken over on the caller's word, one of a live process is not", async () => {
    const path = await lockedBy({ ...dead, host: "elsewhere", pid: 77 });
    const writer = await fileJournal(path, { steal: true }).open("append");
    const second = fileJournal(path, { steal: true }).open("append");
    expect(await refusal(second)).toContain("journal.locked");
    await writer.close();
    expect(filesBeside(path)).toEqual(["run.jsonl"]);
  });

  it.each([
    ["without a byte", ""],
    ["that is half written", '{"pid":12,"bo'],
    ["that is not an object", "null"],
    ["without an owner", '{"pid":1}'],
    ["of no process", JSON.stringify({ ...thisProcess("stale"), ...dead, pid: -1 })],
    ["with a path in its token", JSON.stringify({ ...thisProcess("a/../b"), ...dead })],
  ])("%s is left alone, with a word on how to remove it", async (_, text) => {
    const path = await lockedBy({});
    writeFileSync(`${path}.lock`, text);
    expect(await refusal(fileJournal(path).open("append"))).toBe(
      `journal.locked: ${path} is locked by an owner who cannot be determined: its lock is taken over when it has been silent for 30 seconds; if nobody is writing it, remove ${path}.lock.`,
    );
    expect(bytesOf(`${path}.lock`)).toBe(text);
    expect(filesBeside(path)).toEqual(["run.jsonl", "run.jsonl.lock"]);
  });
});

describe("a dead owner's lock is taken over", () => {
  it("after a SIGKILL, and the run goes on", async () => {
    const path = await place();
    const child = await Child.start();
    await child.open(path, "create");
    await child.append(["one"], START);
    await child.kill();
    expect(ownerOf(`${path}.lock`).pid).toBe(child.pid);
    await isTakenOver(path);
  });

  it.runIf(LINUX)("of a killed process whose parent never asked", async () => {
    const path = await place();
    writeFileSync(path, "one\n");
    // The shell becomes a sleep, which has no idea that it has a child.
    const script = '"$0" "$1" "$2" & exec sleep 300 >/dev/null';
    const parent = spawn("sh", ["-c", script, process.execPath, CHILD, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [printed] = await once(parent.stdout, "data");
    const pid = Number(printed);
    expect(await refusal(fileJournal(path).open("append"))).toContain(`locked by process ${pid}:`);
    process.kill(pid, "SIGKILL");
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) await setImmediate();
    await isTakenOver(path);
  });

  it("of another boot, though its pid runs again", async () => {
    await isTakenOver(await lockedBy({ boot: "another-boot" }));
  });

  it.runIf(LINUX)("of this boot, though its pid was used again", async () => {
    await isTakenOver(await lockedBy({ started: "1" }));
  });

  it("but a torn last line stays until something is appended", async () => {
    const path = await lockedBy(dead);
    writeFileSync(path, "one\ntor");
    await (await fileJournal(path).open("append")).close();
    expect(bytesOf(path)).toBe("one\ntor");
    writeFileSync(`${path}.lock`, JSON.stringify({ ...thisProcess("stale"), ...dead }));
    await isTakenOver(path);
  });
});

describe("of several heirs one gets the lock", () => {
  it("when processes race for it", async () => {
    const heirs = await Promise.all([Child.start(), Child.start(), Child.start()]);
    for (let round = 0; round < 30; round += 1) {
      const path = await lockedBy(dead);
      const answers = await Promise.all(heirs.map((heir) => heir.open(path)));
      const winners = heirs.filter((_, i) => answers[i]?.code === undefined);
      expect(answers.map(({ code }) => code ?? "open").sort()).toEqual([
        "journal.locked",
        "journal.locked",
        "open",
      ]);
      expect(ownerOf(`${path}.lock`).pid).toBe(winners[0]?.pid);
      await winners[0]?.close();
      expect(filesBeside(path)).toEqual(["run.jsonl"]);
    }
  });

  it("when writers of one process race for it", async () => {
    const path = await lockedBy(dead);
    const opened = await Promise.allSettled(
      Array.from({ length: 8 }, () => fileJournal(path).open("append")),
    );
    const writers = opened.filter((each) => each.status === "fulfilled");
    expect(writers).toHaveLength(1);
    await writers[0]?.value.close();
    expect(filesBeside(path)).toEqual(["run.jsonl"]);
  });

  it("when another was quicker, between the look and the claim", async () => {
    const path = await lockedBy(dead);
    const quicker = JSON.stringify(thisProcess("quicker"));
    const journal = fileJournal(path, {
      calls: {
        async writeFile(to, text) {
          if (to.endsWith(".stale")) {
            writeFileSync(`${path}.quick`, quicker);
            renameSync(`${path}.quick`, `${path}.lock`);
          }
          await nodeCalls.writeFile(to, text);
        },
      },
    });
    expect(await refusal(journal.open("append"))).toContain("journal.locked");
    expect(bytesOf(`${path}.lock`)).toBe(quicker);
    expect(filesBeside(path)).toEqual(["run.jsonl", "run.jsonl.lock"]);
  });

  it("and while one is at it, the others are kept out", async () => {
    const path = await lockedBy(dead);
    writeFileSync(`${path}.lock.stale`, JSON.stringify(thisProcess("heir")));
    expect(await refusal(fileJournal(path).open("append"))).toContain("journal.locked");
    expect(ownerOf(`${path}.lock`).token).toBe("stale");
  });

  it("and one that died at it is inherited from as well", async () => {
    const path = await lockedBy(dead);
    writeFileSync(
      `${path}.lock.stale`,
      JSON.stringify({ ...thisProcess("heir"), boot: "another-boot" }),
    );
    await isTakenOver(path);
  });
});
