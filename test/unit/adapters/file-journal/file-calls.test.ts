// Node's own calls: what is small is done where it is and what is large in the pool, and one is told
// apart from the other by nothing but its time.
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { folder, openIn } from "./place.js";

/** Characters around those from which on the pool does it; of more than one byte too. */
const LENGTHS = [0, 1, 65_535, 65_536, 65_537, 200_000];
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    ({ code }) => code,
  );

describe("a text", () => {
  it("of any length is written whole and read whole, its owner's alone, and never over another", async () => {
    const path = await folder();
    const umask = process.umask(0);
    try {
      for (const length of LENGTHS) {
        const text = "aé\u{1f600}".repeat(length / 4 + 1).slice(0, length);
        const whole = Buffer.from(text).toString();
        const file = join(path, `${length}`);
        await nodeCalls.writeFile(file, text);
        expect(readFileSync(file, "utf8") === whole).toBe(true);
        expect((await nodeCalls.readFile(file, NO_LIMIT)) === whole).toBe(true);
        expect(statSync(file).mode & 0o777).toBe(0o600);
        expect(await codeOf(nodeCalls.writeFile(file, "another"))).toBe("EEXIST");
        const { size } = statSync(file);
        expect((await nodeCalls.readFile(file, size))?.length).toBe(whole.length);
        if (size > 0) expect(await nodeCalls.readFile(file, size - 1)).toBeUndefined();
      }
    } finally {
      process.umask(umask);
    }
  });

  it("leaves no descriptor open, whatever lies in its place", async () => {
    const path = await folder();
    const at = (name: string) => join(path, name);
    mkdirSync(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    symlinkSync("nowhere", at("link"));
    for (const length of LENGTHS) await nodeCalls.writeFile(at(`${length}`), "x".repeat(length));
    for (let i = 0; i < 8; i++) {
      for (const length of LENGTHS) {
        expect(await nodeCalls.readFile(at(`${length}`), NO_LIMIT)).toHaveLength(length);
        await nodeCalls.writeFile(at(`${length} ${i}`), "x".repeat(length));
      }
      expect(await nodeCalls.readFile(at("1"), 0)).toBeUndefined();
      expect(await nodeCalls.readFile(at("folder"), NO_LIMIT)).toBeUndefined();
      expect(await nodeCalls.readFile(at("pipe"), NO_LIMIT)).toBeUndefined();
      expect(await codeOf(nodeCalls.readFile(at("link"), NO_LIMIT))).toBe("ENOENT");
      for (const name of ["folder", "pipe", "link"]) {
        expect(await codeOf(nodeCalls.writeFile(at(name), "x"))).toBe("EEXIST");
      }
    }
    expect(openIn(path)).toEqual([]);
    const held = openSync(at("1"), "r");
    expect(openIn(path)).toEqual(existsSync("/proc/self/fd") ? [at("1")] : []);
    closeSync(held);
  });
});

describe("a file", () => {
  it("is removed where it is there, and a folder in its place is not", async () => {
    const path = await folder();
    const file = join(path, "file");
    await nodeCalls.writeFile(file, "x");
    await nodeCalls.rm(file);
    expect(existsSync(file)).toBe(false);
    await nodeCalls.rm(file);
    expect(await codeOf(nodeCalls.rm(path))).toMatch(/^(EISDIR|EPERM)$/);
    expect(existsSync(path)).toBe(true);
  });
});
