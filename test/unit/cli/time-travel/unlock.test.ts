// `reckoner unlock`: a person says that the owner of a lock, who cannot be seen from here, is dead.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { thisProcess } from "../../../../src/adapters/file-journal/owner.js";
import { agent, run, scriptedModel } from "../../../../src/index.js";
import { rewind } from "../../../../src/time-travel/live/index.js";
import { aFolder, called } from "../support.js";

/** A folder with a journal, and a lock of somebody else. */
async function lockedBy(
  owner: object,
): Promise<{ readonly folder: string; readonly lock: string }> {
  const folder = aFolder();
  const path = join(folder, "run.jsonl");
  await run(agent({ name: "a" }), "go", {
    model: scriptedModel(["done"]),
    journal: fileJournal(path),
  });
  const lock = `${path}.lock`;
  writeFileSync(lock, JSON.stringify({ ...thisProcess("token"), ...owner }));
  return { folder, lock };
}

describe("unlock", () => {
  it("takes a lock of another host away, and leaves the journal as it is", async () => {
    const { folder, lock } = await lockedBy({ host: "elsewhere", pid: 77 });
    const before = await called(folder, ["show", "run.jsonl", "--json"]);
    expect(await called(folder, ["unlock", "run.jsonl"])).toMatchObject({
      code: 0,
      stdout: "run.jsonl is unlocked\n",
    });
    expect(existsSync(lock)).toBe(false);
    expect(await called(folder, ["show", "run.jsonl", "--json"])).toEqual(before);
  });

  it("takes away that of the journal to which the head leads", async () => {
    const { folder } = await lockedBy({ host: "elsewhere", pid: 77 });
    await called(folder, ["unlock", "run.jsonl"]);
    const { journal } = await rewind(join(folder, "run.jsonl"), { at: 0 });
    const lock = `${journal.name}.lock`;
    writeFileSync(lock, JSON.stringify({ ...thisProcess("token"), host: "elsewhere", pid: 77 }));
    expect(await called(folder, ["unlock", "run.jsonl"])).toMatchObject({ code: 0 });
    expect(existsSync(lock)).toBe(false);
  });

  it("does not take that of a live process", async () => {
    const { folder, lock } = await lockedBy({});
    const { code, stderr } = await called(folder, ["unlock", "run.jsonl"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is locked by")]);
    expect(existsSync(lock)).toBe(true);
  });

  it("makes no journal where there is none", async () => {
    const folder = aFolder();
    const { code } = await called(folder, ["unlock", "none.jsonl"]);
    expect(code).toBe(2);
    expect(existsSync(join(folder, "none.jsonl"))).toBe(false);
  });
});
