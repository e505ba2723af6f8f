// Files in a folder obey the laws of stores of files, and outlive the process.
import { readdirSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JournalPort, memoryJournal } from "reckoner";
import { folderBlobs } from "reckoner/file-journal";
import { blobLaws } from "reckoner/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { refusal } from "../../../support/thrown.js";

const named = (id: string, tenant = ""): JournalPort => ({ ...memoryJournal(id), tenant });

describe("files in a folder", () => {
  const make = async () => {
    const folder = await mkdtemp(join(tmpdir(), "reckoner-blobs-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return { blobs: folderBlobs(join(folder, "files")), journal: named };
  };
  for (const law of blobLaws(make)) it(law.name, law.check);

  it("are there for the next process", async () => {
    const folder = await mkdtemp(join(tmpdir(), "reckoner-blobs-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await folderBlobs(folder).keep(named("a"), "x", Uint8Array.of(1, 2));
    const next = folderBlobs(folder);
    expect(await next.read(named("b"), "x")).toEqual(Uint8Array.of(1, 2));
    await next.release(named("a"));
    expect(await folderBlobs(folder).read(named("b"), "x")).toBeUndefined();
  });

  it.skipIf(process.platform === "win32")("are readable by their owner alone", async () => {
    const { blobs, journal } = await make();
    await blobs.keep(journal("a"), "x", Uint8Array.of(1));
    const folder = blobs.name;
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const open = [".", ...paths].filter((path) => (statSync(join(folder, path)).mode & 0o077) > 0);
    expect(paths.length).toBeGreaterThan(2);
    expect(open).toEqual([]);
  });

  it("need a path", () => {
    expect(refusal(() => folderBlobs("" as never))).toMatchObject({ code: "option.invalid" });
  });
});
