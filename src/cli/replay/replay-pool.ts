/**
 * Replays many journals for `reckoner replay`, on all cores: each worker loads the config and takes the next
 * journal.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Configs, type NamedConfigs } from "../config/config-of-journal.js";
import { builtFile } from "../config/package.js";
import { isStoreAddress } from "../store/store-address.js";
import { endedByCode } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { type ReplayedJournal, refused, replayOne, type Tolerated } from "./replay-one.js";

/** The part of the work that all workers are told. */
export interface WorkerWork {
  readonly cwd: string;
  readonly env: Io["env"];
  readonly named: NamedConfigs;
  readonly options: Tolerated;
}

/** Below so many journals a worker costs more than it saves. */
const MIN_JOURNALS = 16;

/**
 * Checks journals, and tells of each as it is done.
 * @param jobs how many side by side; default one for each core, where the journals are many
 */
export async function replayAll(
  io: Io,
  journals: readonly string[],
  named: NamedConfigs,
  options: Tolerated,
  done: (report: ReplayedJournal, index: number) => void,
  jobs?: number,
): Promise<void> {
  // A store is open in this thread alone.
  const most = journals.some(isStoreAddress)
    ? 1
    : (jobs ?? (journals.length < MIN_JOURNALS ? 1 : availableParallelism()));
  const count = Math.min(most, journals.length);
  const file = builtFile("cli/replay/replay-worker.js");
  // Run from its source, where Node could not load a worker, everything stays in this thread.
  const built = !import.meta.url.endsWith(".ts") && existsSync(file);
  if (count <= 1 || !built) {
    const configs = new Configs(io, named);
    for (const [i, journal] of journals.entries()) {
      done(await replayOne(io, journal, configs, options), i);
    }
    return;
  }
  const work: WorkerWork = { cwd: io.cwd, env: { ...io.env }, named, options };
  let next = 0;
  const take = () => (next < journals.length ? next++ : undefined);
  await Promise.all(
    Array.from({ length: count }, () => onWorker(io, file, work, journals, take, done)),
  );
}

function onWorker(
  io: Io,
  file: string,
  work: WorkerWork,
  journals: readonly string[],
  take: () => number | undefined,
  done: (report: ReplayedJournal, index: number) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let index = take();
    if (index === undefined) return resolve();
    const worker = new Worker(file, { workerData: work });
    const end = () => void worker.terminate().then(() => resolve());
    const hand = () => worker.postMessage(journals[index as number]);
    worker.on("message", ({ report, output }: { report: ReplayedJournal; output: string }) => {
      if (output !== "") io.stderr.write(output);
      done(report, index as number);
      index = take();
      if (index === undefined) end();
      else hand();
    });
    let thrown: unknown;
    worker.on("error", (error) => {
      thrown = error;
    });
    // It comes behind an error as well, and alone where code of the config ends the thread.
    worker.on("exit", () => {
      if (index === undefined) return;
      // The journal that a worker died over is refused; another worker takes the rest.
      done(refused(io, journals[index] as string, thrown ?? endedByCode()), index);
      void onWorker(io, file, work, journals, take, done).then(resolve);
    });
    hand();
  });
}
