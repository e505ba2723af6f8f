// Processes of the command line: started, killed, awaited.
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(ROOT, "dist/cli/main.js");
/** On a machine with much to do a process may take its time; none is waited for longer. */
const PATIENCE_MS = 20_000;

/** Starts `reckoner` with these words. Its end is a promise of its output and how it came. */
export function reckoner(words, env = {}) {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
  });
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text) => {
      out[name] += text;
    });
  }
  const ended = new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code, signal) => done({ ...out, code, signal, pid: child.pid }));
  });
  return { child, ended };
}

/** Waits for a process to come to its end with one of these exit codes, and parses what it said. */
export async function answerOf(words, env, codes = [0]) {
  const end = await reckoner(words, env).ended;
  if (codes.includes(end.code)) return { ...end, json: JSON.parse(end.stdout) };
  throw new Error(
    `reckoner ${words.join(" ")} ended with ${end.code ?? end.signal}: ${end.stderr || end.stdout}`,
  );
}

/** Kills a process with SIGKILL as soon as something is so. */
export async function killWhen(running, isSo) {
  let over = false;
  const ended = running.ended.finally(() => {
    over = true;
  });
  const late = Date.now() + PATIENCE_MS;
  while (!over && !isSo()) {
    if (Date.now() > late) break;
    await sleep(10);
  }
  running.child.kill("SIGKILL");
  const end = await ended;
  if (end.signal === "SIGKILL" && isSo()) return end;
  throw new Error(
    `The process was to be killed in the middle, but it ended with ${end.code ?? end.signal}: ${end.stderr || end.stdout}`,
  );
}
