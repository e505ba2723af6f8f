/** The worker thread of `reckoner replay`: replays the journals that it is given, one after the other. */
import { Console } from "node:console";
import { PassThrough } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";

import { Configs } from "../config/config-of-journal.js";
import type { Io } from "../terminal/io.js";
import { startWatchdog } from "../terminal/watchdog.js";
import { replayOne } from "./replay-one.js";
import type { WorkerWork } from "./replay-pool.js";

const { cwd, env, named, options } = workerData as WorkerWork;

/** Output of a journal's check goes to whoever handed it out. */
function silentIo(output: string[]): Io {
  const stderr = new PassThrough();
  stderr.on("data", (text) => output.push(String(text)));
  const stdout = new PassThrough();
  stdout.resume();
  return {
    stdin: new PassThrough(),
    stdout,
    stderr,
    cwd,
    env,
    onInterrupt: () => () => {},
    onTerminate: () => () => {},
    onKey: () => () => {},
    startWatchdog,
    onExit: () => () => {},
    exit() {},
  };
}

// The report alone goes to standard output.
process.stdout.write = process.stderr.write.bind(process.stderr);
globalThis.console = new Console(process.stderr);

let output: string[] = [];
const io = silentIo(output);
const configs = new Configs(io, named);

parentPort?.on("message", async (journal: string) => {
  output = [];
  const report = await replayOne(silentIo(output), journal, configs, options);
  parentPort?.postMessage({ report, output: output.join("") });
});
