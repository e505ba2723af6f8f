// A Restate server and its workers are killed at random, and no tool that may not be repeated is executed twice: in
// a process of its own, over what is built.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isLong } from "../support/is-long.js";

it("no tool is executed twice, and none is lost, when server and workers are killed", () => {
  const script = join(import.meta.dirname, "kill-restate.mjs");
  const [runs, kills] = isLong ? [20, 6] : [12, 4];
  const words = [script, "--runs", `${runs}`, "--kills", `${kills}`, "--seed", "5"];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect(stderr).toBe("");
  const done = JSON.parse(stdout);
  expect(done).toMatchObject({ runs, repeated: 0, lost: 0 });
  expect(done.server + done.worker + done.both).toBeGreaterThanOrEqual(kills / 2);
});
