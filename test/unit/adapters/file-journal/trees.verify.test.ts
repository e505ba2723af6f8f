// A wide tree in one file: its children cost no open files of their own.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { folder } from "./place.js";

/** Runs a program of this folder under a limit of open files. */
async function under(files: number, name: string, ...given: readonly string[]) {
  const program = join(import.meta.dirname, name);
  const { stdout } = await promisify(execFile)(
    "/bin/sh",
    ["-c", `ulimit -n ${files} && exec "$0" "$@"`, process.execPath, program, ...given],
    { timeout: 600_000 },
  );
  return JSON.parse(stdout);
}

describe("a wide tree", () => {
  it("of 1 000 children lives under 64 open files, and is resumed under them", async () => {
    const at = await folder();
    expect(await under(64, "wide.mjs", join(at, "run.jsonl"), "1000")).toEqual({
      first: "waiting",
      approvals: 1000,
      second: "done",
      paid: 1000,
    });
  });
});

describe("many runs in one process", () => {
  it("1 000 are open under 256 files, keep 64 of them open while they think, and leave none", async () => {
    const seen = await under(256, "many.mjs", await folder(), "1000");
    expect(seen).toMatchObject({ asked: 1000, waiting: 1000 });
    // Not every system says what is open.
    if (seen.before === 0) return;
    expect(seen.most).toBeLessThan(256);
    expect(seen.atOnce - seen.before).toBeLessThanOrEqual(64);
    expect(seen.left).toBe(0);
  });
});
