/**
 * Ends this process if its main thread is stuck, for example in an endless loop at the top of a config. CPU time is
 * what counts: a machine that is busy with other things is no fault of the config.
 */
import { Worker } from "node:worker_threads";

/**
 * A worker thread: it sleeps until it is notified, or until the process has used the CPU for so long (or ten times
 * that has passed, of one that waits for ever). The signal says what was exceeded, and gives an exit code of its own.
 */
const SLEEPER = `
const { workerData: { flag, line, ms } } = require("node:worker_threads");
const begun = process.hrtime.bigint();
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const before = used();
const passed = () => Number(process.hrtime.bigint() - begun) / 1e6;
const left = () => Math.min(ms - (used() - before), 10 * ms - passed());
let late = true;
while (late && left() > 0) late = Atomics.wait(flag, 0, 0, Math.max(1, left())) === "timed-out";
if (late) {
  require("node:fs").writeSync(2, line);
  const { SIGXCPU } = require("node:os").constants.signals;
  process.kill(process.pid, SIGXCPU === undefined ? "SIGKILL" : "SIGXCPU");
}`;

/**
 * Prints a message and ends this process with SIGXCPU (exit code 152 of a shell), unless the returned function is
 * called in time. A busy thread cannot be interrupted by an error, so this cannot be caught.
 * @param line a whole line
 * @param ms CPU time
 */
export function startWatchdog(line: string, ms: number): () => void {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  // Flags of this process (`--import`, `--input-type`) are for its own code.
  const how = { eval: true, execArgv: [], workerData: { flag, line, ms } };
  const sleeper = new Worker(SLEEPER, how);
  sleeper.unref();
  return () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
}
