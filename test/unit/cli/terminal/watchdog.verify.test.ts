// A process whose thread is busy for good is ended by another one, which says why.
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const LOAD = `
import { createJiti } from "jiti";
const { startWatchdog } = await createJiti(process.cwd() + "/test/").import("../src/cli/terminal/watchdog.ts");`;

/** A process that does this. */
function ended(code: string) {
  const words = ["--input-type=module", "--eval", `${LOAD}${code}`];
  const { status, signal, stderr } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    timeout: 600_000,
  });
  return { status, signal, stderr };
}

it("ends a process that loops for ever, with its last line", () => {
  expect(ended(`startWatchdog("stuck\\n", 1); for (;;);`)).toEqual({
    status: null,
    signal: "SIGXCPU",
    stderr: "stuck\n",
  });
});

it("ends one that waits for ever without using the CPU, after ten times as long", () => {
  const waits = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
  expect(ended(`startWatchdog("stuck\\n", 1); ${waits}`)).toMatchObject({
    signal: "SIGXCPU",
    stderr: "stuck\n",
  });
});

it("leaves one alone that is told in time, and does not keep it alive", () => {
  const code = `startWatchdog("stuck\\n", 2 ** 30)(); startWatchdog("stuck\\n", 2 ** 30);`;
  expect(ended(code)).toEqual({ status: 0, signal: null, stderr: "" });
});
