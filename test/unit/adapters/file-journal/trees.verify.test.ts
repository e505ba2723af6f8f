// A wide tree in one file: its children cost no open files of their own.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { folder } from "./place.js";

describe("a wide tree", () => {
  it("of 1 000 children lives under 64 open files, and is resumed under them", async () => {
    const at = await folder();
    const program = join(import.meta.dirname, "wide.mjs");
    const { stdout } = await promisify(execFile)(
      "/bin/sh",
      [
        "-c",
        `ulimit -n 64 && exec "$0" "$1" "$2" 1000`,
        process.execPath,
        program,
        join(at, "run.jsonl"),
      ],
      { timeout: 600_000 },
    );
    expect(JSON.parse(stdout)).toEqual({
      first: "waiting",
      approvals: 1000,
      second: "done",
      paid: 1000,
    });
  });
});
