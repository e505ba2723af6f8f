// `npm run soak`: a round of a few kills and a short long run; it is gone on with where it stopped.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const SCRIPT = resolve(import.meta.dirname, "../../scripts/soak.mjs");

it("counts what it did, and goes on with it", () => {
  const out = mkdtempSync(join(tmpdir(), "reckoner-soak-"));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const soak = (...words: string[]) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [SCRIPT, "--out", out, "--only", "kills,long", "--events", "4000", "--round", "3", ...words],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    return JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  };
  const first = soak("--kills", "3", "--seed", "7");
  expect(first).toMatchObject({ seed: 7, rounds: 1, kills: 3, wrong: [] });
  expect(first.longRun).toMatchObject({ events: 4_002, listeners: 1, wrong: [] });
  expect(soak("--kills", "5")).toMatchObject({ seed: 7, rounds: 2, kills: 5, wrong: [] });
});

it("refuses a part that there is not, in one line", () => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, "--only", "tea"], {
    encoding: "utf8",
  });
  expect([status, stderr.trim().split("\n").length]).toEqual([2, 1]);
});
