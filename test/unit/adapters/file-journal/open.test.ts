// Opening a journal's file for writing: what is said where that cannot be done.
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { place, refusal } from "./place.js";

const open = (path: string, mode: "create" | "append" = "append", calls = {}) =>
  fileJournal(path, { calls }).open(mode);
const failing = (code: string) => ({
  open(path: string, flags: number, mode?: number) {
    if (path.endsWith("run.jsonl")) throw Object.assign(new Error(`${code}: no`), { code });
    return nodeCalls.open(path, flags, mode);
  },
});

describe("a journal that cannot be opened", () => {
  it("is missing where it is to be gone on with", async () => {
    const path = await place();
    expect(await refusal(open(path))).toBe(`journal.missing: ${path} does not exist.`);
    const within = join(path, "run.jsonl");
    writeFileSync(path, "");
    expect(await refusal(open(within))).toBe(`journal.missing: ${within} does not exist.`);
  });

  it("lies in a folder that is not there, where it is to be made", async () => {
    const path = join(dirname(await place()), "none", "run.jsonl");
    expect(await refusal(open(path, "create"))).toBe(
      `journal.write: ${path} lies in a folder that does not exist: make it first.`,
    );
  });

  it("is a folder", async () => {
    const path = await place();
    mkdirSync(path);
    for (const mode of ["create", "append"] as const) {
      expect(await refusal(open(path, mode))).toBe(
        `journal.write: ${path} is a folder, not a journal.`,
      );
    }
  });

  it("is a link that leads round in a circle, and not one that is missing", async () => {
    const path = await place();
    symlinkSync(path, path);
    expect(await refusal(open(path))).toMatch(
      /^journal\.write: .* cannot be opened for writing: ELOOP/,
    );
  });

  it("may not be opened", async () => {
    const path = await place();
    writeFileSync(path, "");
    expect(await refusal(open(path, "append", failing("EACCES")))).toBe(
      `journal.write: ${path} cannot be opened for writing: EACCES: no.`,
    );
  });

  it("is no regular file", async () => {
    expect(await refusal(open("/dev/null"))).toBe(
      "journal.write: /dev/null is not a regular file.",
    );
  });

  it("is open in this journal already", async () => {
    const journal = fileJournal(await place());
    const writer = await journal.open("create");
    expect(await refusal(journal.open("append"))).toMatch(
      /^journal\.locked: .* is open already: close that writer first\.$/,
    );
    await writer.close();
    await (await journal.open("append")).close();
  });
});

it("a draft is its owner's alone, and takes nobody's place", async () => {
  const path = await place();
  await nodeCalls.writeFile(path, "mine");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(nodeCalls.writeFile(path, "other")).rejects.toMatchObject({ code: "EEXIST" });
  expect(readFileSync(path, "utf8")).toBe("mine");
});
