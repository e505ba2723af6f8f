/**
 * Kills this process after a timeout if its main thread is stuck, for example in an endless loop at
 * the top of a config.
 */
import { Worker } from "node:worker_threads";

/** A worker thread: it sleeps until it is notified, or until the time is over. */
const SLEEPER = `
const { workerData: { told, said, ms } } = require("node:worker_threads");
if (Atomics.wait(told, 0, 0, ms) === "timed-out") {
  require("node:fs").writeSync(2, said);
  process.kill(process.pid, "SIGKILL");
}`;

/**
 * Prints a message and kills this process, unless the returned function is called in time. A busy
 * thread cannot be interrupted by an error, so this cannot be caught.
 * @param said a whole line
 */
export function startWatchdog(said: string, ms: number): () => void {
  const told = new Int32Array(new SharedArrayBuffer(4));
  // Flags of this process (`--import`, `--input-type`) are for its own code.
  const how = { eval: true, execArgv: [], workerData: { told, said, ms } };
  const sleeper = new Worker(SLEEPER, how);
  sleeper.unref();
  return () => {
    Atomics.store(told, 0, 1);
    Atomics.notify(told, 0);
  };
}
