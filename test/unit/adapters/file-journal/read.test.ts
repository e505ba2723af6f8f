// Reading: the text of exactly those bytes, and one line where there are none to be had.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { textIn } from "../../../support/journal-text.js";
import { bytesOf, folder, place, refusal } from "./place.js";

const read = (path: string, bytes = 0) => textIn(fileJournal(path), bytes);

describe("the text", () => {
  it("keeps a byte order mark, wherever it stands", async () => {
    const path = await place();
    const text = "\ufeffone\n\ufefftwo\n";
    writeFileSync(path, text);
    expect(await read(path)).toBe(text);
    expect(await read(path, 7)).toBe("\ufefftwo\n");
  });

  it("is empty from the end on and behind it", async () => {
    const path = await place();
    writeFileSync(path, "one\n");
    expect(await read(path, 4)).toBe("");
    expect(await read(path, 400)).toBe("");
  });

  it("of an empty file is empty, and a run can be created there", async () => {
    const path = await place();
    writeFileSync(path, "");
    expect(await read(path)).toBe("");
    await (await fileJournal(path).open("create")).close();
    expect(bytesOf(path)).toBe("");
  });
});

describe("a long file", () => {
  const MIB = 1024 * 1024;
  /** The sizes of the pieces, with something done between the first and the second. */
  async function pieces(path: string, between: () => void = () => {}, from = 0) {
    const sizes: number[] = [];
    for await (const piece of fileJournal(path).read(from)) {
      if (sizes.length === 0) between();
      sizes.push(piece.length);
    }
    return sizes;
  }

  it("comes in pieces, a small one first: who wants the first line reads no more", async () => {
    const path = await place();
    writeFileSync(path, Buffer.alloc(2 * MIB + 100));
    expect(await pieces(path)).toEqual([65_536, MIB, MIB - 65_536 + 100]);
    expect(await pieces(path, undefined, 2 * MIB)).toEqual([100]);
    writeFileSync(path, Buffer.alloc(65_536));
    expect(await pieces(path)).toEqual([65_536]);
  });

  it("that grows while it is read is read as far as it reached at first", async () => {
    const path = await place();
    writeFileSync(path, Buffer.alloc(100_000));
    expect(await pieces(path, () => appendFileSync(path, "more"))).toEqual([65_536, 34_464]);
  });

  it("that is cut while it is read ends where it ends now", async () => {
    const path = await place();
    writeFileSync(path, Buffer.alloc(3 * MIB));
    expect(await pieces(path, () => truncateSync(path, 100_000))).toEqual([65_536, 34_464]);
    writeFileSync(path, Buffer.alloc(3 * MIB));
    expect(await pieces(path, () => truncateSync(path, 10))).toEqual([65_536]);
  });
});

describe("one line says", () => {
  it("that there is no file", async () => {
    const path = await place();
    const none = `journal.missing: ${path} does not exist.`;
    expect(await refusal(textIn(fileJournal(path)))).toBe(none);
    await expect(textIn(fileJournal(path))).rejects.toMatchObject({ place: path });
    expect(await refusal(fileJournal(path).open("append"))).toBe(none);
  });

  it("that there is no folder", async () => {
    const path = join(await folder(), "no", "run.jsonl");
    expect(await refusal(textIn(fileJournal(path)))).toBe(
      `journal.missing: ${path} does not exist.`,
    );
    expect(await refusal(fileJournal(path).open("append"))).toBe(
      `journal.missing: ${path} does not exist.`,
    );
    expect(await refusal(fileJournal(path).open("create"))).toBe(
      `journal.write: ${path} lies in a folder that does not exist: make it first.`,
    );
  });

  it("that the folder is a file", async () => {
    const file = await place();
    writeFileSync(file, "");
    const path = join(file, "run.jsonl");
    expect(await refusal(textIn(fileJournal(path)))).toBe(
      `journal.missing: ${path} does not exist.`,
    );
    expect(await refusal(fileJournal(path).open("create"))).toContain("journal.write");
  });

  it("that the file is a folder", async () => {
    const path = await place();
    mkdirSync(path);
    expect(await refusal(textIn(fileJournal(path)))).toBe(
      `journal.unreadable: ${path} is a folder, not a journal.`,
    );
    for (const mode of ["create", "append"] as const) {
      expect(await refusal(fileJournal(path).open(mode))).toBe(
        `journal.write: ${path} is a folder, not a journal.`,
      );
    }
  });

  it("that the file is a pipe, and hangs nobody", async () => {
    const path = await place();
    execFileSync("mkfifo", [path]);
    expect(await refusal(textIn(fileJournal(path)))).toBe(
      `journal.unreadable: ${path} is not a regular file.`,
    );
    await expect(textIn(fileJournal(path))).rejects.toMatchObject({ place: path });
  });

  it("that the file cannot be read", async () => {
    const path = await place();
    symlinkSync(path, path);
    expect(await refusal(textIn(fileJournal(path)))).toMatch(
      /^journal\.unreadable: .* cannot be read: ELOOP[^\n]*$/,
    );
    expect(await refusal(fileJournal(path).open("append"))).toMatch(
      /^journal\.write: .* cannot be opened for writing: ELOOP[^\n]*$/,
    );
  });
});
